"""Equal skeletons, whose tracks are copied.

They have the same names, and rest offsets within one per cent; or other names, and the same
hierarchy and rest pose.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..animation.clip import Clip
from ..animation.skeleton import Skeleton
from ..animation.track import Track
from ..animation.types import I32, Bool, Index
from ..animation.vectors import dot
from .joint_matching import MappedSkeleton
from .reference_pose import reference_pose_of

NEAR = 0.01  # of an offset's length
LITTLE = 1e-3  # of the skeleton's size: lower bound of the length of an offset
TURNED = np.radians(1.0)  # tolerance of the rotations above the two skeletons
FEW = 3  # joints that a skeleton needs to be recognised by its shape


def same_skeleton(
    source: MappedSkeleton, target: MappedSkeleton, hips: tuple[int, int], clips: Iterable[Clip]
) -> I32 | None:
    """Return the target joint of each source joint [J], -1 none; None if the skeletons differ.

    Every target joint needs a source joint of the same name, parent and rest offset, and the clips
    animate no other joints. The rest position of the hips is ignored, which is often that of a
    clip, and so is the scale of the ancestors, but not their rotation.
    """
    ours, theirs = source.skeleton, target.skeleton
    like = np.array([ours.index_of.get(theirs.names[j], -1) for j in target.joints], np.int32)
    if not len(like) or (like < 0).any() or ours.names[hips[0]] != theirs.names[hips[1]]:
        return None
    same = np.full(ours.count, -1, np.int32)
    same[like] = target.joints
    above, over = ours.parents[like], theirs.parents[target.joints]
    inner = np.isin(over, target.joints)
    if (same[above[inner]] != over[inner]).any() or np.isin(above[~inner], like).any():
        return None
    measured = inner & (target.joints != hips[1])
    a, b = ours.rest.translation[like], theirs.rest.translation[target.joints]
    longest = float(np.abs(b[measured]).max(initial=0))
    length = np.maximum(np.linalg.norm(b, axis=1), LITTLE * longest)
    if (np.linalg.norm(a - b, axis=1) > NEAR * length)[measured].any():
        return None
    if not turned_alike(ours, theirs, above[~inner], over[~inner]):
        return None
    moved = {track.target for clip in clips for track in clip.tracks if track.path != "values"}
    for joint in {*source.plain.tolist(), *source.props.tolist(), *moved}:
        if same[joint] < 0:
            same[joint] = theirs.index_of.get(ours.names[joint], -1)
    return None if any(same[joint] < 0 for joint in moved) else same


def turned_alike(ours: Skeleton, theirs: Skeleton, above: I32, over: I32) -> bool:
    """Return whether the ancestors [n] of two skeletons, -1 none, have the same rest rotation."""
    none = np.array([0.0, 0.0, 0.0, 1.0])
    p, q = (reference_pose_of(body, body.rest).rotation for body in (ours, theirs))
    for one, two in zip(above.tolist(), over.tolist(), strict=True):
        cosine = dot(p[one] if one >= 0 else none, q[two] if two >= 0 else none)
        if abs(float(cosine)) < np.cos(TURNED / 2):
            return False
    return True


def copy_to(clip: Clip, same: I32, values: Sequence[Track]) -> Clip:
    """Return a clip with its tracks mapped to the joints of an equal skeleton, and value tracks.

    Tracks of joints without a target joint are left out.
    """
    tracks = [
        replace(track, target=int(same[track.target]))
        for track in clip.tracks
        if track.path != "values" and same[track.target] >= 0
    ]
    return replace(clip, tracks=(*tracks, *values))


@np.errstate(all="ignore")  # extreme values of a file may overflow
def renamed_skeleton(
    source: MappedSkeleton,
    target: MappedSkeleton,
    hips: tuple[int, int],
    given: Iterable[tuple[int, int]] = (),
) -> I32 | None:
    """Return the target joint of each source joint [J], -1 none; None if the skeletons differ.

    The joints and the nodes between them need the same hierarchy and the same rest pose within
    tolerance, except for the position of the hips. No joint may have the name of another one.

    Parameters
    ----------
    hips
        Of the source and the target.
    given
        Pairs of source and target joint that must agree; target -1: the source joint is left out.
    """
    bodies = _Tree.of(source), _Tree.of(target)
    same = _isomorphism(*bodies, hips)
    if same is None or any(same[s] != d for s, d in given):
        return None
    if _contradicts(source, target, same):
        return None
    _add_nodes_below(*bodies, same)
    _add_nodes_above(*bodies, same)
    return same


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """The joints of a skeleton and the nodes between them, as a tree."""

    skeleton: Skeleton
    members: Bool  # [J]
    others: Bool  # [J] nodes below them
    children: Mapping[int, Sequence[int]]  # of every node
    size: Index  # [J] members at and below each node

    @classmethod
    def of(cls, body: MappedSkeleton) -> "_Tree":
        skeleton = body.skeleton
        inside = np.zeros(skeleton.count, bool)
        inside[body.joints] = True
        size = skeleton.count_below(inside)
        others = np.zeros(skeleton.count, bool)
        others[body.plain] = others[body.props] = True
        members = others & (size > 0)
        members[body.joints] = True
        children: dict[int, list[int]] = {}
        for joint, parent in enumerate(skeleton.parents.tolist()):
            children.setdefault(parent, []).append(joint)
        return cls(skeleton, members, others & ~members, children, size)

    def inner(self, joint: int) -> list[int]:
        """Return the children of a joint that are members."""
        return [child for child in self.children.get(joint, ()) if self.members[child]]

    def outer(self, joint: int) -> list[int]:
        """Return the children of a joint that are no members, but below them."""
        return [child for child in self.children.get(joint, ()) if self.others[child]]

    @property
    def top(self) -> list[int]:
        """The members without a member above."""
        parents = self.skeleton.parents
        return np.flatnonzero(self.members & ~((parents >= 0) & self.members[parents])).tolist()


def _isomorphism(ours: _Tree, theirs: _Tree, hips: tuple[int, int]) -> I32 | None:
    """Return the target member of each source member [J], -1 for other nodes; None: not equal."""
    same = np.full(ours.skeleton.count, -1, np.int32)
    if ours.members.sum() != theirs.members.sum() or theirs.members.sum() < FEW:
        return None
    tops = ours.top, theirs.top
    if len(tops[0]) != 1 or len(tops[1]) != 1:
        return None
    above = [tree.skeleton.parents[top] for tree, top in zip((ours, theirs), tops, strict=True)]
    bodies = ours.skeleton, theirs.skeleton
    if not turned_alike(*bodies, *(np.atleast_1d(parent) for parent in above)):
        return None
    free = (hips, (tops[0][0], tops[1][0]))
    queue = deque([(tops[0][0], tops[1][0])])
    if _nearest(*bodies, tops[0], tops[1][0], free) < 0:
        return None
    while queue:
        s, d = queue.popleft()
        same[s] = d
        left, wanted = ours.inner(s), theirs.inner(d)
        if len(left) != len(wanted):
            return None
        for child in wanted:
            found = [each for each in left if ours.size[each] == theirs.size[child]]
            pick = _nearest(*bodies, found, child, free)
            if pick < 0:
                return None
            left.remove(pick)
            queue.append((pick, child))
    return same


def _nearest(
    ours: Skeleton,
    theirs: Skeleton,
    found: Sequence[int],
    d: int,
    free: Sequence[tuple[int, int]] = (),
) -> int:
    """Return the joint of `found` with the local rest transform of `d`, -1 for none.

    Several joints may be within tolerance of one: the nearest is meant.

    The joints of `free`, in pairs of source and target, may be anywhere.
    """
    s = np.array(found, np.intp)
    rest, other = ours.rest, theirs.rest
    length = max(
        float(np.linalg.norm(other.translation[d])),
        LITTLE * float(np.abs(other.translation).max(initial=0)),
    )
    away = np.linalg.norm(rest.translation[s] - other.translation[d], axis=-1)
    placed = away <= NEAR * length
    placed |= np.isin(s, [one for one, _ in free]) | any(d == two for _, two in free)
    cosine = np.abs(dot(rest.rotation[s], other.rotation[d]))
    turned = cosine >= np.cos(TURNED / 2)
    sized = np.isclose(rest.scale[s], other.scale[d], rtol=NEAR, atol=0).all(axis=-1)
    alike = np.flatnonzero(placed & turned & sized)
    order = np.lexsort((-cosine[alike], away[alike]))
    return int(s[alike[order[0]]]) if len(alike) else -1


def _contradicts(source: MappedSkeleton, target: MappedSkeleton, same: I32) -> bool:
    """Return whether a joint of the source has the name of another joint of the target."""
    names = target.skeleton.names
    place = {names[joint]: joint for joint in target.joints.tolist()}
    return any(
        place.get(source.skeleton.names[joint], same[joint]) != same[joint]
        for joint in source.joints.tolist()
    )


def _add_nodes_below(ours: _Tree, theirs: _Tree, same: I32) -> None:
    """Add pairs of the nodes below the joints: of equal name, else of equal rest transform."""
    names, others = ours.skeleton.names, theirs.skeleton.names
    known = set(names), set(others)
    queue = deque(np.flatnonzero(same >= 0).tolist())
    while queue:
        s = queue.popleft()
        left = ours.outer(s)
        for child in theirs.outer(int(same[s])):
            named = [each for each in left if names[each] == others[child]]
            unnamed = [] if others[child] in known[0] else left
            unnamed = [each for each in unnamed if names[each] not in known[1]]
            alike = _nearest(ours.skeleton, theirs.skeleton, unnamed, child)
            pick = named[0] if named else alike
            if pick >= 0:
                same[pick] = child
                left.remove(pick)
                queue.append(pick)


def _add_nodes_above(ours: _Tree, theirs: _Tree, same: I32) -> None:
    """Add pairs of the ancestors of the joints with equal rest transforms, upwards."""
    s, d = ours.top[0], theirs.top[0]
    while True:
        s, d = int(ours.skeleton.parents[s]), int(theirs.skeleton.parents[d])
        if s < 0 or d < 0 or _nearest(ours.skeleton, theirs.skeleton, [s], d) < 0:
            return
        same[s] = d
