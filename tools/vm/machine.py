# SPDX-License-Identifier: GPL-3.0-or-later
"""A virtual machine that runs one command and is gone: its making, its boot, its end."""

import contextlib
import ctypes
import fcntl
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
TIMED_OUT, NO_STATUS, UNAVAILABLE = 124, 125, 77
# A boot with KVM takes two seconds. Where KVM does not really work, QEMU hangs instead of saying so.
KVM_BOOT_SECONDS = 40
PR_SET_PDEATHSIG = 1
CONSOLE_LINES = 30
REFUSAL = "There can be no virtual machine here"
# What of the environment is meant for our own programs and not for QEMU, and what holds in the guest too.
FOR_TESTS = ("G_DEBUG", "MALLOC_PERTURB_")
KEPT = ("GSETTINGS_SCHEMA_DIR", "G_DEBUG", "LC_ALL", "MALLOC_PERTURB_", "PYTHONDONTWRITEBYTECODE")


class Unavailable(Exception):
    """There can be no virtual machine here; one sentence."""


def prepare():
    """(packages, kernel): folders with what the machine is made of, downloaded on first use."""
    words = []
    with subprocess.Popen([os.path.join(HERE, "prepare.sh")], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        # What it says of a long download must not wait for the end.
        for line in process.stderr:
            words.append(line.strip())
            if not line.startswith(REFUSAL):
                print(line, end="", file=sys.stderr, flush=True)
        folders = process.stdout.read().splitlines()
    if process.returncode == UNAVAILABLE:
        raise Unavailable(words[-1])
    if process.returncode or len(folders) != 2:
        raise Unavailable(f"{REFUSAL}: prepare.sh failed ({process.returncode}).")
    return folders[0], folders[1]


def kvm_is_real():
    """Under a hypervisor without nested virtualization /dev/kvm may open and then not run a stock kernel."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        return any(line.startswith("flags") and {"vmx", "svm"} & set(line.split()) for line in cpuinfo)


def share(tag, path, readonly=True):
    return ["-fsdev", f"local,id={tag},path={path},security_model=none,multidevs=remap{',readonly=on' if readonly else ''}",
            "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]


def die_with_parent():
    """In the child: QEMU must not outlive the program that would clean up after it."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Folder:
    """A folder for one run, removed at the end; what killed runs have left is removed at the start."""

    def __init__(self, cache):
        runs = os.path.join(cache, "runs")
        os.makedirs(runs, exist_ok=True)
        for name in os.listdir(runs):
            self.remove_if_left(os.path.join(runs, name))
        self.path = tempfile.mkdtemp(dir=runs, prefix="run-")
        self.lock = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        os.mkdir(self.job)

    @staticmethod
    def remove_if_left(path):
        try:
            folder = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return
        try:
            # A folder this young may be waiting for its lock.
            if time.time() - os.fstat(folder).st_mtime > 60:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(folder)

    @property
    def job(self):
        return os.path.join(self.path, "job")

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


class Port:
    """A serial port of the guest: what comes from it goes to SINK, from a thread of its own."""

    def __init__(self, name, sink):
        self.name, self.sink = name, sink
        self.ours, self.theirs = socket.socketpair()
        self.thread = threading.Thread(target=self.follow, daemon=True)

    def arguments(self):
        return ["-chardev", f"socket,id={self.name},fd={self.theirs.fileno()}",
                "-device", f"virtserialport,chardev={self.name},name={self.name}"]

    def follow(self):
        while True:
            try:
                data = self.ours.recv(1 << 16)
            except OSError:
                data = b""
            if not data:
                return
            self.sink(data)

    def begin(self):
        self.theirs.close()
        self.thread.start()

    def end(self):
        """What QEMU had taken before it ended is still read."""
        if self.thread.is_alive():
            self.thread.join(10)
        self.ours.close()
        self.theirs.close()


class Machine:
    """
    DRIVES: of drives.Drive. SERVICES: "", "udev" or "udisks". SHARES: folders that the guest may write to.
    MONITOR: path of a socket for QEMU's monitor, if wanted. APPEND: more kernel parameters.
    """

    def __init__(self, drives, services="", user=False, shares=(), monitor=None, append="", memory=1024, cpus=1,
                 debug=False):
        self.drives, self.services, self.user, self.shares = drives, services, user, list(shares)
        self.monitor, self.append, self.memory, self.cpus, self.debug = monitor, append, memory, cpus, debug
        self.process, self.status, self.ready = None, None, threading.Event()
        self.is_sudden_end_wanted = False
        self.words = b""

    def say(self, text):
        if self.debug:
            print(f"vm: {text}", file=sys.stderr, flush=True)

    def run(self, command, output, errors, timeout=300, folder="/"):
        """
        Runs COMMAND (a list) in FOLDER as it is outside. Its output goes to the functions OUTPUT and ERRORS.
        Returns its exit status, TIMED_OUT or NO_STATUS (then the console is printed).
        """
        began = time.monotonic()
        packages, kernel = prepare()
        self.say(f"prepared in {time.monotonic() - began:.1f} s")
        cache = os.path.dirname(packages)
        with contextlib.ExitStack() as stack:
            for part in (packages, kernel):
                lock = stack.enter_context(open(f"{part}.lock", "a", encoding="utf-8"))
                fcntl.flock(lock, fcntl.LOCK_SH)
            run = Folder(cache)
            stack.callback(run.remove)
            self.write_job(run, command, folder)
            accelerators = ["kvm", "tcg"] if kvm_is_real() else ["tcg"]
            for accelerator in accelerators:
                status = self.boot(run, packages, kernel, accelerator, output, errors, began + timeout)
                if status != NO_STATUS or self.ready.is_set():
                    break
            if status == NO_STATUS and not self.is_sudden_end_wanted:
                self.explain(run)
        self.say(f"over after {time.monotonic() - began:.1f} s")
        return status

    def write_job(self, run, command, folder):
        for name in ("init.sh", "qmp.py"):
            shutil.copy(os.path.join(HERE, name), run.job)
        settings = {"services": self.services, "user": "yes" if self.user else "no", "folder": folder,
                    "shares": "\n".join(f"share{i} {path}" for i, path in enumerate(self.shares)),
                    "drives": str(sum(len(drive.sizes) for drive in self.drives))}
        kept = {name: value for name, value in os.environ.items() if name.startswith("PLATEAU_") or name in KEPT}
        with open(os.path.join(run.job, "settings.sh"), "w", encoding="utf-8") as file:
            file.writelines(f"{name}={shlex.quote(value)}\n" for name, value in settings.items())
        with open(os.path.join(run.job, "command.sh"), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(f"export {name}={shlex.quote(value)}\n" for name, value in kept.items())
            file.write(shlex.join(command) + "\n")

    def take_words(self, data):
        """What the guest's first process says of itself."""
        self.words += data
        for line in self.words.decode("utf-8", "replace").split("\n")[:-1]:
            word, _, value = line.partition(" ")
            if word == "ready" and not self.ready.is_set():
                self.say(f"booted in {time.monotonic() - self.began:.1f} s ({value} s of the guest's own)")
                self.ready.set()
            elif word == "exit":
                self.status = int(value)

    def boot(self, run, packages, kernel, accelerator, output, errors, deadline):
        self.began, self.words, self.status = time.monotonic(), b"", None
        ports = [Port("control", self.take_words), Port("output", output), Port("errors", errors)]
        # Both ends of the guest's own way to the monitor are QEMU's.
        monitor = socket.socketpair()
        arguments = [*self.arguments(run, packages, kernel, accelerator),
                     "-chardev", f"socket,id=monitor,fd={monitor[0].fileno()}", "-mon", "chardev=monitor,mode=control",
                     "-chardev", f"socket,id=guest,fd={monitor[1].fileno()}",
                     "-device", "virtserialport,chardev=guest,name=monitor"]
        for port in ports:
            arguments += port.arguments()
        fds = [end.fileno() for end in (*monitor, *(port.theirs for port in ports))]
        libraries = os.path.join(packages, "usr/lib/x86_64-linux-gnu")
        self.say(f"{accelerator}: {shlex.join(arguments)}")
        with open(os.path.join(run.path, "qemu.log"), "wb") as log:
            # pylint: disable=subprocess-popen-preexec-fn # no other thread runs yet
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=fds, preexec_fn=die_with_parent,
                env={**{name: value for name, value in os.environ.items() if name not in FOR_TESTS},
                     "LD_LIBRARY_PATH": libraries})
        try:
            for end in monitor:
                end.close()
            for port in ports:
                port.begin()
            timed_out = self.wait(deadline, accelerator)
        finally:
            self.cut_power()
            if self.monitor:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self.monitor)
            for port in ports:
                port.end()
        if self.status is not None:
            return self.status
        return TIMED_OUT if timed_out else NO_STATUS

    def arguments(self, run, packages, kernel, accelerator):
        with open(os.path.join(kernel, "version"), encoding="utf-8") as file:
            version = file.read().strip()
        qemu = shutil.which("qemu-system-x86_64") or os.path.join(packages, "usr/bin/qemu-system-x86_64")
        append = ("console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check lpj=4000000 "
                  f"cryptomgr.notests raid=noautodetect {self.append}")
        arguments = [qemu, "-L", os.path.join(packages, "usr/share/qemu"), "-L", os.path.join(packages, "usr/share/seabios"),
                     "-L", os.path.join(packages, "usr/lib/ipxe/qemu"),
                     "-L", "/usr/share/qemu", "-L", "/usr/share/seabios", "-L", "/usr/lib/ipxe/qemu",
                     "-machine", "q35", "-accel", accelerator, "-cpu", "max", "-smp", str(self.cpus), "-m", str(self.memory),
                     "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
                     "-serial", f"file:{run.path}/console", "-kernel", os.path.join(kernel, "vmlinuz"),
                     "-initrd", os.path.join(kernel, "initramfs.cpio"), "-append", append, "-device", "virtio-serial-pci",
                     *share("system", "/"), *share("packages", packages),
                     *share("modules", os.path.join(kernel, "usr/lib/modules", version)), *share("job", run.job)]
        for i, path in enumerate(self.shares):
            arguments += share(f"share{i}", path, readonly=False)
        for drive in self.drives:
            arguments += drive.arguments(run.path)
        if self.monitor:
            arguments += ["-qmp", f"unix:{self.monitor},server=on,wait=off"]
        return arguments

    def wait(self, deadline, accelerator):
        """Until QEMU has ended; True when it had to be ended because time was up."""
        boot_by = time.monotonic() + KVM_BOOT_SECONDS if accelerator == "kvm" else float("inf")
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.2)
                return False
            if time.monotonic() > boot_by and not self.ready.is_set():
                self.say(f"{accelerator} does not boot")
                return False
        return True

    def cut_power(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def explain(self, run):
        print("The virtual machine ended without the command's exit status. What QEMU and the console said last:",
              file=sys.stderr)
        for name in ("qemu.log", "console"):
            with contextlib.suppress(OSError), open(os.path.join(run.path, name), "rb") as file:
                lines = file.read().decode("utf-8", "replace").splitlines()[-CONSOLE_LINES:]
                print("\n".join(lines), file=sys.stderr)
