"""Motion files of the present documents, for a process that draws unsaved changes."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

from ...motion.document import MotionDoc
from ...motion.motion_path import SUFFIX
from ...motion.read import MotionFile
from ...motion.single_clip import concerns_all_clips
from ...motion.write import save_motion
from ...options.command_options import Options
from ..held_morphs import with_morphs_of
from ..open_character import OpenCharacter
from ..session import Session
from .export_command import listed_clips
from .export_view import ExportView


class UnsavedMotions:
    """Temporary motion files of the characters with unsaved changes, until `remove`."""

    def __init__(self) -> None:
        self._paths: list[Path] = []

    def options(self, session: Session, options: Options) -> Options:
        """Return the options of an export that reads the present documents.

        Raises
        ------
        AppError
            A file cannot be written.
        """
        if session.interface.of(ExportView).kind == "sheet":
            active = session.active
            path = None if active is None else self._write(active, always=True)
            if active is None or path is None:
                return options
            motion = replace(options.motion, file=str(path), no_motion=False)
            return replace(options, motion=motion, clips=listed_clips(active, options.clips))
        each = self._each(options.per_file, session.open_characters)
        if options.each_file:
            return replace(options, each_file=each)
        return each[0]

    def remove(self) -> None:
        """Delete the files."""
        for path in self._paths:
            with suppress(OSError):
                path.unlink()
        self._paths.clear()

    def _each(
        self, options: Sequence[Options], characters: Sequence[OpenCharacter]
    ) -> tuple[Options, ...]:
        found = []
        for own, open_character in zip(options, characters, strict=True):
            path = self._write(open_character)
            if path is not None:
                motion = replace(own.motion, file=str(path), no_motion=False)
                own = replace(own, motion=motion)
            found.append(own)
        return tuple(found)

    def _write(self, open_character: OpenCharacter, *, always: bool = False) -> Path | None:
        """Write the present document if the file of the character lacks something of it.

        `always`: also if a clip plays without the settings of the document.
        """
        editor, character = open_character.editor, open_character.character
        editor.end_drag()
        document = with_morphs_of(editor.document, character)
        fileless = editor.path is None and document != MotionDoc()
        plays = character.mixer.from_motion and character.show == "clip"
        uses = always or plays or concerns_all_clips(document)
        if not uses or not (editor.differs or fileless):
            return None
        beside = editor.path or editor.default_path()
        # files that a motion file names must lie in its folder
        near = document.anims.files and beside is not None
        folder = beside.absolute().parent if near and beside is not None else Path(gettempdir())
        path = folder / f".export-{os.getpid()}-{len(self._paths)}{SUFFIX}"
        self._paths.append(path)
        save_motion(path, MotionFile(MotionDoc()), document)
        return path
