"""Save motion files: where they were read, or under a new name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..motion.file_paths import SUFFIX
from ..resources import is_bundled
from .morph_overrides import only_morphs_differ
from .opened_character import OpenedCharacter, imports_of
from .session import Session

After = Callable[[], object]


@dataclass(slots=True)
class NewName:
    """The pop-up that asks for the name of a motion file.

    Attributes
    ----------
    opened_character
        Whose motion file gets it; None: no name is asked for.
    after
        Called when the file is written.
    path
        What is typed.
    """

    opened_character: OpenedCharacter | None = None
    after: After | None = None
    path: str = ""


def save(session: Session, opened_character: OpenedCharacter) -> None:
    """Write a motion file; ask for a new name instead of writing a bundled one."""
    if needs_name(opened_character):
        save_as(session, opened_character)
    else:
        opened_character.save()


def save_all(session: Session, unsaved: Sequence[OpenedCharacter], after: After) -> None:
    """Write motion files, as many as possible; if all are written, call `after`."""
    named = [each for each in unsaved if not needs_name(each)]
    nameless = [each for each in unsaved if needs_name(each)]
    saved = [each.save() for each in named]
    if not all(saved):
        return
    if not nameless:
        after()
        return
    first, *more = nameless
    save_as(session, first, lambda: session.ask_to_leave(after, more) if more else after())


def save_as(
    session: Session, opened_character: OpenedCharacter, after: After | None = None
) -> None:
    """Ask for the name of a motion file, to write it and then call `after`."""
    asked = session.interface.of(NewName)
    asked.opened_character, asked.after = opened_character, after
    asked.path = str(suggested_path(opened_character))
    session.interface.ask("save as")


def needs_name(opened_character: OpenedCharacter) -> bool:
    """Return whether the motion file is one of the program's own, which are not written."""
    path = motion_file(opened_character)
    return path is not None and is_bundled(path)


def plays_unsaved_motion(opened_character: OpenedCharacter) -> bool:
    """Return whether a character plays what its motion file does not contain."""
    editor = opened_character.editor
    differs = editor.differs and not only_morphs_differ(editor.document, editor.saved_document)
    played = opened_character.character.mixer.from_motion and (differs or editor.path is None)
    return played or imports_of(editor.document) != imports_of(editor.saved_document)


def motion_file(opened_character: OpenedCharacter) -> Path | None:
    """Return the path of the motion file; it may not exist."""
    return opened_character.editor.path or opened_character.editor.default_path()


def suggested_path(opened_character: OpenedCharacter) -> Path:
    """Return a path for a motion file under a new name."""
    path = motion_file(opened_character)
    if path is None:
        return Path.home() / f"motion{SUFFIX}"
    return Path.home() / path.name if is_bundled(path) else path.absolute()


def finish(session: Session, path: Path) -> bool:
    """Write the motion file whose name was asked for; return whether it is written.

    A name without a suffix gets that of motion files.
    """
    asked = session.interface.of(NewName)
    opened_character, after = asked.opened_character, asked.after
    asked.opened_character = asked.after = None
    if opened_character is None or opened_character not in session.open_characters:
        return False
    saved = opened_character.save(with_suffix(path))
    if saved and after is not None:
        after()
    return saved


def with_suffix(path: Path) -> Path:
    """Return the path of a motion file from what was typed."""
    path = path.expanduser()
    return path if path.suffix == ".toml" else path.with_name(f"{path.name}{SUFFIX}")
