# SPDX-License-Identifier: GPL-3.0-or-later
"""A display without a screen, and the moment at which a program has drawn its window on it."""

import ctypes
import os
import subprocess
import time
from contextlib import contextmanager

from common import Problem, Unavailable, need

WIDTH, HEIGHT = 1400, 1100

# A window of a program, as against its helpers' windows of one pixel.
LEAST_WIDTH, LEAST_HEIGHT = 300, 200

VIEWABLE, Z_PIXMAP, ALL_PLANES = 2, 2, ctypes.c_ulong(-1)


class Attributes(ctypes.Structure):
    """XWindowAttributes"""
    _fields_ = [
        ('x', ctypes.c_int), ('y', ctypes.c_int), ('width', ctypes.c_int), ('height', ctypes.c_int),
        ('border_width', ctypes.c_int), ('depth', ctypes.c_int), ('visual', ctypes.c_void_p), ('root', ctypes.c_ulong),
        ('window_class', ctypes.c_int), ('bit_gravity', ctypes.c_int), ('win_gravity', ctypes.c_int),
        ('backing_store', ctypes.c_int), ('backing_planes', ctypes.c_ulong), ('backing_pixel', ctypes.c_ulong),
        ('save_under', ctypes.c_int), ('colormap', ctypes.c_ulong), ('map_installed', ctypes.c_int),
        ('map_state', ctypes.c_int), ('all_event_masks', ctypes.c_long), ('your_event_mask', ctypes.c_long),
        ('do_not_propagate_mask', ctypes.c_long), ('override_redirect', ctypes.c_int), ('screen', ctypes.c_void_p),
    ]


class Image(ctypes.Structure):
    """The beginning of XImage"""
    _fields_ = [('width', ctypes.c_int), ('height', ctypes.c_int), ('xoffset', ctypes.c_int), ('format', ctypes.c_int),
                ('data', ctypes.POINTER(ctypes.c_char)), ('byte_order', ctypes.c_int), ('unit', ctypes.c_int),
                ('bit_order', ctypes.c_int), ('pad', ctypes.c_int), ('depth', ctypes.c_int),
                ('bytes_per_line', ctypes.c_int)]


class Screen:
    def __init__(self, name):
        try:
            self.x = ctypes.CDLL('libX11.so.6')
        except OSError:
            raise Unavailable('libX11 is not installed') from None
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.x.XGetImage.restype = ctypes.POINTER(Image)
        self.name = name
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(name.encode()))
        if not self.display:
            raise Problem(f'the display {name} cannot be opened')
        # A window may go while it is asked about; by default that would end this program.
        handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.ignore = handler(lambda display, event: 0)
        self.x.XSetErrorHandler(self.ignore)

    def windows(self):
        root, parent = ctypes.c_ulong(), ctypes.c_ulong()
        children, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x.XQueryTree(self.display, ctypes.c_ulong(self.x.XDefaultRootWindow(self.display)), ctypes.byref(root),
                          ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
        found = [children[i] for i in range(count.value)]
        if children:
            self.x.XFree(children)
        return found

    def is_drawn(self, window):
        """TRUE when WINDOW has more on it than one colour and a frame."""
        attributes = Attributes()
        if not self.x.XGetWindowAttributes(self.display, ctypes.c_ulong(window), ctypes.byref(attributes)):
            return False
        if (attributes.map_state != VIEWABLE or attributes.width < LEAST_WIDTH or attributes.height < LEAST_HEIGHT or
                attributes.x < 0 or attributes.x + attributes.width > WIDTH or
                attributes.y < 0 or attributes.y + attributes.height > HEIGHT):
            return False
        image = self.x.XGetImage(self.display, ctypes.c_ulong(window), 0, 0, attributes.width, attributes.height,
                                 ALL_PLANES, Z_PIXMAP)
        if not image:
            return False
        content = image.contents
        pixels = ctypes.string_at(content.data, content.bytes_per_line * content.height)
        self.x.XDestroyImage(image)
        # Text is drawn with many shades, and a window that is still empty has none.
        return len({pixels[i:i + 4] for i in range(0, len(pixels), 4)}) > 16

    def wait_until_drawn(self, before, patience):
        """Seconds from now until a window that is not among BEFORE is drawn."""
        begun = time.monotonic()
        while time.monotonic() - begun < patience:
            if any(self.is_drawn(window) for window in self.windows() if window not in before):
                return time.monotonic() - begun
            time.sleep(0.005)
        raise Problem(f'no window was drawn within {patience} s')


@contextmanager
def screen():
    """A display of its own."""
    read, write = os.pipe()
    server = subprocess.Popen([need('Xvfb'), '-displayfd', str(write), '-screen', '0', f'{WIDTH}x{HEIGHT}x24',
                               '-nolisten', 'tcp'], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as file:
            number = file.readline().strip()
        if not number:
            raise Problem('Xvfb did not start')
        yield Screen(f':{number}')
    finally:
        server.terminate()
        server.wait()
