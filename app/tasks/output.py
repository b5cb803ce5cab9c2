"""Write results to standard output, or atomically to a file."""

import os
import sys
from pathlib import Path

from ..console import discard_stdout, print_verbose
from ..errors import OutputError, UsageError
from ..file_io import write_file
from ..options.command_options import Options
from ..wording import page_size

STANDARD = "-"
PAGES = (".html", ".htm")  # extensions


def check_extension(target: str, endings: tuple[str, ...], *, standard: bool = True) -> str:
    """Return the lower-case extension of `target` (UsageError: not one of `endings`).

    Standard output has none, "", and is refused unless `standard`.
    """
    if target == STANDARD and standard:
        return ""
    ending = Path(target).suffix.lower()
    if ending not in endings:
        allowed = " or ".join(endings)
        raise UsageError(f"the extension of {target!r} must be {allowed}")
    return ending


def check_one_standard(options: Options, target: str) -> None:
    """Raise UsageError if both the report and the file go to standard output."""
    if target == STANDARD and options.output.json:
        raise UsageError(
            "--json and -o - both write to standard output", hint="name a file after -o"
        )


def check_target(target: str) -> None:
    """Raise OutputError if `target` cannot be written; called before the work starts."""
    if target == STANDARD:
        return
    path = Path(target)
    folder = path.parent
    try:
        path.exists()
    except OSError as error:  # the name is too long
        raise OutputError(error.strerror or str(error), file=target) from None
    if path.is_dir():
        raise OutputError("is a folder", file=target)
    if path.exists():
        if not os.access(path, os.W_OK):
            raise OutputError("no permission to write", file=target)
        if not path.is_file():
            return  # a device or a pipe is written directly
    elif not folder.is_dir():
        raise OutputError(
            f"folder {str(folder)!r} does not exist", file=target, hint="create it first"
        )
    try:
        folder = path.resolve().parent  # follow symbolic links
    except (OSError, RuntimeError) as error:  # links in a circle, or no working folder
        raise OutputError(getattr(error, "strerror", None) or str(error), file=target) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"no permission to write in folder {str(folder)!r}", file=target)


def write(target: str, data: bytes) -> None:
    """Write `data` atomically to a file, or to standard output if `target` is ``-``.

    Raises
    ------
    OutputError
        Writing failed; an existing file is unchanged.
    """
    if target == STANDARD:
        _write_standard(data)
    else:
        write_file(target, data)


def write_page(options: Options, html: str) -> None:
    """Write a page to the output of a command, and print its size; errors as of `write`."""
    page = html.encode()
    write(options.output.file, page)
    size = " ".join(page_size(len(page)).split())
    print_verbose(f"{options.output.file}: {size}", verbose=options.general.verbose)


def _write_standard(data: bytes) -> None:
    if sys.stdout is None:
        raise OutputError("is closed", file="standard output")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    except BrokenPipeError:  # the reader closed it; the exit code is that of the command
        discard_stdout()
    except OSError as error:
        raise OutputError(error.strerror or str(error), file="standard output") from None
