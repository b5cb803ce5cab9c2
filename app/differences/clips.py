"""Matching of the clips of two versions, and the differences of their keys, tracks and motion."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.track import Path, Track, equal_arrays
from ..animation.types import F64, Index
from ..model.clip_deviation import moments
from ..model.model import Channel, Model
from ..model.morph_weights import morph_weights
from ..wording import counted
from .difference import Change, ClipDifference, Deviation, TrackDifference, changed
from .model_pair import WEIGHT, ModelPair, angles, node_property
from .nodes import SCALED, LocalSpaces
from .objects import ComparedField, Matching, by_name, field_changes, match_objects, names_of, where

_BATCH = 256  # times at once: bounds memory
_UNITS = {"translation": (1000.0, "mm"), "rotation": (1.0, "°")}

Tracks = tuple[dict[int, Track], dict[int, Track]]  # by joint or channel, of both clips


def track_differences(
    pair: ModelPair, clips: tuple[Clip, Clip], times: F64
) -> tuple[TrackDifference, ...]:
    """Return the tracks whose values differ beyond the thresholds, the greatest difference first.

    Rotations, positions and scales are those relative to the parent joint, so that joints below a
    changed one are not listed; lengths are metres of the character at rest.
    """
    spaces = LocalSpaces(pair)
    limits: dict[Path, float] = {
        "translation": pair.metres,
        "rotation": pair.degrees,
        "scale": SCALED,
    }
    series = [_joints(pair, spaces, _of_path(clips, path), path, limits[path]) for path in limits]
    values = _of_path(clips, "values")
    series += [
        _value(pair, values, mine, theirs)
        for mine, theirs in pair.channels.items()
        if mine in values[0] or theirs in values[1]
    ]
    for few in np.split(times, range(_BATCH, len(times), _BATCH)):
        poses = pair.poses(clips, few)
        for each in series:
            each.update(poses, few)
    ranked = [found for each in series for found in each.found()]
    ranked.sort(key=lambda each: -each[0])
    return tuple(found for _, found in ranked)


class _Series:
    """The greatest differences so far of n tracks or values of two clips, and their times.

    Parameters
    ----------
    count
        n
    limit
        Up to this they are equal.
    apart
        Returns the differences [T, n] of poses [T].
    described
        Returns the difference of one of them, of an amount at a time.
    """

    def __init__(
        self,
        count: int,
        limit: float,
        apart: Callable[[tuple[Pose, Pose]], F64],
        described: Callable[[int, float, float], TrackDifference],
    ) -> None:
        self._limit, self._apart, self._described = limit, apart, described
        self._amounts, self._times = np.zeros(count), np.zeros(count)

    def update(self, poses: tuple[Pose, Pose], times: F64) -> None:
        """Take the poses [T] at times [T] into account."""
        apart = np.nan_to_num(self._apart(poses), nan=0.0)
        at, each = np.argmax(apart, axis=0), np.arange(apart.shape[1])
        more = apart[at, each] > self._amounts
        self._amounts = np.where(more, apart[at, each], self._amounts)
        self._times = np.where(more, times[at], self._times)

    def found(self) -> Iterator[tuple[float, TrackDifference]]:
        """Yield the differences beyond the limit, with their amounts as multiples of it."""
        for k in np.flatnonzero(self._amounts > self._limit).tolist():
            amount, time = float(self._amounts[k]), float(self._times[k])
            yield amount / self._limit, self._described(k, amount, time)


def _of_path(clips: tuple[Clip, Clip], path: Path) -> Tracks:
    one, two = ({t.target: t for t in clip.tracks if t.path == path} for clip in clips)
    return one, two


def _joints(
    pair: ModelPair, spaces: LocalSpaces, both: Tracks, path: Path, limit: float
) -> _Series:
    """Return the matching joints with a track of one path in either clip."""
    animated = np.isin(spaces.own, list(both[0])) | np.isin(spaces.other, list(both[1]))
    rows: Index = np.flatnonzero(animated)
    own, other = spaces.own[rows], spaces.other[rows]
    factor, unit = _UNITS.get(path, (1.0, ""))

    def apart(poses: tuple[Pose, Pose]) -> F64:
        """Return the differences [T, n]: metres, degrees, or the greatest of three factors."""
        p, q = getattr(poses[0], path)[:, own], getattr(poses[1], path)[:, other]
        if path == "translation":
            return spaces.distances(rows, p, q)
        if path == "rotation":
            return angles(p, q)
        return np.abs(q.astype(float) - p).max(axis=-1)

    def described(k: int, amount: float, time: float) -> TrackDifference:
        name = pair.b.skeleton.names[other[k]]
        note = _storage(both[0].get(int(own[k])), both[1].get(int(other[k])))
        return TrackDifference(name, path, amount * factor, unit, time, note)

    return _Series(len(rows), limit, apart, described)


def _value(pair: ModelPair, both: Tracks, mine: int, theirs: int) -> _Series:
    """Return a matching channel of animated values, such as the morph weights of a mesh."""
    one, two = pair.a.channels[mine], pair.b.channels[theirs]
    note = _storage(both[0].get(mine), both[1].get(theirs))

    def apart(poses: tuple[Pose, Pose]) -> F64:
        return np.abs(poses[1].values[:, two.slice].astype(float) - poses[0].values[:, one.slice])

    def described(k: int, amount: float, time: float) -> TrackDifference:
        joint, name = _value_name(pair.b, two, k)
        return TrackDifference(joint, name, amount, "", time, note)

    return _Series(one.width, WEIGHT, apart, described)


def _storage(one: Track | None, two: Track | None) -> str:
    """Return what differs in the storage of two tracks; "" for nothing."""
    if one is None or two is None:
        return "" if one is two else "only in B" if one is None else "only in A"
    parts = []
    if one.interpolation != two.interpolation:
        parts.append(f"{one.interpolation} → {two.interpolation}")
    if len(one.times) != len(two.times):
        parts.append(f"{len(one.times)} → {counted(len(two.times), 'key')}")
    return ", ".join(parts)


def _value_name(model: Model, channel: Channel, number: int) -> tuple[str, str]:
    """Return the joint, if any, and the name of a value of a channel."""
    if channel.is_weights:
        named = {weight.value: weight.target for weight in morph_weights(model)}
        target = named[channel.start + number]
        return model.skeleton.names[channel.joint], f"morph weight {target}"
    if channel.joint < 0:
        return "", channel.pointer
    return model.skeleton.names[channel.joint], node_property(channel.pointer)


LATE = 1e-4  # seconds, tolerance of start and end
SHARED = 0.5  # share of a clip's joints that must exist in the other version to match by poses
_LOOKS = 8  # sampled poses for matching clips


_FIELDS: tuple[ComparedField[Clip], ...] = (
    ComparedField("start", lambda clip: clip.start, "s", tolerance=LATE),
    ComparedField("end", lambda clip: clip.end, "s", tolerance=LATE),
    ComparedField("keys", lambda clip: clip.key_count, stored=True),
    ComparedField("tracks", lambda clip: len(clip.tracks), stored=True),
    ComparedField("bytes", lambda clip: clip.nbytes, stored=True),
    ComparedField(
        "interpolation",
        lambda clip: " ".join(sorted({track.interpolation for track in clip.tracks})),
        stored=True,
    ),
)


def match_clips(pair: ModelPair) -> Matching:
    """Return the matching clips: by name, keys or poses, or as the only clips."""
    a, b = pair.a.clips, pair.b.clips
    names = names_of(a, b)
    criteria = {
        "same name": by_name(names, generated=False),
        "only clip of each file": where(
            lambda k, n: (
                len(a) == len(b) == 1
                and bool(np.isin(pair.joints.to[a[k].joints], b[n].joints).any())
            )
        ),
        "same keys": where(lambda k, n: bool(a[k].tracks) and same_keys(pair, a[k], b[n])),
        "same number": by_name(names, generated=True),
        "same poses": where(lambda k, n: _same_poses(pair, a[k], b[n])),
    }
    return match_objects(names, criteria)


def clip_changes(pair: ModelPair, clips: Matching) -> Iterator[Change]:
    """Yield clips removed, added and renamed, and the differences of the keys of the others."""
    a, b = pair.a, pair.b
    of_files = a.facts.format == b.facts.format == "BVH"  # clips named after their file
    yield from clips.unmatched("clip", lambda k: _length(a.clips[k]), lambda n: _length(b.clips[n]))
    for k, n in clips:
        one, two = a.clips[k], b.clips[n]
        yield from clips.renamed("clip", k, stored=of_files)
        yield from field_changes("clip", one.name, _FIELDS, one, two)
        yield from _moves(pair, one, two)


def compare_clips(
    pair: ModelPair, clips: Matching, wanted: Collection[str] | None, *, alike: bool
) -> list[ClipDifference]:
    """Return the difference of each pair; `alike`: the models differ in their keys only."""
    found = []
    for k, n in clips:
        one, two = pair.a.clips[k], pair.b.clips[n]
        if wanted is not None and not {one.name, two.name} & set(wanted):
            continue
        deviation, times = Deviation(), np.zeros(0)
        if not (alike and same_keys(pair, one, two)):
            times = moments(one, two)
            times = times if len(times) else np.zeros(1)
            deviation = pair.compare((one, two), times)
        same = pair.within(deviation)
        tracks = () if same else track_differences(pair, (one, two), times)
        found.append(
            ClipDifference(
                one.name,
                two.name,
                (k, n),
                (one.start, two.start),
                (one.end, two.end),
                (one.key_count, two.key_count),
                (one.nbytes, two.nbytes),
                deviation,
                same,
                tracks,
            )
        )
    return found


def same_keys(pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether two clips have identical keys on the same joints and channels."""
    mine = {_target_in_b(pair, track): track for track in one.tracks}
    theirs = {(track.path, track.target, track.start): track for track in two.tracks}
    return mine.keys() == theirs.keys() and all(
        track.interpolation == theirs[target].interpolation
        and equal_arrays(track.times, theirs[target].times)
        and equal_arrays(track.values, theirs[target].values)
        and equal_arrays(track.tangents, theirs[target].tangents)
        for target, track in mine.items()
    )


