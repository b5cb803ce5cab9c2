"""Several characters in one picture: the files after the first stand beside it, each with a clip.

The first one decides what moments are shown, how long a video is, and whose camera, lights, joints
and variant the options name. The others play a clip each, as their files have it.
"""

import argparse
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from app.cli.moments import running
from app.cli.output import STANDARD
from app.cli.source import choose_clip, load_source, warn_of
from app.errors import UsageError
from app.gltf.images import decode_ahead
from app.model import Model

if TYPE_CHECKING:
    from app.character import Show
    from app.scene import Scene


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


def warn(others: list[Companion]) -> None:
    """Tell the warnings of their files."""
    for each in others:
        warn_of(each.args, each.model)
