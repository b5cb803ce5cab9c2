"""Open, add and reload character files: read them, upload them, and start what they play."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..batch.jobs import Job
from ..conversion.formats import FORMATS, is_convertible
from ..errors import AppError, MotionError
from ..loading.read_character import CharacterFile, read, read_with
from ..motion.read import MotionFile
from ..scene.camera import OrbitCamera
from ..scene.instance import size_difference
from . import played_motion
from .file_reading import FilesJob
from .opened_character import OpenedCharacter, imports_of
from .session import Session
from .ui_state import CANNOT_SHOW, MixerPanels

SUFFIXES = (".gltf", ".glb", ".vrm", ".bvh", *FORMATS)  # of files that can be opened
MOTION_NOT_USED = "The motion file cannot be used"
RELOAD_FAILED = "The changed file cannot be read"
CANCELLED = "The conversion was cancelled"


class Take(Protocol):
    """Opens or adds files."""

    def __call__(
        self, session: Session, paths: Sequence[Path], *, found: Sequence[CharacterFile] | None
    ) -> None:
        """Take files, which may have been read already."""


Prepare = Callable[[Session], None]  # sets up a new scene instead of playing the first clips


def open_file(
    session: Session, path: Path, prepare: Prepare | None = None, motion: MotionFile | None = None
) -> None:
    """Open one file in place of all characters; see `open_files`."""
    open_files(session, [path], prepare, [motion])


def open_files(
    session: Session,
    paths: Sequence[Path],
    prepare: Prepare | None = None,
    motions: Sequence[MotionFile | None] = (),
    found: Sequence[CharacterFile] | None = None,
) -> None:
    """Open files side by side in place of all characters; play motion files or first clips.

    A motion file that cannot be used is reported, and the first clip plays.

    Parameters
    ----------
    prepare
        Sets up the new scene instead.
    motions
        With `prepare`: motion files that were read already; their `anims` are imported.
    found
        The files, if they were read already.

    Raises
    ------
    AppError
        A file cannot be read; the scene is unchanged.
    """
    if found is None:
        read = reader(session, paths, motions if prepare is not None else None)
        found = [read(k) for k in range(len(paths))]
    session.files.upload([each.model for each in found])
    _replace_all(session, _create(session, found), prepare)
    if prepare is None:
        _start_motions(session, session.open_characters, found)
        session.scene.view_by_default()  # a motion file may say which way it faces
        session.scene.frame(session.aspect)
    _notify_size_difference(session)


def add_files(
    session: Session, paths: Sequence[Path], found: Sequence[CharacterFile] | None = None
) -> None:
    """Add files beside the open characters, in step with them; the last one becomes active.

    `found` are the files, if they were read already.

    Raises
    ------
    AppError
        A file cannot be read; nothing is changed.
    """
    if not session.open_characters:
        open_files(session, paths, found=found)
        return
    if found is None:
        read = reader(session, paths)
        found = [read(k) for k in range(len(paths))]
    session.files.upload([each.model for each in found], beside=True)
    new = _create(session, found)
    for each in new:
        session.scene.instances.add(each)
        played_motion.choose_clip(each, 0 if each.model.clips else -1)
    _start_motions(session, new, found)
    for each in new if session.together else ():
        each.transport.join(session.transport)
    session.activate(new[-1])
    session.scene.frame(session.aspect)
    _notify_size_difference(session)


def open_readable(session: Session, paths: Sequence[Path], error: AppError) -> None:
    """Open those of several files that can be read, and show the errors; `error` is the first."""
    errors = {str(error): error}
    opened = False
    for path in paths:
        try:
            (add_files if opened else open_files)(session, [path])
            session.settings.remember(path)
            opened = True
        except AppError as own:
            errors[str(own)] = own
    title = MOTION_NOT_USED if isinstance(error, MotionError) else CANNOT_SHOW
    _fail_all(session, list(errors.values()), title)


def try_open(session: Session, *paths: Path) -> None:
    """Open files; if that fails, keep the scene and show the error.

    Ask first if there are unsaved changes.
    """
    if session.dirty:
        session.ask_to_leave(lambda: try_open(session, *paths))
    else:
        _try(session, open_files, paths)


def try_add(session: Session, *paths: Path) -> None:
    """Add files beside the open characters; show the error if that fails."""
    _try(session, add_files, paths)


def _try(session: Session, take: Take, paths: Sequence[Path]) -> None:
    """Open or add files once they are read."""
    if session.files.loading is not None:
        session.notify(f"{session.files.loading.stage}; open other files afterwards")
        return

    def finish(job: FilesJob) -> None:
        if _succeeds(session, lambda: take(session, paths, found=job.result())):
            for path in reversed(paths):
                session.settings.remember(path)

    session.files.begin(session.jobs, paths, reader(session, paths), finish)


def _succeeds(session: Session, run: Callable[[], object], title: str = CANNOT_SHOW) -> bool:
    """Call a function; return whether no error is shown, and nothing was cancelled."""
    try:
        run()
    except AppError as error:
        if session.files.cancelled:
            session.notify(CANCELLED)
        else:
            session.fail(error, title)
        return False
    return True


def after_converting(
    session: Session, paths: Iterable[Path], then: Callable[[], object], title: str = CANNOT_SHOW
) -> None:
    """Call a function once Blender has converted those of some files that need it.

    If it was cancelled or failed, which is shown with a title, nothing follows.
    """
    needed = [path for path in paths if is_convertible(path)]

    def finish(job: Job[None]) -> None:
        if _succeeds(session, job.result, title):
            then()

    if needed:
        session.files.convert(session.jobs, needed, finish)
    else:
        then()


def reload(session: Session) -> bool:
    """Read all files again and keep clips, times, speed, camera and panels.

    Return whether all could be read; False as long as Blender converts one.
    """
    return _reread_converted(session, session.open_characters)


def refresh(session: Session) -> None:
    """Reload the characters whose files have changed on disk, unless a file is missing.

    A file that cannot be read keeps the old character and shows the error until it is fixed.
    """
    interface = session.interface
    changed = [each for each in session.open_characters if each.changed()]
    if not changed:
        return
    if interface.popup == "error" and interface.error_title in (RELOAD_FAILED, MOTION_NOT_USED):
        interface.popup = ""
    for each in changed:
        each.mark_read()
    _reread_converted(session, changed, RELOAD_FAILED)


def _reread_converted(
    session: Session, characters: Sequence[OpenedCharacter], title: str = ""
) -> bool:
    """Reload characters as `_reread` does, after Blender has converted their files."""
    done: list[bool] = []

    def reread() -> None:
        there = session.open_characters
        done.append(_reread(session, [each for each in characters if each in there]))
        if not done[0] and title:
            session.interface.error_title = title

    paths = [path for each in characters for path in each.sources()]
    after_converting(session, paths, reread, title or CANNOT_SHOW)
    return done == [True]


def watched_files(session: Session) -> list[Path]:
    """Return the files that the open characters depend on; they need not exist."""
    return list(dict.fromkeys(file for each in session.open_characters for file in each.files()))


def _replace_all(
    session: Session, characters: Sequence[OpenedCharacter], prepare: Prepare | None = None
) -> None:
    """Replace all open characters and play the first clips of the new ones."""
    session.scene.set_instances(characters)
    session.forget_closed()
    session.interface.mixer_panels = MixerPanels(shown=session.interface.mixer_panels.shown)
    session.show_panels_of(characters[0])
    session.interface.scroll_to_clip = False
    session.interface.clear_searches()
    for each in characters:
        each.mark_read()
    if prepare is not None:
        prepare(session)
        return
    camera = session.scene.camera
    camera.file_camera = -1
    camera.orbit = OrbitCamera(fov=camera.orbit.fov, ortho=camera.orbit.ortho)
    session.scene.view_by_default()
    for each in characters:
        played_motion.choose_clip(each, 0 if each.model.clips else -1)
    session.scene.frame(session.aspect)


def reader(
    session: Session, paths: Sequence[Path], motions: Sequence[MotionFile | None] | None = None
) -> Callable[[int], CharacterFile]:
    """Return a function that reads the file with an index, with the session's settings.

    With `motions`, its motion file was read already.
    """
    if motions is not None:
        return lambda k: _read_with(session, paths[k], motions[k], session.files.root)
    files = session.files
    return lambda k: read(
        paths[k], root=files.root, with_motion=files.read_motions, **_settings(session)
    )


def _read_with(
    session: Session, path: Path, motion: MotionFile | None, root: Path | None
) -> CharacterFile:
    return read_with(path, motion, root=root, **_settings(session))


def _settings(session: Session) -> dict[str, Any]:
    """Return what holds for all files that a session reads."""
    return {
        "anims": tuple(map(Path, session.doc.anims)),
        "force": session.doc.force,
        "key_rotation": session.doc.key_rotation,
        "max_memory": session.files.max_memory,
    }


def _create(session: Session, found: Sequence[CharacterFile]) -> list[OpenedCharacter]:
    return [OpenedCharacter(session, each.model, each.path, each.imports) for each in found]


def _start_motions(
    session: Session, characters: Sequence[OpenedCharacter], found: Sequence[CharacterFile]
) -> None:
    """Play the motion files beside characters; report those that cannot be used."""
    wrong = [each.motion_error for each in found if each.motion_error is not None]
    for own, each in zip(characters, found, strict=True):
        own.mark_read()
        try:
            if each.motion is not None:
                own.editor.start(each.motion.document, each.motion)
                own.imported_with = imports_of(each.motion.document)
        except MotionError as error:
            wrong.append(error)
    _fail_all(session, wrong, MOTION_NOT_USED)
    if any(each.editor.shown for each in characters):
        session.interface.mixer_panels.shown = True


def _reread(session: Session, characters: Sequence[OpenedCharacter]) -> bool:
    """Reload characters; return whether all files could be read, and show errors."""
    wrong: list[AppError] = []
    misfits: list[AppError] = []
    done: list[OpenedCharacter] = []
    for each in characters:
        if each.path is None:
            continue
        try:
            motion = each.editor.reread_file()
            edited = _with_edits(each, motion)
            found = _read_with(session, each.path, edited, session.files.root_of(each))
            session.files.upload([found.model], beside=len(session.open_characters) > 1)
        except AppError as error:
            wrong.append(error)
            continue
        if edited is not None:
            each.imported_with = imports_of(edited.document)
        try:
            each.reread(found._replace(motion=motion))
        except MotionError as error:
            misfits.append(error)
        done.append(each)
    if done:
        session.scene.measure()
        more = f" and {len(done) - 1} more" if len(done) > 1 else ""
        lost = "".join(f"; without {x.changes.lost}: changed there" for x in done if x.changes.lost)
        session.notify(f"Reloaded {done[0].name}{more}{lost}")
    _fail_all(session, misfits, MOTION_NOT_USED)
    _fail_all(session, wrong)
    return bool(done) and not wrong


def _with_edits(own: OpenedCharacter, motion: MotionFile | None) -> MotionFile | None:
    """Return the motion file with the unsaved changes, which name the clips to import."""
    name = own.editor.path or own.editor.default_path()
    if motion is None or name is None or not own.editor.dirty:
        return motion
    return MotionFile(own.document, motion.text, str(name))


def _fail_all(session: Session, errors: Sequence[AppError], title: str = CANNOT_SHOW) -> None:
    if errors:
        session.fail(errors[0], title)
        session.interface.error = "\n".join(map(str, errors))


def _notify_size_difference(session: Session) -> None:
    """Show a notice if a character is too small to be found beside another one."""
    words = size_difference((each, each.name) for each in session.open_characters)
    if words and not session.scene.instances.same_size:
        session.notify(f"{words}; S scales all to the same height")
