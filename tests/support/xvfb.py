"""The real window on a virtual screen (Xvfb), with mouse and keys by xdotool."""

import ctypes
import ctypes.util
import json
import os
import shutil
import struct
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageGrab

ROOT = Path(__file__).resolve().parents[2]
SIZE = (1280, 800)
SMALLER = (960, 600)  # of a window whose frames take two thirds of the time
PATIENCE = 60.0  # seconds; a busy machine without a GPU draws a few frames a second
TOOLS = ("Xvfb", "xdotool")
INPUT = frozenset(("key", "keydown", "keyup", "type", "mousemove", "mousedown", "mouseup", "click"))


def missing_tools():
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def need_xserver():
    """Skip if tools are missing; fail on a CI machine."""
    missing = missing_tools()
    if missing and os.environ.get("CI"):
        pytest.fail(f"{' and '.join(missing)} not installed, and CI is set")
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed")


class XServer:
    """A virtual X server.

    The settings in its folder open windows of a size, if it is given, and files are checked in the
    background only with `checks`: the process would slow the tests down.
    """

    def __init__(self, folder, size=None, *, checks=False):
        self.folder = folder
        settings = folder / "config" / "rigview" / "settings.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        quick = "samples = 4\nocclusion = false\n"  # what the tests see at rest does not need more
        settings.with_name("config.toml").write_text(quick, encoding="utf-8")
        with settings.open("a") as file:
            file.write(f"check_files = {str(checks).lower()}\n")
            if size is not None:
                file.write(f"size = [{size[0]}, {size[1]}]\n")
        options = [
            "-screen",
            "0",
            f"{SIZE[0]}x{SIZE[1]}x24",
            "+extension",
            "GLX",
            "-nolisten",
            "tcp",
        ]
        reader, writer = os.pipe()
        with (folder / "xvfb.log").open("w") as log:
            self.server = subprocess.Popen(
                ["Xvfb", "-displayfd", str(writer), *options], pass_fds=[writer], stderr=log
            )
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        assert number, (folder / "xvfb.log").read_text()
        self.display = f":{number}"

    @property
    def environment(self):
        """Environment of a program on this screen, with its own settings and pictures."""
        own = {
            "DISPLAY": self.display,
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_PICTURES_DIR": str(self.folder / "pictures"),
            "RIGVIEW_TRACE": str(self.folder / "trace.json"),
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        }
        return {**os.environ, **own}

    def picture(self):
        """[H, W, 3] of the whole screen."""
        return np.asarray(ImageGrab.grab(xdisplay=self.display).convert("RGB")).astype(int)

    def close(self):
        self.server.terminate()
        self.server.wait(PATIENCE)


class Window:
    """The program on an X server, observed through its trace.

    One sample per pixel halves the time of a frame; a test that needs more asks for it.
    """

    def __init__(self, xserver, *arguments, samples=1):
        self.xserver = xserver
        self.unsettled = True  # since the last input
        self.trace = xserver.folder / "trace.json"
        self.trace.unlink(missing_ok=True)
        self.cwd = xserver.folder / "cwd"
        self.cwd.mkdir(exist_ok=True)
        self.errors = xserver.folder / "stderr.txt"
        with self.errors.open("w") as errors:
            self.program = subprocess.Popen(
                [sys.executable, "-m", "rigview", *map(str, arguments), "--samples", str(samples)],
                cwd=self.cwd,
                env=xserver.environment,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        self.wait(
            lambda state: (state["file"] or state["popup"]) and state["frame"] > 3, "an open file"
        )
        self.number = self.tool("search", "--sync", "--onlyvisible", "--name", "Rigview").split()[
            -1
        ]
        self.tool("windowfocus", "--sync", self.number)

    def state(self):
        self.alive()
        return json.loads(self.trace.read_text()) if self.trace.exists() else {}

    def alive(self):
        assert self.program.poll() is None, self.errors.read_text()

    def wait(self, test, what):
        """Return the first state that passes a test."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            state = self.state()
            if state and test(state):
                return state
            time.sleep(0.02)
        raise AssertionError(f"timeout: no {what}: {state}")

    def settle(self):
        """Return the state when the screen shows the effect of all input.

        An exposure stands behind all earlier input in the window's queue, so that the input has
        been handled when the window has counted it. A window that plays is never idle.
        """
        before = self.state()
        self.unsettled = False
        self.expose()
        return self.wait(
            lambda state: (
                state["exposures"] > before["exposures"]
                and (state["idle"] or (state["moving"] and state["frame"] > before["frame"] + 3))
            ),
            "effect of the input",
        )

    def expose(self):
        """Ask the window to draw itself again, as if another one had covered it."""
        with self.xlib() as (xlib, display):
            root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
            children = ctypes.POINTER(ctypes.c_ulong)()
            found = map(ctypes.byref, (root, parent, children, count))
            xlib.XQueryTree(display, ctypes.c_ulong(int(self.number)), *found)
            view = ctypes.c_ulong(children[0])  # of pyglet; it covers the whole window
            xlib.XClearArea(display, view, 0, 0, ctypes.c_uint(1), ctypes.c_uint(1), 1)
            xlib.XSync(display, 0)

    @contextmanager
    def xlib(self):
        """Xlib and a connection to the server."""
        xlib = ctypes.CDLL(ctypes.util.find_library("X11"))
        xlib.XOpenDisplay.restype = ctypes.c_void_p
        xlib.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(xlib.XOpenDisplay(self.xserver.display.encode()))
        yield xlib, display
        xlib.XCloseDisplay(display)

    def tool(self, *arguments):
        self.unsettled |= not INPUT.isdisjoint(arguments)
        done = subprocess.run(
            ["xdotool", *map(str, arguments)],
            env=self.xserver.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        return done.stdout

    def key(self, *chords):
        self.tool("key", *chords)

    def box(self, widget):
        left, top, right, bottom = (round(x) for x in self.state()["widgets"][widget])
        return left, top, right, bottom

    def click(self, widget):
        if self.unsettled or not self.state()["idle"]:
            self.settle()  # a list has its place in its second frame
        left, top, right, bottom = self.box(widget)
        self.tool("mousemove", (left + right) // 2, (top + bottom) // 2, "click", 1)

    def drag(self, start, end, button=1):
        self.tool("mousemove", *start, "mousedown", button)
        self.settle()
        self.tool("mousemove", *end)
        self.settle()
        self.tool("mouseup", button)

    def picture(self):
        """[H, W, 3] of the screen, after `settle`."""
        self.settle()
        return self.xserver.picture()

    def part(self, picture, widget):
        left, top, right, bottom = self.box(widget)
        return picture[top:bottom, left:right]

    def ask_to_close(self):
        """Send the event that a window manager sends for a click on the close button."""
        number = int(self.number)
        with self.xlib() as (xlib, display):
            atoms = [
                xlib.XInternAtom(display, name, 0)
                for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")
            ]
            # XClientMessageEvent: type, serial, send_event, display, window, message_type, format,
            # data
            event = struct.pack(
                "iLiPLLi5l", 33, 0, 1, 0, number, atoms[0], 32, atoms[1], 0, 0, 0, 0
            )
            buffer = ctypes.create_string_buffer(event.ljust(192, bytes(1)))
            xlib.XSendEvent(display, ctypes.c_ulong(number), 0, ctypes.c_long(0), buffer)
            xlib.XSync(display, 0)

    def wait_for_end(self):
        """Return the exit code."""
        code = self.program.wait(PATIENCE)
        assert self.errors.read_text() == ""
        return code

    def kill(self):
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait(PATIENCE)
