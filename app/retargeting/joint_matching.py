"""Joint mapping from one skeleton to another: by a map, by name, by alias.

In that order, each joint once: patterns given by the user, equal names, names that differ only in
case, prefix and separators, and body parts of any naming convention.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..animation.skeleton import Skeleton
from ..animation.types import I32
from .joint_aliases import CHAINS, BodyPart, NormalizedName, body_parts, normalized_names

MatchKind = Literal["map", "name", "alias", "hips", "hierarchy"]


def _none() -> I32:
    return np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class MappedSkeleton:
    """A skeleton for joint matching."""

    skeleton: Skeleton
    joints: I32  # [n] ascending: those of the skins, or all without a skin
    humanoid: Mapping[str, int]  # VRM bone: joint
    plain: I32 = field(default_factory=_none)  # [m] ascending: nodes between and below the joints
    props: I32 = field(default_factory=_none)  # those that carry a mesh, a camera or a light

    @property
    def nodes(self) -> I32:
        """The joints and the plain nodes between and below them, ascending."""
        return np.union1d(self.joints, self.plain).astype(np.int32)


def match(
    source: MappedSkeleton,
    target: MappedSkeleton,
    names: Mapping[str, str] | None = None,
    fixed: Iterable[tuple[int, int]] = (),
) -> I32:
    """Return the source joint of each target joint.

    Parameters
    ----------
    names
        Source pattern: target pattern. A `*` matches any text, and in the target inserts the text
        matched in the source; a plain name comes before all patterns, of which the first matching
        one is used. An empty target excludes the joint.
    fixed
        Given pairs of source and target joint.

    Returns
    -------
    I32
        [J of the target], -1 for unmatched joints.
    """
    pairs = _Pairs(target.skeleton.count)
    for s, d in fixed:
        pairs.add(s, d)
    left_out = _by_map(source, target, names or {}, pairs)
    sources = [joint for joint in source.joints.tolist() if joint not in left_out]
    targets = target.joints.tolist()
    ours, theirs = source.skeleton.names, target.skeleton.names
    pairs.by_key({j: ours[j] for j in sources}, {j: theirs[j] for j in targets})
    plain, other = normalized_names_of(source), normalized_names_of(target)
    roles_of = body_parts_of(source), body_parts_of(target)
    chains = [{j for j, role in found.items() if role.part in CHAINS} for found in roles_of]
    pairs.by_key(  # without chains, which some rigs count from 0 and some from 1
        {j: plain[j] for j in sources if j not in chains[0]},
        {j: other[j] for j in targets if j not in chains[1]},
    )
    _by_role(*roles_of, sources, targets, pairs)
    _add_other_nodes(source, target, left_out, pairs)
    return pairs.source


def given_pairs(
    source: MappedSkeleton, target: MappedSkeleton, names: Mapping[str, str]
) -> list[tuple[int, int]]:
    """Return the pairs of source and target joint that the user's map gives.

    The target of a source joint that the map leaves out is -1.
    """
    pairs = _Pairs(target.skeleton.count)
    left_out = _by_map(source, target, names, pairs)
    led = np.flatnonzero(pairs.source >= 0).tolist()
    return [*((int(pairs.source[d]), d) for d in led), *((s, -1) for s in sorted(left_out))]


def _add_other_nodes(
    source: MappedSkeleton, target: MappedSkeleton, left_out: Container[int], pairs: "_Pairs"
) -> None:
    """Add pairs with nodes outside the skins: plain nodes, and props of equal name."""
    if not any(len(body.plain) or len(body.props) for body in (source, target)):
        return
    ours = [joint for joint in source.nodes.tolist() if joint not in left_out]
    theirs = target.nodes.tolist()
    name, other = source.skeleton.names, target.skeleton.names
    props = [joint for joint in source.props.tolist() if joint not in left_out]
    pairs.by_key(
        {j: name[j] for j in (*ours, *props)},
        {j: other[j] for j in (*theirs, *target.props.tolist())},
    )
    plain = normalized_names_of(source, source.nodes)
    pairs.by_key({j: plain[j] for j in ours}, normalized_names_of(target, target.nodes))
    roles = body_parts_of(source, source.nodes), body_parts_of(target, target.nodes)
    pairs.by_key(
        {j: role for j, role in roles[0].items() if role.part not in CHAINS and j not in left_out},
        {j: role for j, role in roles[1].items() if role.part not in CHAINS},
    )


class _Pairs:
    """The pairs matched so far."""

    def __init__(self, count: int) -> None:
        self.source: I32 = np.full(count, -1, np.int32)
        self._led: set[int] = set()

    def add(self, s: int, d: int) -> None:
        """Add a pair if both joints are unmatched."""
        if self.source[d] < 0 and s not in self._led:
            self.source[d] = s
            self._led.add(s)

    def free(self, sources: Iterable[int]) -> list[int]:
        """Return the unmatched source joints."""
        return [joint for joint in sources if joint not in self._led]

    def by_key(self, sources: Mapping[int, object], targets: Mapping[int, object]) -> None:
        """Add pairs of joints with equal keys, where the key is unique on both sides."""
        single = _single({j: key for j, key in sources.items() if j not in self._led})
        others = _single({j: key for j, key in targets.items() if self.source[j] < 0})
        for key, d in others.items():
            if key in single:
                self.add(single[key], d)


def _single(keys: Mapping[int, object]) -> dict[object, int]:
    """Return the joint of each unique key."""
    found: dict[object, list[int]] = {}
    for joint, key in keys.items():
        found.setdefault(key, []).append(joint)
    return {key: joints[0] for key, joints in found.items() if len(joints) == 1}


def _by_map(
    source: MappedSkeleton, target: MappedSkeleton, names: Mapping[str, str], pairs: _Pairs
) -> set[int]:
    """Add the pairs of the user's map; return the source joints that it excludes.

    A plain name may be that of any node; a pattern only matches joints and nodes among them.
    """
    left_out: set[int] = set()
    joints, others = source.nodes.tolist(), set(target.nodes.tolist())
    for pattern, meant in sorted(names.items(), key=lambda entry: "*" in entry[0]):
        if "*" not in pattern:
            found = [(source.skeleton.index_of.get(pattern, -1), meant)]
        else:
            hits = [(j, star_parts(pattern, source.skeleton.names[j])) for j in pairs.free(joints)]
            found = [(j, _filled(meant, parts)) for j, parts in hits if parts is not None]
        for s, name in found:
            d = target.skeleton.index_of.get(name, -1)
            if s >= 0 and not name:
                left_out.add(s)
            elif s >= 0 and d >= 0 and s not in left_out and ("*" not in pattern or d in others):
                pairs.add(s, d)
    return left_out


def star_parts(pattern: str, name: str) -> list[str] | None:
    """Return the text that each `*` of a pattern matches, the first ones as long as possible.

    Several `*` in a row count as one. The time is linear for any pattern, unlike that of a regular
    expression.

    Returns
    -------
    list of str or None
        None if the pattern does not match the name.
    """
    first, *others = re.split(r"\*+", pattern)
    if not others:
        return [] if name == pattern else None
    start, last = len(first), others.pop()
    if not (name.startswith(first) and name.endswith(last, start)):
        return None
    end = len(name) - len(last)
    parts: list[str] = []
    for literal in reversed(others):
        at = name.rfind(literal, start, end)
        if at < 0:
            return None
        parts.append(name[at + len(literal) : end])
        end = at
    return [name[start:end], *reversed(parts)]


def _filled(text: str, parts: Sequence[str]) -> str:
    pieces = text.split("*")
    filled = pieces[0]
    for k, piece in enumerate(pieces[1:]):
        filled += (parts[k] if k < len(parts) else "") + piece
    return filled


def _by_role(
    ours: Mapping[int, BodyPart],
    theirs: Mapping[int, BodyPart],
    sources: list[int],
    targets: list[int],
    pairs: _Pairs,
) -> None:
    """Add pairs of joints that are the same body part."""
    free = set(pairs.free(sources))
    rest = {j for j in targets if pairs.source[j] < 0}
    pairs.by_key(
        {j: role for j, role in ours.items() if j in free and role.part not in CHAINS},
        {j: role for j, role in theirs.items() if j in rest and role.part not in CHAINS},
    )
    for part in CHAINS:
        chain = [j for j, role in sorted(ours.items()) if role.part == part and j in free]
        other = [j for j, role in sorted(theirs.items()) if role.part == part and j in rest]
        for s, d in _along(chain, other):
            pairs.add(s, d)


def body_parts_of(body: MappedSkeleton, of: I32 | None = None) -> dict[int, BodyPart]:
    """Return the body part of each joint whose name is known; `of` are other nodes to name."""
    names = normalized_names_of(body, of)
    joints = list(names)
    place = {joint: k for k, joint in enumerate(joints)}
    bones = {bone: place[joint] for bone, joint in body.humanoid.items() if joint in place}
    found = body_parts(list(names.values()), bones)
    return {joints[k]: role for k, role in found.items()}


def normalized_names_of(body: MappedSkeleton, of: I32 | None = None) -> dict[int, NormalizedName]:
    """Return the normalised name of each joint; `of` are other nodes to name."""
    names = body.skeleton.names
    joints = [names[joint] for joint in body.joints.tolist()]
    others = (body.joints if of is None else of).tolist()
    found = normalized_names([names[joint] for joint in others], joints)
    return dict(zip(others, found, strict=True))


def _along(chain: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of two chains of different length, ends with ends; for one pair the last."""
    count = min(len(chain), len(other))
    if not count:
        return []
    if count == 1:
        return [(chain[-1], other[-1])]
    steps = np.arange(count) / (count - 1)
    first = np.rint(steps * (len(chain) - 1)).astype(int)
    second = np.rint(steps * (len(other) - 1)).astype(int)
    return [(chain[a], other[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True)]


def match_kinds(
    source: MappedSkeleton,
    target: MappedSkeleton,
    mapping: I32,
    names: Mapping[str, str],
    hips: tuple[int, int],
) -> tuple[MatchKind, ...]:
    """Return how each pair of a joint mapping was found, by ascending target joint.

    "map": by the user's names, "name": equal names, "alias": names of the same body part in two
    naming conventions, "hips": both are the hips, "hierarchy": the same place in equal skeletons.

    Parameters
    ----------
    mapping
        [J of the target] source joint, -1 for unmatched joints.
    names
        The user's names, see `match`.
    hips
        Hips of source and target.
    """
    given = set(given_pairs(source, target, names))
    ours, theirs = source.skeleton.names, target.skeleton.names
    parts, others = body_parts_of(source, source.nodes), body_parts_of(target, target.nodes)
    pairs = np.flatnonzero(mapping >= 0).astype(np.int32)
    plain, plain_other = (
        normalized_names_of(source, mapping[pairs]),
        normalized_names_of(target, pairs),
    )

    def kind(s: int, d: int) -> MatchKind:
        if (s, d) in given:
            return "map"
        if ours[s] == theirs[d]:
            return "name"
        part, other = parts.get(s), others.get(d)
        same_part = part and other and (part.side, part.part) == (other.side, other.part)
        if same_part or plain[s] == plain_other[d]:
            return "alias"
        return "hips" if (s, d) == hips else "hierarchy"

    return tuple(kind(int(mapping[d]), d) for d in pairs.tolist())
