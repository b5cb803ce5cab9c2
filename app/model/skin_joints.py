"""Joints of skins: the used ones, the heaviest, and their names in motion files."""

import numpy as np

from .lookup import find_joint
from .model import Model


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
