# SPDX-License-Identifier: GPL-3.0-or-later
"""
What the tests in the virtual machine share. A test file is started twice: outside it boots a machine with the
drives that it needs, and inside it runs its tests; what they print goes through.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time

SOURCE = os.environ["PLATEAU_SOURCE"]
INSIDE = os.path.exists("/run/vm/settings.sh")
# Twice what any of them takes on a machine that is busy with something else.
TIMEOUT = 240

sys.path.insert(0, os.path.join(SOURCE, "tests", "cli"))
sys.path.insert(0, "/run/vm" if INSIDE else os.path.join(SOURCE, "tools", "vm"))

import harness  # noqa: E402 pylint: disable=wrong-import-position


def tool(*args, **more):
    """A system tool that has to work; its output."""
    done = subprocess.run(args, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise AssertionError(f"{' '.join(args)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def free(folder):
    """Bytes that this user can still write on the file system of FOLDER."""
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def slow_fill():
    """The path of a suite that fills the free space slowly enough for something to be done meanwhile."""
    path = "/run/slow-fill.suite"
    with open(path, "w", encoding="utf-8") as file:
        file.write("[suite]\nid=slow-fill\nname=Slow\ndescription=Slow.\nsize=all\n"
                   "[fill]\nkind=fill-free-space\nblock=128KiB\nqueue=4\nrate_write=30MB/s\n")
    return path


def drive(serial, nsid=1):
    """The name of a namespace or disk: neither the order of controllers nor of namespaces is the machine's."""
    for block in os.listdir("/sys/class/block"):
        folder = os.path.join("/sys/class/block", block)
        if os.path.exists(f"{folder}/hidden") and read(f"{folder}/hidden") == "1":
            continue  # one way of several to a drive
        if block.startswith("nvme") and os.path.exists(f"{folder}/nsid") and not os.path.exists(f"{folder}/partition"):
            controller = os.path.join(folder, "device")
            if not os.path.exists(f"{controller}/serial"):
                # A multipath device hangs on the subsystem, which knows its controllers.
                controller = next(os.path.join(controller, name) for name in os.listdir(controller)
                                  if name.startswith("nvme") and os.path.exists(f"{controller}/{name}/serial"))
            if read(f"{controller}/serial") == serial and int(read(f"{folder}/nsid")) == nsid:
                return block
        elif block.startswith("sd") and not os.path.exists(f"{folder}/partition"):
            with open(f"{folder}/device/vpd_pg80", "rb") as page: # the unit serial number, after four bytes
                if page.read()[4:].strip() == serial.encode():
                    return block
    raise AssertionError(f"no drive {serial} {nsid}: {tool('lsblk')}")


class Case(harness.Case):
    """In the guest: a library in memory, and file systems on the emulated drives."""

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.addClassCleanup(cls.stack.close)
        cls.work = cls.stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp", prefix="vm-"))
        cls.home = cls.make_home()

    def mount(self, device, make=("mkfs.ext4", "-q"), options="defaults"):
        """A new file system on /dev/DEVICE; returns the folder where it is mounted until the test's end."""
        path = device if device.startswith("/") else f"/dev/{device}"
        folder = tempfile.mkdtemp(dir=self.work, prefix="mounted-")
        tool(*make, path)
        tool("mount", "-o", options, path, folder)
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=False, capture_output=True)
        return folder

    def dry_run(self, folder):
        """The plan's document for FOLDER: what would be measured, and the warnings."""
        done = self.check(self.cli("run", "quick", folder, "--dry-run", "--json"))
        return json.loads(done.stdout)

    def wait_for_cell(self, process, home, timeout=60):
        """Until PROCESS, a run, measures its first cell."""
        until = time.monotonic() + timeout
        while time.monotonic() < until and process.poll() is None:
            if any(run["cells"] > 0 for run in self.results(home)):
                return
            time.sleep(0.1)
        process.kill()
        raise AssertionError(f"the run never began: {process.communicate()}")

    def in_one_of_three(self, check):
        """A machine that is busy with other things can hold the guest up for some ticks, but not each time."""
        for last in (False, False, True):
            try:
                check()
                return
            except AssertionError as error:
                if last:
                    raise
                print(f"# once more: {str(error)[:200]!r}")
            finally:
                self.doCleanups()

    @staticmethod
    def warnings(document):
        return {warning["id"]: warning["detail"] for warning in document["warnings"]}


def skip(reason):
    print(f"1..0 # SKIP {' '.join(reason.split())}")
    sys.exit(0)


def need_machine():
    """Skips the test where there can be no virtual machine; the first to ask waits for the downloads."""
    if os.environ.get("PLATEAU_NO_VM", "0") not in ("", "0"):
        skip("PLATEAU_NO_VM is set")
    import machine  # pylint: disable=import-outside-toplevel
    os.environ["PLATEAU_VM_RETRY"] = "no"
    try:
        machine.prepare()
    except machine.Unavailable as unavailable:
        skip(str(unavailable))


def new_machine(disks, sata=(), **more):
    """A machine with the drives of ./dev vm's notation."""
    import drives  # pylint: disable=import-outside-toplevel
    import machine  # pylint: disable=import-outside-toplevel
    return machine.Machine([*(drives.Drive(text, i) for i, text in enumerate(disks)),
                            *(drives.Drive(text, i, "sata") for i, text in enumerate(sata))], **more)


def boot(vm, command, sink=None):
    """Runs COMMAND in VM; its output is printed, or goes to SINK. Its exit status, 124 or 125."""
    def to(stream):
        def write(data):
            stream.buffer.write(data)
            stream.flush()
        return write

    return vm.run(command, sink or to(sys.stdout), to(sys.stderr), TIMEOUT, SOURCE)


def main(disks, sata=(), **more):
    """The whole of a test file: DISKS and SATA in ./dev vm's notation, MORE as of machine.Machine."""
    if INSIDE:
        harness.main()
    need_machine()
    vm = new_machine(disks, sata, **more)
    status = boot(vm, ["python3", os.path.realpath(sys.argv[0]), *sys.argv[1:]])
    if status in (124, 125):
        print(f"Bail out! the virtual machine {'took too long' if status == 124 else 'broke down'}")
    sys.exit(status)
