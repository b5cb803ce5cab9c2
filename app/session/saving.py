"""Save motion files: where they were read, or under a new name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..motion.file_paths import SUFFIX
from ..resources import is_bundled
from .held_morphs import only_morphs_differ
from .open_character import OpenCharacter, imports_of
from .session import Session

After = Callable[[], object]


@dataclass(slots=True)
class NewName:
    """The pop-up that asks for the name of a motion file.

    Attributes
    ----------
    open_character
        Whose motion file gets it; None: no name is asked for.
    after
        Called when the file is written.
    path
        What is typed.
    """

    open_character: OpenCharacter | None = None
    after: After | None = None
    path: str = ""


def save(session: Session, open_character: OpenCharacter) -> None:
    """Write a motion file; ask for a new name instead of writing a bundled one."""
    if needs_name(open_character):
        save_as(session, open_character)
    else:
        open_character.save()


def save_all(session: Session, unsaved: Sequence[OpenCharacter], after: After) -> None:
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


def save_as(session: Session, open_character: OpenCharacter, after: After | None = None) -> None:
    """Ask for the name of a motion file, to write it and then call `after`."""
    asked = session.interface.of(NewName)
    asked.open_character, asked.after = open_character, after
    asked.path = str(suggested_path(open_character))
    session.interface.ask("save as")


def needs_name(open_character: OpenCharacter) -> bool:
    """Return whether the motion file is one of the program's own, which are not written."""
    path = motion_file(open_character)
    return path is not None and is_bundled(path)


def plays_unsaved_motion(open_character: OpenCharacter) -> bool:
    """Return whether a character plays what its motion file does not contain."""
    editor = open_character.editor
    differs = editor.differs and not only_morphs_differ(editor.document, editor.saved_document)
    played = open_character.character.mixer.from_motion and (differs or editor.path is None)
    return played or imports_of(editor.document) != imports_of(editor.saved_document)


def motion_file(open_character: OpenCharacter) -> Path | None:
    """Return the path of the motion file; it may not exist."""
    return open_character.editor.path or open_character.editor.default_path()


def suggested_path(open_character: OpenCharacter) -> Path:
    """Return a path for a motion file under a new name."""
    path = motion_file(open_character)
    if path is None:
        return Path.home() / f"motion{SUFFIX}"
    return Path.home() / path.name if is_bundled(path) else path.absolute()


def finish(session: Session, path: Path) -> bool:
    """Write the motion file whose name was asked for; return whether it is written.

    A name without a suffix gets that of motion files.
    """
    asked = session.interface.of(NewName)
    open_character, after = asked.open_character, asked.after
    asked.open_character = asked.after = None
    if open_character is None or open_character not in session.open_characters:
        return False
    saved = open_character.save(with_suffix(path))
    if saved and after is not None:
        after()
    return saved


def with_suffix(path: Path) -> Path:
    """Return the path of a motion file from what was typed."""
    path = path.expanduser()
    return path if path.suffix == ".toml" else path.with_name(f"{path.name}{SUFFIX}")
