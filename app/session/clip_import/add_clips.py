"""Add clips of other files to the active character, and import them again after changes."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...batch.jobs import Job, Report, Shows
from ...conversion.conversion_settings import present, using
from ...errors import AppError, MotionError, UsageError
from ...loading.read_character import CharacterFile
from ...model.model import Model
from ...model.named_clips import Clips
from ...motion.document import MotionDoc
from ...motion.file_paths import path_from
from ...motion.read import MotionFile
from ...wording import counted, joined
from .. import character_files, played_motion
from ..file_reading import motion_folder
from ..opened_character import ClipImport, OpenedCharacter, imports_of
from ..session import Session
from .mapping_rows import ClipImportView, source_joints

if TYPE_CHECKING:
    from ...loading.import_clips import ImportedFile

    Found = tuple[Model, tuple[ImportedFile, ...]]

NOT_ADDED = "The clips cannot be added"
NOT_IMPORTED = "The clips of other files cannot be imported"
PANEL = "Mapping"


def add_clips(session: Session, *paths: Path) -> None:
    """Add the clips of files to the active character; an error pop-up shows what is wrong.

    They are imported in the background, and then added.
    """
    own = session.active
    folder = None if own is None else motion_folder(own)
    if own is None or folder is None:
        session.notify("Open a character first: clips are added to the active one")
        return
    if own.clip_import is not None:
        session.notify("Clips are being imported; add more afterwards")
        return
    there = {(folder / file).resolve() for file in own.document.anims.files}
    new = tuple(dict.fromkeys(path.resolve() for path in paths if path.resolve() not in there))
    if not new:
        session.notify(f"{paths[0].name} is already among the files of clips")
        return

    def begin() -> None:
        own.given_files.update(new)
        session.notify(f"Importing clips of {joined([path.name for path in new])}")
        _begin(session, own, new)

    character_files.after_converting(session, new, begin, NOT_ADDED)


def poll(session: Session) -> Shows:
    """Import again where the document names other clips; called between frames."""
    asks = asking(session)
    if asks is not None and session.interface.popup != "few joints":  # closed without an answer
        accept_few(session, accepted=False)
    begun = Shows.NOTHING
    for own in session.open_characters:
        now = imports_of(own.document)
        if own.clip_import is None and now != own.imported_with and own.path is not None:
            own.imported_with = now  # not tried again if it fails
            _begin(session, own)
            begun = Shows.PANELS
    return begun


def accept_few(session: Session, *, accepted: bool) -> None:
    """Add the clips of a file of which few joints match, or not."""
    own = asking(session)
    if own is None or own.clip_import is None or own.clip_import.found is None:
        return
    asked, (model, report), own.clip_import = own.clip_import, own.clip_import.found, None
    if accepted and _is_stale(own, asked):
        _begin(session, own, asked.added)  # asks again
    elif accepted:
        _add(session, own, asked, model, report)
    else:
        own.given_files.difference_update(asked.added)


def asking(session: Session) -> OpenedCharacter | None:
    """Return the character that waits for `accept_few`."""
    found = (own for own in session.open_characters if own.clip_import and own.clip_import.found)
    return next(found, None)


def remove_file(own: OpenedCharacter, number: int) -> None:
    """Remove the clips of a file of the motion document, and what its joints are mapped to."""
    anims, left = own.document.anims, (*own.imports[:number], *own.imports[number + 1 :])
    known = {name for each in left for name in source_joints(each)}
    names = {one: to for one, to in anims.names.items() if "*" in one or one in known}
    files = (*anims.files[:number], *anims.files[number + 1 :])
    document = replace(own.document, anims=replace(anims, files=files, names=names))
    own.editor.edit(document, f"Remove clips of {Path(anims.files[number]).name}")


def edit_mapping(own: OpenedCharacter, document: MotionDoc, target: str) -> None:
    """Apply a document with another joint mapping; `poll` imports the clips again."""
    own.editor.edit(document, f"Joint mapping of {target}" if target else "Joint mapping")


def _begin(session: Session, own: OpenedCharacter, added: tuple[Path, ...] = ()) -> None:
    """Start to import the clips that a character's document names, and those of `added`."""
    path = own.editor.path or own.editor.default_path() or Path()
    anims, folder = own.document.anims, path.absolute().parent
    files = (*anims.files, *(path_from(path, folder) for path in added))
    document = replace(own.document, anims=replace(anims, files=files))
    begun = ClipImport(document, added, (own.changes.base, imports_of(own.document)))
    own.clip_import = begun
    model, motion = (
        without_imports(own.changes.base, own.imports),
        MotionFile(document, "", str(path)),
    )
    more = tuple(map(Path, session.doc.anims))
    root, force = session.files.root_of(own), session.doc.force
    rotation = session.doc.key_rotation

    converting = present()

    def find(_report: Report) -> "Found":
        from ...loading.import_clips import import_all_clips  # imported late: seldom used

        with using(converting):
            found, report = import_all_clips(model, motion, more, root=root, force=force)
        for each in begun.new(report):
            if not each.clips:
                raise UsageError("has no animations", file=Path(each.file).name)
        return found.with_key_rotation(rotation), report

    session.jobs.start((own, "clips"), find, partial(_finish, session, own, begun))


