"""Which joint of one skeleton stands for which of another: by a map, by name, by alias (SPEC B9).

In that order, each joint once: patterns that a person gave, equal names, names that differ in
case, prefix and separators only, and parts of the body however they are called.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..animation.skeleton import Skeleton
from ..animation.types import I32
from .joint_aliases import CHAINS, Role, plain, roles


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """What matching sees of a skeleton."""

    skeleton: Skeleton
    joints: I32  # [n] ascending: those of the skins, or all where there is none
    humanoid: Mapping[str, int]  # bones of VRM: joint


def match(
    source: Body,
    target: Body,
    names: Mapping[str, str] | None = None,
    fixed: Iterable[tuple[int, int]] = (),
) -> I32:
    """Return the joint of the source that each joint of the target follows.

    Parameters
    ----------
    names
        Source pattern: target pattern. A `*` stands for any text, and in the target for what it
        stood for in the source; the first pattern that fits a joint counts. An empty target
        leaves the joint out.
    fixed
        Pairs of source and target joint that are settled.

    Returns
    -------
    I32
        [J of the target], -1 for what nothing leads.
    """
    pairs = _Pairs(target.skeleton.count)
    for s, d in fixed:
        pairs.add(s, d)
    left_out = _by_map(source, target, names or {}, pairs)
    sources = [joint for joint in source.joints.tolist() if joint not in left_out]
    targets = target.joints.tolist()
    ours, theirs = source.skeleton.names, target.skeleton.names
    pairs.by_key({j: ours[j] for j in sources}, {j: theirs[j] for j in targets})
    roles_of = body_roles(source), body_roles(target)
    chains = [{j for j, role in found.items() if role.part in CHAINS} for found in roles_of]
    pairs.by_key(  # but links of a chain, which some count from 0 and some from 1
        {j: plain(ours[j]) for j in sources if j not in chains[0]},
        {j: plain(theirs[j]) for j in targets if j not in chains[1]},
    )
    _by_role(*roles_of, sources, targets, pairs)
    return pairs.source


class _Pairs:
    """What is settled so far."""

    def __init__(self, count: int) -> None:
        self.source: I32 = np.full(count, -1, np.int32)
        self._led: set[int] = set()

    def add(self, s: int, d: int) -> None:
        """Settle a pair where both are free."""
        if self.source[d] < 0 and s not in self._led:
            self.source[d] = s
            self._led.add(s)

    def free(self, sources: Iterable[int]) -> list[int]:
        """Return the joints of the source that lead nothing yet."""
        return [joint for joint in sources if joint not in self._led]

    def by_key(self, sources: Mapping[int, object], targets: Mapping[int, object]) -> None:
        """Settle joints with equal keys, where the key means one joint only on either side."""
        single = _single({j: key for j, key in sources.items() if j not in self._led})
        others = _single({j: key for j, key in targets.items() if self.source[j] < 0})
        for key, d in others.items():
            if key in single:
                self.add(single[key], d)


def _single(keys: Mapping[int, object]) -> dict[object, int]:
    """Return the joint of each key that only one has."""
    found: dict[object, list[int]] = {}
    for joint, key in keys.items():
        found.setdefault(key, []).append(joint)
    return {key: joints[0] for key, joints in found.items() if len(joints) == 1}


def _by_map(source: Body, target: Body, names: Mapping[str, str], pairs: _Pairs) -> set[int]:
    """Settle what a person named; return the joints of the source that are to be left out.

    A plain name may be that of any node, a pattern only looks at the joints.
    """
    left_out: set[int] = set()
    joints, others = source.joints.tolist(), set(target.joints.tolist())
    for pattern, meant in names.items():
        if "*" not in pattern:
            found = [(source.skeleton.find(pattern), meant)]
        else:
            read = as_pattern(pattern)
            hits = [(j, read.fullmatch(source.skeleton.names[j])) for j in pairs.free(joints)]
            found = [(j, _filled(meant, hit.groups())) for j, hit in hits if hit]
        for s, name in found:
            d = target.skeleton.find(name)
            if s >= 0 and not name:
                left_out.add(s)
            elif s >= 0 and d >= 0 and s not in left_out and ("*" not in pattern or d in others):
                pairs.add(s, d)
    return left_out


def as_pattern(text: str) -> re.Pattern[str]:
    """Return a pattern with `*` for any text as a regular expression with a group for each."""
    return re.compile("(.*)".join(map(re.escape, re.split(r"\*+", text))), re.DOTALL)


def _filled(text: str, parts: Sequence[str]) -> str:
    pieces = text.split("*")
    filled = pieces[0]
    for k, piece in enumerate(pieces[1:]):
        filled += (parts[k] if k < len(parts) else "") + piece
    return filled


def _by_role(
    ours: Mapping[int, Role],
    theirs: Mapping[int, Role],
    sources: list[int],
    targets: list[int],
    pairs: _Pairs,
) -> None:
    """Settle what is the same part of a body, whatever it is called."""
    free = set(pairs.free(sources))
    rest = [j for j in targets if pairs.source[j] < 0]
    pairs.by_key(
        {j: role for j, role in ours.items() if j in free and role.part not in CHAINS},
        {j: role for j, role in theirs.items() if j in rest and role.part not in CHAINS},
    )
    for part in CHAINS:
        chain = [j for j, role in sorted(ours.items()) if role.part == part and j in free]
        other = [j for j, role in sorted(theirs.items()) if role.part == part and j in rest]
        for s, d in _along(chain, other):
            pairs.add(s, d)


def body_roles(body: Body) -> dict[int, Role]:
    """Return what each joint of a body stands for, where its name says so."""
    joints = body.joints.tolist()
    place = {joint: k for k, joint in enumerate(joints)}
    bones = {bone: place[joint] for bone, joint in body.humanoid.items() if joint in place}
    found = roles([body.skeleton.names[joint] for joint in joints], bones)
    return {joints[k]: role for k, role in found.items()}


def _along(chain: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """Pair two chains of different length, ends with ends; of one link the upper end."""
    count = min(len(chain), len(other))
    if not count:
        return []
    if count == 1:
        return [(chain[-1], other[-1])]
    steps = np.arange(count) / (count - 1)
    first = np.rint(steps * (len(chain) - 1)).astype(int)
    second = np.rint(steps * (len(other) - 1)).astype(int)
    return [(chain[a], other[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
