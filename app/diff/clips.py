"""Matching of the clips of two versions, and the differences of their keys and motion."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Track
from ..animation.types import F32
from ..model.clip_deviation import moments
from ..model.model import Model
from .difference import Change, ClipDifference, Deviation, changed
from .joints import JointMatch
from .name_matching import has_own_name, renamed
from .shared_geometry import ModelPair
from .tracks import WEIGHT, track_differences

LATE = 1e-4  # seconds, tolerance of start and end
SHARED = 0.5  # share of a clip's joints that must exist in the other version to match by poses
_LOOKS = 8  # sampled poses for matching clips

Key = tuple[str, int, int]  # path, joint or channel, first column


def match_clips(model_pair: ModelPair, metres: float, degrees: float) -> list[tuple[int, int, str]]:
    """Return the matching clips, each pair with the reason: name, keys or poses."""
    a, b = model_pair.a.clips, model_pair.b.clips
    names = {clip.name: k for k, clip in reversed(list(enumerate(b)))}
    called = [(k, names[clip.name], "") for k, clip in enumerate(a) if clip.name in names]
    pairs = [pair for pair in called if has_own_name(a[pair[0]].name)]
    left = sorted(set(range(len(a))) - {k for k, _, _ in pairs})
    free = sorted(set(range(len(b))) - {n for _, n, _ in pairs})
    if left == [0] and free == [0] and len(a) == len(b) == 1 and _shared(model_pair, a[0], b[0]):
        return [(0, 0, "only clip of each file")]
    for how in ("same keys", "same number", "same poses"):
        for k in list(left):
            for n in free:
                one, two = a[k], b[n]
                if how == "same keys":
                    same = bool(one.tracks) and same_keys(model_pair, one, two)
                elif how == "same number":
                    same = one.name == two.name
                else:
                    same = _same_poses(model_pair, one, two, metres, degrees)
                if same:
                    pairs.append((k, n, how))
                    left.remove(k)
                    free.remove(n)
                    break
    return sorted(pairs)


def clip_changes(
    a: Model, b: Model, pairs: Sequence[tuple[int, int, str]], match: JointMatch
) -> list[Change]:
    """Return clips removed, added and renamed, and the differences of the keys of the others."""
    removed = sorted(set(range(len(a.clips))) - {k for k, _, _ in pairs})
    added = sorted(set(range(len(b.clips))) - {n for _, n, _ in pairs})
    found = [Change("clip", "removed", a.clips[k].name, note=_length(a.clips[k])) for k in removed]
    found += [Change("clip", "added", b.clips[n].name, note=_length(b.clips[n])) for n in added]
    for k, n, how in pairs:
        one, two = a.clips[k], b.clips[n]
        if renamed(one.name, two.name):
            of_file = a.facts.format == b.facts.format == "BVH"  # clips named after their file
            found.append(Change("clip", "renamed", one.name, two.name, note=how, stored=of_file))
        for field, ends in (("start", (one.start, two.start)), ("end", (one.end, two.end))):
            if abs(ends[1] - ends[0]) > LATE:
                found.append(changed("clip", one.name, field, ends, unit="s"))
        found += _stored(one, two)
        found += _moves(a, b, one, two, match)
    return found


def compare_clips(
    model_pair: ModelPair,
    pairs: Sequence[tuple[int, int, str]],
    wanted: Collection[str] | None,
    metres: float,
    degrees: float,
    *,
    alike: bool,
) -> list[ClipDifference]:
    """Return the difference of each pair; `alike`: the models differ in their keys only."""
    found = []
    for k, n, _ in pairs:
        one, two = model_pair.a.clips[k], model_pair.b.clips[n]
        if wanted is not None and not {one.name, two.name} & set(wanted):
            continue
        deviation, times = Deviation(), np.zeros(0)
        if not (alike and same_keys(model_pair, one, two)):
            times = moments(one, two)
            times = times if len(times) else np.zeros(1)
            deviation = model_pair.compare((one, two), times)
        same = (
            deviation.metres <= metres
            and deviation.degrees <= degrees
            and deviation.weight <= WEIGHT
        )
        tracks = () if same else track_differences(model_pair, (one, two), times, metres, degrees)
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


def _shared(model_pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether two clips have a joint in common."""
    return bool(np.isin(model_pair.match.to[one.joints], two.joints).any())


