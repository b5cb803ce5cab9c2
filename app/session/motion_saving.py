"""Save motion files, where they were read or under a new name, and edited models."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from ..loading.git_revision import revision_of
from ..motion.file_paths import SUFFIX
from ..resources import is_bundled
from .morph_overrides import only_morphs_differ
from .opened_character import OpenedCharacter, imports_of
from .session import Session

After = Callable[[], object]


@dataclass(slots=True)
class NewName:
    """The pop-up that asks for the name of a motion file, or of a .glb with an edited model.

    Attributes
    ----------
    opened_character
        Whose file gets it; None: no name is asked for.
    after
        Called when the file is written.
    path
        What is typed.
    model
        Whether it is that of an edited model.
    """

    opened_character: OpenedCharacter | None = None
    after: After | None = None
    path: str = ""
    model: bool = False

    @property
    def words(self) -> str:
        """The heading."""
        return "Save the edited model" if self.model else "Save the motion file"

    def typed(self) -> Path | None:
        """Return the path of the file from what was typed; None without."""
        text = self.path.strip()
        return with_suffix(Path(text), model=self.model) if text else None


def save(session: Session, opened_character: OpenedCharacter) -> None:
    """Write a motion file; ask for a new name instead of writing a bundled one.

    If only the model is edited, ask for the name of a .glb with the edits.
    """
    edits = opened_character.changes
    if edits.dirty and not opened_character.editor.differs:
        save_edits_as(session, opened_character)
    elif needs_name(opened_character):
        save_as(session, opened_character)
    elif opened_character.save() and edits.dirty:
        notice = f"{session.interface.notice}, without {edits.words}"
        session.notify(f"{notice}: File > Save the edited model as…")


def save_all(session: Session, unsaved: Sequence[OpenedCharacter], after: After) -> None:
    """Write motion files, as many as possible; then ask for names; at last call `after`."""
    motions = [each for each in unsaved if each.editor.dirty]
    nameless = [each for each in motions if needs_name(each)]
    saved = [each.save() for each in motions if each not in nameless]
    models = [each for each in unsaved if each.changes.dirty]
    if not all(saved):
        return
    if not nameless and not models:
        after()
        return

    def rest() -> None:
        session.ask_to_leave(after, unsaved)

    if nameless:
        save_as(session, nameless[0], rest)
    else:
        save_edits_as(session, models[0], rest)


def save_as(
    session: Session, opened_character: OpenedCharacter, after: After | None = None
) -> None:
    """Ask for the name of a motion file, to write it and then call `after`."""
    _ask(session, NewName(opened_character, after, str(suggested_path(opened_character))))


def save_edits_as(
    session: Session, opened_character: OpenedCharacter, after: After | None = None
) -> None:
    """Ask for the name of a .glb with an edited model, to write it and then call `after`."""
    source = opened_character.path
    own = source is not None and not is_bundled(source) and not revision_of(source)
    folder = source.absolute().parent if own and source is not None else Path.home()
    path = folder / f"{opened_character.model.name}-edited.glb"
    _ask(session, NewName(opened_character, after, str(path), model=True))


def _ask(session: Session, name: NewName) -> None:
    asked = session.interface.of(NewName)
    for field in fields(NewName):
        setattr(asked, field.name, getattr(name, field.name))
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
    """Write the file whose name was asked for; return whether it is written.

    A name without a suffix gets that of its kind.
    """
    asked = session.interface.of(NewName)
    opened_character, after = asked.opened_character, asked.after
    asked.opened_character = asked.after = None
    if opened_character is None or opened_character not in session.open_characters:
        return False
    path = with_suffix(path, model=asked.model)
    saved = opened_character.save_model(path) if asked.model else opened_character.save(path)
    if saved and after is not None:
        after()
    return saved


def with_suffix(path: Path, *, model: bool = False) -> Path:
    """Return the path of a motion file, or of a .glb, from what was typed."""
    path, (known, added) = path.expanduser(), (".glb", ".glb") if model else (".toml", SUFFIX)
    return path if path.suffix == known else path.with_name(f"{path.name}{added}")
