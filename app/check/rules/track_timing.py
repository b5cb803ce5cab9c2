"""Rules about key times and needless keys: late start, short tracks, off-frame keys."""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from ...animation.track import Track
from ...gltf.bake import DEGREES
from ..check_context import CheckContext
from ..finding_text import bytes_text, counted, number, quoted
from ..key_frames import key_frame_rate
from ..key_reduction_estimate import needed_keys, tolerance
from ..looping_clips import loop_decision
from ..rule import Limit, Limits, Match, Rule
from ..stored_keys import Channel, channels

SAME = 1e-6  # tolerance of equal keys
AT_REST = 1e-5  # tolerance of keys equal to the rest pose
FEW = 3  # clips listed in a sentence


def _late(context: CheckContext, limits: Limits) -> Iterator[Match]:
    for c in context.clips:
        clip = context.clip(c)
        if clip.start * 1000 > limits["ms"] and clip.duration > 0:
            loops = loop_decision(context, c).expected
            yield Match(
                f"the first key of {quoted(clip.name)} is at {number(clip.start)} s: "
                + ("every pass begins with a pause" if loops else "it begins with a pause"),
                clip.start * 1000,
                "ms",
                "ms",
                clip=clip.name,
                time=clip.start,
                severity="warning" if loops else None,
            )


def _short(context: CheckContext, limits: Limits) -> Iterator[Match]:
    """Yield clips with animated tracks that end before the clip, which hold their last key."""
    names = context.model.skeleton.names
    for c in context.clips:
        clip, (rate, *_) = context.clip(c), context.cached(key_frame_rate, c)
        ends = {k: track.end for k, track in enumerate(clip.tracks) if len(track.times) > 1}
        early = [k for k, end in ends.items() if clip.end - end > limits["frames"] / rate]
        early = [k for k in early if not still(clip.tracks[k])]
        if not early:
            continue
        first = min(early, key=lambda k: ends[k])
        track = clip.tracks[first]
        name = names[track.target] if track.path != "values" else ""
        what = f"{track.path} of {quoted(name)}" if name else "track of morph weights"
        yield Match(
            f"the {what} ends at {number(ends[first])} s of {quoted(clip.name)}, which ends "
            f"at {number(clip.end)} s; {counted(len(early), 'track')} of {len(clip.tracks)} "
            f"{'ends' if len(early) == 1 else 'end'} early",
            (clip.end - ends[first]) * 1000,
            "ms",
            clip=clip.name,
            joint=name,
            time=ends[first],
        )


def _off_frames(context: CheckContext, limits: Limits) -> Iterator[Match]:
    for c in context.clips:
        clip, (rate, certain, off) = context.clip(c), context.cached(key_frame_rate, c)
        share = len(off) / max(len(clip.key_times), 1) * 100
        if certain and share > limits["percent"]:
            yield Match(
                f"{len(off)} of the {len(clip.key_times)} key times of {quoted(clip.name)} are "
                f"between frames at {number(rate)} frames per second, as at "
                f"{number(float(off[0]))} s",
                share,
                "%",
                "percent",
                clip=clip.name,
                time=float(off[0]),
            )


def still(track: Track) -> bool:
    """Return whether all keys of a track are equal."""
    if track.tangents is not None and bool((np.abs(track.tangents) > SAME).any()):
        return False
    if not len(track.times):
        return True
    values, first = track.values, track.values[:1]
    apart = np.abs(values - first).max(initial=0.0)
    if track.path == "rotation" and apart > SAME:  # q and -q are the same rotation
        apart = np.minimum(np.abs(values - first), np.abs(values + first)).max(initial=0.0)
    return bool(apart <= SAME * max(1.0, float(np.abs(first).max(initial=0.0))))


def _constant(context: CheckContext, limits: Limits) -> Iterator[Match]:
    """Yield one match for all clips: the bytes of keys that repeat the first key of their track."""
    used = _used(context)
    same: dict[int, list[tuple[Channel, Track]]] = {}
    busy: set[int] = set()
    for channel, track in used:
        if len(track.times) > 1 and still(track):
            same.setdefault(channel.output, []).append((channel, track))
        else:
            busy.add(channel.output)
    users = {output: uses for output, uses in same.items() if output not in busy}
    saved = {output: _size(uses[0][1]) for output, uses in users.items()}
    total = sum(saved.values())
    if total <= limits["bytes"]:
        return
    tracks = list(chain.from_iterable(users.values()))
    idle = sum(at_rest(context, track) for _, track in tracks)
    by_clip: dict[int, int] = {}
    for output, size in saved.items():
        clip = users[output][0][0].clip
        by_clip[clip] = by_clip.get(clip, 0) + size
    yield Match(
        f"{len(tracks)} of {counted(len(used), 'track')} never change and cost "
        f"{bytes_text(total)}{_most(context, by_clip)}"
        + (f"; {idle} of them equal the rest pose" if idle else ""),
        float(total),
        "bytes",
        "bytes",
    )


