"""Rules about tracks unlike their siblings: missing in one clip of many, or the only STEP track."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.track import Path, Track
from ...animation.types import F32, F64, Bool
from ...animation.vectors import length
from ...wording import counted, measure, quoted
from ..check_context import REFERENCE_HEIGHT, CheckContext
from ..clip_rules import per_clip
from ..finding import Finding, Limit, Limits, rule
from ..key_groups import unit_lengths
from ..visible_size import joint_reach, size_of_displacement, size_of_rotation
from .exchanged_sides import even_keys, side_pairs
from .redundant_keys import is_constant, starts_in_rest_pose

SAMPLES = 8  # keys of a track that are looked at
KIND = 0.8  # of the tracks of two clips: those of a kind share as many
MOST = 0.9  # of the clips of a kind: so many have a track that is missed
ENOUGH = 10  # clips with a track: one without is at fault, though tracks at rest may be left out
SOME = 3  # the same, if none of them comes near the rest pose:
NEAR = 0.6  # of the typical distance of its surface from rest,
SEEN = 0.02  # and of the height
MOVING = 3  # tracks of a clip that are interpolated while one is not
STEPPED = 0.1  # of the moving tracks: more STEP tracks are intended
GRADUAL = 0.6  # of its range: a held track goes further from one key to the next
DENSE = 6  # keys: a sampled motion has more

Key = tuple[int, Path]  # joint and path


class _Missing(NamedTuple):
    """A track that a clip lacks."""

    joint: int
    path: Path
    having: int  # clips of its kind that have it
    of: int
    size: float  # metres, how far the surface is from where it is in those clips


@rule(
    "track-missing",
    "size",
    "a joint has no track in a clip, but nearly all clips that animate the same joints have "
    "one, and it is not at rest in them",
    "export the clip with this joint, or key it in the first frame",
    Limit("mm", 3.6, "mm", "typical distance of its surface from rest", scaled=True),
)
@per_clip
def _missing(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    least = limits["mm"] / 1000
    found = [each for each in _missing_in(context, c) if each.size > least]
    if not found:
        return
    worst = max(found, key=lambda each: each.size)
    joint = context.model.skeleton.names[worst.joint]
    others = len({each.joint for each in found}) - 1
    yield Finding(
        f"{quoted(joint)} has no {worst.path} in {quoted(clip.name)}, but in {worst.having} of "
        f"{counted(worst.of, 'other clip')} of its kind: it stays at rest, and its surface "
        f"{measure(worst.size * 1000, 'mm')} from where it typically is in them"
        + (f"; {counted(others, 'other joint')} too" if others else ""),
        worst.size * 1000,
        joint=joint,
        size=worst.size,
        touches=len(found),
    )


def _missing_in(context: CheckContext, c: int) -> list[_Missing]:
    """Return the tracks that nearly all other clips of the clip's kind have."""
    tables, keys, has, alike = context.cached(_tracks)
    kind = alike[c] >= KIND
    kind[c] = False
    count = int(np.count_nonzero(kind))
    if count < 2:
        return []
    having = np.count_nonzero(has[kind], axis=0)
    gone: Bool = ~has[c] & (having >= MOST * count)
    if not gone.any() or _is_additive(context, c):
        return []
    keeps = any(context.cached(_keeps_resting, d) for d in (c, *np.flatnonzero(kind).tolist()))
    pairs, found = context.cached(side_pairs), []
    missing = {keys[k]: int(having[k]) for k in np.flatnonzero(gone).tolist()}
    for (joint, path), clips in missing.items():
        own = [tables[d][joint, path] for d in np.flatnonzero(kind) if (joint, path) in tables[d]]
        away = np.array([_away(context, track) for track in own])
        least, size = float(away[:, 0].min()), float(np.median(away[:, 1]))
        may_rest = (
            (pairs.get(joint, -1), path) in missing
            or joint in context.cached(_above_hips)
            or not (keeps or clips >= ENOUGH)
        )
        tall = context.scale * REFERENCE_HEIGHT
        if may_rest and (clips < SOME or least < max(NEAR * size, SEEN * tall)):
            continue
        found.append(_Missing(joint, path, clips, count, size))
    return found


def _above_hips(context: CheckContext) -> frozenset[int]:
    """Return the joints that move a character through the world, which only some clips do."""
    skeleton = context.model.skeleton
    if context.hips < 0:
        return frozenset(np.flatnonzero(skeleton.parents < 0).tolist())
    return frozenset(skeleton.upwards(context.hips)[1:])


class _Tracks(NamedTuple):
    """The tracks of joints in all clips."""

    tables: list[dict[Key, Track]]  # of each clip
    keys: list[Key]  # [K] of any clip
    has: Bool  # [C, K] whether a clip has a track
    alike: F64  # [C, C] share of the tracks of two clips that both have


