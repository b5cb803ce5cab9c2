"""Faces and normals on the other side: solids, shells, outlines, mirrors, planted faults."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rigview.animation.skin import Skin
from rigview.checks.check_context import CheckContext
from rigview.checks.finding import rules_of
from rigview.checks.rules import face_orientation
from rigview.loading.load import load
from rigview.model.material import Material
from rigview.model.model import MeshInstance
from tests.support.models import make_model, make_primitive, square
from tests.support.planted.faces import CLASSES, limit_of
from tests.support.rule_case import found
from tests.support.shared import MODELS, needs_shared
from tests.support.solids import cube, sphere

SKIN, INK, CLOTH = Material("Skin"), Material("Ink", (0, 0, 0, 1)), Material("Cloth")
DOUBLE = replace(CLOTH, double_sided=True)
IDS = tuple(rule.id for rule in rules_of(face_orientation))
FACES, NORMALS = IDS


def turned(part, *, faces=True, normals=True):
    """A primitive whose faces or normals are turned to the other side."""
    corners = part.indices.reshape(-1, 3)
    return replace(
        part,
        indices=np.ascontiguousarray(corners[:, ::-1] if faces else corners).reshape(-1),
        normals=-part.normals if normals else part.normals,
    )


def cut(part, keep):
    """The triangles of a primitive whose middles [n, 3] are kept."""
    corners = part.indices.reshape(-1, 3)
    return replace(part, indices=corners[keep(part.positions[corners].mean(axis=1))].reshape(-1))


def findings(*parts, materials=(SKIN, INK), **fields):
    context = CheckContext(make_model(parts, materials=materials, **fields))
    return found(lambda: context, *IDS)


def rules(*parts, **fields):
    return [each.rule for each in findings(*parts, **fields)]


def hole(points):
    """Outside of a square opening in the front."""
    return ~((np.abs(points[:, :2]) < 0.3).all(axis=1) & (points[:, 2] > 0))


def below(points):
    return points[:, 1] < 0


HEAD = cut(sphere(48, material=0), hole)
EYE = sphere(12, 0.35, at=(0, 0, 0.65), material=0)
BAG = cut(turned(sphere(24, 0.4, at=(0, 0, 0.6), material=0)), lambda points: points[:, 2] < 0.85)
BALL = sphere(12, material=0)
INNER = sphere(12, 0.8, material=0)
BOWL = cut(sphere(24, material=0), below)
LINING = turned(cut(sphere(24, 0.95, material=0), below))


SOLIDS = {
    "sphere": (BALL,),
    "cube": (cube(),),
    "card": (square(),),
    "card from behind": (turned(square()),),
    "cup": (cut(BALL, below),),
    "hollow": (BALL, turned(INNER)),
    "eye": (HEAD, EYE),
    "mouth": (HEAD, BAG),
    "lined bowl": (BOWL, LINING),
    "outline": (BALL, turned(sphere(12, 1.01, material=1))),
    "outline with normals": (BALL, turned(sphere(12, 1.01, material=1), normals=False)),
    "coarse outline": (sphere(24, material=0), turned(sphere(12, 1.01, material=1))),
}


@pytest.mark.parametrize("parts", SOLIDS.values(), ids=SOLIDS)
def test_sound_solids_are_silent(parts):
    assert not rules(*parts)


def test_a_copy_of_another_material_is_an_outline():
    shell = turned(sphere(12, 1.01, material=1))
    assert not rules(BALL, shell, materials=(SKIN, CLOTH))
    coarse = turned(sphere(12, 1.03, material=1))
    others = sphere(24, material=0), sphere(8, at=(3, 0, 0), material=0)
    assert not rules(*others, coarse, materials=(SKIN, INK))
    assert rules(*others, coarse, materials=(SKIN, CLOTH)) == [FACES]
    assert rules(*others, coarse, materials=(SKIN, DOUBLE)) == [FACES]


def test_two_sided_card_is_silent():
    card = square()
    points = np.concatenate((card.positions, card.positions))
    back = card.indices.reshape(-1, 3)[:, ::-1].reshape(-1) + 4
    normals = np.concatenate((card.normals, card.normals))
    assert not rules(make_primitive(points, [*card.indices, *back], normals=normals))


@pytest.mark.parametrize("normals", [True, False])
@pytest.mark.parametrize(
    ("part", "others"),
    [
        (BALL, ()),
        (BALL, (sphere(12, at=(3, 0, 0), material=0),)),
        (cut(BALL, lambda points: points[:, 1] > 0), ()),
        (EYE, (HEAD,)),
        (cube(material=0), ()),
    ],
    ids=["sphere", "beside another", "dome", "eye", "cube"],
)
def test_part_inside_out(part, others, normals):
    (finding,) = findings(turned(part, normals=normals), *others)
    assert (finding.rule, finding.severity) == (FACES, "error")
    assert "are inside out: from outside one looks through" in finding.message
    assert "“Mesh 0” with material “Skin”, at “Joint 0”" in finding.message
    assert finding.place == "/meshes/0/primitives/0"
    assert set(finding.vertices) <= set(range(len(part.positions)))
    assert finding.touches == len(finding.vertices) > 7


def test_half_of_a_mirrored_body():
    part = sphere(24, material=0)
    corners = part.indices.reshape(-1, 3).copy()
    right = part.positions[corners].mean(axis=1)[:, 0] > 0
    corners[right] = corners[right][:, ::-1]
    (finding,) = findings(replace(part, indices=corners.reshape(-1)))
    assert finding.rule == FACES
    assert "1128 of 2256 triangles" in finding.message
    assert "face inward, unlike the rest" in finding.message
    assert part.positions[list(finding.vertices), 0].min() > -1e-6


def test_patch_of_a_flat_part():
    """A flat part has no inside: the smaller side is wrong."""
    steps = np.arange(5) / 4
    points = np.array([[x, y, 0] for y in steps for x in steps])
    quads = [5 * row + column for row in range(4) for column in range(4)]
    corners = np.array([[[q, q + 1, q + 5], [q + 1, q + 6, q + 5]] for q in quads]).reshape(-1, 3)
    corners[:3] = corners[:3, ::-1].copy()
    (finding,) = findings(make_primitive(points, corners.reshape(-1)))
    assert finding.rule == FACES
    assert "3 of 32 triangles" in finding.message


def test_open_strip_that_is_twisted_is_silent():
    """A Möbius strip has no sides."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    around = np.stack((np.cos(turn), np.sin(turn), 0 * turn), axis=1)
    across = np.cos(turn / 2)[:, None] * around + np.sin(turn / 2)[:, None] * [0, 0, 1]
    points = np.concatenate((around - 0.2 * across, around + 0.2 * across))
    k = np.arange(23)
    corners = np.concatenate(
        (np.stack((k, k + 1, k + 24), 1), np.stack((k + 1, k + 25, k + 24), 1))
    )
    corners = np.concatenate((corners, [[23, 24, 47], [24, 0, 47]]))
    assert not rules(make_primitive(points, corners.reshape(-1)))


