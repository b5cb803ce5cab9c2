"""Options that have no effect beside others, and why.

Options that contradict each other are refused where they are used. Those that only have no effect
are listed here: a command that is given one prints a warning, and copied commands leave it out. The
window is not concerned: there the other option can be changed.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..console import warn
from ..fields.command_groups import PLAYING, READING
from .command_options import Options
from .table import GROUPS

_DRAWING = ("render", "sheet", "turntable", "report", "diff")
_DIFF_PICTURE = " ".join(  # names of the options that diff needs -o for
    row.name
    for group in GROUPS
    if group.attribute in ("camera", "picture", "overlays", "shading", "lighting", "background")
    for row in group.options
    if "diff" in row.commands
)


class Rule(NamedTuple):
    """Options that have no effect if `applies`; `why` completes the sentence."""

    commands: tuple[str, ...]
    names: str  # separated by spaces
    why: str
    applies: Callable[[Options], object]


def _is_unlit(options: Options) -> bool:
    return options.shading.weights is not None or options.shading.view_mode != "lit"


def _has_lines(options: Options) -> bool:
    shown = options.overlays
    drawn = shown.skeleton, shown.axes, shown.ghost, shown.joint_path, shown.onion_skins
    return any(drawn) or options.picture.select is not None


RULES = (
    Rule(
        (*PLAYING, "check", "bake"),
        "motion",
        "with --no-motion",
        lambda given: all(own.motion.no_motion for own in given.per_file),
    ),
    Rule(
        tuple(command for command in READING if command != "view"),
        "force",
        "without --anims",
        lambda given: not given.clips.anims,
    ),
    Rule(_DRAWING, "camera-fov", "with --ortho", lambda given: given.camera.ortho),
    Rule(
        ("render",),
        "fit",
        "where --camera-position and --camera-target place the camera",
        lambda given: given.camera.position is not None and given.camera.target is not None,
    ),
    Rule(("render",), "fit", "with --camera", lambda given: given.camera.name is not None),
    Rule(("render",), "fit", "with --crowd", lambda given: given.picture.crowd is not None),
    Rule(
        ("render",),
        "time phase key-rotation fit",
        "with --pose rest or bind",
        lambda given: all(own.playback.pose != "clip" for own in given.per_file),
    ),
    Rule(
        ("render", "sheet", "turntable", "pose"),
        "speed loop",
        "with --phase",
        lambda given: given.times.phase is not None and not given.motion.at,
    ),
    Rule(("pose",), "speed loop trim", "with --key", lambda given: given.playback.key is not None),
    Rule(("pose",), "key-rotation", "with --hold", lambda given: given.playback.hold),
    Rule(
        _DRAWING,
        "view-mode",
        "with --weights",
        lambda given: given.shading.weights is not None,
    ),
    Rule(
        _DRAWING,
        "occlusion tone-mapping exposure",
        "on colours that --view-mode or --weights shows",
        _is_unlit,
    ),
    Rule(
        _DRAWING,
        "exposure",
        "with --tone-mapping none",
        lambda given: given.shading.tone_mapping == "none",
    ),
    Rule(
        _DRAWING,
        "light-azimuth light-elevation shadow",
        "with --light none",
        lambda given: given.lighting.light == "none",
    ),
    Rule(
        _DRAWING,
        "bones",
        "without --skeleton",
        lambda given: not given.overlays.skeleton,
    ),
    Rule(
        _DRAWING,
        "onion-step",
        "without --onion-skins",
        lambda given: not given.overlays.onion_skins,
    ),
    Rule(
        _DRAWING,
        "overlay-depth",
        "without an overlay such as --skeleton or --axes",
        lambda given: not _has_lines(given),
    ),
    Rule(
        ("render", "turntable"),
        "hide",
        "on the versions that --compare shows",
        lambda given: (
            given.side_by_side.compare is not None and min(given.side_by_side.hide, default=0) <= 2
        ),
    ),
    Rule(
        ("render", "turntable"),
        "wipe",
        "without --compare wipe",
        lambda given: given.side_by_side.compare != "wipe",
    ),
    Rule(
        ("render", "turntable"),
        "same-size",
        "on a single file",
        lambda given: len(given.per_file) < 2,
    ),
    Rule(
        ("check",),
        "threshold-mm threshold-deg",
        "without --joins",
        lambda given: not given.thresholds.joins,
    ),
    Rule(
        ("check",),
        "fail-on baseline update-baseline config jobs dask",
        "with --joins",
        lambda given: given.thresholds.joins,
    ),
    Rule(
        ("check",),
        "animation fail-on baseline update-baseline jobs dask",
        "with --rules",
        lambda given: given.findings.rules,
    ),
    Rule(
        ("curves",),
        "rotation",
        "with --space speed",
        lambda given: given.curves.space == "speed",
    ),
    Rule(
        ("sheet", "report", "check"),
        "jobs",
        "with --dask",
        lambda given: given.parallel.dask is not None,
    ),
    Rule(
        ("diff",),
        f"{_DIFF_PICTURE} frame-rate in-place",
        "without -o",
        lambda given: given.output.comparison is None,
    ),
)


def without_effect(command: str, options: Options) -> dict[str, str]:
    """Return the names of the options that have no effect, given or not, each with the reason."""
    return {
        name: rule.why
        for rule in reversed(RULES)
        if command in rule.commands and rule.applies(options)
        for name in rule.names.split()
    }


def warn_of_useless(command: str, options: Options, given: Mapping[str, object]) -> None:
    """Print a warning for each given option that has no effect; `given` are values by name."""
    useless = without_effect(command, options)
    named = [name for name, value in given.items() if name in useless and value is not False]
    warn([f"--{name} has no effect {useless[name]}" for name in named], quiet=options.general.quiet)
