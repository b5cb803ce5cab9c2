"""`rigview pose`: the evaluated pose as numbers, .npz or .json."""

import argparse
import io
import json
from typing import Any, cast

import numpy as np

from app.animation.pose import Pose
from app.animation.types import F64
from app.character import Character, Show
from app.cli.moments import timing
from app.cli.output import STANDARD, check_ending, check_target, write
from app.cli.source import choose_clip, load_source, source_name, warn_of
from app.errors import UsageError
from app.evaluate import Arrays, pose_arrays
from app.model import Model


def run(args: argparse.Namespace) -> int:
    """Evaluate and write; returns the exit code."""
    ending = ".json" if args.output == STANDARD else check_ending(args.output, (".npz", ".json"))
    check_target(args.output)
    model = load_source(args)
    clip = choose_clip(args, model, args.animation)
    times, pose = _evaluate(args, model, clip)
    arrays = pose_arrays(model, pose, times, vertices=args.vertices)
    write(args.output, as_npz(arrays) if ending == ".npz" else as_json(arrays))
    warn_of(args, model)
    return 0


def _evaluate(args: argparse.Namespace, model: Model, clip: int) -> tuple[F64, Pose]:
    """Return the times as sampled [T], and one batch of T poses."""
    if args.key is not None and args.hold:
        raise UsageError("--key and --hold exclude each other")
    chosen = model.clips[clip] if clip >= 0 else None
    when = timing(args, chosen)
    if chosen is None:
        if args.key is not None or args.hold:
            raise UsageError("no animation to read the keys of", file=source_name(args))
        return np.array(when.taus), _still(model, args.pose, len(when.taus))
    count = len(args.key or when.taus)
    pose = Pose.like(model.skeleton.rest, (count,))
    if args.key is not None:
        times = chosen.sample_key(np.array(args.key), pose)
    else:
        local = when.playback(chosen).time(np.array(when.taus))
        times = chosen.sample_hold(local, pose) if args.hold else chosen.sample(local, pose)
    return times, pose if args.pose == "clip" else _still(model, args.pose, count)


def _still(model: Model, show: str, count: int) -> Pose:
    """Return the rest or the bind pose `count` times."""
    character = Character(model)
    character.show = cast(Show, "rest" if show == "clip" else show)
    character.update(0.0)
    return Pose.like(character.pose, (count,))


def as_npz(arrays: Arrays) -> bytes:
    """Return the arrays as a numpy archive; `numpy.load` reads it without pickle."""
    buffer = io.BytesIO()
    np.savez(buffer, **cast(Any, arrays))
    return buffer.getvalue()


def as_json(arrays: Arrays) -> bytes:
    """Return the arrays as nested lists; numbers read back as float32 are the same bit for bit."""
    lists = {name: array.tolist() for name, array in arrays.items()}
    return json.dumps(lists, ensure_ascii=False).encode() + b"\n"
