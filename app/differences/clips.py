"""Matching of the clips of two versions, and the differences of their keys and motion."""

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Path, Track, equal_arrays
from ..model.clip_deviation import moments
from .difference import Change, ClipDifference, Deviation, changed
from .model_pair import WEIGHT, ModelPair
from .objects import ComparedField, Matching, by_name, field_changes, match_objects, names_of, where
from .tracks import track_differences

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
