"""The `check` command of an open character: what the window runs, and what is copied."""

import os
import shlex

from ...conversion.conversion_settings import present
from ...options.command_options import FindingOptions, GeneralOptions, Options
from ...options.write_options import as_arguments
from ...scenedoc.scene_doc import SceneDoc
from ...scenedoc.shown import Motion, Shown
from ..opened_character import OpenedCharacter
from ..session import Session


def check_arguments(session: Session, opened_character: OpenedCharacter) -> list[str]:
    """Return the arguments of `rigview check` for the file of a character, with absolute paths.

    They are those with which the character was opened; empty if it was not read from a file.
    """
    path, motion = opened_character.path, opened_character.editor.path
    if path is None:
        return []
    beside = opened_character.editor.default_path()
    usual = motion is None or (
        beside is not None and os.path.abspath(motion) == os.path.abspath(beside)
    )
    files = session.files
    root = files.root_of(opened_character)
    options = Options(
        scene=SceneDoc(
            characters=(
                Shown(
                    motion=Motion(
                        file=None if usual or motion is None else os.path.abspath(motion),
                        none=usual and motion is None and not files.read_motions,
                    )
                ),
            ),
            anims=tuple(map(os.path.abspath, session.doc.anims)),
            force=session.doc.force,
        ),
        findings=FindingOptions(rule_files=tuple(map(os.path.abspath, files.rule_files))),
        general=GeneralOptions(
            root=None if root is None else os.path.abspath(root),
            config=None if files.config is None else os.path.abspath(files.config),
            no_config=files.no_config,
            blender=present().blender,
            convert_timeout=present().seconds,
        ),
    )
    return [os.path.abspath(path), *as_arguments("check", options)]


def check_command(session: Session, opened_character: OpenedCharacter) -> str:
    """Return the `check` command of a character, quoted for a POSIX shell; "" without a file."""
    _, *options = check_arguments(session, opened_character) or [""]
    source = opened_character.source  # a file of a git revision is checked as a temporary file
    return shlex.join(["rigview", "check", source, *options]) if source else ""
