"""`rigview desktop`: put the program into the user's menu and file manager, or take it out (Linux).

What is put there is the folder ``assets/desktop``: the entry of the menu, icons, file types, the
thumbnailer and the description for software centres, laid out as below ``share``.
"""

import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from ..errors import OutputError, UsageError
from ..file_io import read_file, write_file
from ..options.command_options import Options
from ..resources import asset_path, data_home

_MOST = 1 << 20  # bytes of a file
_CACHES = {  # programs that write what desktops read, and the folders that they are for
    "update-desktop-database": "applications",
    "update-mime-database": "mime",
    "gtk-update-icon-cache": "icons/hicolor",
}
_WRITTEN = "mime", "applications/mimeinfo.cache", "icons/hicolor/icon-theme.cache"  # by those
_OURS = "mime/packages", "applications", "icons/hicolor"  # where files of others may be, too


def run(options: Options) -> int:
    """Install or uninstall; returns the exit code."""
    words = options.files
    if words not in (("install",), ("uninstall",)):
        raise UsageError("say what to do", hint="rigview desktop install, or uninstall")
    if not sys.platform.startswith("linux"):
        raise UsageError("only on Linux", hint="elsewhere the installer does this")
    home = data_home()
    if words == ("install",):
        _install(home)
    else:
        _uninstall(home)
    print(f"{words[0]}ed in {home}")
    return 0


def _files() -> list[Path]:
    """Return the paths of the files, relative to ``share``."""
    root = asset_path("desktop")
    return sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file())


def _install(home: Path) -> None:
    program = _program()
    for name in _files():
        data = read_file(asset_path("desktop") / name, _MOST)
        if name.suffix in (".desktop", ".thumbnailer"):  # desktops have another PATH than shells
            text = data.decode()
            for key, given in (("Exec", _quoted(program)), ("TryExec", program)):
                text = text.replace(f"\n{key}=rigview", f"\n{key}={given}")
            data = text.encode()
        write_file(home / name, data, make_folder=True)
    _update_caches(home)


def _uninstall(home: Path) -> None:
    try:
        for name in _files():
            (home / name).unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(error.strerror or str(error), file=str(home)) from None
    _update_caches(home)
    for place, written in zip(_OURS, _WRITTEN, strict=True):
        left = [path for path in (home / place).rglob("*") if path.is_file()]
        if all(path == home / written for path in left):  # no other files are there
            if written == "mime":
                shutil.rmtree(home / written, ignore_errors=True)
            else:
                (home / written).unlink(missing_ok=True)
    folders = {home / folder for name in _files() for folder in name.parents}
    for folder in sorted(folders - {home}, reverse=True):  # the innermost first
        with suppress(OSError):  # it is not empty
            folder.rmdir()


def _update_caches(home: Path) -> None:
    for program, folder in _CACHES.items():
        if shutil.which(program) and (home / folder).is_dir():
            quietly = ("-q", "-t", "-f") if program.startswith("gtk") else ()
            with suppress(OSError):
                subprocess.run([program, *quietly, home / folder], check=False, capture_output=True)


def _program() -> str:
    """Return the path of the installed program."""
    if getattr(sys, "frozen", False):
        return sys.executable
    started = Path(sys.argv[0])
    for path in (started, Path(sys.executable).with_name("rigview")):
        if path.name == "rigview" and path.is_file():
            return str(path.absolute())
    raise UsageError("the program `rigview` is not installed", hint="install it with pipx")


def _quoted(program: str) -> str:
    """Return a path as an argument of ``Exec``."""
    if re.fullmatch(r"[\w./+-]+", program):
        return program
    escaped = re.sub(r'(["`$\\])', r"\\\1", program).replace("\\", "\\\\")
    return f'"{escaped}"'.replace("%", "%%")
