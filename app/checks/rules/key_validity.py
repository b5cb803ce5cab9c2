"""Rules about invalid keys: quaternion length and sign, half turns, denormal numbers, scale."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F32, F64, Bool, Index
from ...wording import counted, number, quoted
from ..check_context import CheckContext
from ..clip_ends import angle_between, local_rotations
from ..clip_rules import per_clip
from ..finding import Finding, Limit, Limits, Severity, rule
from ..stored_keys import RotationKeys, StoredChannel, channels, rotations
from ..visible_size import axis_of, size_of_rotation, unless_seen

FLIPPED = -0.5  # dot product of a key and the next one: a lower one is a sign flip
_BETWEEN = 9  # times at which the way between two keys is looked at
TINY = float(np.finfo(np.float32).tiny)  # the smallest normal number


@rule(
    "rotation-length",
    "info",
    "rotation keys are quaternions that are not of unit length",
    "normalise the keys; the exporter rounds or blends them",
    Limit("off", 2e-3, "", "deviation of the length from 1"),
)
def _lengths(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    keys = context.cached(rotations)
    off = np.abs(keys.lengths.astype(np.float64) - 1)
    for channel, at, count in _worst(keys, off, off > limits["off"]):
        length = float(keys.lengths[at])
        finding = Finding(
            f"{counted(count, 'rotation key')} of {{clip}} {'is' if count == 1 else 'are'} not "
            f"normalised; one of {{joint}} has length {number(length)}",
            length,
            time=float(keys.times[at]),
            touches=count,
        )
        yield _of_channel(context, channel, finding)


@rule(
    "rotation-flip",
    "size",
    "a rotation key has the opposite sign of the one before it: q is followed by nearly -q",
    "negate the key and those after it, which are the same rotations",
    group="Motion",
)
def _flips(context: CheckContext, _: Limits) -> Iterator[Finding]:
    keys = context.cached(rotations)
    for how in ("CUBICSPLINE", "LINEAR"):
        wrong = how == "CUBICSPLINE"
        flipped = np.append(keys.dots < FLIPPED, False)[: len(keys.of)] & keys.are(how)
        for channel, at, count in _worst(keys, np.append(-keys.dots, 0), flipped):
            finding = Finding(
                f"{counted(count, 'rotation key')} of {{clip}} {'is' if count == 1 else 'are'} "
                "followed by one of opposite sign (q, then nearly -q), as at {joint}: "
                + (
                    "the spline takes the long way"
                    if wrong
                    else "slerp is not affected, but engines that blend components are"
                ),
                float(count),
                "keys" if count > 1 else "key",
                time=float(keys.times[at]),
                touches=count,
                size=_detour(context, channel, keys, at) if wrong else None,
                group="" if wrong else "File",
            )
            yield _of_channel(context, channel, finding)


def _detour(context: CheckContext, channel: StoredChannel, keys: RotationKeys, at: int) -> float:
    """Return how far a spline moves the surface off the shorter way between two keys, metres."""
    times = np.linspace(float(keys.times[at]), float(keys.times[at + 1]), _BETWEEN)
    rotations = context.posed(context.clip(channel.clip), times).rotations
    between = local_rotations(context, rotations, np.array([channel.joint], np.int32))
    away = np.degrees(angle_between(between[:1], between)).max()
    back = np.degrees(angle_between(between[:1], between[-1:])).max()
    return size_of_rotation(context, channel.joint, float(max(away - back, 0.0)))


@rule(
    "half-turn",
    "warning",
    "a LINEAR rotation turns by about 180° from one key to the next, so that the shorter "
    "direction is ambiguous",
    "insert a key between the two",
    Limit("degrees", 175.0, "°", "from one key to the next"),
    group="Motion",
)
def _turns(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    keys = context.cached(rotations)
    cosine = np.abs(keys.dots) / np.maximum(keys.lengths[1:] * keys.lengths[:-1], 1e-12)
    angle = np.append(np.degrees(2 * np.arccos(np.minimum(cosine, 1))), 0.0)
    for channel, at, count in _worst(keys, angle, (angle > limits["degrees"]) & keys.are("LINEAR")):
        begin, end = keys.values[at : at + 2].astype(np.float64)
        size = size_of_rotation(context, channel.joint, 180.0, axis_of(end, end - begin))
        finding = Finding(
            f"{{joint}} rotates by {number(float(angle[at]))}° from one key to the next in "
            "{clip}: its direction depends on rounding"
            + (f" ({count} such steps)" if count > 1 else ""),
            float(angle[at]),
            time=float(keys.times[at]),
            touches=count,
            severity=unless_seen(context, size),
            size=size,
        )
        yield _of_channel(context, channel, finding)


@rule(
    "spline-keys",
    "error",
    "a CUBICSPLINE track has a single key",
    "use LINEAR or STEP for constant tracks, or add a key: engines refuse the file",
)
def _splines(context: CheckContext, _: Limits) -> Iterator[Finding]:
    found: dict[int, list[StoredChannel]] = {}
    for channel in context.cached(channels):
        keys = context.stored.accessors.count(channel.input)
        if channel.interpolation == "CUBICSPLINE" and keys == 1:
            found.setdefault(channel.clip, []).append(channel)
    for own in found.values():
        count = len(own)
        finding = Finding(
            f"{counted(count, 'track')} of {{clip}} {'is' if count == 1 else 'are'} CUBICSPLINE "
            "with a single key, as at {joint}: a spline needs two",
            float(count),
            "tracks",
            touches=count,
        )
        yield _of_channel(context, own[0], finding)


def _worst(
    keys: RotationKeys, amount: F32 | F64, bad: Bool
) -> Iterator[tuple[StoredChannel, int, int]]:
    """Yield for each clip with bad keys: channel and index of the worst, and their number."""
    at: Index = np.flatnonzero(bad)
    if not len(at):
        return
    clips = np.array([channel.clip for channel in keys.channels])[keys.of[at]]
    for clip in np.unique(clips).tolist():
        own = at[clips == clip]
        worst = int(own[int(np.argmax(amount[own]))])
        yield keys.channels[int(keys.of[worst])], worst, len(own)


def _of_channel(context: CheckContext, channel: StoredChannel, finding: Finding) -> Finding:
    """Return a finding about a channel, whose message has {clip} and {joint}."""
    clip = context.clip(channel.clip).name
    joint = context.model.skeleton.names[channel.joint]
    return replace(
        finding,
        message=finding.message.format(clip=quoted(clip), joint=quoted(joint)),
        place="" if context.is_capture else channel.place,
        clip=clip,
        joint=joint,
    )


@rule("denormal-keys", "info", "keys contain denormal floats", "round them to 0")
def _denormals(context: CheckContext, _: Limits) -> Iterator[Finding]:
    moving = context.cached(channels)
    if not moving:
        return
    first = {channel.output: channel for channel in reversed(moving)}
    arrays = [context.stored.accessors.floats(output).ravel() for output in first]
    values = np.abs(np.concatenate(arrays))
    of = np.repeat(np.arange(len(arrays)), [len(array) for array in arrays])
    counts = np.bincount(of[(values > 0) & (values < TINY)], minlength=len(arrays))
    users = list(first.values())
    for clip in sorted({users[k].clip for k in np.flatnonzero(counts)}):
        own = [k for k in np.flatnonzero(counts).tolist() if users[k].clip == clip]
        most = max(own, key=lambda k: int(counts[k]))
        total = int(sum(counts[k] for k in own))
        finding = Finding(
            f"{counted(total, 'number')} in the keys of {{clip}} {'is' if total == 1 else 'are'} "
            "denormal: probably intended to be 0, and slow on some processors",
            float(total),
            "numbers",
            touches=total,
        )
        yield _of_channel(context, users[most], finding)


@rule(
    "animated-scale",
    "info",
    "a clip scales a joint by a negative number (a warning), to 0, or non-uniformly above "
    "other joints",
    "scale uniformly and above 0; hide objects by visibility, mirror them in the mesh",
    Limit("least", 1e-6, "", "smaller scales count as 0"),
    Limit("percent", 5.0, "%", "more along one axis than along another"),
    group="Motion",
)
@per_clip
def _scales(context: CheckContext, limits: Limits, _c: int, clip: Clip) -> Iterator[Finding]:
    skeleton = context.model.skeleton
    parents = {int(parent) for parent in skeleton.parents if parent >= 0}
    tracks = [track for track in clip.tracks if track.path == "scale" and len(track.times)]
    if not tracks:
        return
    of = np.repeat(np.arange(len(tracks)), [len(track.times) for track in tracks])
    values = np.concatenate([track.values for track in tracks]).astype(np.float64)
    times = np.concatenate([track.times for track in tracks])
    least, most = np.abs(values).min(axis=1), np.abs(values).max(axis=1)
    inner = np.array([track.target in parents for track in tracks])[of]
    negative: Bool = np.asarray((values < 0).any(axis=1))
    nothing: Bool = np.asarray(least < limits["least"])
    uneven: F64 = np.where(nothing, 0, most / np.maximum(least, 1e-12) - 1) * 100
    found: tuple[tuple[Bool, Severity, F64, str, str], ...] = (
        (negative, "warning", values.min(axis=1), "", "is mirrored by a scale of {}"),
        (nothing & ~negative, "info", least, "", "has a scale of nearly 0: {}"),
        (
            np.asarray((uneven > limits["percent"]) & inner & ~negative),
            "info",
            uneven,
            "%",
            "has a non-uniform scale, {} % more along one axis than along another: engines "
            "without shear rotate its descendants wrongly",
        ),
    )
    for bad, severity, amount, unit, words in found:
        if not bad.any():
            continue
        at = int(np.flatnonzero(bad)[int(np.argmax(np.abs(amount[bad])))])
        name = skeleton.names[tracks[int(of[at])].target]
        others = len(np.unique(of[bad])) - 1
        yield Finding(
            f"{quoted(name)} {words.format(number(float(amount[at])))}, in {quoted(clip.name)}"
            + (f"; so are {counted(others, 'other joint')}" if others else ""),
            float(amount[at]),
            unit,
            limits["percent"] if unit else None,
            joint=name,
            time=float(times[at]),
            severity=severity,
            touches=others + 1,
        )
