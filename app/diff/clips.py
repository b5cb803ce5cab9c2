"""Which clip of one version is which of the other, and what became of its keys."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ..animation.clip import Clip
from ..animation.track import Track
from ..animation.types import F32
from ..model.clip_deviation import moments
from ..model.model import Model
from .difference import Change, ClipDifference, Off, changed
from .joints import JointMatch
from .name_matching import named
from .shared_geometry import Bodies

LATE = 1e-4  # seconds by which an end may move
WEIGHT = 1e-3  # a morph weight may be off
SHARED = 0.5  # of the joints that a clip moves: fewer of them do not tell which clip it is
_LOOKS = 8  # moments of a clip that tell it from others

Key = tuple[str, int, int]  # path, joint or channel, first column


def match_clips(bodies: Bodies, metres: float, degrees: float) -> list[tuple[int, int, str]]:
    """Return the clips that are the same, and how that is known: by name, by keys, by poses."""
    a, b = bodies.a.clips, bodies.b.clips
    names = {clip.name: k for k, clip in reversed(list(enumerate(b)))}
    called = [(k, names[clip.name], "") for k, clip in enumerate(a) if clip.name in names]
    pairs = [pair for pair in called if named(a[pair[0]].name)]
    left = sorted(set(range(len(a))) - {k for k, _, _ in pairs})
    free = sorted(set(range(len(b))) - {n for _, n, _ in pairs})
    if left == [0] and free == [0] and len(a) == len(b) == 1 and _shared(bodies, a[0], b[0]):
        return [(0, 0, "the only one of each")]
    for how in ("same keys", "same number", "same poses"):
        for k in list(left):
            for n in free:
                one, two = a[k], b[n]
                if how == "same keys":
                    same = bool(one.tracks) and same_keys(bodies, one, two)
                elif how == "same number":
                    same = one.name == two.name
                else:
                    same = _same_poses(bodies, one, two, metres, degrees)
                if same:
                    pairs.append((k, n, how))
                    left.remove(k)
                    free.remove(n)
                    break
    return sorted(pairs)


def clip_changes(
    a: Model, b: Model, pairs: Sequence[tuple[int, int, str]], match: JointMatch
) -> list[Change]:
    """Return clips removed, added and renamed, and what is otherwise with the keys of the rest."""
    gone = sorted(set(range(len(a.clips))) - {k for k, _, _ in pairs})
    come = sorted(set(range(len(b.clips))) - {n for _, n, _ in pairs})
    found = [Change("clip", "removed", a.clips[k].name, note=_length(a.clips[k])) for k in gone]
    found += [Change("clip", "added", b.clips[n].name, note=_length(b.clips[n])) for n in come]
    for k, n, how in pairs:
        one, two = a.clips[k], b.clips[n]
        if one.name != two.name and (named(one.name) or named(two.name)):
            of_file = a.facts.format == b.facts.format == "BVH"  # which is called as its file is
            found.append(Change("clip", "renamed", one.name, two.name, note=how, stored=of_file))
        for field, ends in (("start", (one.start, two.start)), ("end", (one.end, two.end))):
            if abs(ends[1] - ends[0]) > LATE:
                found.append(changed("clip", one.name, field, ends, unit="s"))
        found += _stored(one, two)
        found += _moves(a, b, one, two, match)
    return found


def compare_clips(
    bodies: Bodies,
    pairs: Sequence[tuple[int, int, str]],
    wanted: Collection[str] | None,
    metres: float,
    degrees: float,
    *,
    alike: bool,
) -> list[ClipDifference]:
    """Return how far each pair is apart; `alike`: all but the keys is the same in both models."""
    found = []
    for k, n, _ in pairs:
        one, two = bodies.a.clips[k], bodies.b.clips[n]
        if wanted is not None and not {one.name, two.name} & set(wanted):
            continue
        off = Off()
        if not (alike and same_keys(bodies, one, two)):
            times = moments(one, two)
            off = bodies.compare((one, two), times if len(times) else np.zeros(1))
        found.append(
            ClipDifference(
                one.name,
                two.name,
                (k, n),
                (one.start, two.start),
                (one.end, two.end),
                (_keys(one), _keys(two)),
                (_bytes(one), _bytes(two)),
                off,
                off.metres <= metres and off.degrees <= degrees and off.weight <= WEIGHT,
            )
        )
    return found


def _shared(bodies: Bodies, one: Clip, two: Clip) -> bool:
    """Tell whether two clips have a joint in common."""
    return bool(np.isin(bodies.match.to[one.joints], two.joints).any())


def same_keys(bodies: Bodies, one: Clip, two: Clip) -> bool:
    """Tell whether two clips have the very same keys on the same joints."""
    mine, theirs = _acting(one), _acting(two)
    if len(mine) != len(theirs):
        return False
    for key, track in mine.items():
        other = theirs.get(_moved(bodies, key))
        if other is None or not _same_track(track, other):
            return False
    return True


def _acting(clip: Clip) -> dict[Key, Track]:
    """Return the tracks that count: of two with one target the last."""
    return {(track.path, track.target, track.start): track for track in clip.tracks}


def _moved(bodies: Bodies, key: Key) -> Key:
    """Return the key that a track of A has in B."""
    path, target, start = key
    if path != "values":
        return path, int(bodies.match.to[target]), start
    other = bodies.channels.get(target, -1)
    if other < 0:
        return path, -1, start
    return path, other, start - bodies.a.channels[target].start + bodies.b.channels[other].start


def _same_track(one: Track, two: Track) -> bool:
    return (
        one.interpolation == two.interpolation
        and np.array_equal(one.times, two.times)
        and np.array_equal(one.values, two.values)
        and (one.tangents is two.tangents or _equal(one.tangents, two.tangents))
    )


def _equal(p: F32 | None, q: F32 | None) -> bool:
    return p is not None and q is not None and np.array_equal(p, q)


def _same_poses(bodies: Bodies, one: Clip, two: Clip, metres: float, degrees: float) -> bool:
    """Tell whether two clips are as long and move the joints alike; a still one is like none."""
    if abs(one.start - two.start) > LATE or abs(one.end - two.end) > LATE or not one.duration:
        return False
    if not _same_joints(bodies, one, two):
        return False  # the few that they share say nothing about the rest
    times = np.linspace(one.start, one.end, _LOOKS)
    pose = bodies.poses((one, None), times)[0].data
    if np.abs(pose - pose[:1]).max(initial=0) <= WEIGHT:
        return False
    off = replace(bodies, pieces=()).compare((one, two), times)
    return off.metres <= metres and off.degrees <= degrees and off.weight <= WEIGHT


def _same_joints(bodies: Bodies, one: Clip, two: Clip) -> bool:
    """Tell whether half of what either clip moves is in the other version, too."""
    match = bodies.match
    return all(
        not len(joints) or float(np.mean(to[joints] >= 0)) > SHARED
        for joints, to in ((one.joints, match.to), (two.joints, match.back))
    )


def _stored(one: Clip, two: Clip) -> list[Change]:
    """Return what differs in the keys themselves: how it moves tells whether that matters."""
    found = []
    for field, counts in (
        ("keys", (_keys(one), _keys(two))),
        ("tracks", (len(one.tracks), len(two.tracks))),
        ("bytes", (_bytes(one), _bytes(two))),
    ):
        if counts[0] != counts[1]:
            found.append(changed("clip", one.name, field, counts, stored=True))
    kinds = [" ".join(sorted({track.interpolation for track in c.tracks})) for c in (one, two)]
    if kinds[0] != kinds[1]:
        found.append(changed("clip", one.name, "interpolation", kinds, stored=True))
    return found


def _moves(a: Model, b: Model, one: Clip, two: Clip, match: JointMatch) -> list[Change]:
    """Return which joints have tracks in one only."""
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
    return f"{clip.duration:.4g} s, {_keys(clip)} keys"


def _keys(clip: Clip) -> int:
    return sum(len(track.times) for track in clip.tracks)


def _bytes(clip: Clip) -> int:
    return sum(track.nbytes for track in clip.tracks)
