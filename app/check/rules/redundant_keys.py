"""Rules about needless keys: constant tracks, and keys that can be interpolated."""

from collections.abc import Iterator
from itertools import chain

from ...animation.track import Track
from ...gltf.bake import DEGREES
from ...wording import binary_size, counted, measure, quoted
from ..check_context import CheckContext
from ..constant_tracks import is_constant, starts_in_rest_pose
from ..finding import Finding, Limit, Limits, Rule
from ..key_reduction_estimate import needed_keys, tolerance
from ..stored_keys import Channel, channels

MAX_LISTED_CLIPS = 3


def _constant(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield one match for all clips: the bytes of keys that repeat the first key of their track."""
    used = _channel_tracks(context)
    same: dict[int, list[tuple[Channel, Track]]] = {}
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
        "bytes",
        limits["bytes"],
    )


def _repeated_bytes(track: Track) -> int:
    """Return the bytes of all values but the first key's."""
    tangents = 0 if track.tangents is None else track.tangents.nbytes
    return track.values.nbytes + tangents - track.values[:1].nbytes


def _channel_tracks(context: CheckContext) -> list[tuple[Channel, Track]]:
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


def _redundant(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield one match for all clips: an estimate of what `rigview bake` saves."""
    used = _channel_tracks(context)
    if not used or context.stored is None:
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


RULES: tuple[Rule, ...] = (
    Rule(
        "constant-tracks",
        "info",
        "tracks whose keys are all equal",
        "reduce them to one key with rigview bake, or remove those that equal the rest pose",
        _constant,
        (Limit("bytes", 4096.0, "bytes", "of such keys in a file"),),
    ),
    Rule(
        "redundant-keys",
        "info",
        "keys that can be interpolated from the others (an estimate)",
        "reduce the keys: rigview bake",
        _redundant,
        (
            Limit("bytes", 16384.0, "bytes", "of such keys in a file"),
            Limit("percent", 10.0, "%", "share of the bytes of all keys"),
        ),
    ),
)
