"""--crowd: many instances of one character on a grid, each at its own phase or all in step.

Each plays a clip of the file; motion files are not used.
"""

from dataclasses import replace

from ..console import warn
from ..errors import UsageError
from ..fields.option import replaced, value_at, walk
from ..model.model import MAX_LIGHTS, Model
from ..options.command_options import Options
from ..scene.crowd import CrowdLayout
from ..scenedoc.scene_doc import SceneDoc
from .input_file import choose_clip, source_name


def crowd_options(options: Options) -> Options:
    """Return the options as a crowd takes them, before files are read; as they are without --crowd.

    Raises
    ------
    UsageError
        An option applies to a single character only, or --in-step to nothing.
    """
    in_step = options.scene.crowd.in_step
    if options.scene.crowd.size is None:
        if in_step:
            raise UsageError("--in-step needs --crowd", hint="--crowd 30 --in-step")
        return options
    if in_step and len(options.scene.crowd.clips) > 1:
        raise UsageError("--in-step takes one --animation: all characters share its pose")
    if len(options.files) > 1:
        raise UsageError("--crowd takes one file")
    motion, pose = options.shown.motion, options.shown.pose
    single_only = {
        "motion": motion.file,
        "at": motion.at,
        "set": motion.parameters,
        "camera": options.scene.camera.name,
    }
    for name, given in single_only.items():
        if given:
            raise UsageError(f"--crowd and --{name} exclude each other")
    if pose != "clip":
        raise UsageError(f"--crowd and --pose {pose} exclude each other")
    return _without_overlays(options.with_shown(motion=replace(motion, none=True)))


def _without_overlays(options: Options) -> Options:
    """Return the options without the overlays that crowds lack; warn if any was given."""
    scene = options.scene
    for path, _, option in walk(SceneDoc):
        if not option.crowd and value_at(scene, path) != option.default:
            message = f"{option.flag} is not drawn for a crowd"
            warn([message], file=source_name(options), quiet=options.general.quiet)
            scene = replaced(scene, path, option.default)
    return replace(options, scene=scene)


def new_crowd(options: Options, model: Model) -> CrowdLayout | None:
    """Return the crowd of --crowd, None without; several --animation are distributed evenly.

    Raises
    ------
    UsageError
        A clip does not exist.
    """
    crowd = options.scene.crowd
    if crowd.size is None:
        return None
    _warn_of_lights(options, model, crowd.size[2])
    clips = tuple(choose_clip(options, model, text) for text in crowd.clips)
    return CrowdLayout.of(crowd, clips)


def _warn_of_lights(options: Options, model: Model, characters: int) -> None:
    """Warn if the crowd has more lights than can be rendered."""
    suns = sum(light.kind == "directional" for light in model.lights)
    count = suns + (len(model.lights) - suns) * characters
    if count > MAX_LIGHTS:
        message = (
            f"the crowd has {count} lights; only the {MAX_LIGHTS} nearest to the camera are used"
        )
        warn([message], file=source_name(options), quiet=options.general.quiet)