def _size(track: Track) -> int:
    """Return the bytes of all values but the first key's."""
    tangents = 0 if track.tangents is None else track.tangents.nbytes
    return track.values.nbytes + tangents - track.values[:1].nbytes


def at_rest(context: CheckContext, track: Track) -> bool:
    """Return whether the first key of a track equals the rest pose."""
    rest = context.model.skeleton.rest
    value = track.values[0]
    if track.path == "values":
        own = rest.values[track.start : track.start + len(value)]
    else:
        own = getattr(rest, track.path)[track.target]
    apart = np.abs(value - own).max(initial=0.0)
    if track.path == "rotation":
        apart = min(apart, np.abs(value + own).max(initial=0.0))
    return bool(apart <= AT_REST * max(1.0, float(np.abs(own).max(initial=0.0))))


def _used(context: CheckContext) -> list[tuple[Channel, Track]]:
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


def _most(context: CheckContext, by_clip: dict[int, int]) -> str:
    """Return the clips with most bytes, after a comma; empty if there is only one clip."""
    if len(by_clip) == 1:
        return ""
    order = sorted(by_clip, key=lambda c: -by_clip[c])[:FEW]
    parts = [f"{bytes_text(by_clip[c])} in {quoted(context.clip(c).name)}" for c in order]
    return (", most: " if len(by_clip) > FEW else ", ") + ", ".join(parts)


def _redundant(context: CheckContext, limits: Limits) -> Iterator[Match]:
    """Yield one match for all clips: an estimate of what `rigview bake` saves."""
    used = _used(context)
    if not used or context.stored is None:
        return
    count = context.stored.accessors.count
    outputs = {channel.output: _bytes(track) for channel, track in used}
    inputs = {channel.input: count(channel.input) * 4 for channel, _ in used}
    before, after, fewer, keys = sum(outputs.values()) + sum(inputs.values()), 0, 0, 0
    by_clip: dict[int, int] = {}
    for c in context.clips:
        tracks, needed = context.clip(c).tracks, context.cached(needed_keys, c)
        own = 0
        for track, kept in zip(tracks, needed.tolist(), strict=True):
            number_of = len(track.times)
            own += _bytes(track) * kept // max(number_of, 1) + (4 * kept if kept > 1 else 0)
            keys, fewer = keys + number_of, fewer + number_of - kept
        after += own
        by_clip[c] = sum(map(_bytes, tracks)) - own
    saved = before - after
    if saved > limits["bytes"] and saved > limits["percent"] / 100 * before:
        yield Match(
            f"{fewer} of {counted(keys, 'key')} can be interpolated from the others within "
            f"{number(tolerance(context) * 1000)} mm and {DEGREES}°: removing them saves about "
            f"{bytes_text(saved)} of {bytes_text(before)}{_most(context, by_clip)}",
            float(saved),
            "bytes",
            "bytes",
        )


def _bytes(track: Track) -> int:
    return track.nbytes - track.times.nbytes


RULES: tuple[Rule, ...] = (
    Rule(
        "late-start",
        "info",
        "the first key of a clip is later than 0 s, and its pose is held until then; a warning if "
        "the clip loops",
        "move the keys of the clip to start at 0 s, or play it with --trim",
        _late,
        (Limit("ms", 1.0, "ms", "before the first key"),),
    ),
    Rule(
        "short-track",
        "info",
        "a track ends before its clip, and holds its last key from there",
        "add a key at the end of the clip, unless the joint should hold",
        _short,
        (Limit("frames", 1.5, "frames", "between the end of the track and of the clip"),),
    ),
    Rule(
        "off-frame-keys",
        "info",
        "keys are between the frames of the clip's frame rate",
        "snap the keys to frames before exporting",
        _off_frames,
        (Limit("percent", 2.0, "%", "share of the key times"),),
    ),
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
