"""Several characters side by side in one scene, each with a clip or a motion.

The active one (`--active`, by default the first) determines the times, the length of a video, and
the file whose cameras and joints the options name.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import console
from ..animation.playback import Loop
from ..errors import UsageError
from ..gltf.images import decode_ahead
from ..model.lookup import find_camera, find_joint, find_variant
from ..model.mesh_parts import find_parts
from ..model.model import MAX_LIGHTS, Model
from ..options.command_options import Options
from .input_file import print_file_warnings, source_name
from .output import STANDARD
from .playback_setup import PlaybackSetup, load_playback, print_clamped_joints

if TYPE_CHECKING:
    from ..scene.scene import Scene


@dataclass(frozen=True, slots=True)
class OtherCharacter:
    """A character other than the active one.

    Attributes
    ----------
    options
        The options for this character.
    number
        Index of its file.
    time
        Time of a still pose, seconds since its start; None: it plays like the active one.
    """

    options: Options
    number: int
    setup: PlaybackSetup
    time: float | None = None


def load_others(options: Options) -> list[OtherCharacter]:
    """Load all files except the active one.

    Raises
    ------
    AppError
        A file cannot be read, or a clip does not exist.
    """
    if options.picture.crowd is not None:
        return []
    if STANDARD in options.files[1:]:
        raise UsageError("standard input must be the first file")
    others = []
    for number, own in enumerate(options.each_file):
        if number != options.side_by_side.active - 1:
            setup = load_playback(own)
            time = _still_time(own, setup) if options.own_times else None
            others.append(OtherCharacter(own, number, setup, time))
    return others


def _still_time(options: Options, setup: PlaybackSetup) -> float:
    """Return the time of a still pose, seconds since its start."""
    taus = setup.taus(options)
    if len(taus) != 1:
        raise UsageError("only one time per file", hint=f"{source_name(options)} has several")
    return taus[0]


def check_names(options: Options, model: Model, others: list[OtherCharacter]) -> None:
    """Raise if an option names a camera, variant or joint of a file that is not active.

    Raises
    ------
    UsageError
        The message names the file that has it.
    """
    naming: dict[str, tuple[str | None, Callable[[Model, str], object]]] = {
        "camera": (options.camera.name, find_camera),
        "variant": (options.picture.variant, find_variant),
        "hide-mesh": (options.picture.hide_mesh, find_parts),
        "weights": (options.shading.weights, find_joint),
    }
    for option, (text, find) in naming.items():
        if text is None or _has(find, model, text):
            continue
        for other in others:
            if _has(find, other.setup.model, text):
                raise UsageError(
                    f"--{option}: {text!r} is not in the active file "
                    f"{options.side_by_side.active} but in {source_name(other.options)}",
                    hint=f"--active {other.number + 1}",
                )


def _has(find: Callable[[Model, str], object], model: Model, text: str) -> bool:
    try:
        find(model, text)
    except UsageError:
        return False
    return True


def decode_images(others: list[OtherCharacter]) -> None:
    """Start decoding the images of all characters."""
    for other in others:
        decode_ahead(other.setup.model.images)


def add_to_scene(
    options: Options, scene: "Scene", others: list[OtherCharacter], *, whole: bool
) -> None:
    """Add the other characters to the scene and start them at the global time 0.

    With `whole`, shorter clips loop until the end of the active one.
    """
    from ..scene.instance import Instance
    from .build_scene import (  # GPU packages: after all checks
        chosen_variant,
        hide_parts,
        start_character,
    )

    for other in others:
        instance = Instance.of(other.setup.model)
        scene.instances.add(instance, other.number)
        instance.given_facing = other.setup.facing
        character = instance.character
        character.variant = chosen_variant(other.options, other.setup.model)
        hide_parts(other.options, character)
        loop: Loop | None = ("loop", math.inf) if whole else None
        start_character(other.options, character, other.setup, default_loop=loop)
        if other.time is not None:
            playback = character.playback
            playback.enter(playback.x(other.time), 0.0)
            playback.pause(0.0)
        character.update(0.0)
    arrange(options, scene)
    if scene.instances.versions is not None:
        from .version_errors import prepare

        prepare(scene.instances.versions)
    else:
        _print_sizes(options, scene)


def arrange(options: Options, scene: "Scene") -> None:
    """Hide, scale and compare the instances of a scene, by the options."""
    from ..scene.versions import Versions

    shown = options.side_by_side
    scene.instances.same_size = shown.same_size
    for number in shown.hide:
        scene.instances[number - 1].hidden = True
    if shown.compare is not None:
        old, new = scene.instances[0], scene.instances[1]
        scene.instances.versions = Versions(old, new, shown.compare, edge=shown.wipe)


def _print_sizes(options: Options, scene: "Scene") -> None:
    from ..scene.instance import size_difference

    if options.general.quiet or options.side_by_side.same_size or len(scene.instances) < 2:
        return
    names = map(source_name, options.each_file)
    difference = size_difference(zip(scene.instances, names, strict=True))
    if difference:
        console.print_message(f"{difference}; --same-size scales them to one height")


def print_warnings(options: Options, scene: "Scene", others: list[OtherCharacter]) -> None:
    """Print warnings of the other files, about clamped joints, and about unused lights."""
    for other in others:
        mixer = scene.instances[other.number].character.mixer
        print_clamped_joints(other.options, other.setup.model, mixer)
        print_file_warnings(other.options, other.setup.model)
    counts = [len(instance.model.lights) for instance in scene.instances.visible]
    # a single file has its own warning
    if len(counts) > 1 and sum(counts) > max(MAX_LIGHTS, *counts):
        message = f"{sum(counts)} lights in all files; only the first {MAX_LIGHTS} are used"
        console.warn([message], file=source_name(options), quiet=options.general.quiet)
