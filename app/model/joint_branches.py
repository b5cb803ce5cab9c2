"""Branches of the joint tree: a joint with all that is below it."""

import numpy as np

from ..errors import UsageError
from ..retargeting.reference_pose import descendants
from .lookup import find_joint
from .model import Model
from .skin_joints import joint_reference

SHOWN = "!"  # before a name: this branch is not meant


def branch_of(model: Model, joint: int) -> frozenset[int]:
    """Return a joint and all joints below it."""
    return frozenset(np.flatnonzero(descendants(model.skeleton, joint)).tolist())


def find_branches(model: Model, text: str, *, skip_missing: bool = False) -> frozenset[int]:
    """Return the joints that names separated by commas mean.

    NAME adds the joint and all joints below it, !NAME removes them again: "Hips,!LeftArm".

    Raises
    ------
    UsageError
        The model has no such joint, unless those are to be skipped.
    """
    found: frozenset[int] = frozenset()
    for name in filter(None, map(str.strip, text.split(","))):
        try:
            branch = branch_of(model, find_joint(model, name.removeprefix(SHOWN)).index)
        except UsageError:
            if not skip_missing:
                raise
            continue
        found = found - branch if name.startswith(SHOWN) else found | branch
    return found


def branches_reference(model: Model, joints: frozenset[int]) -> str:
    """Return the text by which `find_branches` finds joints; "" for none."""
    named: list[str] = []
    for joint, parent in enumerate(model.skeleton.parents.tolist()):  # parents come first
        inside = joint in joints
        if inside != (parent in joints):
            name = joint_reference(model, joint)
            if "," in name or name != name.strip() or name.startswith(SHOWN):
                name = f"#{model.skeleton.nodes[joint]}"
            named.append(name if inside else f"{SHOWN}{name}")
    return ",".join(named)
