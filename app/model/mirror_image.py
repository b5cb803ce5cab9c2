"""The mirror image of a character: the joints of its other side, and mirrored local transforms."""

import re
from dataclasses import dataclass

import numpy as np

from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.skin import common_bind_pose
from ..animation.types import F64, Index
from ..memo import Memo
from .joint_transform import JointTransform
from .model import Model

# Words for a side in names: “LeftArm”, “arm_l”, “Hand.R”, “l_arm_01”.
_SIDES = (("left", "right"), ("l", "r"))
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^A-Za-z]+")
_UPRIGHT = 0.999  # cosine of the angle to an axis within which the plane is taken to be across it


def mirror_name(name: str) -> str:
    """Return the name of a joint's mirror image, ``""`` if the name has no side.

    The first word for a side is swapped: left and right within words, L and R as whole words.
    """
    parts = _PART.findall(name)
    for a, b in _SIDES:
        for k, part in enumerate(parts):
            for one, other in ((a, b), (b, a)):
                if part.lower() == one:
                    return "".join([*parts[:k], _cased(other, part), *parts[k + 1 :]])
                if len(one) > 1 and part.lower().startswith(one):  # leftarm
                    turned = _cased(other, part[: len(one)])
                    return "".join([*parts[:k], turned, part[len(one) :], *parts[k + 1 :]])
    return ""


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word


def name_letters(name: str) -> str:
    """Return the letters of a name in lower case: some exporters number all joints of a file."""
    return re.sub(r"[\W\d_]+", "", name).lower()


def mirror_images(skeleton: Skeleton) -> dict[int, int]:
    """Return the mirror image of each joint that has one, by name.

    That is the joint with the mirrored name, else the only joint at the mirrored place of the
    hierarchy whose name has the same letters: some exporters number all joints of a file.
    """
    names, parents = skeleton.names, skeleton.parents.tolist()
    below: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        below.setdefault(parent, []).append(joint)
    found: dict[int, int] = {}
    for joint, parent in enumerate(parents):  # parents come first
        mirrored = mirror_name(names[joint])
        if joint in found or not mirrored:
            continue
        other = skeleton.index_of.get(mirrored, -1)
        if other < 0:
            near = [
                k
                for k in below.get(found.get(parent, parent), ())
                if k != joint and name_letters(names[k]) == name_letters(mirrored)
            ]
            other = near[0] if len(near) == 1 else -1
        if other >= 0 and other != joint and other not in found:
            found[joint], found[other] = other, joint
    return found


@dataclass(frozen=True, eq=False)
class Mirror:
    """Mirrors local transforms at the plane between the left and the right side of a character.

    Attributes
    ----------
    images
        The mirror image of each joint, that of a joint without side is itself. Joints whose image
        has another parent than their parent's image have none.
    frames
        [J, 4, 4] model-space reflection in the axes of each joint and of its image: R⁻¹ S R'.
    """

    images: dict[int, int]
    frames: F64
    skeleton: Skeleton

    def mirrored(self, pose: Pose, joint: int) -> JointTransform:
        """Return the local transform that gives a joint the mirrored one of its image in a pose.

        L = F_parent L' F⁻¹, so that the model-space matrices are mirror images if the parents' are,
        and the image of the reference pose is the reference pose.
        """
        parent = int(self.skeleton.parents[joint])
        above = self.frames[parent] if parent >= 0 else self.frames[-1]
        local = JointTransform.of_pose(pose, self.images[joint]).matrix
        return JointTransform.of_matrix(above @ local @ np.linalg.inv(self.frames[joint]))


@Memo
@np.errstate(all="ignore")  # extreme values of a file may overflow
def find_mirror(model: Model) -> Mirror | None:
    """Return the mirror of a model, None without pairs of joints; kept for the last model.

    Of the rest pose and the bind pose the more symmetric one is the reference.
    """
    skeleton = model.skeleton
    pairs = mirror_images(skeleton)
    ends = np.array([(a, b) for a, b in pairs.items() if a < b], np.intp).reshape(-1, 2)
    poses = [skeleton.rest, common_bind_pose(skeleton, model.skins)]
    found = [_reflection(skeleton.to_model(pose).astype(np.float64), ends) for pose in poses]
    known = [each for each in found if each is not None]
    if not known:
        return None
    _, reflection, matrices = min(known, key=lambda each: each[0])
    images: dict[int, int] = {}
    for joint, parent in enumerate(skeleton.parents.tolist()):  # parents come first
        image, above = pairs.get(joint, joint), images.get(parent, -1)
        if skeleton.parents[image] != above:  # only children are images whatever their names
            mine, others = (np.flatnonzero(skeleton.parents == each) for each in (parent, above))
            image = int(others[0]) if above >= 0 and len(mine) == len(others) == 1 else -1
        if image >= 0:
            images[joint] = image
    frames = np.broadcast_to(np.eye(4), (skeleton.count + 1, 4, 4)).copy()
    frames[-1] = reflection
    for joint, image in images.items():
        if np.linalg.det(matrices[joint]) != 0:
            frames[joint] = np.linalg.inv(matrices[joint]) @ reflection @ matrices[image]
    return Mirror(images, frames, skeleton)


def _reflection(matrices: F64, ends: Index) -> tuple[float, F64, F64] | None:
    """Return the asymmetry of a pose, the reflection [4, 4] between its sides, and its matrices."""
    one, two = matrices[ends[:, 0], :3, 3], matrices[ends[:, 1], :3, 3]
    across = one - two
    size = float(np.linalg.norm(across))
    if not np.isfinite(matrices).all() or size == 0.0:
        return None
    normal = np.linalg.svd(across)[2][0]
    axis = int(np.abs(normal).argmax())
    if abs(normal[axis]) > _UPRIGHT:
        normal = np.eye(3)[axis]
    reflection = np.eye(4)
    reflection[:3, :3] -= 2.0 * np.outer(normal, normal)
    reflection[:3, 3] = 2.0 * ((one + two).mean(axis=0) / 2.0 @ normal) * normal
    off = one @ reflection[:3, :3] + reflection[:3, 3] - two
    return float(np.linalg.norm(off)) / size, reflection, matrices
