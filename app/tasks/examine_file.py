"""Examine one file for `check`; can run in another process."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..checks import rule_list
from ..checks.check_context import CheckContext
from ..checks.examine import examine
from ..checks.finding import Finding, Rule
from ..checks.rule_settings import Settings, read_settings
from ..model.model import Model
from ..options.command_options import Options
from ..options.config_file import config_files
from .check_report import Accepted, CheckReport
from .clip_choice import clips_found
from .input_file import import_anims, load_file, source_name
from .output import STANDARD
from .playback_setup import motion_file

if TYPE_CHECKING:
    from ..loading.import_clips import ImportedFile
    from ..motion.read import MotionFile

ReadSettings = Callable[[str, Sequence[Rule]], Settings]


@dataclass(frozen=True, slots=True)
class Task:
    """A file to examine: the arguments of the command for this file, and the rule settings."""

    options: Options
    settings: Settings


def rule_settings(options: Options, read: ReadSettings = read_settings) -> Settings:
    """Return the settings of the rules for a file: those of its ``rigview.toml``, and the user's.

    The user's override the others.

    Raises
    ------
    MotionError
        A configuration file cannot be read, or is invalid.
    RuleError
        The code of a rule of the user fails.
    """
    found, rules = Settings(), rule_list.all_rules(options.findings.rule_files)
    for path, of_project in config_files(options.file, options.general):
        own = read(path, rules)
        # a project may have clips that this file lacks
        found = (replace(own, lines={}) if of_project else own).over(found)
    return found


def without_accepted(
    findings: Iterable[Finding], settings: Settings, options: Options
) -> tuple[tuple[Finding, ...], tuple[Accepted, ...]]:
    """Return the findings of a file that the settings do not accept, and those that they do."""
    name = source_name(options)
    file = name if options.file in (None, STANDARD) else os.path.abspath(name)
    reported: list[Finding] = []
    accepted: list[Accepted] = []
    for finding in findings:
        entry = settings.accepting(finding, file)
        if entry is None:
            reported.append(finding)
        else:
            accepted.append(Accepted(finding, entry))
    return tuple(reported), tuple(accepted)


def examine_file(task: Task, report: Callable[[float], object] = float) -> CheckReport:
    """Read a file with its motion and animation files, and apply the rules.

    `report` is called with the share of the rules that is done.

    Raises
    ------
    AppError
        A file cannot be read, or the files do not fit together.
    """
    options, settings = task.options, task.settings
    model = load_file(options)
    motion = motion_file(options)
    carried: tuple[ImportedFile, ...] = ()
    if options.scene.anims or (motion is not None and motion.document.anims.files):
        model, carried = import_anims(options, model, motion)
    advice = () if motion is None else _motion_warnings(model, motion)
    clips, missing = clips_found(model, options.clips.animations, source_name(options))
    chosen = clips if options.clips.animations else None
    context = CheckContext(
        model,
        clips=chosen,
        motion=motion,
        loops=settings.loops,
        advice=advice,
        matches={
            clip: (len(file.matched), file.total)
            for file in carried
            if not file.verbatim
            for clip in file.clips
        },
    )
    findings = examine(context, settings, report, rule_list.all_rules(options.findings.rule_files))
    reported, accepted = without_accepted(findings, settings, options)
    names = tuple(clip.name for clip in model.clips)
    seen = None if chosen is None else frozenset(names[clip] for clip in chosen)
    return CheckReport(
        source_name(options),
        reported,
        accepted_findings=accepted,
        muted={rule: settings.sources.get((rule, "severity"), "") for rule in settings.muted},
        clips=names,
        seen=seen,
        missing=missing,
        carried=carried,
    )


def _motion_warnings(model: Model, motion: "MotionFile") -> tuple[str, ...]:
    """Return the warnings about a motion file (MotionError with its line: it does not fit)."""
    from ..errors import MotionError
    from ..motion.bind import bind

    try:
        return tuple(bind(model, motion.document, advise=True).warnings)
    except MotionError as error:
        raise (error if error.file else motion.locate(error)) from None
