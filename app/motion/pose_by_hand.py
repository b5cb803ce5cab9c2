"""Poses made by hand: a joint is set by its model transform, a limb by its end; their numbers."""

from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..animation import vectors
from ..animation.euler import to_euler
from ..animation.model_space import joint_matrix
from ..animation.pose import Pose
from ..animation.transform import decompose
from ..animation.types import F32, F64
from ..blending.two_bone_ik import TwoBone
from ..memo import Memo
from ..model.facing import DEFAULT_FACING, find_facing
from ..model.mirror_image import find_mirror
from ..model.model import Model
from ..model.skin_joints import joint_reference, mapped_skeleton_of
from ..retargeting.joint_matching import body_parts_of
from .bind_names import NameResolver
from .document import JointPose, MotionDoc, Vector

Tool = Literal["rotate", "move", "scale"]
LIMBS = {"hand": ("lowerarm", "upperarm"), "foot": ("lowerleg", "upperleg")}  # by the end's part
DIGITS = 5  # of degrees, after the point
_BENT = 1e-3  # of a limb's length: the middle joint's distance from its line that is a bend
_NOISE = 1e-6  # of a quaternion, a scale, and the longest bone: no difference from rest
_body_parts = Memo(lambda model: body_parts_of(mapped_skeleton_of(model)))
_facing = Memo(find_facing)


def limb(model: Model, joint: int) -> list[int]:
    """Return the limb that a joint is the end of: upper, middle and end joint; empty without.

    Ends are hands and feet, with twist joints between; of a character without known names, each
    joint with two ancestors that are apart.
    """
    skeleton, parts = model.skeleton, _body_parts(model)
    above = skeleton.upwards(joint)[1:]
    if any(part.part in LIMBS for part in parts.values()):
        wanted = LIMBS.get(parts[joint].part, ()) if joint in parts else ()
        named = [[k for k in above if k in parts and parts[k].part == part] for part in wanted]
        above = [joints[0] for joints in named if joints]
    if len(above) < 2 or not skeleton.rest.translation[[joint, above[0]]].any(axis=1).all():
        return []
    return [above[1], above[0], joint]


def set_part(model: Model, pose: Pose, joint: int, matrix: F64, tool: Tool) -> None:
    """Set the rotation, translation or scale of a joint, in place, to that of a model-space matrix.

    Its other parts stay; its descendants move with it. Nothing changes where an ancestor has a
    scale of 0. `rigview.set_joint_matrix` sets all parts.
    """
    above = np.eye(4)
    above[:3] = joint_matrix(model.skeleton, pose, int(model.skeleton.parents[joint]))
    if np.linalg.det(above) == 0.0 or not np.isfinite(matrix).all():
        return
    translation, rotation, scale, _ = decompose(np.asarray(np.linalg.solve(above, matrix)))
    if tool == "move":
        pose.translation[joint] = translation
    elif tool == "rotate":
        pose.rotation[joint] = rotation
    else:
        pose.scale[joint] = scale


def reach(model: Model, pose: Pose, chain: list[int], place: ArrayLike) -> None:
    """Bend a limb, in place, so that its end reaches a model-space place [3]; its end stays turned.

    Its middle joint stays on its side; that of a straight limb bends to the front.
    """
    start, middle, end = (joint_matrix(model.skeleton, pose, joint)[:, 3] for joint in chain)
    line = end - start
    pole = vectors.reject(middle - start, vectors.unit(line, line))
    if np.linalg.norm(pole) <= _BENT * np.linalg.norm(line):
        pole = np.array(_facing(model) or DEFAULT_FACING)
    TwoBone(model.skeleton, chain, pole).solve(pose, place)


def mirror_joints(model: Model, pose: Pose, joints: Iterable[int]) -> list[int]:
    """Give the mirror images of joints their mirrored transforms, in place; return the images.

    A joint in the middle is its own image. Joints without an image are left out.
    """
    mirror = find_mirror(model)
    if mirror is None:
        return []
    images = [mirror.images[joint] for joint in joints if joint in mirror.images]
    for image, local in [(each, mirror.mirrored(pose, each)) for each in images]:
        pose.translation[image] = local.translation
        pose.rotation[image] = local.rotation
        pose.scale[image] = local.scale
    return images


def joint_poses(model: Model, pose: Pose, joints: Iterable[int]) -> dict[str, JointPose]:
    """Return the local transforms of joints of a pose for [poses], without parts at rest.

    Rotations are exact to 2e-7 radians.
    """
    unit = float(np.abs(model.skeleton.rest.translation).max(initial=0.0))
    return {joint_reference(model, k): _joint_pose(model, pose, k, unit) for k in joints}


def _joint_pose(model: Model, pose: Pose, joint: int, unit: float) -> JointPose:
    """Return the local transform of a joint; `unit` is the length of the longest bone."""
    rest, rotation = model.skeleton.rest, pose.rotation[joint]
    turned = min(_apart(sign * rotation, rest.rotation[joint]) for sign in (1, -1)) > _NOISE
    moved = _apart(pose.translation[joint], rest.translation[joint]) > _NOISE * unit
    scaled = _apart(pose.scale[joint], rest.scale[joint]) > _NOISE
    angles = np.degrees(to_euler(rotation.astype(np.float64)))
    return JointPose(
        _vector(angles, DIGITS) if turned else None,
        _vector(pose.translation[joint]) if moved else None,
        _vector(pose.scale[joint]) if scaled else None,
    )


def mirrored_pose(model: Model, document: MotionDoc, name: str) -> Mapping[str, JointPose]:
    """Return a pose of a document with its sides exchanged; joints without mirror image stay."""
    names = NameResolver(model, document)
    pose, joints, mirror = names.posed(name), names.posed_joints(name), find_mirror(model)
    alone = [joint for joint in joints if mirror is None or joint not in mirror.images]
    images = mirror_joints(model, pose, joints)
    return joint_poses(model, pose, [*images, *alone])


def _apart(one: F32, two: F32) -> float:
    return float(np.abs(one - two).max())


def _vector(numbers: ArrayLike, digits: int | None = None) -> Vector:
    """Return three numbers with some digits after the point; by default 7 of the largest one."""
    exact = np.asarray(numbers, np.float64)
    if digits is None:
        digits = 6 - int(np.floor(np.log10(max(np.abs(exact).max(), 1e-30))))
    x, y, z = (round(number, digits) + 0.0 for number in exact.tolist())
    return x, y, z
