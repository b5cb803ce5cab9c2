"""A new look-at layer: a chain of joints up to the head, and a target in front of it."""

import numpy as np
from numpy.typing import ArrayLike

from ..model.facing import DEFAULT_FACING, find_facing, local_direction
from ..model.model import Model
from ..model.skin_joints import joint_reference, weighted_joints
from . import edit
from .document import Aim, LayerSettings, MotionDoc, Parameter, Vector

SHARES = (1.0, 0.5, 0.2)  # weights, from the end of the chain towards the root
LIMIT = 70.0  # degrees
TARGET_DISTANCE = 0.6  # initial distance of the target, in heights of the joint


def find_head(model: Model) -> int:
    """Return the first skinned joint whose name contains "head", -1 if there is none."""
    names = model.skeleton.names
    joints = weighted_joints(model) or range(model.skeleton.count)
    return next((joint for joint in joints if "head" in names[joint].casefold()), -1)


def with_look_at(document: MotionDoc, model: Model, head: int) -> tuple[MotionDoc, str, str]:
    """Return a document with a new aim, target parameter and layer; the layer's and target's names.

    The chain is the joint and its two ancestors; the forward axis is the one that points in the
    character's facing direction in the rest pose.
    """
    skeleton = model.skeleton
    matrix = skeleton.to_model(skeleton.rest)[head]
    facing = document.facing or find_facing(model) or DEFAULT_FACING
    forward = local_direction(skeleton, head, facing)
    chain: dict[str, float] = {}
    joint = head
    for share in SHARES:
        if joint < 0:
            break
        chain[joint_reference(model, joint)] = share
        joint = int(skeleton.parents[joint])
    distance = TARGET_DISTANCE * max(abs(float(matrix[1, 3])), 1e-3)
    place = matrix[:3, 3] + np.array(facing) / np.linalg.norm(facing) * distance
    used = [*document.spaces, *document.additives, *document.aims, *document.iks]
    used += [clip.name for clip in model.clips]
    aim = edit.free_name("look", used)
    point = edit.free_name("look_at", document.parameters)
    document = edit.with_parameter(document, point, Parameter(_vector(place), damp=0.2))
    made = Aim(dict(reversed(chain.items())), point, _vector(forward), limit=LIMIT)
    document = edit.with_aim(document, aim, made)
    layer = edit.free_name("look", (existing.name for existing in document.layers))
    return edit.with_layer(document, LayerSettings(layer, aim)), layer, point


def _vector(numbers: ArrayLike) -> Vector:
    x, y, z = (round(float(number), 4) + 0.0 for number in np.asarray(numbers))
    return x, y, z
