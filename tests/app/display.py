# SPDX-License-Identifier: GPL-3.0-or-later
"""Which windows stand on the display. Asked of the display itself: a program that is asked through the accessibility
bus about a window that it is just closing can fall over inside GTK 4.18, which has no path for it any more."""

import ctypes
import os

VIEWABLE = 2


class Attributes(ctypes.Structure):
    """XWindowAttributes"""
    _fields_ = [
        ("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
        ("border_width", ctypes.c_int), ("depth", ctypes.c_int), ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong),
        ("window_class", ctypes.c_int), ("bit_gravity", ctypes.c_int), ("win_gravity", ctypes.c_int),
        ("backing_store", ctypes.c_int), ("backing_planes", ctypes.c_ulong), ("backing_pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int), ("colormap", ctypes.c_ulong), ("map_installed", ctypes.c_int),
        ("map_state", ctypes.c_int), ("all_event_masks", ctypes.c_long), ("your_event_mask", ctypes.c_long),
        ("do_not_propagate_mask", ctypes.c_long), ("override_redirect", ctypes.c_int), ("screen", ctypes.c_void_p),
    ]


class Display:
    def __init__(self):
        self.x = ctypes.CDLL("libX11.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(os.environ["DISPLAY"].encode()))
        # A window may go while it is asked about; by default that would end this program.
        handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.ignore = handler(lambda display, event: 0)
        self.x.XSetErrorHandler(self.ignore)

    def _children(self):
        root, parent = ctypes.c_ulong(), ctypes.c_ulong()
        children, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x.XQueryTree(self.display, ctypes.c_ulong(self.x.XDefaultRootWindow(self.display)), ctypes.byref(root),
                          ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
        found = [children[i] for i in range(count.value)]
        if children:
            self.x.XFree(children)
        return found

    def _is_window(self, child):
        """Not a menu or a tooltip."""
        attributes = Attributes()
        return (self.x.XGetWindowAttributes(self.display, ctypes.c_ulong(child), ctypes.byref(attributes)) != 0 and
                attributes.map_state == VIEWABLE and not attributes.override_redirect)

    def windows(self):
        """The windows that can be seen, without a window manager's frame."""
        return {child for child in self._children() if self._is_window(child)}
