#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""QEMU's monitor, from inside the guest.

    qmp.py COMMAND [JSON]      sends it and prints what came back; exit status 1 for an error

As a module: Qmp().send("device_del", id="c0").
"""

import contextlib
import json
import os
import sys
import time

PORT = "/dev/virtio-ports/monitor"


class Refused(Exception):
    """QEMU's own words."""


class Qmp:
    def __init__(self, port=PORT):
        self.port = os.open(port, os.O_RDWR | os.O_CLOEXEC)
        self.rest = b""
        # The port is one conversation for the guest's whole life: another program may have opened it already.
        with contextlib.suppress(Refused):
            self.send("qmp_capabilities")

    def close(self):
        """Lets others have the port: one program at a time may."""
        os.close(self.port)

    def line(self):
        while b"\n" not in self.rest:
            self.rest += os.read(self.port, 65536)
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def send(self, command, **arguments):
        """Returns what QEMU answers; events that come between, and what others were answered, are dropped."""
        label = f"{os.getpid()} {time.monotonic_ns()}"
        os.write(self.port, json.dumps({"execute": command, "arguments": arguments, "id": label}).encode() + b"\n")
        while True:
            answer = self.line()
            if answer.get("id") != label:
                continue
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise Refused(answer["error"]["desc"])

    def throttle(self, drive, write=0, read=0):
        """Limits in bytes per second of the namespace or disk DRIVE ("c0n1"); 0 lifts them."""
        self.send("block_set_io_throttle", id=drive, bps=0, bps_rd=read, bps_wr=write, iops=0, iops_rd=0, iops_wr=0)


def main():
    try:
        print(json.dumps(Qmp().send(sys.argv[1], **json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}"))))
    except Refused as refused:
        sys.exit(f"qmp.py: {refused}")


if __name__ == "__main__":
    main()
