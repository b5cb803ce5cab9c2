"""New entries of a motion document, valid for a model, with the parameters that they need."""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from ..blending.strafe import ROLES
from ..model.facing import DEFAULT_FACING, find_facing, local_direction
from ..model.model import Model
from ..model.skin_joints import joint_reference, weighted_joints
from .document import Aim, ClipSettings, Drive, Ik, LayerSettings, MotionDoc, Parameter, Pivot
from .document import StrafeSpace as Strafe
from .edit import as_vector, free_name, with_clip_settings, with_entry, with_layer
from .layer_content import with_base

SHARES = (1.0, 0.5, 0.2)  # weights, from the end of the chain towards the root
LIMIT = 70.0  # degrees
TARGET_DISTANCE = 0.6  # initial distance of the target, in heights of the joint
TURN = (-90.0, 90.0)  # degrees per second, of a new pivot
DAMP = 0.2  # seconds, of new parameters
_SIDES = {
    "left": r"left|(?<![a-z])[bf]?l(?![a-z])",
    "right": r"right|(?<![a-z])[bf]?r(?![a-z])",
}
_BACK = r"back|(?<![a-z])b[lr]?(?![a-z])"


def play_names(document: MotionDoc, model: Model) -> list[str]:
    """Return the names that a new blend space, additive, aim or IK must not have."""
    tables = document.spaces, document.additives, document.aims, document.iks
    return [*(name for table in tables for name in table), *(clip.name for clip in model.clips)]


def with_drive(document: MotionDoc, model: Model, clip: int) -> tuple[MotionDoc, str]:
    """Return a document in which a new parameter sets the time of a clip, and its name."""
    driven = model.clips[clip]
    by = free_name(f"{driven.name} time", document.parameters)
    document = with_entry(document, "parameters", by, Parameter(0.0, (0.0, 1.0)))
    settings = document.clips.get(driven.name, ClipSettings())
    span = round(max(driven.start, 0.0), 4), round(driven.end, 4)
    settings = replace(settings, drive=Drive(by, (0.0, 1.0), span))
    return with_clip_settings(document, driven.name, settings), by


def with_strafe(document: MotionDoc, model: Model) -> tuple[MotionDoc, str]:
    """Return a document whose base layer plays a new strafe space, and the name of the space.

    The clips of its directions are found by their names.
    """
    axis = free_name("direction", document.parameters)
    document = with_entry(document, "parameters", axis, Parameter(angle=True, damp=DAMP))
    name = free_name("strafe", play_names(document, model))
    space = Strafe(axis, strafe_clips([clip.name for clip in model.clips]))
    return with_base(with_entry(document, "spaces", name, space), name), name


def strafe_clips(names: list[str]) -> Mapping[str, str]:
    """Return the clip of each direction, by name; the forward one where none is found."""
    found: dict[str, str] = {}
    words = {name: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold() for name in names}
    walks = [name for name in names if re.search(r"walk|strafe|jog|run", words[name])] or names
    for role in ROLES:
        side = next((each for each in _SIDES if each in role), "")
        fitting = [
            name
            for name in walks
            if bool(re.search(_BACK, words[name])) == ("back" in role)
            and all(
                bool(re.search(pattern, words[name])) == (each == side)
                for each, pattern in _SIDES.items()
            )
        ]
        if fitting:
            found[role] = min(fitting, key=lambda name: ("walk" not in words[name], len(name)))
    forward = found.get("forward", walks[0])
    return MappingProxyType({role: found.get(role, forward) for role in ROLES})


def find_head(model: Model) -> int | None:
    """Return the first skinned joint whose name contains "head", None if there is none."""
    names = model.skeleton.names
    joints = weighted_joints(model) or range(model.skeleton.count)
    return next((joint for joint in joints if "head" in names[joint].casefold()), None)


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
    aim = free_name("look", play_names(document, model))
    point = free_name("look_at", document.parameters)
    document = with_entry(document, "parameters", point, Parameter(as_vector(place), damp=0.2))
    made = Aim(dict(reversed(chain.items())), point, as_vector(forward), limit=LIMIT)
    document = with_entry(document, "aims", aim, made)
    layer = free_name("look", (existing.name for existing in document.layers))
    return with_layer(document, LayerSettings(layer, aim)), layer, point


def with_reach(document: MotionDoc, model: Model, joint: int) -> tuple[MotionDoc, str, str] | None:
    """Return a document with two-bone IK of a joint in a new layer; the layer and the target.

    The chain is the joint and its two ancestors, the target a point at its rest position. None:
    the joint has no two ancestors.
    """
    skeleton = model.skeleton
    chain = [joint]
    while len(chain) < 3 and skeleton.parents[chain[0]] >= 0:
        chain.insert(0, int(skeleton.parents[chain[0]]))
    if len(chain) < 3:
        return None
    upper, middle, end = (joint_reference(model, each) for each in chain)
    place = as_vector(np.asarray(skeleton.to_model(skeleton.rest)[joint, :3, 3]))
    target = free_name(f"{skeleton.names[joint]} target", document.parameters)
    document = with_entry(document, "parameters", target, Parameter(place, damp=DAMP))
    name = free_name(f"{skeleton.names[joint]} IK", play_names(document, model))
    document = with_entry(document, "iks", name, Ik((upper, middle, end), target))
    layer = free_name(name, (each.name for each in document.layers))
    return with_layer(document, LayerSettings(layer, name)), layer, target


def with_pivot(document: MotionDoc) -> MotionDoc:
    """Return a document in which a new parameter turns the character."""
    name = free_name("turn", document.parameters)
    document = with_entry(document, "parameters", name, Parameter(0.0, TURN))
    return replace(document, pivot=Pivot(name))
