"""Feet of a character: their joints, their lowest points, and their motion over the ground."""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F64, I32, Index
from ..animation.vectors import length
from ..model.skinned_vertices import VertexBlock
from ..retargeting.ground_contact import outermost
from ..retargeting.joint_matching import MappedSkeleton, body_parts_of, normalized_names_of
from ..retargeting.reference_pose import descendants
from .check_context import REFERENCE_HEIGHT, CheckContext, ClipPoses

NEAR = 0.05  # of the height: points closer to the floor at rest are on the floor
GROUND = 0.1  # of the height: with a lowest vertex closer to y = 0, the floor is y = 0
MIRRORED = 0.05  # of the height: tolerance for two mirrored leaf joints to be a pair
HELD = 0.5  # of a vertex's weights: with more, the vertex belongs to a foot
SOFT = 0.002  # of the height: softness of the choice of the lowest points


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """Points on the surface of a foot, and the joints they are bound to."""

    name: str
    side: str  # "left" or "right", "" if the name has no side
    joint: int
    joints: Index  # [P]
    points: F64  # [P, 3] joint space

    def positions(self, shown: ClipPoses) -> F64:
        """Return the positions of the points [T, P, 3], metres, model space."""
        matrices = shown.matrices[:, self.joints]
        turned: F64 = np.einsum("tpab,pb->tpa", matrices[..., :3, :3], self.points)
        return turned + matrices[..., :3, 3]


@dataclass(frozen=True, slots=True, eq=False)
class FootMotion:
    """Motion of a foot, between consecutive samples of a clip [T - 1]."""

    foot: Foot
    heights: F64  # [T - 1] metres, lowest point above the floor
    positions: F64  # [T - 1, 2] metres, x and z of the lowest points
    velocities: F64  # [T - 1, 2] metres per second, of the same points


def floor(context: CheckContext, _: int = -1) -> float:
    """Return the height of the floor: 0, or the lowest vertex at rest if that is far from 0."""
    lowest = min(
        (float(points[:, 1].min()) for _, points in context.cached(_rest)),
        default=float(_origins(context)[:, 1].min(initial=0)),
    )
    tall = context.scale * REFERENCE_HEIGHT
    return 0.0 if not abs(lowest) > GROUND * tall else lowest


def feet(context: CheckContext, _: int = -1) -> list[Foot]:
    """Return the feet: by joint name, else the pairs of leaf joints on the floor at rest.

    Hands that are on the floor at rest are feet too.
    """
    tall, low = context.scale * REFERENCE_HEIGHT, context.cached(floor)
    named = body_parts_of(_body(context))
    ankles = [joint for joint, role in named.items() if role.part == "foot"]
    ankles = ankles or [joint for joint, role in named.items() if role.part == "toes"]
    palms = [joint for joint, role in named.items() if role.part == "hand"]
    found = [_foot(context, joint) for joint in sorted(ankles)]
    found += [
        foot
        for foot in (_foot(context, joint) for joint in sorted(palms))
        if _lowest(context, foot) < low + NEAR * tall
    ]
    if len(found) >= 2:
        return found
    return _pairs(context, low, tall)


def foot_motions(context: CheckContext, index: int) -> list[FootMotion]:
    """Return the motion of all feet in a clip; call it by `context.cached`."""
    shown, low = context.sampled(index), context.cached(floor)
    if len(shown.times) < 3:
        return []
    return [_steps(context, foot, shown, low) for foot in context.cached(feet)]


def _steps(context: CheckContext, foot: Foot, shown: ClipPoses, low: float) -> FootMotion:
    positions = foot.positions(shown)
    middle = (positions[1:, :, 1] + positions[:-1, :, 1]) / 2
    heights = middle.min(axis=1)
    weights = np.exp((heights[:, None] - middle) / (SOFT * context.scale * REFERENCE_HEIGHT))
    weights /= weights.sum(axis=1, keepdims=True)
    ground = positions[..., ::2]
    at = np.einsum("tp,tpa->ta", weights, (ground[1:] + ground[:-1]) / 2)
    moves = np.einsum("tp,tpa->ta", weights, np.diff(ground, axis=0) / shown.step)
    return FootMotion(foot, heights - low, at, moves)


def _rest(context: CheckContext, _: int) -> list[tuple[VertexBlock, F64]]:
    """Return the rest positions [V, 3] of all vertices, by block."""
    rest, matrices = context.model.skeleton.rest, context.rest[0]
    return [
        (block, block.skinned(block.palette(matrices), block.morphed(rest.values)))
        for block in context.blocks
    ]


def _origins(context: CheckContext) -> F64:
    """Return the rest positions of the joints [J, 3], metres, model space."""
    return context.rest[0][:, :3, 3]


def _foot(context: CheckContext, joint: int) -> Foot:
    """Return the outermost points of the mesh below a joint; without a skin, the joint origins."""
    skeleton = context.model.skeleton
    inside = descendants(skeleton, joint)
    matrices = context.rest[0]
    joints: list[Index] = []
    points: list[F64] = []
    for block, placed in context.cached(_rest):
        own = np.flatnonzero(inside[block.joints])
        if not len(own):
            continue
        heaviest = own[block.weights[:, own].argmax(axis=1)]
        held = block.weights[:, own].sum(axis=1) > HELD
        for column in np.unique(heaviest[held]).tolist():
            carrier = int(block.joints[column])
            few = placed[held & (heaviest == column)]
            back = np.linalg.pinv(matrices[carrier])
            local = outermost(few @ back[:3, :3].T + back[:3, 3])
            joints.append(np.full(len(local), carrier))
            points.append(local)
    if not joints:
        only = context.skin_joints[inside[context.skin_joints]].astype(np.intp)
        only = only if len(only) else np.array([joint])
        joints, points = [only], [np.zeros((len(only), 3))]
    name, side = skeleton.names[joint], context.cached(_sides)[joint]
    return Foot(name, side, joint, np.concatenate(joints), np.concatenate(points))


def _body(context: CheckContext) -> MappedSkeleton:
    return MappedSkeleton(context.model.skeleton, context.skin_joints, context.model.humanoid)


def _sides(context: CheckContext, _: int) -> dict[int, str]:
    """Return the side in the name of each joint of the skins."""
    return {joint: name.side for joint, name in normalized_names_of(_body(context)).items()}


def _lowest(context: CheckContext, foot: Foot) -> float:
    """Return the height of a foot's lowest point at rest."""
    own = context.rest[0][foot.joints]
    return float(((own[:, 1, :3] * foot.points).sum(axis=1) + own[:, 1, 3]).min())


def _pairs(context: CheckContext, low: float, tall: float) -> list[Foot]:
    """Return the leaf joints of the skin that are on the floor at rest and have a mirror image."""
    if not context.model.skins:
        return []
    joints: I32 = context.skin_joints
    above = set(context.model.skeleton.parents[joints].tolist())
    leaves = [_foot(context, joint) for joint in joints.tolist() if joint not in above]
    standing = [foot for foot in leaves if _lowest(context, foot) < low + NEAR * tall]
    positions = _origins(context)[[foot.joint for foot in standing]]
    return [foot for k, foot in enumerate(standing) if _has_mirrored(positions, k, MIRRORED * tall)]


def _has_mirrored(positions: F64, index: int, near: float) -> bool:
    """Return whether another position [P, 3] is a mirror image of the one at an index."""
    apart = length(positions - positions[index] * [-1, 1, 1])
    apart[index] = np.inf
    return bool(apart.min() < near)
