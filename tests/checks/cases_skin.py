"""Cases of the rules about weights, joints, bind poses and scale."""

import numpy as np

from tests.support.rule_case import Case
from tests.support.rule_figure import (
    HEAD,
    HIPS,
    LEFT_ARM,
    LEFT_HAND,
    RIGHT_HAND,
    context,
    document_change,
)

SOUND = context()
WEIGHTS = "/meshes/0/primitives/0/attributes/WEIGHTS_0"
BIND = "/skins/0/inverseBindMatrices"


def weigh(*rows, joints=None):
    """Change the weights (and joints) of the first vertices."""

    def change(figure):
        for vertex, row in enumerate(rows):
            figure.weights[vertex] = row
        for vertex, row in enumerate(joints or ()):
            figure.joints[vertex] = row

    return change


def second_set(*weights):
    """Add a fifth influence to the first vertices, with these weights."""

    def change(figure):
        count = len(figure.positions)
        joints, more = np.zeros((count, 4), np.uint16), np.zeros((count, 4), np.float32)
        for vertex, weight in enumerate(weights):
            figure.joints[vertex] = [0, 1, 2, 3]
            figure.weights[vertex] = [1 - weight - 0.3, 0.1, 0.1, 0.1]
            joints[vertex, 0], more[vertex, 0] = 4, weight
        figure.attributes |= {"JOINTS_1": joints, "WEIGHTS_1": more}

    return change


def bind_fingertips(joint, vertices=2):
    """Bind the tips of the left hand to another joint."""

    def change(figure):
        figure.joints[figure.hand[:vertices], 0] = joint

    return change


def cape(figure):
    """Add a strip bound to the spine that reaches to the left hand."""
    start = len(figure.positions)
    strip = np.array([[x, y, -0.05] for x in np.arange(0, 0.81, 0.1) for y in (1.35, 1.45)])
    quads = np.arange(start, start + len(strip) - 2, 2)
    figure.positions = np.concatenate((figure.positions, strip))
    figure.normals = np.tile([0.0, 0, 1], (len(figure.positions), 1))
    figure.texcoords = figure.positions[:, :2] / 2
    figure.indices = np.append(figure.indices, np.add.outer(quads, [0, 1, 2, 1, 3, 2]))
    joints, weights = np.zeros((2, len(strip), 4))
    joints[:, 0], weights[:, 0] = 1, 1
    figure.joints = np.concatenate((figure.joints, joints))
    figure.weights = np.concatenate((figure.weights, weights))


def bump(millimetres):
    """Add a morph target that displaces a vertex of the trunk."""

    def change(figure):
        deltas = np.zeros((len(figure.positions), 3))
        deltas[18, 2] = millimetres / 1000

        @document_change
        def add(b):
            primitive = b.json["meshes"][0]["primitives"][0]
            primitive["targets"] = [{"POSITION": b.accessor(deltas)}]

        add(figure)

    return change


def pole(name):
    """Add a joint without influence."""

    def change(figure):
        figure.names.append(name)
        figure.parents.append(HIPS)
        figure.nodes.append({"translation": [0, 0, 0.5]})
        bind = np.eye(4)
        bind[:3, 3] = 0, -0.9, -0.5
        figure.inverse = np.concatenate((figure.inverse, bind[None]))

    return change


def inverse(joint, matrix):
    """Multiply a joint's inverse bind matrix from the left (in joint space)."""

    def change(figure):
        figure.inverse[joint] = np.asarray(matrix, float) @ figure.inverse[joint]

    return change


def entry(joint, row, column, value):
    def change(figure):
        figure.inverse[joint, row, column] = value

    return change


def node(joint, **row):
    return lambda figure: figure.nodes[joint].update(row)


def matrix(joint, shear):
    """Replace the transform of a joint's node by a matrix with a shear."""

    def change(figure):
        x, y, z = figure.nodes[joint].pop("translation")
        figure.nodes[joint]["matrix"] = [1, 0, 0, 0, shear, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]

    return change


def without(*names):
    """Remove attributes from the mesh."""

    @document_change
    def change(b):
        for name in names:
            del b.json["meshes"][0]["primitives"][0]["attributes"][name]

    return change


def no_bind(figure):
    document_change(lambda b: b.json["skins"][0].pop("inverseBindMatrices"))(figure)


def at_origin(figure):
    no_bind(figure)
    for row in figure.nodes:
        row["translation"] = [0, 0, 0]


def rigid(figure):
    del figure.body["skin"]


QUARTERS = [0.25] * 4
TURN = np.diag([1.0, 1, 1, 1])
TURN[:2, :2] = [[0.96, -0.28], [0.28, 0.96]]  # 16.26°

