"""A message box of the system, for a program that was started without a terminal."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress

_TITLE = "Rigview"
_LINUX = (  # programs that show a message, the first that is there
    ("zenity", "--error", "--no-markup", f"--title={_TITLE}", "--text"),
    ("kdialog", "--title", _TITLE, "--error"),
    ("xmessage", "-center"),
    ("notify-send", _TITLE),
)
_MAC = 'on run {text}\ndisplay alert "Rigview" message text as critical\nend run'
_ERROR = 0x10  # MB_ICONERROR


def show(text: str) -> None:
    """Show a text until it is read; nothing where there is a terminal that has it."""
    if sys.stderr is not None and sys.stderr.isatty():
        return
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, _TITLE, _ERROR)
        return
    command: tuple[str, ...] = ("osascript", "-e", _MAC, text)
    if sys.platform != "darwin":
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            return
        found = next((each for each in _LINUX if shutil.which(each[0])), None)
        if found is None:
            return
        command = (*found, text)
    with suppress(OSError):
        subprocess.run(command, check=False, capture_output=True)
