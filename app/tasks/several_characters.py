"""Several characters in one picture: the files stand side by side, each with a clip or motion.

The active one, without `--active` the first, decides what moments are shown, how long a video is,
and whose camera and joints the options name.
"""

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import console
from ..errors import UsageError
from ..gltf.images import decode_ahead
from ..model.lookup import find_camera, find_joint, find_variant
from ..model.model import MOST_LIGHTS, Model
from ..options.per_file import apart, own
from .input_file import source_name, warn_of
from .output import STANDARD
from .playback_setup import Performance, performance, tell_held
from .time_options import motion_taus, running, timing

if TYPE_CHECKING:
    from ..scene.character import Character
    from ..scene.scene import Scene

_NAMING = {"camera": find_camera, "variant": find_variant, "weights": find_joint}


@dataclass(frozen=True, slots=True)
class Companion:
    """A character beside the active one.

    Attributes
    ----------
    args
        The options as they are for it.
    number
        Of its file, from 0.
    time
        Where it stands still, seconds since its start; None: it runs as the active one does.
    """

    args: argparse.Namespace
    number: int
    played: Performance
    time: float | None = None


def company(args: argparse.Namespace) -> list[Companion]:
    """Load all files but the active one.

    Raises
    ------
    AppError
        A file cannot be read, or has no such clip.
    """
    if args.crowd is not None:
        return []
    if STANDARD in args.files[1:]:
        raise UsageError("standard input is the first file, or none")
    found = []
    for number in range(len(args.files)):
        if number != args.number:
            each = own(args, number)
            played = performance(each)
            found.append(Companion(each, number, played, _time(each, played)))
    return found


def _time(args: argparse.Namespace, played: Performance) -> float | None:
    if not apart(args):
        return None
    if played.document is None:
        clip = played.model.clips[played.clip] if played.clip >= 0 else None
        taus = timing(args, clip).taus
    else:
        taus = motion_taus(args, played.mixer(args).length)
    if len(taus) != 1:
        raise UsageError("a file is shown at one moment", hint=f"{source_name(args)} has more")
    return taus[0]


def check(args: argparse.Namespace, model: Model, others: list[Companion]) -> None:
    """Refuse a name that is one of another file's: options name what is of the active one.

    Raises
    ------
    UsageError
        It says which file has it.
    """
    for option, find in _NAMING.items():
        text = getattr(args, option)
        if text is None or _has(find, model, text):
            continue
        for each in others:
            if _has(find, each.played.model, text):
                raise UsageError(
                    f"--{option} names what is of file {args.number + 1}; {text!r} is of another "
                    f"one, {source_name(each.args)}",
                    hint=f"--active {each.number + 1}",
                )


def _has(find: Callable[[Model, str], object], model: Model, text: str) -> bool:
    try:
        find(model, text)
    except UsageError:
        return False
    return True


def decode(others: list[Companion]) -> None:
    """Begin to decode all images."""
    for each in others:
        decode_ahead(each.played.model.images)


def join(args: argparse.Namespace, scene: "Scene", others: list[Companion], *, whole: bool) -> None:
    """Put the others on stage, where they play from the global time 0.

    Where the `whole` of what the active one plays is shown, clips that are shorter go on.
    """
    from .build_scene import variant  # the GPU's packages: not before all is checked

    for each in others:
        character = scene.join(each.played.model, each.number)
        character.variant = variant(each.args, each.played.model)
        _start(each, character, whole=whole)
        if each.time is not None:
            playback = character.playback
            playback.enter(playback.x(each.time), 0.0)
            playback.pause(0.0)
        character.update(0.0)
    arrange(args, scene)
    _tell_sizes(args, scene)


def arrange(args: argparse.Namespace, scene: "Scene") -> None:
    """Hide some of those on stage and scale them, as the options say."""
    scene.same_size = args.same_size
    for number in args.hide or ():
        scene.actors[number - 1].hidden = True


def _start(each: Companion, character: "Character", *, whole: bool) -> None:
    from .build_scene import begin, start

    args, played = each.args, each.played
    if played.document is not None:
        begin(args, character, played, otherwise=("loop", math.inf) if whole else None)
        return
    run = running(args, otherwise=("loop", math.inf if whole else 1.0))
    if args.phase is not None:
        run = running(
            argparse.Namespace(**{**vars(args), "speed": 1.0}), (), (run.mode, run.passes)
        )
    start(args, character, played.clip, run)


def _tell_sizes(args: argparse.Namespace, scene: "Scene") -> None:
    from ..scene.instance import sizes_apart

    if args.quiet or args.same_size or len(scene.actors) < 2:
        return
    names = [source_name(own(args, number)) for number in range(len(scene.actors))]
    told = sizes_apart(zip(scene.actors, names, strict=True))
    if told:
        console.complain(f"{told}; --same-size draws them alike")


def warn(args: argparse.Namespace, scene: "Scene", others: list[Companion]) -> None:
    """Tell the warnings of their files, joints that were held, and lights that do not shine."""
    for each in others:
        mixer = scene.actors[each.number].character.mixer
        tell_held(each.args, each.played.model, mixer)
        warn_of(each.args, each.played.model)
    counts = [len(actor.model.lights) for actor in scene.seen]
    # a file alone has said it itself
    if len(counts) > 1 and sum(counts) > max(MOST_LIGHTS, *counts):
        sentence = f"{sum(counts)} lights in all files; the first {MOST_LIGHTS} shine"
        console.warn([sentence], file=source_name(args), quiet=args.quiet)
