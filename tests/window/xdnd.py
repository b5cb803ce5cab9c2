"""Drops files onto a window by XDND: python -m tests.window.xdnd TITLE LISTED FILE...

LISTED 1: the types are in a property, as required for more than three; 0: in the event.
"""

import ctypes
import sys
import time
from ctypes import byref, c_int, c_ubyte, c_ulong
from pathlib import Path

from pyglet.libs.x11 import xlib

PATIENCE = 30.0
FORMAT = 32


class Drag:
    """A drag source of files (XDND version 5)."""

    def __init__(self, title, files):
        self.display = xlib.XOpenDisplay(None)
        self.root = xlib.XDefaultRootWindow(self.display)
        self.target = self.find(self.root, title)
        self.source = xlib.XCreateSimpleWindow(self.display, self.root, 0, 0, 1, 1, 0, 0, 0)
        self.data = "".join(f"{Path(file).resolve().as_uri()}\r\n" for file in files).encode()
        selection = self.atom("XdndSelection")
        xlib.XSetSelectionOwner(self.display, selection, self.source, xlib.CurrentTime)

    def atom(self, name):
        return xlib.XInternAtom(self.display, name.encode(), False)

    def find(self, window, title):
        root, parent, children, count = (
            c_ulong(),
            c_ulong(),
            ctypes.POINTER(c_ulong)(),
            ctypes.c_uint(),
        )
        xlib.XQueryTree(
            self.display, window, byref(root), byref(parent), byref(children), byref(count)
        )
        for child in children[: count.value]:
            name = ctypes.c_char_p()
            xlib.XFetchName(self.display, child, byref(name))
            if name.value and title.encode() in name.value:
                return child
        raise SystemExit("no such window")

    def send(self, message, *values):
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.window = self.target
        event.xclient.message_type = self.atom(message)
        event.xclient.format = FORMAT
        for k, value in enumerate((self.source, *values)):
            event.xclient.data.l[k] = value
        xlib.XSendEvent(self.display, self.target, False, 0, byref(event))
        xlib.XFlush(self.display)

    def drop(self, listed):
        """Drag over the window, drop when it accepts, send the files, and wait."""
        types = [self.atom(name) for name in ("text/uri-list", "text/plain", "TEXT", "UTF8_STRING")]
        if listed:
            values = (c_ulong * 4)(*types)
            xlib.XChangeProperty(
                self.display, self.source, self.atom("XdndTypeList"), self.atom("ATOM"),
                FORMAT, 0, ctypes.cast(values, ctypes.POINTER(c_ubyte)), 4,
            )  # fmt: skip
        self.send("XdndEnter", (5 << 24) | listed, *(types[:3] if listed else [types[0], 0, 0]))
        self.send("XdndPosition", 0, (600 << 16) | 300, 0, self.atom("XdndActionCopy"))
        end, taken = time.monotonic() + PATIENCE, False
        while time.monotonic() < end:
            if not xlib.XPending(self.display):
                time.sleep(0.02)
                continue
            event = xlib.XEvent()
            xlib.XNextEvent(self.display, byref(event))
            if event.type == xlib.SelectionRequest:
                self.send_data(event.xselectionrequest)
                end = time.monotonic() + 1.0  # for XdndFinished, which pyglet may not send
                taken = True
            elif event.type == xlib.ClientMessage:
                said = event.xclient.message_type
                if said == self.atom("XdndStatus"):
                    self.send("XdndDrop", 0, 0, 0, 0)
                elif said == self.atom("XdndFinished"):
                    return
        if not taken:
            raise SystemExit("the window did not accept the drop")

    def send_data(self, asked):
        kept = ctypes.create_string_buffer(self.data, len(self.data))
        xlib.XChangeProperty(
            self.display, asked.requestor, asked.property, asked.target,
            8, 0, ctypes.cast(kept, ctypes.POINTER(c_ubyte)), len(self.data),
        )  # fmt: skip
        event = xlib.XEvent()
        event.xselection.type = xlib.SelectionNotify
        for name in ("requestor", "selection", "target", "property", "time"):
            setattr(event.xselection, name, getattr(asked, name))
        xlib.XSendEvent(self.display, asked.requestor, False, 0, byref(event))
        xlib.XFlush(self.display)


if __name__ == "__main__":
    Drag(sys.argv[1], sys.argv[3:]).drop(c_int(int(sys.argv[2])).value)
