"""Joints of skins: those to match, the heaviest, their names in motion files, and their points."""

import numpy as np

from ..animation.types import F64, Bool
from ..retargeting.ground_contact import outermost
from ..retargeting.joint_matching import MappedSkeleton
from .lookup import find_joint
from .model import Model


def mapped_skeleton_of(model: Model) -> MappedSkeleton:
    """Return the joints to match: those of the skins, or all if the model has no skin."""
    joints = [skin.joints for skin in model.skins] or [model.scene_joints]
    return MappedSkeleton(
        model.skeleton, np.unique(np.concatenate(joints)).astype(np.int32), model.humanoid
    )


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


def joint_reference(model: Model, joint: int) -> str:
    """Return a joint's name in motion files: its name, or its node index if ambiguous."""
    name = model.skeleton.names[joint]
    if find_joint(model, name).index == joint:
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
            for joint in np.unique(joint_of_vertex).tolist():
                if wanted is None or wanted[joint]:
                    parts.setdefault(joint, []).append(points[joint_of_vertex == joint])
    rest = model.skeleton.to_model(model.skeleton.rest).astype(np.float64)
    size = np.cbrt(np.abs(np.linalg.det(rest[:, :3, :3])))
    return {joint: outermost(np.concatenate(found)) * size[joint] for joint, found in parts.items()}