def _target_in_b(pair: ModelPair, track: Track) -> tuple[Path, int, int]:
    """Return path, joint or channel (-1: none), and first value in B of a track of A."""
    if track.path != "values":
        return track.path, pair.joints.match_of(track.target), track.start
    other = pair.channels.get(track.target, -1)
    start = pair.b.channels[other].start if other >= 0 else 0
    return track.path, other, track.start - pair.a.channels[track.target].start + start


def _same_poses(pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether two clips have equal times and poses; False for clips without motion."""
    if abs(one.start - two.start) > LATE or abs(one.end - two.end) > LATE or not one.duration:
        return False
    if not _same_joints(pair, one, two):
        return False  # too few joints in common
    times = np.linspace(one.start, one.end, _LOOKS)
    pose = pair.poses((one, None), times)[0].data
    if np.abs(pose - pose[:1]).max(initial=0) <= WEIGHT:
        return False
    return pair.within(replace(pair, blocks=()).compare((one, two), times))


def _same_joints(pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether half of the joints of either clip exist in the other version."""
    matches = pair.joints.to[one.joints], pair.joints.back[two.joints]
    return all(not len(each) or float(np.mean(each >= 0)) > SHARED for each in matches)


def _moves(pair: ModelPair, one: Clip, two: Clip) -> Iterator[Change]:
    """Yield the joints that have tracks in only one of the clips."""
    counts = len(set(pair.joints.to[one.joints].tolist())), len(set(two.joints.tolist()))
    lost, new = pair.lost_and_new(one.joints, two.joints)
    for words, names in (("no longer moves", lost), ("now moves", new)):
        if names:
            note = f"{words}: {', '.join(names)}"
            yield changed("clip", one.name, "joints", counts, note=note, stored=True)


def _length(clip: Clip) -> str:
    return f"{clip.duration:.4g} s, {clip.key_count} keys"
