"""How the files of characters are read: limits and folders, and the files being read."""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from ..batch.jobs import Job, Jobs, Report
from ..conversion.conversion_settings import Settings, present, using
from ..gltf.document import MAX_MEMORY
from ..gltf.images import decode_ahead, shown_at_once
from ..loading.read_character import CharacterFile, UploadModel
from ..model.model import Model
from .opened_character import OpenedCharacter

FILES = "files"  # key of the job
READING = 0.4  # share of a file; the rest is the decoding of its textures
Read = Callable[[int], CharacterFile]  # reads the file with an index
FilesJob = Job[list[CharacterFile]]
Found = TypeVar("Found")


@dataclass(slots=True)
class Loading:
    """How far the files are that are being read.

    Attributes
    ----------
    stage
        What is being done: "Reading NAME", "Decoding textures of NAME", "Uploading", or what
        Blender does to convert a file.
    share
        Share that is done, 0 to 1; 1 also after an error.
    seen
        Whether a frame has shown that it is done: uploading draws no frames.
    converts
        Whether Blender is running, which can be cancelled.
    cancelled
        Whether the user has cancelled it.
    """

    stage: str
    share: float = 0.0
    seen: bool = False
    converts: bool = False
    cancelled: bool = False

    def cancel(self) -> None:
        """Let a running Blender end soon."""
        self.cancelled = True

    def set(self, now: tuple[str, float, bool]) -> None:
        """Set stage, share and whether Blender is running."""
        self.stage, self.share, self.converts = now


@dataclass
class FileReading:
    """How files are read, and those that are being read in the background.

    Attributes
    ----------
    root
        Folder that files may be read from; None: each file's own.
    max_memory
        Bytes for the textures of a file.
    read_motions
        Whether the motion files beside characters are read.
    config, no_config
        The configuration file that was given, and whether the usual ones are left out.
    rule_files
        Python files with rules of the user.
    accept
        Uploads a model to the GPU; None: without OpenGL.
    show
        Draws the progress while several are uploaded.
    loading
        The files being read, None: none are.
    cancelled
        Whether the user cancelled the last reading.
    """

    root: Path | None = None
    max_memory: int = MAX_MEMORY
    read_motions: bool = True
    config: str | None = None
    no_config: bool = False
    rule_files: tuple[str, ...] = ()
    accept: UploadModel | None = None
    show: Callable[[], object] = lambda: None
    loading: Loading | None = None
    cancelled: bool = False

    def begin(
        self,
        jobs: Jobs,
        paths: Sequence[Path],
        read: Read,
        then: Callable[[FilesJob], object] = lambda _: None,
    ) -> FilesJob:
        """Start to read files; `then` takes the job once a frame has shown that it is done."""
        loading = Loading(f"Reading {paths[0].name}")
        names = [path.name for path in paths]
        return self._start(jobs, loading, partial(_read_all, names, read, loading, present()), then)

    def convert(
        self, jobs: Jobs, paths: Sequence[Path], then: Callable[[Job[None]], object]
    ) -> None:
        """Start to convert files, so that they are in the cache; `then` as of `begin`."""
        loading = Loading(f"Converting {paths[0].name}")
        self._start(jobs, loading, partial(_convert_all, paths, loading, present()), then)

    def _start(
        self,
        jobs: Jobs,
        loading: Loading,
        work: Callable[[Report], Found],
        then: Callable[[Job[Found]], object],
    ) -> Job[Found]:
        if self.loading is not None:
            self.loading.cancel()
        if (failures := present().failures) is not None:
            failures.clear()
        self.loading = loading

        def end(job: Job[Found]) -> None:
            self.loading, self.cancelled = None, loading.cancelled
            then(job)

        return jobs.start(
            FILES,
            work,
            end,
            progress=loading.set,
            cancelled=loading.cancel,
            ready=lambda: loading.seen or loading.cancelled,
        )

    def upload(self, models: Sequence[Model], *, beside: bool = False) -> None:
        """Upload models to the GPU before they are shown: if that fails, the old ones stay."""
        if self.accept is None:
            return
        try:
            for k, model in enumerate(models):
                if len(models) > 1:
                    stage = f"Uploading {k + 1} of {len(models)}"
                    self.loading = Loading(stage, k / len(models))
                    self.show()
                self.accept(model, beside=beside or k > 0)
        finally:
            self.loading = None

    def root_of(self, opened_character: OpenedCharacter) -> Path | None:
        """Return the folder that files of a character must lie in; None: that of the motion file.

        It is `root` if given; else one that also contains the files whose clips the user has added.
        """
        folder = motion_folder(opened_character)
        if self.root is not None or folder is None:
            return self.root
        inside = folder.resolve()
        outside = [path for path in opened_character.given_files if not path.is_relative_to(inside)]
        return _common_folder([inside, *(path.parent for path in outside)]) if outside else None

    def common_root(self, characters: Iterable[OpenedCharacter]) -> Path | None:
        """Return the `root_of` several characters: a folder that contains all files of all."""
        found = list(characters)
        roots = [self.root_of(each) for each in found]
        if self.root is not None or not any(roots):
            return self.root
        folders = [each.path.resolve().parent for each in found if each.path is not None]
        return _common_folder([*folders, *(each for each in roots if each is not None)])


def _converting(
    settings: Settings, loading: Loading, share: float, report: Report
) -> AbstractContextManager[None]:
    """Convert files in the block by settings, with their progress, until they are cancelled."""
    before = loading.stage

    def show(stage: str) -> None:
        report((stage or before, share, bool(stage)))

    return using(replace(settings, report=show, cancelled=lambda: loading.cancelled))


def _convert_all(
    paths: Sequence[Path], loading: Loading, settings: Settings, report: Report
) -> None:
    """Convert files."""
    from ..conversion.convert import convert  # imported late: seldom used

    try:
        for k, path in enumerate(paths):
            with _converting(settings, loading, k / len(paths), report):
                convert(path)
    finally:
        report((loading.stage, 1.0, False))


def _read_all(
    names: Sequence[str], read: Read, loading: Loading, settings: Settings, report: Report
) -> list[CharacterFile]:
    """Read files, and decode their textures but large ones: uploading them is short."""

    def read_one(k: int, name: str) -> CharacterFile:
        report((f"Reading {name}", k / len(names), False))
        with _converting(settings, loading, k / len(names), report):
            found = read(k)
        images = shown_at_once(found.model.images)
        decode_ahead(images)
        for number, image in enumerate(images):
            share = READING + (1.0 - READING) * number / len(images)
            report((f"Decoding textures of {name}", (k + share) / len(names), False))
            image.decode()
        return found

    try:
        return [read_one(k, name) for k, name in enumerate(names)]
    finally:
        report(("Uploading", 1.0, False))


def motion_folder(opened_character: OpenedCharacter) -> Path | None:
    """Return the folder of a character's motion file, absolute; None without a file."""
    path = opened_character.editor.path or opened_character.editor.default_path()
    return None if path is None else path.absolute().parent


def _common_folder(folders: Iterable[Path]) -> Path | None:
    """Return the folder that contains some absolute folders; None on several drives."""
    try:
        return Path(os.path.commonpath(list(folders)))
    except ValueError:
        return None
