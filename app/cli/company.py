"""Several characters in one picture: the files after the first stand beside it, each with a clip.

The first one decides what moments are shown, how long a video is, and whose camera, lights, joints
and variant the options name. The others play a clip each, as their files have it.
"""

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from app.cli import words
from app.cli.moments import running
from app.cli.output import STANDARD
from app.cli.source import choose_clip, load_source, source_name, warn_of
from app.errors import UsageError
from app.gltf.images import decode_ahead
from app.model import MOST_LIGHTS, Model
from app.select import find_camera, find_joint, find_variant

if TYPE_CHECKING:
    from app.character import Show
    from app.scene import Scene


_NAMING = {"camera": find_camera, "variant": find_variant, "weights": find_joint}


@dataclass(frozen=True, slots=True)
class Companion:
    """Another character, and the clip that it plays; -1 for none."""

    args: argparse.Namespace
    model: Model
    clip: int


def company(args: argparse.Namespace) -> list[Companion]:
    """Load the files after the first; of several --animation each is for the file at its place.

    Where there are fewer clips than files, the last clip is for all of the rest.

    Raises
    ------
    AppError
        A file cannot be read, or has no such clip.
    """
    clips = args.animations
    if getattr(args, "crowd", None) is not None:
        return []
    if len(clips) > max(len(args.files), 1):
        raise UsageError(f"--animation: {len(clips)} clips, but {max(len(args.files), 1)} files")
    if STANDARD in args.files[1:]:
        raise UsageError("standard input is the first file, or none")
    found = []
    for k, file in enumerate(args.files[1:], 1):
        own = argparse.Namespace(**{**vars(args), "file": file})
        model = load_source(own)
        text = clips[min(k, len(clips) - 1)] if clips else None
        found.append(Companion(own, model, choose_clip(own, model, text)))
    return found


def check(args: argparse.Namespace, model: Model, others: list[Companion]) -> None:
    """Refuse a name that is one of another file's: options name what is of the first.

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
            if _has(find, each.model, text):
                raise UsageError(
                    f"--{option} names what is of the first file; {text!r} is of another one, "
                    f"{source_name(each.args)}",
                    hint="name that file first",
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
        decode_ahead(each.model.images)


def join(args: argparse.Namespace, scene: "Scene", others: list[Companion], *, whole: bool) -> None:
    """Put the others on stage, where they play from the global time 0.

    Where the `whole` of the first one's clip is shown, those that are shorter go on.
    """
    for each in others:
        character = scene.join(each.model)
        character.show = cast("Show", args.pose)
        run = running(args, otherwise=("loop", math.inf if whole else 1.0))
        rate = 1.0 if args.phase is not None else run.rate
        character.play(each.clip, 0.0, passes=run.passes, mode=run.mode, rate=rate, trim=run.trim)
        character.update(0.0)


def warn(args: argparse.Namespace, model: Model, others: list[Companion]) -> None:
    """Tell the warnings of their files, and where not all lights of all can shine."""
    for each in others:
        warn_of(each.args, each.model)
    counts = [len(model.lights), *(len(each.model.lights) for each in others)]
    if others and sum(counts) > max(MOST_LIGHTS, *counts):  # a file alone has said it itself
        sentence = f"{sum(counts)} lights in all files; the first {MOST_LIGHTS} shine"
        words.warn([sentence], file=source_name(args), quiet=args.quiet)
