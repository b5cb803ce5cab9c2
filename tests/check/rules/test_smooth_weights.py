"""Weights that blend from limb to limb over the joint between them are sound."""

import numpy as np
import pytest

from tests.support.rule_case import findings_of
from tests.support.rule_figure import HIPS, JOINTS, context

LEGS = (  # name, parent, position
    ("RightHip", HIPS, (-0.05, 0.85, 0)),
    ("RightLeg", len(JOINTS), (-0.25, 0.8, 0)),
    ("RightFoot", len(JOINTS) + 1, (-0.25, 0, 0)),
    ("LeftHip", HIPS, (0.05, 0.85, 0)),
    ("LeftLeg", len(JOINTS) + 3, (0.25, 0.8, 0)),
    ("LeftFoot", len(JOINTS) + 4, (0.25, 0, 0)),
)
RIGHT, LEFT = len(JOINTS) + 1, len(JOINTS) + 4


def legs(crotch):
    """Add legs, and a strip of mesh between them whose crotch has weights by joint."""

    def change(figure):
        places = np.array([place for _, _, place in (*JOINTS, *LEGS)])
        for name, parent, place in LEGS:
            figure.names.append(name)
            figure.parents.append(parent)
            figure.nodes.append({"translation": (place - places[parent]).tolist()})
        figure.inverse = np.tile(np.eye(4), (len(places), 1, 1))
        figure.inverse[:, :3, 3] = -places
        start = len(figure.positions)
        across = np.round(np.arange(-0.3, 0.31, 0.05), 3)
        strip = np.array([[x, y, 0] for x in across for y in (0.83, 0.87)])
        quads = np.arange(start, start + len(strip) - 2, 2)
        figure.positions = np.concatenate((figure.positions, strip))
        figure.normals = np.tile([0.0, 0, 1], (len(figure.positions), 1))
        figure.texcoords = figure.positions[:, :2] / 2
        figure.indices = np.append(figure.indices, np.add.outer(quads, [0, 1, 2, 1, 3, 2]))
        joints, weights = np.zeros((2, len(strip), 4))
        joints[:, 0], weights[:, 0] = np.where(strip[:, 0] < 0.04, RIGHT, LEFT), 1
        middle = np.abs(strip[:, 0] - 0.025) < 0.03
        joints[middle, : len(crotch)], weights[middle] = list(crotch), 0
        weights[middle, : len(crotch)] = list(crotch.values())
        figure.joints = np.concatenate((figure.joints, joints)).astype(np.uint16)
        figure.weights = np.concatenate((figure.weights, weights))

    return change


@pytest.mark.parametrize(
    ("crotch", "count"),
    [
        ({RIGHT: 0.5, HIPS: 0.37, LEFT: 0.13}, 0),
        ({RIGHT: 0.5, LEFT: 0.5}, 1),
        ({RIGHT: 1.0}, 1),
    ],
)
def test_crotch(crotch, count):
    """The hips are next to both legs: a vertex that they hold too blends between them."""
    assert len(findings_of(context(legs(crotch))(), "weights-far")) == count
