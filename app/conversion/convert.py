"""Convert a file to .glb, or find it in the cache."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from ..errors import ConversionError, OutputError
from ..file_io import NotAFileError, read_file, temporary_folder
from ..wording import one_line, shortened
from . import cache
from .cache import Converted, Entry
from .conversion_settings import Settings, present
from .find_blender import Blender, find_blender
from .formats import check_beginning
from .run_blender import LOG, RESULT, run_blender

TRIES = 2  # of a file that is written meanwhile


def convert(path: Path, settings: Settings | None = None) -> Converted:
    """Return a file of another format as .glb.

    Parameters
    ----------
    path
        A file whose extension is one of `formats.FORMATS`.
    settings
        None: those of the context.

    Raises
    ------
    ConversionError
        The file cannot be read, there is no Blender, or it cannot convert the file.
    """
    settings = settings or present()
    try:
        data = _read(path)
        blender = find_blender(settings.blender)
        entry = Entry(path.absolute(), data, blender)
        del data
        if (found := entry.find()) is not None:
            return found
        for _ in range(TRIES):
            made = _convert_once(path, entry, blender, settings)
            before, entry = entry.key, Entry(path.absolute(), _read(path), blender)
            if before == entry.key:
                break
    except ConversionError as error:
        error.file = error.file or str(path)
        raise
    return made


def _read(path: Path) -> bytes:
    ending = path.suffix.lower()
    try:
        return read_file(path, check=lambda head, _: check_beginning(head, ending))
    except FileNotFoundError:
        raise ConversionError("there is no such file") from None
    except NotAFileError:
        raise ConversionError("it is not a file") from None
    except OSError as error:
        raise ConversionError(f"it cannot be read: {error.strerror}") from None


def _convert_once(path: Path, entry: Entry, blender: Blender, settings: Settings) -> Converted:
    """Convert a file while other processes that need it wait."""
    failures = settings.failures
    if failures is not None and entry.key in failures:
        raise failures[entry.key]
    try:
        with entry.locked():
            made = entry.find()
            if made is None:
                made = _convert(path, blender, settings, f"{path.stem[:40]}-{entry.key[:8]}")
                entry.store(made)
            return made
    except ConversionError as error:
        if failures is not None:
            failures[entry.key] = error
        raise


def _convert(path: Path, blender: Blender, settings: Settings, log_name: str) -> Converted:
    name = f"Blender {blender.version}"

    def say(doing: str) -> None:
        settings.report(shortened(one_line(f"{name} is {doing}: {path.name}"), 200))

    say("starting")
    with ExitStack() as stack:
        folder = _work_folder(stack)
        try:
            result = run_blender(blender, str(path.absolute()), folder, settings, say)
            data = read_file(folder / RESULT)
            if data[:4] != b"glTF":
                raise ConversionError("wrote no .glb")
        except ConversionError as error:
            error.message = f"{name} {error.message}"
            if settings.cancelled():
                raise
            log = cache.keep_log(folder / LOG, log_name)
            named = [error.hint, f"its log is {log}" if log is not None else ""]
            error.hint = "; ".join(filter(None, named))
            raise
        except OSError as error:
            raise ConversionError(f"{name} wrote no .glb: {error.strerror}") from None
        finally:
            settings.report("")
    links = tuple(map(Path, result.get("links", ())))
    return Converted(data, tuple(map(one_line, result.get("warnings", ()))), links)


def _work_folder(stack: ExitStack) -> Path:
    """Return an empty folder in the cache, which a Blender in a sandbox sees too."""
    for parent in (cache.folder(), Path(tempfile.gettempdir())):
        try:
            return stack.enter_context(temporary_folder(parent))
        except OutputError as error:
            reason = error
    raise ConversionError(f"there is no folder for temporary files: {reason.message}")
