"""Joints of skins: those to match, the heaviest, their names in motion files, and their points."""

from collections.abc import Iterator

import numpy as np

from ..animation.distinct import distinct
from ..animation.skeleton import Skeleton
from ..animation.types import F64, I32, Bool, Index
from ..retargeting.ground_contact import outermost
from ..retargeting.joint_matching import MappedSkeleton
from .lookup import find_joint
from .model import MeshInstance, Model, Primitive


def mapped_skeleton_of(model: Model) -> MappedSkeleton:
    """Return the joints to match: those of the skins, or all if the model has no skin."""
    if not model.skins:
        joints = distinct(model.scene_joints).astype(np.int32)
        return MappedSkeleton(model.skeleton, joints, model.humanoid)
    joints = distinct(np.concatenate([skin.joints for skin in model.skins])).astype(np.int32)
    among = np.zeros(model.skeleton.count, bool)
    for skin in model.skins:
        among |= _between_and_below(model.skeleton, skin.joints)
    among[joints] = False
    props = np.zeros(model.skeleton.count, bool)
    props[[instance.joint for instance in model.instances]] = True
    props[[camera.joint for camera in model.cameras]] = True
    props[[light.joint for light in model.lights]] = True
    plain, carrying = (
        np.flatnonzero(each).astype(np.int32) for each in (among & ~props, among & props)
    )
    return MappedSkeleton(model.skeleton, joints, model.humanoid, plain, carrying)


def _between_and_below(skeleton: Skeleton, joints: I32) -> Bool:
    """Return which nodes [J] are joints, their descendants, or on the way from one to another."""
    below = np.zeros(skeleton.count, bool)
    below[joints] = True
    held = skeleton.count_below(below)
    above_all = np.flatnonzero(held == len(distinct(joints)))
    between = held > 0 if len(above_all) else np.zeros(skeleton.count, bool)
    between[above_all[:-1]] = False  # at the deepest of them the joints branch
    return skeleton.below(below) | between


def weighted_joints(model: Model) -> list[int]:
    """Return the joints of all skins, in skeleton order."""
    return sorted({int(joint) for skin in model.skins for joint in skin.joints})


def heaviest_joint(model: Model) -> int:
    """Return the joint with the greatest sum of vertex weights, -1 if the file has no skin."""
    sums = np.zeros(model.skeleton.count)
    for instance in model.instances:
        if instance.skin < 0:
            continue
        joints = model.skins[instance.skin].joints
        for part in model.meshes[instance.mesh].primitives:
            if part.joints is not None and part.weights is not None:
                flat = joints[part.joints.ravel()]
                sums += np.bincount(flat, part.weights.ravel(), model.skeleton.count)
    return int(sums.argmax()) if sums.any() else -1


def moved_vertices(model: Model) -> Index:
    """Return for each joint [J] the number of drawn vertices with a weight for it."""
    counts = np.zeros(model.skeleton.count, np.intp)
    for joints, _ in _shares(model):
        counts += np.bincount(joints, minlength=len(counts))
    return counts


def greatest_weights(model: Model) -> F64:
    """Return for each joint [J] its greatest weight for a drawn vertex; 1 with a rigid mesh."""
    greatest = np.zeros(model.skeleton.count)
    for joints, weights in _shares(model):
        np.maximum.at(greatest, joints, weights)
    return greatest


def _shares(model: Model) -> Iterator[tuple[Index, F64]]:
    """Yield the joints of pairs of a drawn vertex and a joint that moves it, and their weights.

    What a vertex lists twice for a joint is one pair. Vertices of a rigid mesh have its node.
    """
    for instance in model.instances:
        for primitive in model.meshes[instance.mesh].primitives:
            if primitive.joints is None or primitive.weights is None or instance.skin < 0:
                count = len(primitive.positions)
                yield np.full(count, instance.joint), np.ones(count)
                continue
            joints = model.skins[instance.skin].joints
            vertex, column = np.nonzero(primitive.weights)
            entries = joints[np.minimum(primitive.joints[vertex, column], len(joints) - 1)]
            weights = primitive.weights[vertex, column].astype(np.float64)
            pairs, row = np.unique(vertex * model.skeleton.count + entries, return_inverse=True)
            yield pairs % model.skeleton.count, np.bincount(row, weights).astype(np.float64)


def joint_reference(model: Model, joint: int) -> str:
    """Return the text that names a joint: its name; its node index if ambiguous or unprintable."""
    name = model.skeleton.names[joint]
    if name.isprintable() and find_joint(model, name).index == joint:
        return name
    return f"#{model.skeleton.nodes[joint]}"


@np.errstate(all="ignore")  # extreme values of a file may overflow
def outermost_skin_points(model: Model, wanted: Bool | None = None) -> dict[int, F64]:
    """Return, by joint, the outermost points [n, 3] of the vertices it influences most.

    Points are in the axes of the joint, in metres of model space in the rest pose. `wanted` [J]
    limits the joints; None: all.
    """
    parts: dict[int, list[F64]] = {}
    for instance in model.instances:
        for primitive in model.meshes[instance.mesh].primitives:
            points = primitive.positions.astype(np.float64)
            joint_of_vertex = np.full(len(points), instance.joint)
            if (
                instance.skin >= 0
                and primitive.joints is not None
                and primitive.weights is not None
            ):
                skin = model.skins[instance.skin]
                heaviest = primitive.weights.argmax(axis=1)[:, None]
                slot = np.take_along_axis(primitive.joints, heaviest, axis=1)[:, 0]
                joint_of_vertex = skin.joints[slot]
                if wanted is not None:
                    own = wanted[joint_of_vertex]
                    points, slot, joint_of_vertex = points[own], slot[own], joint_of_vertex[own]
                bound = skin.inverse_bind[slot].astype(np.float64)
                points = (bound[:, :3, :3] @ points[..., None])[..., 0] + bound[:, :3, 3]
            for joint in distinct(joint_of_vertex).tolist():
                if wanted is None or wanted[joint]:
                    parts.setdefault(joint, []).append(points[joint_of_vertex == joint])
    rest = model.skeleton.to_model(model.skeleton.rest).astype(np.float64)
    size = np.cbrt(np.abs(np.linalg.det(rest[:, :3, :3])))
    return {joint: outermost(np.concatenate(found)) * size[joint] for joint, found in parts.items()}


def vertex_influences(
    model: Model, instance: MeshInstance, part: Primitive, vertex: int
) -> list[tuple[int, float]]:
    """Return the joints that move a vertex of a part, and their weights, the heaviest first.

    A rigid mesh has the weight 1 of its node; a joint that is listed twice has the sum.
    """
    if instance.skin < 0 or part.joints is None or part.weights is None:
        return [(instance.joint, 1.0)]
    joints = model.skins[instance.skin].joints
    sums: dict[int, float] = {}
    for entry, weight in zip(part.joints[vertex].tolist(), part.weights[vertex], strict=True):
        if weight:
            joint = int(joints[min(entry, len(joints) - 1)])
            sums[joint] = sums.get(joint, 0.0) + float(np.float64(weight))
    return sorted(sums.items(), key=lambda pair: -pair[1])
