"""The joints that move a vertex, with their weights."""

import numpy as np

from .model import MeshInstance, Model, Primitive


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
