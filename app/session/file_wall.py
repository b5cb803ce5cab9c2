"""The wall of a folder: its files as thumbnails, and the next and previous file of a folder."""

import re
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ..batch.jobs import Job, Shows
from ..conversion.conversion_settings import present
from ..errors import AppError
from ..tasks.thumbnail_cache import Reasons, draw_missing, thumbnail_key
from . import character_files
from .search import matches, paths_after
from .session import Session

AT_ONCE = 24  # files of one process: later ones that come into sight need not wait for more
DRAWING = "thumbnails"  # key of the job
_DIGITS = re.compile(r"(\d+)")


@dataclass(slots=True)
class FilePictures:
    """Thumbnails of files that panels show; the window makes their textures.

    Attributes
    ----------
    wanted
        Files in sight that have no texture.
    made
        Numbers of textures, by the keys of thumbnails.
    failed
        Why files have no thumbnail, by its key.
    absent
        Keys of those that the cache lacks.
    """

    wanted: list[Path] = field(default_factory=list)
    made: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    _keys: dict[Path, str] = field(default_factory=dict)

    def key(self, file: Path) -> str:
        """Return the key of the thumbnail of a file, as it was when it came into sight."""
        if file not in self._keys:
            self._keys[file] = thumbnail_key(file)
        return self._keys[file]

    def refresh(self) -> None:
        """Look at files again: those that have changed get another thumbnail."""
        self._keys.clear()

    def texture(self, file: Path) -> int | None:
        """Return the texture of a file's thumbnail; None: it is wanted, or failed."""
        key = self.key(file)
        found = self.made.get(key)
        if found is None and key not in self.failed:
            self.wanted.append(file)
        return found


@dataclass(slots=True)
class FileWall:
    """The wall.

    Attributes
    ----------
    folder
        What it shows, None before it was opened.
    shown
        Whether it is in sight, in place of the scene and its panels.
    folders, files
        In the folder, in natural order.
    entries
        Those that the search finds: `folder_count` folders, then files.
    chosen
        Index of the one that Enter opens.
    opening
        The file that was clicked: once it is open, the wall is hidden.
    search
        Words in the names of `entries`.
    tried
        The open file from which `next_file` went on, and where to: it may be broken.
    """

    folder: Path | None = None
    shown: bool = False
    folders: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    entries: tuple[Path, ...] = ()
    folder_count: int = 0
    chosen: int = 0
    scroll: bool = False  # to the chosen one
    opening: Path | None = None
    search: str = ""
    tried: tuple[Path | None, Path] | None = None

    def find(self, search: str = "") -> None:
        """Show the entries whose names contain all words of a search."""
        found = matches(search)
        folders = [each for each in self.folders if found(each.name)]
        files = [each for each in self.files if found(each.name)]
        self.entries, self.folder_count = (*folders, *files), len(folders)
        self.search, self.chosen = search, 0


def natural(path: Path) -> list[tuple[int, int, str]]:
    """Return the sort key of a path: numbers in names by their value, ignoring case."""
    parts = _DIGITS.split(path.name.casefold())
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts if part]


def entries(folder: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return the folders in a folder and the files that can be opened, each in natural order."""
    found = paths_after(f"{folder}/", character_files.SUFFIXES)
    folders = [Path(path) for path in found if path.endswith("/")]
    files = [Path(path) for path in found if not path.endswith("/")]
    return tuple(sorted(folders, key=natural)), tuple(sorted(files, key=natural))


def show_wall(session: Session, folder: Path | None = None) -> None:
    """Show the wall of a folder: by default the last one, or that of the active file."""
    wall = session.interface.of(FileWall)
    before, folder = wall.folder, folder or wall.folder
    if folder is None:
        folder = Path.cwd() if session.path is None else session.path.absolute().parent
    wall.folder, wall.shown, wall.opening = folder, True, None
    wall.folders, wall.files = entries(folder)
    wall.find()
    chosen = session.path if before is None or folder == before else before
    wall.chosen = wall.entries.index(chosen) if chosen in wall.entries else len(wall.folders)
    wall.scroll = True
    session.interface.of(FilePictures).refresh()


def toggle_wall(session: Session) -> None:
    """Show the wall, or what is behind it."""
    wall = session.interface.of(FileWall)
    if wall.shown:
        wall.shown = False
    else:
        show_wall(session)


def open_entry(session: Session, path: Path) -> None:
    """Show the wall of a folder, or open a file, which hides the wall."""
    wall = session.interface.of(FileWall)
    if path in wall.folders or path not in wall.files:
        show_wall(session, path)
    elif path == session.path:
        wall.shown = False
    else:
        wall.opening = path
        character_files.try_open(session, path)


def next_file(session: Session, step: int) -> None:
    """Open a file of the folder of the active one, `step` after it in natural order."""
    wall, path = session.interface.of(FileWall), session.path
    if path is None or session.files.loading is not None:
        return
    at = wall.tried[1] if wall.tried is not None and wall.tried[0] == path else path
    _, files = entries(path.absolute().parent)
    names = [file.name for file in files]
    place = names.index(at.name) + step if at.name in names else -1
    if not 0 <= place < len(files):
        session.notify(f"This is the {'last' if step > 0 else 'first'} file of the folder")
        return
    wall.tried = path, files[place]
    session.notify(f"{files[place].name}: {place + 1} of {len(files)} files")
    character_files.try_open(session, files[place])


def draw_pictures(session: Session, files: list[Path]) -> None:
    """Draw the thumbnails of files in a process, unless that is being done for others."""
    if session.jobs.is_running(DRAWING):
        return
    pictures, drawn = session.interface.of(FilePictures), files[:AT_ONCE]
    settings = present()

    def take(reasons: Reasons) -> None:
        for file, reason in reasons.items():
            pictures.absent.discard(pictures.key(file))
            if reason:
                pictures.failed[pictures.key(file)] = reason

    def finish(job: Job[Reasons]) -> None:
        try:
            take(job.result())
        except AppError as error:  # the process has ended at one of the files
            done = job.progress or {}
            file = next(each for each in drawn if each not in done)
            pictures.failed[pictures.key(file)] = error.message

    session.jobs.start(
        DRAWING,
        partial(draw_missing, drawn, session.files.max_memory, settings.blender, settings.seconds),
        finish,
        progress=take,
        shows=Shows.PANELS,
        in_process=True,
    )