def without_imports(model: Model, imports: tuple["ImportedFile", ...]) -> Model:
    """Return a model without the clips of other files and those cut out, which follow its own."""
    cut = sum(clip.source != "" for clip in model.clips)
    own = len(model.clips) - sum(len(each.clips) for each in imports) - cut
    aliases = {name: clip for name, clip in model.clips.aliases.items() if clip < own}
    return replace(model, clips=Clips(model.clips[:own], MappingProxyType(aliases)))


def _is_stale(own: OpenedCharacter, begun: ClipImport) -> bool:
    """Return whether the character's file or document has changed since the import began."""
    model, imports = begun.started_from
    return own.changes.base is not model or imports_of(own.document) != imports


def _finish(session: Session, own: OpenedCharacter, begun: ClipImport, job: "Job[Found]") -> None:
    """Add the imported clips; ask first if few joints match, and import again after changes."""
    if own not in session.open_characters:
        return
    own.clip_import = None
    if _is_stale(own, begun):
        if not begun.added:
            own.imported_with = imports_of(own.document)
        _begin(session, own, begun.added)
        return
    try:
        model, report = job.result()
    except AppError as error:
        _fail(session, own, begun, error)
        return
    if any(each.few for each in begun.new(report)) and not session.doc.force:
        own.clip_import, begun.found = begun, (model, report)
        session.interface.popup = "few joints"
    else:
        _add(session, own, begun, model, report)


def _add(
    session: Session,
    own: OpenedCharacter,
    begun: ClipImport,
    model: Model,
    report: tuple["ImportedFile", ...],
) -> None:
    """Add the imported clips."""
    try:
        session.files.upload([model], beside=len(session.open_characters) > 1)
    except AppError as error:
        _fail(session, own, begun, error)
        return
    new = begun.new(report)
    if begun.added:
        words = f"Add clips of {joined([path.name for path in begun.added])}"
        own.editor.put(replace(own.document, anims=begun.document.anims), words)
        own.imported_with = imports_of(begun.document)
    try:
        own.reread(CharacterFile(own.path or Path(), model, report))
    except MotionError as error:
        session.notify(f"The motion does not fit the character: {error}")
    session.scene.measure()
    if new:
        _show(session, own, new)


def _fail(session: Session, own: OpenedCharacter, begun: ClipImport, error: AppError) -> None:
    own.given_files.difference_update(begun.added)
    session.fail(error, NOT_ADDED if begun.added else NOT_IMPORTED)


def _show(session: Session, own: OpenedCharacter, new: tuple["ImportedFile", ...]) -> None:
    """Play the first new clip unless layers play, and show the mapping of its joints."""
    interface, names = session.interface, [clip.name for clip in own.model.clips]
    if not own.character.mixer.layered:
        played_motion.choose_clip(own, names.index(new[0].clips[0]))
        session.transport.resume_linked()
        interface.scroll_to_clip = True
    if own is session.active and not new[0].verbatim:
        interface.of(ClipImportView).file = len(own.document.anims.files) - len(new)
        interface.mixer_panels.tab = PANEL
    count = counted(sum(len(each.clips) for each in new), "clip")
    least = min(new, key=lambda each: len(each.matched))
    words = f"{len(least.matched)} of {least.total} joints match"
    session.notify(f"Added {count}: {'equal skeletons' if least.verbatim else words}")
