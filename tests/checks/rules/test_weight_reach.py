"""Vertices bound to distant joints, joints without influence, and sound blends of limbs."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings
from rigview.checks.rules import weight_reach
from rigview.checks.rules.weight_reach import _steps, _trunk, used_joints
from rigview.loading.load import load_document
from tests.checks.cases_data import scaled
from tests.checks.cases_skin import bind_fingertips
from tests.support.rule_case import findings_of, found, one
from tests.support.rule_figure import HIPS, JOINTS, LEFT_ARM, LEFT_HAND, RIGHT_HAND, context

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


def test_distant_vertices_in_centimetres():
    finding = one(context(bind_fingertips(RIGHT_HAND), scaled(100)), "weights-far")
    assert finding.amount == pytest.approx(140_089.2, rel=1e-4)
    assert finding.limit == pytest.approx(10_000)
    assert finding.message.startswith("2 of 72 vertices")
    assert finding.joint == "RightHand"


def test_glove_bound_to_the_wrong_hand():
    assert one(context(bind_fingertips(RIGHT_HAND, None)), "weights-far").message.startswith(
        "6 of 72"
    )


def test_distant_vertices_of_a_huge_skin_are_not_searched(monkeypatch):
    """The distances of all pairs of 65,000 joints would take 24 GB."""
    monkeypatch.setattr(weight_reach, "MAX_JOINTS", 3)
    assert not found(context(bind_fingertips(RIGHT_HAND)), "weights-far")


@pytest.mark.parametrize("change", [np.float64, lambda points: points - [0, 0, 1]])
def test_a_separate_part_bound_to_the_trunk_is_accepted(change):
    """The hand is a separate part, close or far, that is bound to the hips."""

    def cut(figure):
        hand = figure.hand
        keep = ~np.isin(figure.indices.reshape(-1, 3), hand).any(axis=1)
        inside = np.isin(figure.indices.reshape(-1, 3), hand).all(axis=1)
        figure.indices = figure.indices.reshape(-1, 3)[keep | inside].reshape(-1)
        figure.joints[hand, 0] = HIPS
        figure.positions[hand] = change(figure.positions[hand])

    assert not found(context(cut), "weights-far")


def test_mannequin_with_a_glove_bound_to_the_wrong_hand():
    context = CheckContext(*load_document("assets/mannequin.glb"))
    (influences,) = (each for each in context.stored.influences if each.joints.max() > 1)
    joints = context.model.skins[0].joints.tolist()
    left, right = (joints.index(context.model.skeleton.find(f"{s}Hand")) for s in ("Left", "Right"))
    glove = ((influences.joints == left) & (influences.weights > 0.5)).any(axis=1)
    influences.joints = np.where(
        glove[:, None] & (influences.joints == left), right, influences.joints
    )
    (finding,) = examine(context, Settings(only=("weights-far",)))
    vertices = f"{np.count_nonzero(glove)} of {len(glove)} vertices"
    assert finding.message.startswith(vertices)


def test_hierarchy_distance_between_joints_of_two_trees():
    above = np.array([-1, 0, 0, 1, 2, -1])
    steps = _steps(above)
    assert steps[:5, :5].tolist() == [
        [0, 1, 1, 2, 2],
        [1, 0, 2, 1, 3],
        [1, 2, 0, 3, 1],
        [2, 1, 3, 0, 4],
        [2, 3, 1, 4, 0],
    ]
    assert (steps[5, :5] > 4).all()
    assert _trunk(above).tolist() == [True, False, False, False, False, False]


def test_ancestors_of_used_joints_are_used():
    def bind(figure):
        figure.joints[figure.joints == LEFT_ARM] = LEFT_HAND

    make = context(bind)()
    assert used_joints(make)[make.model.skeleton.find("LeftArm")]
    assert not used_joints(make)[make.model.skeleton.find("BodyMesh")]
