"""Options that have no effect beside others, and why.

Options that contradict each other are refused where they are used. Those that only have no effect
are listed here: a command that is given one prints a warning, and copied commands leave it out. The
window is not concerned: there the other option can be changed.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..console import warn
from ..fields.command_groups import MANY_FILES, MOVING, READING
from .command_options import Options
from .table import ROWS

_DRAWING = ("render", "sheet", "turntable", "report", "page", "diff")
_FIXED = ("render", "sheet", "turntable", "diff")  # those whose view mode cannot be changed
_DIFF_PICTURE = " ".join(  # names of the options that diff needs -o for
    row.option.name
    for row in ROWS
    if row.title in ("camera", "picture") and "diff" in row.option.commands
)


class Rule(NamedTuple):
    """Options that have no effect if `applies`; `why` completes the sentence."""

    commands: tuple[str, ...]
    names: str  # separated by spaces
    why: str
    applies: Callable[[Options], object]


def _is_unlit(options: Options) -> bool:
    return (
        options.scene.look.shading.weights is not None
        or options.scene.look.shading.view_mode != "lit"
    )


def _is_light(options: Options) -> bool:
    """Return whether pictures have light before tone mapping."""
    return options.output.file.lower().endswith(".exr")


def _is_picture(options: Options) -> bool:
    """Return whether one picture is written: neither a video nor a numbered sequence."""
    from ..images.video import ENDINGS  # imports NumPy

    name = options.output.file.lower()
    return options.times.frames is None and not (name.endswith(ENDINGS) or set(name) & set("{#%"))


def _shows_no_clip(options: Options) -> bool:
    scene = options.scene
    return scene.crowd.size is None and all(each.pose != "clip" for each in scene.characters)


def _has_frames(options: Options) -> bool:
    """Return whether the frame rate is that of times or of an overlay."""
    overlays = options.scene.look.overlays
    return options.times.frame is not None or overlays.joint_path or overlays.onion_skins > 0


def _follows_nothing(options: Options) -> bool:
    """Return whether the camera would move with a selection that there is not.

    In a single picture that frames its pose, the root motion moves it nowhere either.
    """
    scene, camera = options.scene, options.scene.camera
    if camera.follow != "selection" or scene.selected is not None:
        return False
    other = camera.name is not None or scene.crowd.size is not None or _shows_no_clip(options)
    frames_pose = _is_picture(options) and (camera.fit == "pose" or other)
    return frames_pose or not camera.is_framed


def _hides_a_version(options: Options) -> bool:
    return any(each.hidden for each in options.scene.characters[:2])


def _has_lines(options: Options) -> bool:
    shown = options.scene.look.overlays
    drawn = shown.skeleton, shown.axes, shown.ghost, shown.joint_path, shown.onion_skins
    return any(drawn) or options.scene.selected is not None


RULES = (
    Rule(
        (*MOVING, "check"),
        "motion",
        "with --no-motion",
        lambda given: all(each.motion.none for each in given.scene.characters),
    ),
    Rule(
        tuple(command for command in READING if command != "view"),
        "force",
        "without --anims",
        lambda given: not given.scene.anims,
    ),
    Rule(
        ("bake",),
        "speed trim at time key-rotation",
        "without --mix",
        lambda given: given.keys.mix is None,
    ),
    Rule(_DRAWING, "camera-fov", "with --ortho", lambda given: given.scene.camera.ortho),
    Rule(
        ("render",),
        "fit",
        "where --camera-position and --camera-target place the camera",
        lambda given: (
            given.scene.camera.position is not None and given.scene.camera.target is not None
        ),
    ),
    Rule(("render",), "fit", "with --camera", lambda given: given.scene.camera.name is not None),
    Rule(("render",), "fit", "with --crowd", lambda given: given.scene.crowd.size is not None),
    Rule(
        ("render",),
        "time phase key-rotation fit animation speed offset",
        "with --pose rest or bind",
        _shows_no_clip,
    ),
    Rule(
        ("render",),
        "loop",
        "in a picture of the rest or bind pose",
        lambda given: _shows_no_clip(given) and _is_picture(given),
    ),
    Rule(("render",), "exact", "on a single picture", _is_picture),
    Rule(
        ("render",),
        "frame-rate",
        "on a single picture without --frame, --joint-path and --onion-skins",
        lambda given: _is_picture(given) and not _has_frames(given),
    ),
    Rule(("render", "turntable", "sheet"), "camera-follow", "without --select", _follows_nothing),
    Rule(
        ("render", "sheet", "turntable", "pose"),
        "speed loop",
        "with --phase",
        lambda given: given.times.phase is not None and not given.shown.motion.at,
    ),
    Rule(("pose",), "speed loop trim", "with --key", lambda given: given.times.key is not None),
    Rule(("pose",), "key-rotation", "with --hold", lambda given: given.times.hold),
    Rule(
        _DRAWING,
        "view-mode",
        "with --weights",
        lambda given: given.scene.look.shading.weights is not None,
    ),
    Rule(
        _FIXED,
        "occlusion tone-mapping exposure light-rim",
        "on colours that --view-mode or --weights shows",
        _is_unlit,
    ),
    Rule(
        _DRAWING,
        "exposure",
        "with --tone-mapping none",
        lambda given: given.scene.look.shading.tone_mapping == "none" and not _is_light(given),
    ),
    Rule(("render", "turntable"), "tone-mapping", "in an .exr, which has light", _is_light),
    Rule(
        _DRAWING,
        "light-azimuth light-elevation light-rim shadow",
        "with --light none",
        lambda given: given.scene.look.lighting.light == "none",
    ),
    Rule(
        _DRAWING,
        "bones",
        "without --skeleton",
        lambda given: not given.scene.look.overlays.skeleton,
    ),
    Rule(
        _DRAWING,
        "onion-step",
        "without --onion-skins",
        lambda given: not given.scene.look.overlays.onion_skins,
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
        lambda given: given.scene.comparison.mode is not None and _hides_a_version(given),
    ),
    Rule(
        ("render", "turntable"),
        "wipe",
        "without --compare wipe",
        lambda given: given.scene.comparison.mode != "wipe",
    ),
    Rule(
        ("render", "turntable"),
        "same-size",
        "on a single file",
        lambda given: len(given.scene.characters) < 2,
    ),
    Rule(
        ("sheet",),
        "scale",
        "where --camera-position or --camera-target places the camera",
        lambda given: not given.scene.camera.is_framed,
    ),
    Rule(
        ("check",),
        "threshold-mm threshold-deg",
        "without --joins",
        lambda given: not given.thresholds.joins,
    ),
    Rule(
        ("check",),
        "fail-on baseline update-baseline rule-file config jobs dask",
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
        MANY_FILES,
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
