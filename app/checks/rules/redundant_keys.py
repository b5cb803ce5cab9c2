"""Rules about needless keys: constant tracks, and keys that can be interpolated (an estimate)."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from ...animation import quat
from ...animation.track import Track
from ...animation.types import F32, F64, Bool, Index
from ...gltf.bake import DEGREES, METRES_PER_HEIGHT
from ...wording import binary_size, counted, measure, quoted
from ..check_context import REFERENCE_HEIGHT, CheckContext
from ..finding import Finding, Limit, Limits, rule
from ..stored_keys import StoredChannel, channels

MAX_LISTED_CLIPS = 3
SHARE = 0.5  # of a tolerance, for one track: errors add up along the hierarchy
WEIGHT = 1e-3  # tolerance of a morph weight
SAME = 1e-6  # tolerance of equal keys
SAME_AS_REST = 1e-5  # tolerance of keys equal to the rest pose


@rule(
    "constant-tracks",
    "info",
    "tracks whose keys are all equal",
    "reduce them to one key with rigview bake, or remove those that equal the rest pose",
    Limit("bytes", 4096.0, "bytes", "of such keys in a file"),
)
def _constant(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield one match for all clips: the bytes of keys that repeat the first key of their track."""
    used = _channel_tracks(context)
    same: dict[int, list[tuple[StoredChannel, Track]]] = {}
    busy: set[int] = set()
    for channel, track in used:
        if len(track.times) > 1 and is_constant(track):
            same.setdefault(channel.output, []).append((channel, track))
        else:
            busy.add(channel.output)
    users = {output: uses for output, uses in same.items() if output not in busy}
    saved = {output: _repeated_bytes(uses[0][1]) for output, uses in users.items()}
    total = sum(saved.values())
    if total <= limits["bytes"]:
        return
    tracks = list(chain.from_iterable(users.values()))
    idle = sum(starts_in_rest_pose(context, track) for _, track in tracks)
    by_clip: dict[int, int] = {}
    for output, size in saved.items():
        clip = users[output][0][0].clip
        by_clip[clip] = by_clip.get(clip, 0) + size
    yield Finding(
        f"{len(tracks)} of {counted(len(used), 'track')} never change and cost "
        f"{binary_size(total)}{_largest_clips(context, by_clip)}"
        + (f"; {idle} of them equal the rest pose" if idle else ""),
        float(total),
    )


def _repeated_bytes(track: Track) -> int:
    """Return the bytes of all values but the first key's."""
    tangents = 0 if track.tangents is None else track.tangents.nbytes
    return track.values.nbytes + tangents - track.values[:1].nbytes


def _channel_tracks(context: CheckContext) -> list[tuple[StoredChannel, Track]]:
    """Return the channels of the file with their loaded tracks."""
    paths = {"weights": "values"}
    owners = {
        channel.joint: k for k, channel in enumerate(context.model.channels) if channel.is_weights
    }
    known = {
        (c, track.path, track.target): track
        for c in context.clips
        for track in context.clip(c).tracks
    }
    found = []
    for channel in context.cached(channels):
        path = paths.get(channel.path, channel.path)
        target = owners.get(channel.joint, -1) if path == "values" else channel.joint
        track = known.get((channel.clip, path, target))  # type: ignore[arg-type]
        if track is not None:
            found.append((channel, track))
    return found


def _largest_clips(context: CheckContext, by_clip: dict[int, int]) -> str:
    """Return the clips with most bytes, after a comma; empty if there is only one clip."""
    if len(by_clip) == 1:
        return ""
    order = sorted(by_clip, key=lambda c: -by_clip[c])[:MAX_LISTED_CLIPS]
    parts = [f"{binary_size(by_clip[c])} in {quoted(context.clip(c).name)}" for c in order]
    return (", most: " if len(by_clip) > MAX_LISTED_CLIPS else ", ") + ", ".join(parts)