def same_keys(model_pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether two clips have identical keys on the same joints."""
    mine, theirs = _tracks_by_key(one), _tracks_by_key(two)
    if len(mine) != len(theirs):
        return False
    for key, track in mine.items():
        other = theirs.get(_key_in_b(model_pair, key))
        if other is None or not _same_track(track, other):
            return False
    return True


def _tracks_by_key(clip: Clip) -> dict[Key, Track]:
    """Return the tracks by target; the last of two with the same target."""
    return {(track.path, track.target, track.start): track for track in clip.tracks}


def _key_in_b(model_pair: ModelPair, key: Key) -> Key:
    """Return the key in B of a track of A."""
    path, target, start = key
    if path != "values":
        return path, int(model_pair.match.to[target]), start
    other = model_pair.channels.get(target, -1)
    if other < 0:
        return path, -1, start
    return (
        path,
        other,
        start - model_pair.a.channels[target].start + model_pair.b.channels[other].start,
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


def _same_poses(model_pair: ModelPair, one: Clip, two: Clip, metres: float, degrees: float) -> bool:
    """Return whether two clips have equal times and poses; False for clips without motion."""
    if abs(one.start - two.start) > LATE or abs(one.end - two.end) > LATE or not one.duration:
        return False
    if not _same_joints(model_pair, one, two):
        return False  # too few joints in common
    times = np.linspace(one.start, one.end, _LOOKS)
    pose = model_pair.poses((one, None), times)[0].data
    if np.abs(pose - pose[:1]).max(initial=0) <= WEIGHT:
        return False
    deviation = replace(model_pair, blocks=()).compare((one, two), times)
    return (
        deviation.metres <= metres and deviation.degrees <= degrees and deviation.weight <= WEIGHT
    )


def _same_joints(model_pair: ModelPair, one: Clip, two: Clip) -> bool:
    """Return whether half of the joints of either clip exist in the other version."""
    match = model_pair.match
    return all(
        not len(joints) or float(np.mean(to[joints] >= 0)) > SHARED
        for joints, to in ((one.joints, match.to), (two.joints, match.back))
    )


def _stored(one: Clip, two: Clip) -> list[Change]:
    """Return differences of the stored keys, which need not change the motion."""
    found = []
    for field, counts in (
        ("keys", (one.key_count, two.key_count)),
        ("tracks", (len(one.tracks), len(two.tracks))),
        ("bytes", (one.nbytes, two.nbytes)),
    ):
        if counts[0] != counts[1]:
            found.append(changed("clip", one.name, field, counts, stored=True))
    kinds = [" ".join(sorted({track.interpolation for track in c.tracks})) for c in (one, two)]
    if kinds[0] != kinds[1]:
        found.append(changed("clip", one.name, "interpolation", kinds, stored=True))
    return found


def _moves(a: Model, b: Model, one: Clip, two: Clip, match: JointMatch) -> list[Change]:
    """Return the joints that have tracks in only one of the clips."""
    mine, theirs = set(match.to[one.joints].tolist()), set(two.joints.tolist())
    lost = [a.skeleton.names[j] for j in one.joints if match.to[j] not in theirs]
    new = [b.skeleton.names[j] for j in two.joints if int(j) not in mine]
    counts = len(mine), len(theirs)
    return [
        changed(
            "clip", one.name, "joints", counts, note=f"{words}: {', '.join(names)}", stored=True
        )
        for words, names in (("no longer moves", lost), ("now moves", new))
        if names
    ]


def _length(clip: Clip) -> str:
    return f"{clip.duration:.4g} s, {clip.key_count} keys"
