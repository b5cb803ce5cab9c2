"""Which joint of one version is which of the other: by name, then by place in the hierarchy."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..animation import quat
from ..animation.types import F64, Index
from ..model.model import Model
from ..model.skinned_vertices import height, model_space, pieces
from .difference import Change

NEAR = 1e-3  # of the skeleton's size: local translations this close are one place
NEAR_DEGREES = 0.5
SCALED = 0.01  # a size that differs by less is not another scale but other proportions
SAME_SHAPE = 1e-3  # of the size: how far a scaled joint may be from its partner
MANY = 100_000  # pairs of siblings: beyond, they are not all looked at
FEWEST = 3  # joints apart from the origin that tell a scale; with vertices one less does


@dataclass(slots=True, eq=False)
class JointMatch:
    """The joint of B of each joint of A and back, -1 for none."""

    to: Index  # [joints of A]
    back: Index  # [joints of B]
    how: dict[int, str] = field(default_factory=dict)  # of renamed joints of A: how it is known

    @property
    def pairs(self) -> tuple[Index, Index]:
        """Return the joints of A that have a partner, and the partners."""
        own = np.flatnonzero(self.to >= 0)
        return own, self.to[own]

    def pair(self, a: int, b: int) -> None:
        """Let a joint of A be one of B."""
        self.to[a], self.back[b] = b, a


def match_joints(a: Model, b: Model) -> tuple[JointMatch, float]:
    """Return which joints are the same, and how much greater B is.

    Joints of one name are the same, whatever their order in the file. Of the others, below the
    same parent, those are that have the same local rest transform, the same inverse bind matrix,
    or children that are the same; a joint of a skin is never one that is not. Nodes without a
    name go by the same rules, and where those tell nothing by their number.
    """
    names = a.skeleton.names, b.skeleton.names
    match = JointMatch(np.full(len(names[0]), -1), np.full(len(names[1]), -1))
    unnamed = _unnamed(a), _unnamed(b)
    index = {name: j for j, name in enumerate(names[1]) if j not in unnamed[1]}
    for joint, name in enumerate(names[0]):
        if joint not in unnamed[0] and name in index:
            match.pair(joint, index[name])
    scale = _scale(a, b, match)
    _match_by_place(a, b, match, scale, unnamed)
    return match, scale


def joint_changes(a: Model, b: Model, match: JointMatch) -> list[Change]:
    """Return joints removed, added, renamed, and those with another parent."""
    names = a.skeleton.names, b.skeleton.names
    unnamed = _unnamed(a), _unnamed(b)
    found = [Change("joint", "removed", names[0][j]) for j in np.flatnonzero(match.to < 0)]
    found += [
        Change("joint", "added", names[1][j], note=_below(b, int(j)))
        for j in np.flatnonzero(match.back < 0)
    ]
    for one, two in zip(*(each.tolist() for each in match.pairs), strict=True):
        nameless = one in unnamed[0] and two in unnamed[1]
        if names[0][one] != names[1][two] and not nameless:
            how = match.how[one]
            found.append(Change("joint", "renamed", names[0][one], now=names[1][two], note=how))
        above, other = int(a.skeleton.parents[one]), int(b.skeleton.parents[two])
        if (match.to[above] if above >= 0 else -1) != other:
            before, after = _name(a, above), _name(b, other)
            found.append(Change("joint", "changed", names[0][one], "", "parent", before, after))
    return found


def _unnamed(model: Model) -> set[int]:
    """Return the nodes whose name says nothing but their number."""
    nodes, names = model.skeleton.nodes.tolist(), model.skeleton.names
    return {j for j, name in enumerate(names) if name == f"Joint {nodes[j]}"}


def _below(model: Model, joint: int) -> str:
    parent = int(model.skeleton.parents[joint])
    return f"below {model.skeleton.names[parent]}" if parent >= 0 else "at the top"


def _name(model: Model, joint: int) -> str:
    return model.skeleton.names[joint] if joint >= 0 else "none"


def _scale(a: Model, b: Model, match: JointMatch) -> float:
    """Return how much greater B is at rest, where all of it is by the same factor; else 1."""
    own, other = match.pairs
    pa = model_space(a.skeleton, a.skeleton.rest)[0][own, :3, 3]
    pb = model_space(b.skeleton, b.skeleton.rest)[0][other, :3, 3]
    if not (np.isfinite(pa).all() and np.isfinite(pb).all() and len(pa)):
        return 1.0
    size = float(np.abs(pa).max())
    whole = float((pa * pa).sum())
    telling = np.count_nonzero(np.abs(pa).max(axis=1) > size * SAME_SHAPE)
    if telling + bool(a.meshes and b.meshes) < FEWEST or whole == 0:
        return 1.0
    factor = float((pa * pb).sum()) / whole
    if factor <= 0 or abs(factor - 1) < SCALED:
        return 1.0
    if np.abs(pb / factor - pa).max() > SAME_SHAPE * size:
        return 1.0
    tall = [height(model, pieces(model)) for model in (a, b)]
    if min(tall) <= 0 or abs(tall[1] / tall[0] / factor - 1) > SCALED:
        return 1.0
    rounded = float(f"{factor:.3g}")  # 100, not 99.99998, where the file says 100
    return rounded if abs(rounded / factor - 1) < 1e-5 else factor


def _match_by_place(
    a: Model, b: Model, match: JointMatch, scale: float, unnamed: tuple[set[int], set[int]]
) -> None:
    """Pair what has no partner by name, from the roots down."""
    one, two = _Places(a, 1.0), _Places(b, scale)
    waiting: dict[int, list[int]] = {}
    for joint in np.flatnonzero(match.back < 0).tolist():
        waiting.setdefault(int(b.skeleton.parents[joint]), []).append(joint)
    groups: dict[int, list[int]] = {}
    for joint in np.flatnonzero(match.to < 0).tolist():
        groups.setdefault(int(a.skeleton.parents[joint]), []).append(joint)
    for parent in sorted(groups):  # parents stand before their children
        target = int(match.to[parent]) if parent >= 0 else -1
        if parent >= 0 and target < 0:
            continue
        candidates = waiting.get(target, [])
        _pair_siblings(one, two, match, groups[parent], candidates)
        left = {b.skeleton.names[j]: j for j in candidates if match.back[j] < 0}
        for joint in groups[parent]:
            other = left.get(a.skeleton.names[joint], -1)
            if match.to[joint] < 0 and other >= 0 and joint in unnamed[0]:
                match.pair(joint, other)


def _pair_siblings(
    one: "_Places", two: "_Places", match: JointMatch, own: Sequence[int], other: Sequence[int]
) -> None:
    """Pair those that are surest first; of very many, those whose rest is the very same."""
    if len(own) * len(other) > MANY:
        _pair_crowd(one, two, match, own, other)
        return
    ranked = []
    for a in own:
        for b in other:
            if one.kind(a) != two.kind(b):
                continue
            shared = sum(match.to[child] in two.children[b] for child in one.children[a])
            rest, bind = one.same_rest(a, two, b), one.same_bind(a, two, b)
            if not (shared or rest or bind):
                continue
            signs = [
                word
                for word, holds in (
                    ("children", shared),
                    ("rest transform", rest),
                    ("inverse bind", bind),
                )
                if holds
            ]
            grown = abs(len(one.children[a]) - len(two.children[b]))
            rank = (-shared, -(rest + bind), grown, abs(one.order[a] - two.order[b]), a, b)
            ranked.append((rank, "same parent and " + ", ".join(signs)))
    for rank, how in sorted(ranked):
        a, b = rank[-2:]
        if match.to[a] < 0 and match.back[b] < 0:
            match.pair(a, b)
            match.how[a] = how


def _pair_crowd(
    one: "_Places", two: "_Places", match: JointMatch, own: Sequence[int], other: Sequence[int]
) -> None:
    free: dict[tuple[object, ...], list[int]] = {}
    for b in reversed(other):
        free.setdefault((two.kind(b), two.rest_bytes(b)), []).append(b)
    for a in own:
        same = free.get((one.kind(a), one.rest_bytes(a)))
        if same:
            match.pair(a, same.pop())
            match.how[a] = "same parent and rest transform"


class _Places:
    """What tells a joint from its siblings."""

    def __init__(self, model: Model, scale: float) -> None:
        skeleton = model.skeleton
        self.rest = skeleton.rest
        self.scale = scale
        self.size = max(float(np.abs(self.rest.translation).max(initial=0)) / scale, 1e-9)
        self.children: list[set[int]] = [set() for _ in range(skeleton.count)]
        for joint, parent in enumerate(skeleton.parents.tolist()):
            if parent >= 0:
                self.children[parent].add(joint)
        self.order = np.argsort(np.argsort(skeleton.nodes)).tolist()
        self._meshes = {instance.joint for instance in model.instances}
        self.bind: dict[int, F64] = {}
        for skin in model.skins:
            self.bind |= dict(
                zip(skin.joints.tolist(), skin.inverse_bind.astype(float), strict=True)
            )

    def kind(self, joint: int) -> tuple[bool, bool]:
        """Return whether it is of a skin, and whether it carries a mesh."""
        return joint in self.bind, joint in self._meshes

    def rest_bytes(self, joint: int) -> bytes:
        """Return the local rest transform, as it is stored."""
        rest = self.rest
        return b"".join(
            each[joint].tobytes() for each in (rest.translation, rest.rotation, rest.scale)
        )

    def same_rest(self, joint: int, other: "_Places", its: int) -> bool:
        """Tell whether a joint has the local rest transform of one of another model."""
        here = self.rest.translation[joint].astype(float) / self.scale
        there = other.rest.translation[its].astype(float) / other.scale
        if not np.abs(here - there).max() <= NEAR * max(self.size, other.size):
            return False
        apart = _degrees(self.rest.rotation[joint], other.rest.rotation[its])
        return apart <= NEAR_DEGREES

    def same_bind(self, joint: int, other: "_Places", its: int) -> bool:
        """Tell whether a joint was bound as one of another model."""
        if joint not in self.bind or its not in other.bind:
            return False
        here, there = self.bind[joint].copy(), other.bind[its].copy()
        here[:3, 3] /= self.scale
        there[:3, 3] /= other.scale
        return bool(np.allclose(here, there, rtol=1e-3, atol=NEAR * max(self.size, other.size)))


def _degrees(p: np.ndarray, q: np.ndarray) -> float:
    dot = abs(float(quat.dot(p.astype(float), q.astype(float))))
    return float(np.degrees(2 * np.arccos(min(dot, 1.0))))