@pytest.mark.parametrize(
    ("faces", "normals", "rule", "severity"),
    [
        (True, True, FACES, "info"),
        (True, False, FACES, "error"),
        (False, True, NORMALS, "error"),
    ],
)
def test_double_sided(faces, normals, rule, severity):
    """Back faces of a double-sided material are lit by turned normals."""
    part = turned(BALL, faces=faces, normals=normals)
    (finding,) = findings(part, materials=(DOUBLE,))
    assert (finding.rule, finding.severity) == (rule, severity)
    assert (finding.size is None) == (severity == "info")
    assert ("nothing shows" in finding.message) == (severity == "info")


def test_normals_of_unlit_materials_do_not_show():
    part = turned(BALL, faces=False)
    assert rules(part) == [NORMALS]
    assert not rules(part, materials=(replace(SKIN, unlit=True),))
    assert not rules(replace(part, normals=None))
    assert not rules(replace(part, normals=0 * part.normals))


def test_room_is_no_part():
    room = turned(cube(4, material=0))
    assert rules(room) == [FACES]
    assert not rules(room, cube(1, material=0))
    assert rules(room, cube(1, at=(3, 0, 0), material=0)) == [FACES]


@pytest.mark.parametrize("scale", [(1, 1, 1), (-1, 1, 1), (-2, -2, -2)])
def test_mirrored_node(scale):
    """A negative determinant reverses the winding order (glTF 2.0, section 3.7.4)."""
    for part, expected in ((BALL, []), (turned(BALL), [FACES])):
        model = make_model([part], materials=(SKIN,))
        model.skeleton.rest.scale[:] = scale
        assert [each.rule for each in found(lambda m=model: CheckContext(m), *IDS)] == expected


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("inverted", [False, True])
def test_mirrored_joint(mirrored, inverted):
    """A joint that mirrors its part, and not the others, turns it inside out."""

    def bound(part, joint):
        count = len(part.positions)
        joints = np.zeros((count, 4), np.uint16)
        weights = np.zeros((count, 4), np.float32)
        joints[:, 0], weights[:, 0] = joint, 1
        return replace(part, joints=joints, weights=weights)

    inverse_bind = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    other = sphere(12, 0.5, material=0)
    parts = [bound(BALL, 0), bound(turned(other) if inverted else other, 1)]
    model = make_model(
        parts,
        (-1, 0),
        translations=np.array([[0, 0, 0], [3, 0, 0]]),
        materials=(SKIN,),
        skins=(Skin("Skin", np.array([0, 1], np.int32), inverse_bind),),
        instances=(MeshInstance(0, 0, 0, -1, True),),
    )
    if mirrored:
        model.skeleton.rest.scale[1] = -1, 1, 1
    result = found(lambda: CheckContext(model), *IDS)
    assert [each.rule for each in result] == [FACES] * (mirrored != inverted)
    assert [each.joint for each in result] == ["Joint 1"] * len(result)


@cache
def character(name):
    path = "assets/mannequin.glb" if name == "mannequin" else str(MODELS / name)
    return CheckContext(load(path))


@needs_shared
@pytest.mark.parametrize("fault", CLASSES, ids=lambda fault: fault.name)
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Fox.glb", "robot.glb"])
def test_planted_faults(name, fault):
    """Each class at two places: silent below the limit, found above; nothing else is found."""
    context = character(name)
    places = fault.places(context)
    for place in places[:: max(1, len(places) - 1)]:
        for size in fault.sizes[:1] + fault.sizes[1::3] or (1.0,):
            planted = fault.plant(context, place, size)
            result = found(lambda planted=planted: planted, *IDS)
            expected = list(fault.rules) if size >= 1 else []
            assert [each.rule for each in result] == expected, (place, size)
            if result and fault.sizes:
                wanted = size * limit_of(context) * 1000
                assert result[0].amount > 0.9 * wanted
                assert result[0].joint


@needs_shared
@pytest.mark.parametrize("name", ["Woman.gltf", "robot.glb", "CesiumMan.glb", "Fox.glb"])
def test_sound_characters_are_silent(name):
    assert not found(lambda: character(name), *IDS)


def test_mannequin_has_parts_inside():
    assert not found(lambda: character("mannequin"), *IDS)
