"""Add clips of other files to the active character, and import them again after changes."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import AppError, MotionError
from ...loading.read_character import CharacterFile
from ...motion.document import MotionDoc
from ...motion.motion_path import path_from
from ...motion.read import MotionFile
from ...wording import counted, joined
from .. import playing
from ..clip_job import ClipJob, without_imports
from ..file_reading import motion_folder
from ..open_character import OpenCharacter, imports_of
from ..session import Session
from .import_view import ClipImportView
from .joint_rows import source_joints

if TYPE_CHECKING:
    from ...loading.import_clips import ImportedFile

NOT_ADDED = "The clips cannot be added"
NOT_IMPORTED = "The clips of other files cannot be imported"
PANEL = "Mapping"


def add_clips(session: Session, *paths: Path) -> None:
    """Add the clips of files to the active character; an error pop-up shows what is wrong.

    They are imported in the background if the session allows it; `poll` then adds them.
    """
    own = session.active
    folder = None if own is None else motion_folder(own)
    if own is None or folder is None:
        session.notify("Open a character first: clips are added to the active one")
        return
    if own.clip_job is not None:
        session.notify("Clips are being imported; add more afterwards")
        return
    there = {(folder / file).resolve() for file in own.document.anims.files}
    new = tuple(dict.fromkeys(path.resolve() for path in paths if path.resolve() not in there))
    if not new:
        session.notify(f"{paths[0].name} is already among the files of clips")
        return
    own.given_files.update(new)
    own.clip_job = _job(session, own, new)
    session.notify(f"Importing clips of {joined([path.name for path in new])}")
    if not session.files.in_background:
        poll(session)


def poll(session: Session) -> bool:
    """Take imported clips, and import again where the document names others; called once a frame.

    Returns whether a character has changed, or an error is shown.
    """
    changed = [_poll(session, own) for own in session.open_characters]
    return any(changed)


def busy(session: Session) -> bool:
    """Return whether clips are being imported."""
    jobs = [own.clip_job for own in session.open_characters]
    return any(job is not None and not job.asking for job in jobs)


def accept_few(session: Session, *, accepted: bool) -> None:
    """Add the clips of a file of which few joints match, or not."""
    own = asking(session)
    if own is None or own.clip_job is None:
        return
    job, own.clip_job = own.clip_job, None
    if accepted and _is_stale(own, job):
        own.clip_job = _job(session, own, job.added)  # asks again
    elif accepted:
        _finish(session, own, job, accepted=True)
    else:
        own.given_files.difference_update(job.added)


def asking(session: Session) -> OpenCharacter | None:
    """Return the character that waits for `accept_few`."""
    found = (own for own in session.open_characters if own.clip_job and own.clip_job.asking)
    return next(found, None)


def remove_file(own: OpenCharacter, number: int) -> None:
    """Remove the clips of a file of the motion document, and what its joints are mapped to."""
    anims, left = own.document.anims, (*own.imports[:number], *own.imports[number + 1 :])
    known = {name for each in left for name in source_joints(each)}
    names = {one: to for one, to in anims.names.items() if "*" in one or one in known}
    files = (*anims.files[:number], *anims.files[number + 1 :])
    document = replace(own.document, anims=replace(anims, files=files, names=names))
    own.editor.edit(document, f"Remove clips of {Path(anims.files[number]).name}")


def edit_mapping(own: OpenCharacter, document: MotionDoc, target: str) -> None:
    """Apply a document with another joint mapping; `poll` imports the clips again."""
    own.editor.edit(document, f"Joint mapping of {target}" if target else "Joint mapping")


def _job(session: Session, own: OpenCharacter, added: tuple[Path, ...] = ()) -> ClipJob:
    """Return the started import of the clips that a character's document names, and of `added`."""
    motion = own.editor.path or own.editor.default_path() or Path()
    anims, folder = own.document.anims, motion.absolute().parent
    files = (*anims.files, *(path_from(path, folder) for path in added))
    document = replace(own.document, anims=replace(anims, files=files))
    return ClipJob(
        without_imports(own.model, own.imports),
        MotionFile(document, "", str(motion)),
        added,
        started_from=(own.model, imports_of(own.document)),
        more=tuple(map(Path, session.doc.anims)),
        root=session.files.root_of(own),
        force=session.doc.force,
        rotation=session.doc.key_rotation,
    )


def _poll(session: Session, own: OpenCharacter) -> bool:
    now = imports_of(own.document)
    if own.clip_job is None and now != own.imported_with and own.path is not None:
        own.imported_with = now  # not tried again if it fails
        own.clip_job = _job(session, own)
    job = own.clip_job
    if job is None or (session.files.in_background and not job.done):
        return False
    if job.asking:
        if session.interface.popup != "few joints":  # closed without an answer
            accept_few(session, accepted=False)
        return False
    if _is_stale(own, job):
        own.imported_with = own.imported_with if job.added else now
        own.clip_job = _job(session, own, job.added)
        return False
    own.clip_job = None
    return _finish(session, own, job, accepted=session.doc.force)


def _is_stale(own: OpenCharacter, job: ClipJob) -> bool:
    """Return whether the character's file or document has changed since the import began."""
    model, imports = job.started_from
    return own.model is not model or imports_of(own.document) != imports


def _finish(session: Session, own: OpenCharacter, job: ClipJob, *, accepted: bool) -> bool:
    """Take the imported clips; ask first if few joints match."""
    try:
        model, report = job.result()
        if any(each.few for each in job.new(report)) and not accepted:
            own.clip_job, job.asking = job, True
            session.interface.popup = "few joints"
            return True
        session.files.upload([model], beside=len(session.open_characters) > 1)
    except AppError as error:
        own.given_files.difference_update(job.added)
        session.fail(error, NOT_ADDED if job.added else NOT_IMPORTED)
        return True
    new = job.new(report)
    if job.added:
        words = f"Add clips of {joined([path.name for path in job.added])}"
        own.editor.put(replace(own.document, anims=job.document.anims), words)
        own.imported_with = imports_of(job.document)
    try:
        own.reread(CharacterFile(own.path or Path(), model, report))
    except MotionError as error:
        session.notify(f"The motion does not fit the character: {error}")
    session.scene.measure()
    if new:
        _show(session, own, new)
    return True


def _show(session: Session, own: OpenCharacter, new: tuple["ImportedFile", ...]) -> None:
    """Play the first new clip unless layers play, and show the mapping of its joints."""
    interface, names = session.interface, [clip.name for clip in own.model.clips]
    if not own.character.mixer.layered:
        playing.choose_clip(own, names.index(new[0].clips[0]))
        session.transport.resume_linked()
        interface.scroll_to_clip = True
    if own is session.active and not new[0].verbatim:
        interface.of(ClipImportView).file = len(own.document.anims.files) - len(new)
        interface.mixer_panels.tab = PANEL
    count = counted(sum(len(each.clips) for each in new), "clip")
    least = min(new, key=lambda each: len(each.matched))
    words = f"{len(least.matched)} of {least.total} joints match"
    session.notify(f"Added {count}: {'equal skeletons' if least.verbatim else words}")
