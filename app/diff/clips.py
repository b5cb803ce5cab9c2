"""Matching of the clips of two versions, and the differences of their keys and motion."""

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Track
from ..animation.types import F32
from ..model.clip_deviation import moments
from .difference import Change, ClipDifference, Deviation, changed
from .model_pair import WEIGHT, ModelPair
from .objects import Field, Matching, by_name, field_changes, match_objects, names_of, where
from .tracks import track_differences

LATE = 1e-4  # seconds, tolerance of start and end
SHARED = 0.5  # share of a clip's joints that must exist in the other version to match by poses
_LOOKS = 8  # sampled poses for matching clips

Key = tuple[str, int, int]  # path, joint or channel, first column


_FIELDS: tuple[Field[Clip], ...] = (
    Field("start", lambda clip: clip.start, "s", tolerance=LATE),
    Field("end", lambda clip: clip.end, "s", tolerance=LATE),
    Field("keys", lambda clip: clip.key_count, stored=True),
    Field("tracks", lambda clip: len(clip.tracks), stored=True),
    Field("bytes", lambda clip: clip.nbytes, stored=True),
    Field(
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
            lambda k, n: len(a) == len(b) == 1 and _shared(pair, a[k], b[n])
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


def _shared(pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether two clips have a joint in common."""
    return bool(np.isin(pair.joints.to[one.joints], two.joints).any())


def same_keys(pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether two clips have identical keys on the same joints."""
    mine, theirs = _tracks_by_key(one), _tracks_by_key(two)
    if len(mine) != len(theirs):
        return False
    for key, track in mine.items():
        other = theirs.get(_key_in_b(pair, key))
        if other is None or not _same_track(track, other):
            return False
    return True


def _tracks_by_key(clip: Clip) -> dict[Key, Track]:
    """Return the tracks by target; the last of two with the same target."""
    return {(track.path, track.target, track.start): track for track in clip.tracks}


def _key_in_b(pair: ModelPair, key: Key) -> Key:
    """Return the key in B of a track of A."""
    path, target, start = key
    if path != "values":
        return path, int(pair.joints.to[target]), start
    other = pair.channels.get(target, -1)
    if other < 0:
        return path, -1, start
    return (
        path,
        other,
        start - pair.a.channels[target].start + pair.b.channels[other].start,
    )


def _same_track(one: Track, two: Track) -> bool:
    return (
        one.interpolation == two.interpolation
        and np.array_equal(one.times, two.times)
        and np.array_equal(one.values, two.values)
        and (one.tangents is two.tangents or _equal(one.tangents, two.tangents))
    )


def _equal(p: F32 | None, q: F32 | None) -> bool:
    return p is not None and q is not None and np.array_equal(p, q)


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
    joints = pair.joints
    return all(
        not len(joints) or float(np.mean(to[joints] >= 0)) > SHARED
        for joints, to in ((one.joints, joints.to), (two.joints, joints.back))
    )


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
