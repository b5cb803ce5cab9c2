"""Heat map: the distance of each vertex of a version from its position in the other."""

from dataclasses import dataclass

import numpy as np

from ..animation.clip import Clip
from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.types import F32, F64
from ..animation.vectors import length
from ..model.model import Primitive
from ..model.skinned_vertices import vertex_block
from ..scene.character import VertexValues
from ..scenedoc.view_modes import NONE, VIRIDIS, Swatch
from ..wording import millimetres
from .model_pair import ModelPair

STOPS: F64 = np.array(VIRIDIS)
WITHIN = (0.42, 0.42, 0.42)  # colour of errors within the threshold


def viridis(x: F64) -> F64:
    """Return the colours [..., 3] (sRGB, 0 to 1) of relative errors [...], 0 to 1."""
    at = np.clip(x, 0.0, 1.0) * (len(STOPS) - 1)
    return np.stack([np.interp(at, np.arange(len(STOPS)), STOPS[:, c]) for c in range(3)], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class VertexErrors:
    """Errors of the vertices of B at one time, metres of A."""

    vertices: tuple[tuple[F64, ...], ...]  # [V] of each primitive of each instance of B
    greatest: float
    point: F64  # [3] position of the greatest error, in B's model space divided by the scale
    joint: str  # the joint with the greatest weight there


def errors_at(
    model_pair: ModelPair, clips: tuple[Clip | None, Clip | None], time: float
) -> VertexErrors:
    """Return the errors of all vertices of B; of unmatched vertices, those of their joints.

    An unmatched joint has the error of its parent. If B has no drawn vertices, the greatest error
    is that of a joint.
    """
    return errors_between(model_pair, model_pair.poses(clips, np.array([time])))


def errors_between(model_pair: ModelPair, poses: tuple[Pose, Pose]) -> VertexErrors:
    """Return the errors of all vertices of B, as `errors_at`, of a pose [1] of each version."""
    b = model_pair.b
    matrices = [
        to_model_transforms(model.skeleton, pose)[0][0]
        for model, pose in zip((model_pair.a, b), poses, strict=True)
    ]
    places = matrices[1][:, :3, 3] / model_pair.scale
    joints = _joint_errors(model_pair, matrices[0][:, :3, 3], places)
    found = [
        [
            _by_joints(model_pair, k, primitive, joints)
            for primitive in b.meshes[instance.mesh].primitives
        ]
        for k, instance in enumerate(b.instances)
    ]
    for pair, far in model_pair.distances(poses):
        found[pair.instance][pair.primitive][pair.rows] = far[:, 0]
    tops = [
        (float(candidate.max(initial=-1)), k, p)
        for k, group in enumerate(found)
        for p, candidate in enumerate(group)
        if b.instances[k].in_scene and len(candidate)
    ]
    vertices = tuple(
        tuple(np.tile(each, carried.count) if carried.written else each for each in group)
        for carried, group in zip(b.instances, found, strict=True)
    )
    if not tops:
        j = int(np.argmax(joints)) if len(joints) else -1
        top, name = (float(joints[j]), b.skeleton.names[j]) if j >= 0 else (0.0, "")
        return VertexErrors(vertices, top, places[j] if j >= 0 else np.zeros(3), name)
    top, k, p = max(tops)
    v = np.array([int(np.argmax(found[k][p]))])
    instance = b.instances[k]
    one = vertex_block(b, instance, b.meshes[instance.mesh].primitives[p], v)
    point = (
        one.skinned(one.palette(matrices[1]), one.morphed(poses[1].values[0]))[0] / model_pair.scale
    )
    heaviest = int(one.joints[int(np.argmax(one.weights[0]))])
    return VertexErrors(vertices, top, point, b.skeleton.names[heaviest])


def _joint_errors(model_pair: ModelPair, before: F64, after: F64) -> F64:
    """Return the errors of the joints of B, [joints of B]."""
    back, parents = model_pair.joints.back, model_pair.b.skeleton.parents.tolist()
    far = np.zeros(len(back))
    has = back >= 0
    way = after[has] - before[back[has]]
    far[has] = length(way)
    for joint in np.flatnonzero(~has).tolist():  # parents come first
        if parents[joint] >= 0:
            far[joint] = far[parents[joint]]
    return far


def _by_joints(model_pair: ModelPair, instance: int, primitive: Primitive, joints: F64) -> F64:
    """Return the mean error of each vertex's joints, by their weights."""
    carried = model_pair.b.instances[instance]
    if carried.skin < 0 or primitive.joints is None or primitive.weights is None:
        return np.full(len(primitive.positions), joints[carried.joint])
    own = joints[model_pair.b.skins[carried.skin].joints]
    return (own[primitive.joints] * primitive.weights).sum(axis=1)


def relative_errors(errors: VertexErrors, threshold: float, full: float) -> VertexValues:
    """Return errors as values of vertices, 0 to 1, that colour them (`Character.vertex_values`).

    They are relative to `full` metres, and 0 if they are within `threshold` metres.
    """
    return tuple(
        tuple(_relative(far, threshold, full) for far in group) for group in errors.vertices
    )


def error_swatches(threshold: float, full: float) -> tuple[Swatch, ...]:
    """Return the legend of the colours of `relative_errors`."""
    steps = range(0, len(VIRIDIS) if full > threshold else 0, 2)
    return (
        Swatch(NONE, f"within {millimetres(threshold, '.3g')}"),
        *(Swatch(VIRIDIS[k], millimetres(k / steps[-1] * full, ".3g")) for k in steps),
    )


def _relative(far: F64, threshold: float, full: float) -> F32:
    share = np.clip(far / full, 1e-4, 1.0) if full > 0 else np.zeros(len(far))
    return np.where(far > threshold, share, 0.0).astype(np.float32)
