"""Matching of the joints of two versions: by name, then by position in the hierarchy."""

import re
from collections.abc import Sequence

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.types import F64, Index
from ..animation.vectors import dot
from ..model.model import Model
from ..model.skinned_vertices import height, vertex_blocks
from .objects import Matching

NEAR = 1e-3  # of the skeleton's size: tolerance of local translations
NEAR_DEGREES = 0.5  # tolerance of local rotations
SCALED = 0.01  # a smaller difference in size is a change of proportions, not of scale
SAME_SHAPE = 1e-3  # of the size: tolerance of joint positions after scaling
MANY = 100_000  # pairs of siblings: with more, only identical rest transforms are matched
_NUMBER = re.compile(r" #\d+$")
FEWEST = 3  # joints away from the origin needed to determine a scale; with vertices one less


def match_joints(a: Model, b: Model) -> tuple[Matching, float]:
    """Return the matching joints, and the size of B relative to A.

    Joints with equal names match, in any order; of several joints with one name, those with
    matching parents and the same rest transform. Of the others, children of matching parents match
    if they have the same local rest transform, the same inverse bind matrix, or matching children;
    a joint of a skin never matches another node. Unnamed nodes follow the same rules, then match
    by node number.
    """
    scale = _scale(a, b, _match_by_name(a, b, set()))
    one, two = _JointData(a, 1.0), _JointData(b, scale)
    repeated = _repeated(a) | _repeated(b)
    match = _match_by_name(a, b, repeated)
    _match_repeated(one, two, match, repeated)
    _match_by_hierarchy(one, two, match)
    return match, scale


def unnamed_joints(model: Model) -> set[int]:
    """Return the nodes with a generated name."""
    nodes, names = model.skeleton.nodes.tolist(), model.skeleton.names
    return {j for j, name in enumerate(names) if name == f"Joint {nodes[j]}"}


def _base(name: str) -> str:
    """Return a name without the number that distinguishes it from others: "Hand" of "Hand #2"."""
    return _NUMBER.sub("", name)


def _repeated(model: Model) -> set[str]:
    """Return the names that several nodes have."""
    names = model.skeleton.names
    present = set(names)
    return {_base(name) for name in names if _base(name) != name and _base(name) in present}


def _match_by_name(a: Model, b: Model, repeated: set[str]) -> Matching:
    """Return the match of the joints with equal names that are not repeated."""
    names, unnamed = (a.skeleton.names, b.skeleton.names), (unnamed_joints(a), unnamed_joints(b))
    match = Matching(names)
    index = {name: j for j, name in enumerate(names[1]) if j not in unnamed[1]}
    for joint, name in enumerate(names[0]):
        if joint not in unnamed[0] and name in index and _base(name) not in repeated:
            match.pair(joint, index[name])
    return match


def _match_repeated(
    one: "_JointData", two: "_JointData", match: Matching, repeated: set[str]
) -> None:
    """Match joints of equal names, whose numbers depend on their order, from the roots down."""
    names = match.names
    groups: dict[str, list[int]] = {name: [] for name in repeated}
    for joint, name in enumerate(names[1]):
        groups.get(_base(name), []).append(joint)
    own = [joint for joint, name in enumerate(names[0]) if _base(name) in repeated]
    many = len(own) * max(map(len, groups.values()), default=0) > MANY

    def rank(joint: int, other: int) -> tuple[bool, ...]:
        called = names[0][joint] == names[1][other]
        if many:
            return called, called
        above, there = one.parents[joint], two.parents[other]
        parent = match.match_of(above) == there and (above < 0) == (there < 0)
        rest, bind = one.same_rest(joint, two, other), one.same_bind(joint, two, other)
        return parent and rest, parent, rest, bind, called

    for certain in (True, False):
        for joint in (j for j in own if match.to[j] < 0):
            free = [n for n in groups[_base(names[0][joint])] if match.back[n] < 0]
            best = max(free, key=lambda n: rank(joint, n), default=-1)
            if best >= 0 and (rank(joint, best)[0] or not certain):
                match.pair(joint, best)


def _scale(a: Model, b: Model, match: Matching) -> float:
    """Return the uniform scale of B relative to A at rest; 1 if it is not uniform."""
    own, other = match.pairs
    pa = to_model_transforms(a.skeleton, a.skeleton.rest)[0][own, :3, 3]
    pb = to_model_transforms(b.skeleton, b.skeleton.rest)[0][other, :3, 3]
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
    tall = [height(model, vertex_blocks(model)) for model in (a, b)]
    if min(tall) <= 0 or abs(tall[1] / tall[0] / factor - 1) > SCALED:
        return 1.0
    rounded = float(f"{factor:.3g}")  # 100, not 99.99998, where the file says 100
    return rounded if abs(rounded / factor - 1) < 1e-5 else factor