@rule(
    "redundant-keys",
    "info",
    "keys that can be interpolated from the others (an estimate)",
    "reduce the keys: rigview bake",
    Limit("bytes", 16384.0, "bytes", "of such keys in a file"),
    Limit("percent", 10.0, "%", "share of the bytes of all keys"),
)
def _redundant(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield one match for all clips: an estimate of what `rigview bake` saves."""
    used = _channel_tracks(context)
    if not used:
        return
    count = context.stored.accessors.count
    outputs = {channel.output: _value_bytes(track) for channel, track in used}
    inputs = {channel.input: count(channel.input) * 4 for channel, _ in used}
    before, after, fewer, keys = sum(outputs.values()) + sum(inputs.values()), 0, 0, 0
    by_clip: dict[int, int] = {}
    for c in context.clips:
        tracks, needed = context.clip(c).tracks, context.cached(needed_keys, c)
        own = 0
        for track, kept in zip(tracks, needed.tolist(), strict=True):
            number_of = len(track.times)
            own += _value_bytes(track) * kept // max(number_of, 1) + (4 * kept if kept > 1 else 0)
            keys, fewer = keys + number_of, fewer + number_of - kept
        after += own
        by_clip[c] = sum(map(_value_bytes, tracks)) - own
    saved = before - after
    if saved > limits["bytes"] and saved > limits["percent"] / 100 * before:
        yield Finding(
            f"{fewer} of {counted(keys, 'key')} can be interpolated from the others within "
            f"{measure(tolerance(context) * 1000, 'mm')} and {DEGREES}°: removing them saves about "
            f"{binary_size(saved)} of {binary_size(before)}{_largest_clips(context, by_clip)}",
            float(saved),
            "bytes",
            limits["bytes"],
        )


def _value_bytes(track: Track) -> int:
    return track.nbytes - track.times.nbytes


def tolerance(context: CheckContext) -> float:
    """Return the tolerance of vertex positions, metres: the default of `rigview bake`."""
    return METRES_PER_HEIGHT * context.scale * REFERENCE_HEIGHT


def needed_keys(context: CheckContext, index: int) -> Index:
    """Return for each track of a clip an upper bound of the keys that are needed.

    Runs of 2, 4, 8, … steps are merged while all their keys are near the straight line. Bake
    keeps fewer. CUBICSPLINE and STEP tracks keep their keys. Call it by `context.cached`.
    """
    clip = context.clip(index)
    counts = np.array([len(track.times) for track in clip.tracks], np.intp)
    groups: dict[tuple[int, str, int], list[int]] = {}
    for k, track in enumerate(clip.tracks):
        if track.interpolation == "LINEAR" and len(track.times) > 1:
            key = (id(track.times), str(track.path), track.values.shape[1])
            groups.setdefault(key, []).append(k)
    reach = context.cached(_reach)
    for members in groups.values():
        few = [clip.tracks[k] for k in members]
        counts[members] = _needed(few, _limits(context, few, reach))
    return counts


def _limits(context: CheckContext, tracks: Sequence[Track], reach: F64) -> F64:
    """Return the tolerance of each track, in the units of its values."""
    metres, half = tolerance(context) * SHARE, np.radians(DEGREES) * SHARE / 2
    path = tracks[0].path
    if path == "values":
        return np.full(len(tracks), WEIGHT)
    if path == "translation":
        return np.full(len(tracks), metres)
    far = np.maximum(reach[[track.target for track in tracks]], 1e-12)
    return np.minimum(half, metres / 2 / far) if path == "rotation" else metres / far


def _needed(tracks: Sequence[Track], limits: F64) -> Index:
    """Return the number of keys [n] that tracks with the same times need."""
    values = np.stack([track.values for track in tracks], axis=1)  # [K, n, C]
    if tracks[0].path == "rotation":
        values = quat.align_signs(values)
    times, last = tracks[0].times.astype(np.float64), len(values) - 1
    still = np.abs(values - values[0]).max(axis=(0, 2)) <= limits
    held = np.ones((last, len(tracks)), bool)  # runs of one step are always straight
    segments: Index = np.zeros(len(tracks), np.intp)
    step = 1
    while True:
        wider = _straight(values, times, step * 2, limits)
        wider &= held[: len(wider) * 2 : 2] & _or_none(held[1::2], len(wider))
        taken = np.repeat(wider, 2, axis=0)[: len(held)]
        segments += np.count_nonzero(held & ~taken, axis=0)
        if not wider.any() or len(wider) == 1:
            segments += np.count_nonzero(wider, axis=0)
            break
        held, step = wider, step * 2
    return np.where(still, 1, segments + 1)


def _or_none(odd: Bool, count: int) -> Bool:
    """Return rows padded with True to `count`: a last run without a partner counts as straight."""
    missing = count - len(odd)
    return np.concatenate([odd, np.ones((missing, odd.shape[1]), bool)]) if missing else odd


def _straight(values: F32, times: F64, step: int, limits: F64) -> Bool:
    """Return [S, n] which runs of `step` steps are straight lines within the limits."""
    last = len(values) - 1
    key = np.arange(last + 1)
    a = np.minimum(key // step * step, last)
    b = np.minimum(a + step, last)
    span = times[b] - times[a]
    fraction = (times - times[a]) / np.where(span > 0, span, 1)
    u = fraction.astype(np.float32)[:, None, None]
    off = values - (values[a] * (1 - u) + values[b] * u)
    far = np.einsum("knc,knc->kn", off, off) <= limits**2
    return np.asarray(np.logical_and.reduceat(far, np.arange(0, last, step), axis=0))


def _reach(context: CheckContext) -> F64:
    """Return the distance [J] from each joint to its furthest descendant vertex at rest, metres."""
    skeleton = context.model.skeleton
    matrices = context.rest[0]
    places, extent = matrices[:, :3, 3], np.zeros(skeleton.count)
    for block in context.blocks:
        palette = block.palette(matrices)
        corners = np.einsum("sab,skb->ska", palette[..., :3], block.boxes) + palette[:, None, :, 3]
        far = np.linalg.norm(corners - places[block.joints][:, None], axis=-1).max(axis=1)
        np.maximum.at(extent, block.joints, far)
    reach = extent.copy()
    for joint in range(skeleton.count):
        above = int(skeleton.parents[joint])
        while above >= 0:
            far = float(np.linalg.norm(places[joint] - places[above])) + extent[joint]
            reach[above] = max(reach[above], far)
            above = int(skeleton.parents[above])
    return reach


def is_constant(track: Track) -> bool:
    """Return whether all keys of a track are equal."""
    if track.tangents is not None and bool((np.abs(track.tangents) > SAME).any()):
        return False
    if not len(track.times):
        return True
    values, first = track.values, track.values[:1]
    difference = np.abs(values - first).max(initial=0.0)
    if track.path == "rotation" and difference > SAME:  # q and -q are the same rotation
        difference = np.minimum(np.abs(values - first), np.abs(values + first)).max(initial=0.0)
    return bool(difference <= SAME * max(1.0, float(np.abs(first).max(initial=0.0))))


def starts_in_rest_pose(context: CheckContext, track: Track) -> bool:
    """Return whether the first key of a track equals the rest pose."""
    rest = context.model.skeleton.rest
    value = track.values[0]
    if track.path == "values":
        own = rest.values[track.start : track.start + len(value)]
    else:
        own = getattr(rest, track.path)[track.target]
    difference = np.abs(value - own).max(initial=0.0)
    if track.path == "rotation":
        difference = min(difference, np.abs(value + own).max(initial=0.0))
    return bool(difference <= SAME_AS_REST * max(1.0, float(np.abs(own).max(initial=0.0))))
