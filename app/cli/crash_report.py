"""Reports of crashes of the window in the user's state folder; nothing is sent anywhere.

A report is the file of a process: errors of Python are written to it, and by `faulthandler` where
the process stood when the system ended it. It is empty, and removed, as long as all is well.
"""

import faulthandler
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from traceback import format_exception

from ..errors import AppError
from ..resources import state_folder
from ..version import __version__

_KEPT = 5  # reports


@contextmanager
def crashes_reported() -> Iterator[None]:
    """Write a report if the block, or the process in it, crashes."""
    path = state_folder() / f"crash-{os.getpid()}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = path.open("w", encoding="utf-8", errors="backslashreplace")
    except OSError:  # a folder that cannot be written
        yield
        return
    with file:
        faulthandler.enable(file)
        try:
            yield
        except (AppError, MemoryError):
            raise
        except Exception as error:
            with suppress(OSError):
                file.write(f"Rigview {__version__}, {platform.platform()}\n\n")
                file.write("".join(format_exception(error)))
            raise
        finally:
            faulthandler.disable()
            with suppress(OSError):
                file.flush()
                if not path.stat().st_size:
                    path.unlink()


def new_reports() -> list[Path]:
    """Return the reports since the last call, and remove all but the last few."""
    reported: list[Path] = []
    with suppress(OSError):
        for path in sorted(state_folder().glob("crash-*[0-9].txt")):
            if _is_running(int(path.stem.rpartition("-")[2])):
                continue
            if path.stat().st_size:
                reported.append(path.rename(path.with_suffix(".reported.txt")))
            else:  # it was killed
                path.unlink()
        kept = sorted(
            state_folder().glob("crash-*.reported.txt"), key=lambda each: each.stat().st_mtime
        )
        for path in kept[:-_KEPT]:
            path.unlink()
    return reported


def _is_running(process: int) -> bool:
    if os.name == "nt":  # there os.kill would end it
        return process == os.getpid()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