def _match_by_hierarchy(one: "_JointData", two: "_JointData", match: Matching) -> None:
    """Match joints without a match by name, from the roots down."""
    groups, waiting = one.by_parent(match.to), two.by_parent(match.back)
    for parent in sorted(groups):  # parents come before their children
        target = match.match_of(parent)
        if parent >= 0 and target < 0:
            continue
        candidates = waiting.get(target, [])
        _pair_siblings(one, two, match, groups[parent], candidates)
        left = {match.names[1][j]: j for j in candidates if match.back[j] < 0}
        for joint in groups[parent]:
            other = left.get(match.names[0][joint], -1)
            if match.to[joint] < 0 and other >= 0 and joint in one.unnamed:
                match.pair(joint, other)


def _pair_siblings(
    one: "_JointData",
    two: "_JointData",
    match: Matching,
    own: Sequence[int],
    other: Sequence[int],
) -> None:
    """Match siblings by descending certainty; very many, only by identical rest transforms."""
    if len(own) * len(other) > MANY:
        _pair_many_siblings(one, two, match, own, other)
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
            signs = {"children": shared, "rest transform": rest, "inverse bind": bind}
            words = ", ".join(word for word, holds in signs.items() if holds)
            grown = abs(len(one.children[a]) - len(two.children[b]))
            rank = (-shared, -(rest + bind), grown, abs(one.order[a] - two.order[b]), a, b)
            ranked.append((rank, f"same parent and {words}"))
    for rank, how in sorted(ranked):
        a, b = rank[-2:]
        if match.to[a] < 0 and match.back[b] < 0:
            match.pair(a, b, how)


def _pair_many_siblings(
    one: "_JointData",
    two: "_JointData",
    match: Matching,
    own: Sequence[int],
    other: Sequence[int],
) -> None:
    free: dict[tuple[object, ...], list[int]] = {}
    for b in reversed(other):
        free.setdefault((two.kind(b), two.rest_bytes(b)), []).append(b)
    for a in own:
        same = free.get((one.kind(a), one.rest_bytes(a)))
        if same:
            match.pair(a, same.pop(), "same parent and rest transform")


class _JointData:
    """The data of a model's joints that distinguish siblings."""

    def __init__(self, model: Model, scale: float) -> None:
        skeleton = model.skeleton
        self.rest = skeleton.rest
        self.scale = scale
        self.size = max(float(np.abs(self.rest.translation).max(initial=0)) / scale, 1e-9)
        self.children: list[set[int]] = [set() for _ in range(skeleton.count)]
        self.parents: list[int] = skeleton.parents.tolist()
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].add(joint)
        self.order = np.argsort(np.argsort(skeleton.nodes)).tolist()
        self.unnamed = unnamed_joints(model)
        self._meshes = {instance.joint for instance in model.instances}
        self.bind: dict[int, F64] = {}
        for skin in model.skins:
            self.bind |= dict(
                zip(skin.joints.tolist(), skin.inverse_bind.astype(float), strict=True)
            )

    def by_parent(self, match: Index) -> dict[int, list[int]]:
        """Return the joints without a match, by parent."""
        found: dict[int, list[int]] = {}
        for joint in np.flatnonzero(match < 0).tolist():
            found.setdefault(self.parents[joint], []).append(joint)
        return found

    def kind(self, joint: int) -> tuple[bool, bool]:
        """Return whether the joint belongs to a skin, and whether it has a mesh."""
        return joint in self.bind, joint in self._meshes

    def rest_bytes(self, joint: int) -> bytes:
        """Return the stored local rest transform."""
        paths = ("translation", "rotation", "scale")
        return b"".join(getattr(self.rest, path)[joint].tobytes() for path in paths)

    def same_rest(self, joint: int, other: "_JointData", its: int) -> bool:
        """Return whether a joint has the local rest transform of a joint of another model."""
        here = self.rest.translation[joint].astype(float) / self.scale
        there = other.rest.translation[its].astype(float) / other.scale
        if not np.abs(here - there).max() <= NEAR * max(self.size, other.size):
            return False
        apart = _degrees(self.rest.rotation[joint], other.rest.rotation[its])
        return apart <= NEAR_DEGREES

    def same_bind(self, joint: int, other: "_JointData", its: int) -> bool:
        """Return whether a joint has the inverse bind matrix of a joint of another model."""
        if joint not in self.bind or its not in other.bind:
            return False
        here, there = self.bind[joint].copy(), other.bind[its].copy()
        here[:3, 3] /= self.scale
        there[:3, 3] /= other.scale
        return bool(np.allclose(here, there, rtol=1e-3, atol=NEAR * max(self.size, other.size)))


def _degrees(p: np.ndarray, q: np.ndarray) -> float:
    cosine = abs(float(dot(p.astype(float), q.astype(float))))
    return float(np.degrees(2 * np.arccos(min(cosine, 1.0))))
