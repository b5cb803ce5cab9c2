"""Feet: which joints they are, what of them touches the floor, and how they go."""

from dataclasses import dataclass

import numpy as np

from ..animation.pose import Pose
from ..animation.types import F64, I32, Index
from ..model.skinned_vertices import Piece, model_space
from ..retargeting.ground_contact import outermost
from ..retargeting.joint_aliases import plain, roles
from ..retargeting.reference_pose import descendants
from .subject import TALL, Sampled, Subject

NEAR = 0.05  # of the height: what is so near to the floor at rest stands on it
GROUND = 0.1  # of the height: a lowest vertex so near to 0 stands on the floor of the scene
MIRRORED = 0.05  # of the height: two leaves of the skeleton that are mirrored so well are a pair
HELD = 0.5  # of a vertex's weights: it belongs to a foot
SOFT = 0.002  # of the height: points that are so little higher than the lowest still carry


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """Points of a foot, and the joints that carry them."""

    name: str
    side: str  # "left" or "right", "" where its name does not tell
    joint: int
    joints: Index  # [P]
    points: F64  # [P, 3] in the axes of their joints

    def places(self, shown: Sampled) -> F64:
        """Return where the points are [T, P, 3], metres, model space."""
        matrices = shown.matrices[:, self.joints]
        turned: F64 = np.einsum("tpab,pb->tpa", matrices[..., :3, :3], self.points)
        return turned + matrices[..., :3, 3]


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """How a foot goes, between each two samples of a clip [T - 1]."""

    foot: Foot
    heights: F64  # [T - 1] metres of its lowest point above the floor
    places: F64  # [T - 1, 2] x and z of what is lowest, metres
    velocities: F64  # [T - 1, 2] of the same, metres a second


def floor(subject: Subject, _: int = -1) -> float:
    """Return the height of the floor: 0, or the lowest vertex at rest where that is far from 0."""
    lowest = min(
        (float(points[:, 1].min()) for _, points in subject.once(_rest)),
        default=float(_origins(subject)[:, 1].min(initial=0)),
    )
    tall = subject.scale * TALL
    return 0.0 if not abs(lowest) > GROUND * tall else lowest


def feet(subject: Subject, _: int = -1) -> list[Foot]:
    """Return the feet: by their names, else the pairs of limbs that end on the floor at rest.

    Hands that stand on the floor at rest are feet, too.
    """
    skeleton, tall, low = subject.model.skeleton, subject.scale * TALL, subject.once(floor)
    joints = subject.skin_joints
    bones = {
        bone: int(np.flatnonzero(joints == joint)[0])
        for bone, joint in subject.model.humanoid.items()
        if joint in joints
    }
    named = roles([skeleton.names[joint] for joint in joints], bones)
    ankles = [int(joints[k]) for k, role in named.items() if role.part == "foot"]
    ankles = ankles or [int(joints[k]) for k, role in named.items() if role.part == "toes"]
    palms = [int(joints[k]) for k, role in named.items() if role.part == "hand"]
    found = [_foot(subject, joint) for joint in sorted(ankles)]
    found += [
        foot
        for foot in (_foot(subject, joint) for joint in sorted(palms))
        if _lowest(subject, foot) < low + NEAR * tall
    ]
    if len(found) >= 2:
        return found
    return _pairs(subject, low, tall)


def steps(subject: Subject, index: int) -> list[Steps]:
    """Return how all feet go in a clip; use it by `Subject.once`."""
    shown, low = subject.sampled(index), subject.once(floor)
    if len(shown.times) < 3:
        return []
    return [_steps(subject, foot, shown, low) for foot in subject.once(feet)]


def _steps(subject: Subject, foot: Foot, shown: Sampled, low: float) -> Steps:
    places = foot.places(shown)
    middle = (places[1:, :, 1] + places[:-1, :, 1]) / 2
    heights = middle.min(axis=1)
    share = np.exp((heights[:, None] - middle) / (SOFT * subject.scale * TALL))
    share /= share.sum(axis=1, keepdims=True)
    ground = places[..., ::2]
    at = np.einsum("tp,tpa->ta", share, (ground[1:] + ground[:-1]) / 2)
    moves = np.einsum("tp,tpa->ta", share, np.diff(ground, axis=0) / shown.step)
    return Steps(foot, heights - low, at, moves)


def _rest(subject: Subject, _: int) -> list[tuple[Piece, F64]]:
    """Return all vertices at rest [V, 3], piece by piece."""
    rest = subject.model.skeleton.rest
    matrices, _turns = model_space(subject.model.skeleton, rest)
    return [
        (piece, piece.place(piece.palette(matrices), piece.shape(rest.values)))
        for piece in subject.pieces
    ]


def _origins(subject: Subject) -> F64:
    """Return the joints at rest [J, 3]."""
    rest: Pose = subject.model.skeleton.rest
    return model_space(subject.model.skeleton, rest)[0][:, :3, 3]


def _foot(subject: Subject, joint: int) -> Foot:
    """Return what hangs on a joint, as far as it reaches out; the joints alone without skin."""
    skeleton = subject.model.skeleton
    inside = descendants(skeleton, joint)
    matrices, _ = model_space(skeleton, skeleton.rest)
    joints: list[Index] = []
    points: list[F64] = []
    for piece, placed in subject.once(_rest):
        own = np.flatnonzero(inside[piece.joints])
        if not len(own):
            continue
        heaviest = own[piece.weights[:, own].argmax(axis=1)]
        held = piece.weights[:, own].sum(axis=1) > HELD
        for column in np.unique(heaviest[held]).tolist():
            carrier = int(piece.joints[column])
            few = placed[held & (heaviest == column)]
            back = np.linalg.pinv(matrices[carrier])
            local = outermost(few @ back[:3, :3].T + back[:3, 3])
            joints.append(np.full(len(local), carrier))
            points.append(local)
    if not joints:
        only = np.intersect1d(np.flatnonzero(inside), subject.skin_joints)
        only = only if len(only) else np.array([joint])
        joints, points = [only], [np.zeros((len(only), 3))]
    name = skeleton.names[joint]
    return Foot(name, plain(name).side, joint, np.concatenate(joints), np.concatenate(points))


def _lowest(subject: Subject, foot: Foot) -> float:
    """Return the height of a foot's lowest point at rest."""
    matrices, _ = model_space(subject.model.skeleton, subject.model.skeleton.rest)
    own = matrices[foot.joints]
    return float(((own[:, 1, :3] * foot.points).sum(axis=1) + own[:, 1, 3]).min())


def _pairs(subject: Subject, low: float, tall: float) -> list[Foot]:
    """Return the leaves of the skin's skeleton that stand on the floor two by two."""
    if not subject.model.skins:
        return []
    joints: I32 = subject.skin_joints
    above = set(subject.model.skeleton.parents[joints].tolist())
    leaves = [_foot(subject, joint) for joint in joints.tolist() if joint not in above]
    standing = [foot for foot in leaves if _lowest(subject, foot) < low + NEAR * tall]
    places = _origins(subject)
    out = []
    for foot in standing:
        mirrored = places[foot.joint] * [-1, 1, 1]
        apart = [
            float(np.linalg.norm(places[other.joint] - mirrored))
            for other in standing
            if other is not foot
        ]
        if apart and min(apart) < MIRRORED * tall:
            out.append(foot)
    return out
