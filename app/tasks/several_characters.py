"""Several characters side by side in one scene, each with a clip or a motion.

The active one (`--active`, by default the first) determines the times, the length of a video, and
the file whose cameras and joints the options name.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import console
from ..errors import UsageError
from ..model.lookup import find_camera, find_joint, find_variant
from ..model.mesh_parts import find_parts
from ..model.model import MAX_LIGHTS, Model
from ..options.command_options import Options
from .input_file import print_file_warnings, source_name
from .output import STANDARD
from .playback_setup import PlaybackSetup, load_playback, print_clamped_joints

if TYPE_CHECKING:
    from ..scene.scene import Scene


def load_characters(
    options: Options, models: Sequence[Model | None] | None = None
) -> list[PlaybackSetup]:
    """Load all files, and return what each of them plays, in order.

    Parameters
    ----------
    models
        Models that take the place of files; None: the file is loaded.

    Raises
    ------
    AppError
        A file cannot be read, a clip does not exist, or an option names something of a file that
        is not active.
    """
    if STANDARD in options.files[1:]:
        raise UsageError("standard input must be the first file")
    every = options.per_file
    given = [None] * len(every) if models is None else models
    setups = [_loaded(options, own, model) for own, model in zip(every, given, strict=True)]
    check_names(options, setups)
    return setups


def _loaded(options: Options, own: Options, model: Model | None) -> PlaybackSetup:
    """Return what one character plays; the others stand still if each has its own time."""
    setup = load_playback(own, model)
    if own.scene.active == options.scene.active or not options.scene.own_times:
        return setup
    taus = setup.taus(own)
    if len(taus) != 1:
        raise UsageError("only one time per file", hint=f"{source_name(own)} has several")
    return replace(setup, still_time=taus[0])


def check_names(options: Options, setups: Sequence[PlaybackSetup]) -> None:
    """Raise if an option names a camera, variant or joint of a file that is not active.

    Raises
    ------
    UsageError
        The message names the file that has it.
    """
    naming: dict[str, tuple[str | None, Callable[[Model, str], object]]] = {
        "camera": (options.scene.camera.name, find_camera),
        "variant": (options.shown.variant, find_variant),
        "hide-mesh": (options.shown.hidden_meshes, find_parts),
        "weights": (options.scene.look.shading.weights, find_joint),
    }
    active = options.scene.active
    for option, (text, find) in naming.items():
        if text is None or _has(find, setups[active - 1].model, text):
            continue
        for number, (own, setup) in enumerate(zip(options.per_file, setups, strict=True), 1):
            if _has(find, setup.model, text):
                raise UsageError(
                    f"--{option}: {text!r} is not in the active file {active} but in "
                    f"{source_name(own)}",
                    hint=f"--active {number}",
                )


def _has(find: Callable[[Model, str], object], model: Model, text: str) -> bool:
    try:
        find(model, text)
    except UsageError:
        return False
    return True


def print_sizes(options: Options, scene: "Scene") -> None:
    """Print that one character is far smaller than another."""
    from ..scene.instance import size_difference

    if options.general.quiet or options.scene.same_size or len(scene.instances) < 2:
        return
    names = map(source_name, options.per_file)
    difference = size_difference(zip(scene.instances, names, strict=True))
    if difference:
        console.print_message(f"{difference}; --same-size scales them to one height")


def print_warnings(options: Options, scene: "Scene", setups: Sequence[PlaybackSetup]) -> None:
    """Print warnings of all files, about clamped joints, and about unused lights."""
    for own, instance, setup in zip(options.per_file, scene.instances, setups, strict=True):
        print_clamped_joints(own, setup.model, instance.character.mixer)
        print_file_warnings(own, setup.model)
    counts = [len(instance.model.lights) for instance in scene.instances.visible]
    # a single file has its own warning
    if len(counts) > 1 and sum(counts) > max(MAX_LIGHTS, *counts):
        message = f"{sum(counts)} lights in all files; only the first {MAX_LIGHTS} are used"
        console.warn([message], file=source_name(options), quiet=options.general.quiet)
    if scene.instances.versions is None:
        print_sizes(options, scene)
