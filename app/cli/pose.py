"""`rigview pose`: write evaluated poses as arrays, .npz or .json."""

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..animation.pose import Pose
from ..blending.sources import FiredEvent
from ..errors import UsageError
from ..model.model import Model
from ..model.morph_weights import apply_weights
from ..model.pose_arrays import Arrays, pose_arrays
from ..options.command_options import Options
from ..scene.character import Character
from ..scenedoc.shown import Show
from ..tasks.input_file import print_file_warnings, source_name
from ..tasks.output import check_extension, write
from ..tasks.output_check import check_outputs
from ..tasks.playback_setup import PlaybackSetup, load_playback, print_clamped_joints


def run(options: Options) -> int:
    """Evaluate and write; returns the exit code."""
    target = options.output.file
    ending = check_extension(target, (".npz", ".json"))
    check_outputs(options, [target])
    arrays = evaluated_arrays(options)
    write(target, as_npz(arrays) if ending == ".npz" else as_json(arrays))
    return 0


def evaluated_arrays(options: Options) -> Arrays:
    """Return the arrays of the evaluated poses."""
    setup = load_playback(options)
    arrays = (
        _evaluate_motion(options, setup)
        if setup.document is not None
        else _evaluate_clip(options, setup)
    )
    print_file_warnings(options, setup.model)
    return arrays


def _evaluate_clip(options: Options, setup: PlaybackSetup) -> Arrays:
    """Return the poses of a clip without motion settings, at the requested times."""
    model, given, show = setup.model, options.times, options.shown.pose
    if given.key is not None and given.hold:
        raise UsageError("--key and --hold exclude each other")
    plain = replace(setup, document=None)
    times, pose = np.array(plain.taus(options)), None
    if plain.plays:
        chosen = model.clips[setup.clip]
        pose = Pose.like(model.skeleton.rest, (len(given.key or times),))
        if given.key is not None:
            if max(given.key) > chosen.last_key:
                message = f"--key: {chosen.name!r} has no key {max(given.key)}"
                raise UsageError(message, hint=f"its last is {chosen.last_key}")
            chosen.sample_key(given.key, pose)
            times = chosen.key_time(given.key)
        elif given.hold:
            local = plain.clip_times(options, times)
            chosen.sample_hold(local, pose)
            times = chosen.hold_time(local)
        else:
            times = chosen.local_time(plain.clip_times(options, times))
            chosen.sample(times, pose)
    elif given.key is not None or given.hold:
        raise UsageError("no animation to read the keys of", file=source_name(options))
    if pose is None or show != "clip":
        pose = _still(model, show, len(times))
    _set_morphs(setup, pose)
    return pose_arrays(model, pose, times, vertices=options.output.vertices)


def _evaluate_motion(options: Options, setup: PlaybackSetup) -> Arrays:
    """Return the poses of a motion at the requested times, with root motion and events."""
    if options.times.key is not None or options.times.hold:
        if setup.layered:
            raise UsageError("--key and --hold read one clip", hint="name it with --animation")
        return _evaluate_clip(options, setup)
    model, mixer = setup.model, setup.bound(options)
    taus = np.array(setup.taus(options))
    pose, worlds = mixer.poses(taus, model.skeleton.rest)
    print_clamped_joints(options, model, mixer)
    if options.shown.pose != "clip":
        pose = _still(model, options.shown.pose, len(taus))
        worlds = np.broadcast_to(np.eye(4), worlds.shape)
    _set_morphs(setup, pose)
    times = setup.clip_times(options, taus)
    arrays = pose_arrays(model, pose, times, vertices=options.output.vertices, world=worlds)
    fired = mixer.events(float(taus.min()), float(taus.max())) if len(taus) else []
    arrays["root_speed"] = mixer.speeds(taus).astype(np.float32)
    arrays |= event_arrays(fired)
    return arrays


def _set_morphs(setup: PlaybackSetup, pose: Pose) -> None:
    """Set the morph weights of [morphs] and --set in poses."""
    if setup.morphs is not None:
        apply_weights(pose.values, setup.morphs)


def event_arrays(fired: Sequence[FiredEvent]) -> dict[str, np.ndarray]:
    """Return events as arrays [E]."""
    return {
        "event_time": np.array([event.tau for event in fired], np.float64),
        "event_name": np.array([event.name for event in fired], np.str_),
        "event_clip": np.array([event.clip for event in fired], np.str_),
        "event_layer": np.array([event.layer for event in fired], np.str_),
        "event_weight": np.array([event.weight for event in fired], np.float32),
        "event_pass": np.array([event.number for event in fired], np.int32),
    }


def _still(model: Model, show: str, count: int) -> Pose:
    """Return the rest or the bind pose, repeated `count` times."""
    character = Character(model)
    character.show = cast(Show, "rest" if show == "clip" else show)
    character.update(0.0)
    return Pose.like(character.pose, (count,))


def as_npz(arrays: Arrays) -> bytes:
    """Return the arrays as an .npz archive without pickled objects."""
    buffer = io.BytesIO()
    np.savez(buffer, **cast(Any, arrays))
    return buffer.getvalue()


def as_json(arrays: Arrays) -> bytes:
    """Return the arrays as JSON lists; float32 values survive the round trip bit for bit."""
    lists = {name: array.tolist() for name, array in arrays.items() if name[:6] != "event_"}
    if "event_time" in arrays:
        columns = [name for name in arrays if name[:6] == "event_"]
        rows = zip(*(arrays[name].tolist() for name in columns), strict=True)
        keys = [name.removeprefix("event_") for name in columns]
        lists["events"] = [dict(zip(keys, row, strict=True)) for row in rows]
    return json.dumps(lists, ensure_ascii=False).encode() + b"\n"