CASES = {
    "weights-sum": Case(
        context(weigh([0.5, 0, 0, 0], [0.9, 0, 0, 0])),
        context(weigh([0.995, 0, 0, 0], QUARTERS, joints=[[0] * 4, [0, 1, 2, 3]])),
        0.5,
        WEIGHTS,
    ),
    "weights-zero": Case(
        context(weigh([0] * 4, [0] * 4)), context(weigh([0, 1, 0, 0])), 2, WEIGHTS
    ),
    "weights-negative": Case(
        context(weigh([1.25, -0.25, 0, 0])), context(weigh([1, -0.0, 0, 0])), -0.25, WEIGHTS
    ),
    "weights-nan": Case(context(weigh([np.nan, 0, 0, 0], [np.inf, 0, 0, 0])), SOUND, 2, WEIGHTS),
    "weights-influences": Case(context(second_set(0.2, 0.2)), context(second_set(0.0)), 5),
    "weights-range": Case(
        context(weigh(joints=[[0, 7, 0, 0], [0, 9, 0, 0]])),
        context(weigh(joints=[[0, 6, 0, 0]])),
        2,
    ),
    "weights-twice": Case(
        context(weigh([0.5, 0.5, 0, 0], joints=[[0, 0, 1, 2]])),
        context(weigh([1, 0, 0, 0], joints=[[0, 0, 0, 0]])),
        1,
    ),
    "weights-tiny": Case(context(second_set(0.003, 0.2)), context(second_set(0.004, 0.2)), 1),
    "weights-missing": Case(
        context(without("JOINTS_0", "WEIGHTS_0")), SOUND, place="/nodes/7/skin"
    ),
    "weights-idle": Case(context(rigid), context(rigid, without("JOINTS_0", "WEIGHTS_0")), 72),
    "surface-weights": Case(
        context(bind_fingertips(RIGHT_HAND)), context(cape), place="/meshes/0/primitives/0"
    ),
    "surface-morph": Case(
        context(bump(50)), context(bump(15)), 50, "/meshes/0/primitives/0/targets/0/POSITION"
    ),
    "joints-unused": Case(context(pole("LegPole")), context(pole("Head_end")), 1),
    "bind-singular": Case(
        context(inverse(LEFT_HAND, np.diag([1, 1, 0, 1]))),
        context(inverse(LEFT_HAND, np.diag([0.01, 0.01, 0.01, 1]))),
        1,
        BIND,
    ),
    "bind-last-row": Case(context(entry(HEAD, 3, 0, 0.25)), context(entry(HEAD, 3, 0, 1e-6)), 0.25),
    "bind-shear": Case(
        context(entry(LEFT_HAND, 0, 1, 0.1)), context(entry(LEFT_HAND, 0, 1, 0.001)), 5.7106
    ),
    "bind-scale": Case(
        context(inverse(LEFT_HAND, np.diag([1, 1, 1.5, 1]))),
        context(inverse(LEFT_HAND, np.diag([1.5, 1.5, 1.5, 1]))),
        50,
    ),
    "bind-missing": Case(context(no_bind), context(at_origin), 1600, "/skins/0"),
    "bind-length": Case(
        context(node(LEFT_HAND, translation=[0.5, 0, 0])),
        context(node(LEFT_ARM, rotation=[0, 0, 0.6, 0.8])),
        20,
    ),
    "bind-outlier": Case(
        context(node(LEFT_HAND, translation=[0.4, 0.05, 0])),
        context(node(LEFT_HAND, translation=[0.4, 0.003, 0])),
        50,
        BIND,
    ),
    "bind-differs": Case(
        context(node(LEFT_ARM, translation=[0.2, 0.15, 0])),
        context(node(HIPS, rotation=[0, 0, 0.6, 0.8])),
        50,
    ),
    "rest-scale-negative": Case(
        context(node(HIPS, scale=[-1, 1, 1])), context(node(HIPS, scale=[2, 2, 2])), -1, "/nodes/0"
    ),
    "rest-scale-zero": Case(
        context(node(HEAD, scale=[0, 0, 0])), context(node(HEAD, scale=[0.01] * 3)), 1, "/nodes/2"
    ),
    "rest-scale-uneven": Case(
        context(node(HIPS, scale=[1, 1.25, 1])), context(node(HIPS, scale=[1, 1.005, 1])), 25
    ),
    "node-shear": Case(
        context(matrix(HEAD, 0.1)), context(matrix(HEAD, 0)), 5.7106, "/nodes/2/matrix"
    ),
}
