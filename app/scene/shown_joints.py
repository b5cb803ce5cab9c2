"""The joints of a model that are drawn and listed."""

import numpy as np

from ..animation.types import Bool
from ..model.model import Model


def shown_joints(model: Model) -> Bool:
    """Return the joints [J] to draw: those of the skins and the joints between them.

    All nodes of the scene if there is no skin.
    """
    skeleton = model.skeleton
    shown = np.zeros(skeleton.count, bool)
    if not model.skins:
        shown[model.scene_joints] = True
        return shown
    for skin in model.skins:
        shown[skin.joints] = True
    # parents come before children: one pass from the leaves up finds joints with skin on both sides
    below = shown.copy()
    for joint in range(skeleton.count - 1, 0, -1):
        parent = skeleton.parents[joint]
        if parent >= 0:
            below[parent] |= below[joint]
    above = shown.copy()
    for joint in range(skeleton.count):
        parent = skeleton.parents[joint]
        if parent >= 0:
            above[joint] |= above[parent]
    return shown | (below & above)
