"""The `check` command of an open character: what the window runs, and what is copied."""

import os
import shlex
from functools import lru_cache
from pathlib import Path

from ...loading.git_revision import revision_of
from ...options.check_options import FindingOptions
from ...options.command_options import GeneralOptions, Options
from ...options.write_options import as_arguments
from ...resources import is_bundled
from ...scenedoc.scene_doc import SceneDoc
from ...scenedoc.shown import Motion, Shown
from ..opened_character import OpenedCharacter
from ..session import Session
from .findings_view import FindingsView

SUFFIX = ".baseline.json"


def check_arguments(session: Session, opened_character: OpenedCharacter) -> list[str]:
    """Return the arguments of `rigview check` for the file of a character, with absolute paths.

    They are those with which the character was opened; empty if it was not read from a file.
    """
    path, motion = opened_character.path, opened_character.editor.path
    if path is None:
        return []
    beside = opened_character.editor.default_path()
    usual = motion is None or (beside is not None and _same(motion, beside))
    baseline = baseline_path(session, opened_character)
    root = session.files.root_of(opened_character)
    options = Options(
        scene=SceneDoc(
            characters=(
                Shown(
                    motion=Motion(
                        file=None if usual or motion is None else os.path.abspath(motion),
                        none=usual and motion is None and not session.files.read_motions,
                    )
                ),
            ),
            anims=tuple(map(os.path.abspath, session.doc.anims)),
            force=session.doc.force,
        ),
        findings=FindingOptions(
            baseline=os.path.abspath(baseline) if baseline and baseline.is_file() else None
        ),
        general=GeneralOptions(root=None if root is None else os.path.abspath(root)),
    )
    return [os.path.abspath(path), *as_arguments("check", options)]


def check_command(session: Session, opened_character: OpenedCharacter) -> str:
    """Return the `check` command of a character, quoted for a POSIX shell; "" without a file."""
    _, *options = check_arguments(session, opened_character) or [""]
    source = opened_character.source  # a file of a git revision is checked as a temporary file
    return shlex.join(["rigview", "check", source, *options]) if source else ""


def baseline_path(session: Session, opened_character: OpenedCharacter) -> Path | None:
    """Return the baseline of a character; it may not exist.

    It is the one given for all files, else the one that a configuration file names for `check`,
    else ``NAME.baseline.json`` beside the character. None for the bundled character, and for a
    file of a git revision.
    """
    report, path = opened_character.check.report, opened_character.path
    if path is not None and revision_of(path):
        return None
    given = session.interface.of(FindingsView).baseline
    if given is not None:
        return given
    if report is not None and report.baseline:
        return Path(report.baseline)
    return None if path is None else _beside(path)


@lru_cache(maxsize=64)
def _beside(path: Path) -> Path | None:
    """Return the baseline beside a character, None for the bundled one."""
    return None if is_bundled(path) else path.with_name(f"{path.stem}{SUFFIX}")


def _same(one: Path, other: Path) -> bool:
    return os.path.abspath(one) == os.path.abspath(other)
