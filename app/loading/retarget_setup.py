"""Inputs for retargeting a clip: joints, hips, sides and reference poses of two models."""

import numpy as np

from ..animation.pose import Pose
from ..animation.types import I32
from ..errors import AppError
from ..model.lookup import find_clip
from ..model.model import Model
from ..model.skin_joints import outermost_skin_points
from ..motion.document import POSE_REFERENCE
from ..retargeting.body_heading import Side, mirrored_pairs
from ..retargeting.hips import guess_hips
from ..retargeting.joint_matching import MappedSkeleton, body_parts_of, normalized_names_of
from ..retargeting.reference_pose import (
    ReferencePose,
    RetargetSkeleton,
    bind_reference_pose,
    descendants,
    reference_pose_of,
)
from ..retargeting.retarget import JointMapping
from ..tomlfile.toml_errors import motion_error

TOO_LOW = 0.05  # part of the skeleton's height: hips lie above it
Reference = tuple[int, float] | str  # clip and seconds, "bind" or "rest"


def hips_of(model: Model, body: MappedSkeleton, name: str | None = None) -> int:
    """Return the hips joint: the one named `name`, that of the VRM humanoid, or a guess.

    A guess at ground level is the root of a rig; then the first descendant above the ground that
    has two or more child joints is used.
    """
    if name in model.skeleton.index_of:
        return model.skeleton.index_of[name]
    if "hips" in body.humanoid:
        return body.humanoid["hips"]
    guess = guess_hips(model.skeleton, body.joints, model.clips)
    height = bind_reference_pose(model.skeleton, model.skins, guess).position[:, 1]
    lowest, tallest = height[body.joints].min(), height[body.joints].max()
    if height[guess] - lowest > TOO_LOW * (tallest - lowest):
        return guess
    below = descendants(model.skeleton, guess)
    parents = body.joints[model.skeleton.parents[body.joints] >= 0]
    children = np.bincount(model.skeleton.parents[parents], minlength=model.skeleton.count)
    high = height - lowest > TOO_LOW * (tallest - lowest)
    better = np.flatnonzero(
        below & high & (children >= 2) & np.isin(np.arange(len(high)), body.joints)
    )
    return int(better[0]) if len(better) else guess


def parse_reference(model: Model, text: str, of_source: bool) -> Reference:
    """Return the reference pose given as "bind", "rest" or CLIP@TIME.

    Raises
    ------
    MotionError
        The text is another, or the clip does not exist.
    """
    path = ("retarget", "source_reference" if of_source else "reference")
    if POSE_REFERENCE.read(text, path) in ("bind", "rest"):
        return text
    clip, _, time = text.rpartition("@")
    try:
        return find_clip(model, clip).index, float(time)
    except AppError as error:
        raise motion_error(path, error.message, hint=error.hint) from None


def retarget_skeleton_of(
    model: Model, body: MappedSkeleton, hips: int, reference: Reference, *, skin: bool = False
) -> RetargetSkeleton:
    """Return a model's skeleton with its reference pose, and skin points if `skin` is set."""
    reach = outermost_skin_points(model) if skin else {}
    return RetargetSkeleton(
        model.skeleton, body.joints, hips, _reference_pose(model, hips, reference), reach
    )


def _reference_pose(model: Model, hips: int, reference: Reference) -> ReferencePose:
    if reference == "bind":
        return bind_reference_pose(model.skeleton, model.skins, hips)
    pose = Pose.like(model.skeleton.rest)
    if isinstance(reference, tuple):
        model.clips[reference[0]].sample(reference[1], pose)
    return reference_pose_of(model.skeleton, pose)


def joint_mapping_of(
    source: MappedSkeleton,
    target: MappedSkeleton,
    mapping: I32,
    hips: tuple[int, int],
    root: str | None,
) -> JointMapping:
    """Return the joint mapping with the sides of joints and the root motion joint.

    `mapping` [J] has the source joint of each target joint, or -1.
    """
    named: dict[int, Side] = {}
    source_roles, target_roles = body_parts_of(source), body_parts_of(target)
    joints = np.flatnonzero(mapping >= 0).astype(np.int32)
    source_names = normalized_names_of(source, mapping[joints])
    target_names = normalized_names_of(target, joints)
    for joint in joints.tolist():
        role = target_roles.get(joint) or source_roles.get(int(mapping[joint]))
        name = (
            target_names[joint] if target_names[joint].side else source_names[int(mapping[joint])]
        )
        side, word, number = role if role is not None and role.side else name
        if side:
            named[joint] = side, word, number
    sides = {joint: side for joint, (side, _, _) in named.items()}
    if root is not None:
        moved = target.skeleton.index_of.get(root, -1)
        moved = moved if mapping[moved] >= 0 and moved != hips[1] else -1
    else:  # the topmost ancestor of the hips that is mapped to one of the source hips
        above = set(source.skeleton.upwards(hips[0])[1:])
        found = [j for j in target.skeleton.upwards(hips[1])[1:] if int(mapping[j]) in above]
        moved = found[-1] if found else -1
    return JointMapping(mapping, sides, mirrored_pairs(named), moved)
