# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulated drives of the virtual machine: what a person asks for, and QEMU's arguments for it."""

import json
import os
import re

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class Wrong(Exception):
    """What was asked for makes no sense; one sentence."""


def size_of(text):
    match = re.fullmatch(r"(\d+)([KMGT]?)(?:iB)?", text)
    if not match or int(match[1]) == 0:
        raise Wrong(f"{text} is no size: write it like 512M or 4G.")
    return int(match[1]) * UNITS[match[2]]


class Drive:
    """SIZE[+SIZE…][,KEY=VALUE…]: see USAGE in run.py. NUMBER makes names and the serial number."""

    def __init__(self, text, number, kind="nvme"):
        sizes, *options = text.split(",")
        self.kind, self.number = kind, number
        self.serial = f"{'RIG' if kind == 'nvme' else 'SATA'}{number}"
        self.sizes = [size_of(size) for size in sizes.split("+")]
        self.lba, self.image, self.cache, self.paths = 512, None, "unsafe", 1
        self.errors, self.properties = [], {}
        for option in options:
            self.set_option(option)
        if kind == "sata" and (len(self.sizes) > 1 or self.lba != 512):
            raise Wrong("A SATA drive has one size, and blocks of 512 bytes.")

    def set_option(self, option):
        key, equals, value = option.partition("=")
        if not equals:
            raise Wrong(f"{option} is no option of a drive: write KEY=VALUE.")
        if key == "lba":
            self.lba = size_of(value)
        elif key == "ns":
            self.sizes = self.sizes[:1] * self.count(value, 16)
        elif key == "paths":
            self.paths = self.count(value, 4)
        elif key in ("serial", "cache"):
            setattr(self, key, value)
        elif key == "image":
            self.image = os.path.abspath(value)
        elif key in ("read-error", "write-error"):
            self.errors.append((key.partition("-")[0], self.count(value, 1 << 60) // 512))
        elif key.startswith("qemu."):
            self.properties[key[len("qemu."):]] = value
        else:
            raise Wrong(f"A drive has no option {key}; it has lba, ns, paths, serial, image, cache, read-error, write-error and qemu.NAME.")

    @staticmethod
    def count(text, most):
        if not text.isdecimal() or not 0 < int(text) <= most:
            raise Wrong(f"{text} is not allowed: it is a number from 1 to {most}.")
        return int(text)

    @property
    def prefix(self):
        return f"{'c' if self.kind == 'nvme' else 's'}{self.number}"

    def arguments(self, folder):
        """QEMU's arguments; makes the images, sparse ones, in FOLDER."""
        arguments = []
        for index, size in enumerate(self.sizes, 1):
            path = self.image if self.image and index == 1 else os.path.join(folder, f"{self.serial}.{index}.img")
            if not os.path.exists(path):
                with open(path, "xb") as image:
                    image.truncate(size)
            arguments += ["-blockdev", json.dumps(self.blockdev(path, index))]
        return arguments + (self.nvme() if self.kind == "nvme" else self.sata())

    def blockdev(self, path, index):
        file = {"driver": "file", "filename": path, "discard": "unmap"}
        # Nothing outlives the guest, so a flush that waits for the machine's own disk would be lost time.
        cache = {"direct": self.cache == "none", "no-flush": self.cache == "unsafe"}
        if self.errors and index == 1:
            file = {"driver": "blkdebug", "image": {**file, "cache": cache}, "inject-error": [
                {"event": "none", "iotype": direction, "sector": sector} for direction, sector in self.errors]}
        return {"driver": "raw", "node-name": f"{self.prefix}d{index}", "file": {**file, "cache": cache},
                "discard": "unmap", "cache": cache}

    def nvme(self):
        name, arguments, shared = self.prefix, [], ""
        if self.paths > 1:
            # Several controllers of one drive, which the kernel can join to one device.
            arguments += ["-device", f"nvme-subsys,id={name}s,nqn={self.serial}"]
            shared = f",subsys={name}s"
        more = shared + "".join(f",{key}={value}" for key, value in self.properties.items())
        for path in range(self.paths):
            # Beside the first, which the namespaces hang on: c0p1, c0p2 …
            controller = f"{name}p{path}" if path else name
            slot = self.number * 4 + path + 1
            arguments += ["-device", f"pcie-root-port,id={controller}port,chassis={slot},slot={slot}",
                          "-device", f"nvme,id={controller},serial={self.serial},bus={controller}port{more}"]
        for index in range(1, len(self.sizes) + 1):
            arguments += ["-device", f"nvme-ns,id={name}n{index},bus={name},nsid={index},drive={name}d{index},"
                                     f"logical_block_size={self.lba},physical_block_size={self.lba}"]
        return arguments

    def sata(self):
        more = "".join(f",{key}={value}" for key, value in self.properties.items())
        return ["-device", f"ide-hd,id={self.prefix},bus=ide.{self.number},drive={self.prefix}d1,"
                           f"serial={self.serial},rotation_rate=1{more}"]