def _tracks(context: CheckContext) -> _Tracks:
    """Return the tracks of joints in all clips; call it by `context.cached`."""
    tables: list[dict[Key, Track]] = [
        {(track.target, track.path): track for track in clip.tracks if track.path != "values"}
        for clip in context.model.clips
    ]
    keys = list(dict.fromkeys(key for table in tables for key in table))
    has = np.array([[key in table for key in keys] for table in tables], bool)
    has = has.reshape(len(tables), len(keys))
    both = has.astype(np.float64) @ has.T
    own = has.sum(axis=1)
    return _Tracks(tables, keys, has, both / np.maximum(own[:, None] + own - both, 1))


def _is_additive(context: CheckContext, c: int) -> bool:
    """Return whether the motion file uses a clip as a difference only."""
    if context.motion is None:
        return False
    name = context.clip(c).name
    return any(each.source == name for each in context.motion.document.additives.values())


def _keeps_resting(context: CheckContext, c: int) -> bool:
    """Return whether a clip has tracks that do nothing: its exporter leaves out none."""
    return any(
        is_constant(track) and starts_in_rest_pose(context, track)
        for track in context.clip(c).tracks
        if track.path != "values"
    )


def _away(context: CheckContext, track: Track) -> tuple[float, float]:
    """Return how far a track moves the surface from rest, metres: at least, and on average."""
    keys = even_keys(len(track.times), SAMPLES)
    rest: F32 = getattr(context.model.skeleton.rest, track.path)[track.target]
    off = _sizes(context, track, track.values[keys], rest[None])
    return float(off.min()), float(off.mean())


def _sizes(context: CheckContext, track: Track, values: F32, others: F32) -> F64:
    """Return how far the surface is apart in values [K, C] and others of a track, metres."""
    a, b = values.astype(np.float64), others.astype(np.float64)
    if track.path == "rotation":
        lengths = np.maximum(length(a) * length(b), 1e-12)
        cosine = np.abs((a * b).sum(axis=1)) / lengths
        angles = np.degrees(2 * np.arccos(np.minimum(cosine, 1)))
        return np.array([size_of_rotation(context, track.target, angle) for angle in angles])
    apart = length(a - b)
    if track.path == "scale":
        return np.asarray(apart * joint_reach(context, track.target))
    metres = apart * context.cached(unit_lengths)[track.target]
    return np.array([size_of_displacement(context, track.target, each) for each in metres])


@rule(
    "track-step",
    "size",
    "a track is STEP in a clip whose other tracks are interpolated, and has keys of a motion "
    "rather than of poses to hold",
    "set its interpolation to LINEAR (Blender: Key > Interpolation Mode)",
)
@per_clip
def _stepped(context: CheckContext, _: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    found = _stepped_in(context, c)
    if not found:
        return
    size, key, track = max(found, key=lambda each: each[0])
    joint, others = context.model.skeleton.names[track.target], len(found) - 1
    yield Finding(
        f"the {track.path} of {quoted(joint)} is STEP in {quoted(clip.name)}, whose other tracks "
        "that move are interpolated: it jumps by up to "
        f"{measure(size * 1000, 'mm')} from key to key"
        + (f"; {counted(others, 'other track')} too" if others else ""),
        size * 1000,
        "mm",
        joint=joint,
        time=float(track.times[key + 1]),
        size=size,
        touches=sum(len(track.times) for _, _, track in found),
    )


def _stepped_in(context: CheckContext, c: int) -> list[tuple[float, int, Track]]:
    """Return the STEP tracks of a clip that should be interpolated.

    Each with the distance of its greatest jump, metres, and the key before that.
    """
    tracks = context.cached(_tracks).tables[c]
    if not any(track.interpolation == "STEP" for track in tracks.values()):
        return []
    moving = {key: track for key, track in tracks.items() if not is_constant(track)}
    steps = {key: track for key, track in moving.items() if track.interpolation == "STEP"}
    smooth = [track for track in moving.values() if track.interpolation != "STEP"]
    if not steps or len(smooth) < MOVING or len(steps) > max(1, STEPPED * len(moving)):
        return []
    pairs, found = context.cached(side_pairs), []
    lines = {track.times.tobytes() for track in smooth}
    for (joint, path), track in steps.items():
        if (pairs.get(joint, -1), path) in steps or not _is_gradual(
            track, sampled=track.times.tobytes() in lines
        ):
            continue
        jumps = _sizes(context, track, track.values[1:], track.values[:-1])
        key = int(jumps.argmax())
        if jumps[key] > 0:
            found.append((float(jumps[key]), key, track))
    return found


def _is_gradual(track: Track, *, sampled: bool) -> bool:
    """Return whether the keys of a track are those of a motion, rather than poses to hold.

    A switch has two values. A held track goes to another pose at once and has few keys, at times
    of its own; `sampled`: the keys have the times of an interpolated track.
    """
    values = track.values.astype(np.float64)
    if track.path == "rotation":
        values = np.where((values @ values[0] < 0)[:, None], -values, values)
    jumps, extent = length(np.diff(values, axis=0)), float(length(np.ptp(values, axis=0)))
    least = 1e-4 * extent
    held = np.unique((values / max(least, 1e-12)).round(), axis=0)
    if len(held) <= 2:
        return False
    return sampled or (len(values) >= DENSE and float(jumps.max()) < GRADUAL * extent)
