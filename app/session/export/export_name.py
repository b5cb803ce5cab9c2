"""The name of an exported file: a proposal, what was typed, and whether it exists."""

from pathlib import Path

from ...errors import UsageError
from ...resources import pictures_folder
from ...tasks.output_names import fill_pattern, model_name
from ..play_range import frames_of
from ..player import PlayRange
from ..screenshot import file_stem
from ..session import Session
from .export_view import FORMATS, ExportView

NUMBER = "_####"  # of a frame of a sequence


def proposed_name(session: Session) -> str:
    """Return a file name for what is exported, with the extension of its format."""
    view, active = session.interface.of(ExportView), session.active
    character = session.transport.playable
    span = active.transport.chosen_range if active is not None else None
    parts = ["rigview" if session.path is None else session.path.stem]
    if character is not None and view.kind != "sheet":
        parts.append(character.mixer.name)
    if view.kind == "picture" and character is not None:
        parts.append(f"{session.transport.time:.2f}s")
    if view.kind == "range" and span is not None:
        parts.append(f"{span.begin:.2f}s-{span.end:.2f}s")
    if view.kind in ("turntable", "sheet"):
        parts.append(view.kind)
    return f"{file_stem(parts)}{NUMBER if view.is_sequence else ''}{view.ending}"


def export_path(session: Session) -> Path:
    """Return the path of the exported file, or the pattern of the files of a sequence."""
    view = session.interface.of(ExportView)
    folder = view.folder or pictures_folder()
    name = with_ending(view, view.name.strip()) if view.name.strip() else proposed_name(session)
    return folder / Path(name).expanduser()


def missing_folder(session: Session) -> Path | None:
    """Return the folder of a typed path if it does not exist; the default folder is made."""
    name = session.interface.of(ExportView).name.strip()
    if Path(name).parent == Path() or "{" in name:
        return None
    folder = export_path(session).parent
    return None if folder.is_dir() else folder


def with_ending(view: ExportView, name: str) -> str:
    """Return a typed name with the extension of the format."""
    known = {ending for endings in FORMATS.values() for ending in endings}
    suffix = Path(name).suffix
    stem = name[: -len(suffix)] if suffix.lower() in known else name
    return f"{stem}{view.ending}"


def type_name(view: ExportView, name: str) -> None:
    """Take a typed name; an extension of another format chooses that format."""
    view.name = name
    suffix = Path(name.strip()).suffix.lower()
    if suffix in FORMATS[view.kind]:
        view.choose(suffix)


def existing(session: Session) -> Path | None:
    """Return the file that an export would replace; of a sequence its first one; else None."""
    view, character = session.interface.of(ExportView), session.transport.playable
    model = model_name(session.path.name) if session.path is not None else ""
    clip = character.mixer.name if character is not None else "rest"
    frame = _first_frame(session) if view.is_sequence else None
    try:
        path = Path(fill_pattern(str(export_path(session)), model=model, clip=clip, frame=frame))
        return path if path.exists() else None
    except (UsageError, OSError, ValueError):
        return None  # the export reports it


def _first_frame(session: Session) -> int:
    """Return the number of the first frame of a sequence."""
    view, active = session.interface.of(ExportView), session.active
    span = active.transport.chosen_range if active is not None and view.kind == "range" else None
    if span is None:
        return 0
    try:
        rate = view.values().frame_rate
    except ValueError:
        return 0
    begin = session.transport.span[0]
    return frames_of(PlayRange(span.begin - begin, span.end - begin), rate).start
