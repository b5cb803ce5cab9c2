"""Vertices that stick out of the surface, because of weights or a morph target."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.checks import surface_graph
from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from tests.checks.cases_data import scaled
from tests.checks.cases_skin import bind_fingertips, bump
from tests.support.broken_characters import broken_character
from tests.support.light_mannequin import light_mannequin
from tests.support.planted import surface as planted
from tests.support.rule_case import findings_of, found, one
from tests.support.rule_figure import HIPS, JOINTS, RIGHT_HAND, context
from tests.tools.planted_faults import Sound, outcome

WEIGHTS, MORPH = "surface-weights", "surface-morph"
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


@pytest.mark.parametrize("crotch", [{RIGHT: 0.5, HIPS: 0.37, LEFT: 0.13}, {RIGHT: 0.5, LEFT: 0.5}])
def test_crotch(crotch):
    """The surface stretches between the legs, however they blend, and no vertex sticks out."""
    assert not findings_of(context(legs(crotch))(), WEIGHTS)


def test_wrong_vertices_in_centimetres():
    finding = one(context(bind_fingertips(RIGHT_HAND), scaled(100)), WEIGHTS)
    small = one(context(bind_fingertips(RIGHT_HAND)), WEIGHTS)
    assert finding.amount == pytest.approx(100 * small.amount, rel=1e-3)
    assert finding.limit == pytest.approx(1800)
    assert finding.message.startswith("2 vertices of mesh “Body” stick out")
    assert (finding.joint, finding.vertices, finding.touches) == ("RightHand", (70, 71), 2)
    assert finding.clip == ""


def test_glove_bound_to_the_wrong_hand():
    message = one(context(bind_fingertips(RIGHT_HAND, None)), WEIGHTS).message
    assert message.startswith("6 vertices")


def test_meshes_with_too_many_weights_are_not_measured(monkeypatch):
    """A matrix of 65,000 joints and as many vertices would take 16 GB."""
    monkeypatch.setattr(surface_graph, "MOST", 70 * 7)
    assert not found(context(bind_fingertips(RIGHT_HAND)), WEIGHTS)


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

    assert not found(context(cut), WEIGHTS)


def test_mannequin_with_a_glove_bound_to_the_wrong_hand():
    model = load(light_mannequin(frozenset({"Walk", "Wave"})))
    joints = model.skins[0].joints.tolist()
    left, right = (joints.index(model.skeleton.find(f"{side}Hand")) for side in ("Left", "Right"))
    number = next(n for n, mesh in enumerate(model.meshes) if mesh.primitives[0].joints is not None)
    (part,) = model.meshes[number].primitives
    glove = ((part.joints == left) & (part.weights > 0.5)).any(axis=1)
    wrong = np.where(glove[:, None] & (part.joints == left), right, part.joints)
    meshes = list(model.meshes)
    changed = replace(part, joints=wrong.astype(part.joints.dtype))
    meshes[number] = replace(meshes[number], primitives=(changed,))
    (finding,) = findings_of(CheckContext(replace(model, meshes=tuple(meshes))), WEIGHTS)
    assert finding.joint == "RightHand"
    assert finding.clip == "Walk"
    assert np.isin(np.flatnonzero(glove), finding.vertices).mean() > 0.65  # without fingers


def test_spike():
    """Scattered vertices with a weight of one joint are one finding."""
    model = load(broken_character("spike"))
    (finding,) = findings_of(CheckContext(model), WEIGHTS)
    (part,) = model.meshes[0].primitives
    foot = model.skins[0].joints.tolist().index(model.skeleton.find("RightFoot"))
    hand = model.skins[0].joints.tolist().index(model.skeleton.find("LeftHand"))
    wrong = (part.joints[:, 0] == foot) & (part.weights[:, 0] == 1) & (part.positions[:, 1] > 0.5)
    assert hand != foot
    assert (finding.joint, finding.severity) == ("RightFoot", "error")
    assert finding.vertices == tuple(np.flatnonzero(wrong).tolist())
    assert finding.clip in {clip.name for clip in model.clips}
    assert finding.time is not None


@pytest.mark.parametrize(("millimetres", "count"), [(9, 0), (19, 1)])
def test_morph_target(millimetres, count):
    assert len(findings_of(context(bump(millimetres))(), MORPH)) == count


@pytest.fixture(scope="module")
def sound():
    return Sound("light mannequin", light_mannequin(frozenset({"Walk", "Wave", "Talk"})))


@pytest.mark.parametrize("number", range(len(planted.CLASSES)))
def test_planted_faults(sound, number):
    """The program `tests.tools.planted_faults` plants them in all places and sizes."""
    fault = planted.CLASSES[number]
    place = fault.places(sound.context)[-1]
    for size in fault.sizes[:2] or (1.0,):
        seen = outcome(sound, fault, place, size)
        assert seen.found == (size >= 1)
        assert not seen.found or (seen.named and seen.row < 3)


def test_sound_character(sound):
    assert not [finding for finding in sound.findings if finding.rule.startswith("surface")]
