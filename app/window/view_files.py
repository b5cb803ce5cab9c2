"""Open a window with files, by options."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ..batch.jobs import Jobs
from ..clock import WallClock
from ..console import print_message
from ..conversion.conversion_settings import present, using
from ..errors import AppError, GltfError
from ..motion.read import MotionFile
from ..options.command_options import Options
from ..options.table import ROWS
from ..resources import is_bundled
from ..session import character_files
from ..session import settings as settings_file
from ..session.commands.actions import read_keys
from ..session.export.background_export import Command
from ..session.file_reading import FileReading
from ..session.file_wall import show_wall
from ..session.session import Session
from ..tasks.input_file import source_path
from .viewer import SIZE, Viewer

_OF_A_CHARACTER = frozenset(("playback", "side by side", "camera"))  # titles in the help
_FOR_ANY = {"speed", "loop", "trim", "pose", "frame-rate", "key-rotation"}  # options of those


def shows_start_bar(options: Options) -> bool:
    """Return whether no option asks for something of the bundled character, such as a clip.

    The others may be set once for all in a configuration file.
    """
    asking = {row.option.name for row in ROWS if row.title in _OF_A_CHARACTER} - _FOR_ANY
    return options.given.isdisjoint(asking)


def view(
    options: Options,
    read_motions: Callable[[], Sequence[MotionFile | None]],
    prepare: Callable[[Session, Sequence[MotionFile | None]], None],
    command: Command | None = None,
    folder: Path | None = None,
) -> None:
    """Open a window with the files of the options side by side; return when it is closed.

    A file that cannot be read is reported in the window, unless the options are strict.

    Parameters
    ----------
    options
        The options of `view`.
    read_motions
        Returns the motion file of each character, or None.
    prepare
        Sets up the session with the opened files and their motion files.
    command
        Runs a command of the program, for exports; see `Command`.
    folder
        Its files are shown as a wall over the character.

    Raises
    ------
    ContextError
        There is no display, or no OpenGL 3.3.
    AppError
        A file cannot be read and the options are strict, or the options do not fit the file.
    """
    with using(replace(present(), failures={})):  # no file is tried twice in one request
        _view(options, read_motions, prepare, command, folder)


def _view(
    options: Options,
    read_motions: Callable[[], Sequence[MotionFile | None]],
    prepare: Callable[[Session, Sequence[MotionFile | None]], None],
    command: Command | None,
    folder: Path | None,
) -> None:
    settings, warning = settings_file.load()
    session = Session(
        WallClock(),
        doc=options.scene,
        settings=settings,
        files=FileReading(
            root=None if options.general.root is None else Path(options.general.root),
            max_memory=options.general.max_memory,
            read_motions=not options.shown.motion.none,
            config=options.general.config,
            no_config=options.general.no_config,
            rule_files=options.findings.rule_files,
        ),
        jobs=Jobs(in_background=True),
    )
    size = options.scene.size if "resolution" in options.given else settings.size
    paths = [source_path(each.file) for each in options.per_file]
    motions = cache(read_motions)
    reading = session.files.begin(  # while the window is opened
        session.jobs, paths, lambda k: character_files.reader(session, paths, motions())(k)
    )
    viewer = Viewer(session, size=size or SIZE, samples=options.scene.samples, command=command)
    bundled = all(map(is_bundled, paths)) and folder is None
    session.interface.start.shown = shows_start_bar(options) and bundled

    def set_up(session: Session) -> None:
        prepare(session, motions())
        if folder is not None:
            session.interface.mixer_panels.shown = False  # of the bundled character
            show_wall(session, folder)

    try:
        try:
            viewer.open_first(paths, set_up, reading)
        except AppError as error:
            if options.window.strict or error.exit_code != GltfError.exit_code:
                raise
            print_message(str(error))
            viewer.open_readable(paths, error)
        if warning:
            session.notify(warning)
        read_keys(session)
        viewer.run()
    finally:
        viewer.release()
