#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""./dev vm: runs a command in a virtual machine that has emulated drives."""

import argparse
import os
import signal
import sys

import drives
import machine

USAGE = """\
./dev vm [OPTION…] -- COMMAND [ARG…]

Runs COMMAND as root in a virtual machine that is made for it and gone afterwards; its output and exit status
are the command's. The system, the repository and the build stand in it at their usual places; what it writes
there is in memory and lost, except in the folders of --share."""

DETAILS = """\
A drive is SIZE[+SIZE…][,KEY=VALUE…], one SIZE for each namespace: 4G   1G+1G   1G,ns=2   1G,lba=4096
  lba=BYTES           its block size (512)        serial=TEXT   its serial number (RIG0, RIG1, …; SATA0, …)
  paths=N             this many controllers lead to it
  image=FILE          keeps the first namespace in this file, which may exist already
  read-error=BYTE     every read of that byte fails; write-error=BYTE likewise
  cache=MODE          unsafe (flushes cost nothing), writeback, none
  qemu.NAME=VALUE     a property of QEMU's device
In the guest, /run/vm/qmp.py COMMAND [JSON] talks to QEMU's monitor: device_del '{"id": "c0"}' pulls the first
NVMe drive. Its namespaces are c0n1 …, a SATA drive is s0.

Exit status: the command's; 124 when time was up; 125 when there was none (the console is then shown); 77 when
there can be no virtual machine here.
"""


def parse(arguments):
    parser = argparse.ArgumentParser(usage=USAGE, epilog=DETAILS, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     allow_abbrev=False)
    parser.add_argument("--drive", action="append", default=[], help="an NVMe drive; one of 1G if none is named")
    parser.add_argument("--sata", action="append", default=[], metavar="DRIVE", help="a SATA drive")
    parser.add_argument("--udev", action="store_true", help="with udev")
    parser.add_argument("--udisks", action="store_true", help="with udev, D-Bus, polkit and UDisks2")
    parser.add_argument("--user", action="store_true", help="the command runs as an ordinary user")
    parser.add_argument("--share", action="append", default=[], metavar="FOLDER", help="a folder that it may write to")
    parser.add_argument("--monitor", metavar="PATH", help="makes a socket with QEMU's monitor (QMP)")
    parser.add_argument("--poll-queues", type=int, default=0, metavar="N", help="poll queues of the NVMe driver")
    parser.add_argument("--multipath", action="store_true", help="with the NVMe driver's multipath devices")
    parser.add_argument("--append", default="", metavar="TEXT", help="more kernel parameters")
    parser.add_argument("--cpus", type=int, default=1, metavar="N", help="processors (1)")
    parser.add_argument("--memory", type=int, default=1024, metavar="MIB", help="memory (1024)")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="seconds for all of it (300)")
    parser.add_argument("--debug", action="store_true", help="says what it does and how long it takes")
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    return parser.parse_args(arguments)


def make_machine(options):
    wanted = options.drive or ([] if options.sata else ["1G"])
    disks = [drives.Drive(text, number) for number, text in enumerate(wanted)]
    disks += [drives.Drive(text, number, "sata") for number, text in enumerate(options.sata)]
    append = [f"nvme_core.multipath={'Y' if options.multipath else 'N'}", options.append]
    if options.poll_queues:
        append.append(f"nvme.poll_queues={options.poll_queues}")
    services = "udisks" if options.udisks else "udev" if options.udev else ""
    return machine.Machine(disks, services=services, user=options.user, shares=map(os.path.abspath, options.share),
                           monitor=options.monitor, append=" ".join(append), memory=options.memory, cpus=options.cpus,
                           debug=options.debug)


def write_to(fd):
    def sink(data):
        while data:
            data = data[os.write(fd, data):]
    return sink


def stop(number, _frame):
    sys.exit(128 + number)


def main():
    options = parse(sys.argv[1:])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        status = make_machine(options).run(options.command, write_to(1), write_to(2), options.timeout, os.getcwd())
    except drives.Wrong as wrong:
        sys.exit(f"./dev vm: {wrong}")
    except machine.Unavailable as unavailable:
        print(f"./dev vm: {unavailable}", file=sys.stderr)
        sys.exit(machine.UNAVAILABLE)
    if status == machine.TIMED_OUT:
        print(f"./dev vm: time was up after {options.timeout:g} s.", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
