"""Valid files have no findings."""

import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.finding import rules_of
from rigview.checks.rule_settings import Settings
from rigview.checks.rules import (
    budgets,
    extensions,
    inverse_bind,
    materials,
    mesh_geometry,
    names,
    node_transforms,
    skin_weights,
    surface,
    units_and_facing,
    unused_data,
    unused_joints,
)
from rigview.loading.load import load
from tests.support.rule_figure import context, document_change
from tests.support.shared import MODELS, needs_shared

FAMILIES = (
    skin_weights,
    surface,
    unused_joints,
    inverse_bind,
    node_transforms,
    names,
    mesh_geometry,
    units_and_facing,
    materials,
    budgets,
)
AT_REST = tuple(
    each.id for family in (*FAMILIES, extensions, unused_data) for each in rules_of(family)
)
ALL = Settings(only=AT_REST)


def test_figure():
    assert examine(context()()) == []


def test_mannequin():
    assert examine(CheckContext(load("assets/mannequin.glb")), ALL) == []


@needs_shared
@pytest.mark.parametrize("name", ["robot.glb", "Woman.gltf", "Fox.glb", "CesiumMan.glb"])
def test_no_error(name):
    found = examine(CheckContext(load(str(MODELS / name))), ALL)
    assert not [each for each in found if each.severity == "error"]


WRONG = ({"ACME_x": 7}, {"ACME_x": []})


@pytest.mark.parametrize("value", WRONG)
def test_invalid_extensions_are_tolerated(value):
    @document_change
    def change(b):
        primitive = b.json["meshes"][0]["primitives"][0]
        for row in (b.json["nodes"][0], primitive, b.json["skins"][0], b.json["meshes"][0]):
            row["extensions"] = value
        b.json["asset"]["extras"] = {"extensions": value}

    found = examine(context(change)(), ALL)
    assert not [each for each in found if each.rule.startswith("unused")]


def test_motion_capture_has_no_findings_about_the_document(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
        "End Site\n{\nOFFSET 0 10 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n9 9 9\n"
    )
    rules = (
        "weights-*",
        "surface-*",
        "bind-*",
        "rest-*",
        "name-*",
        "mesh-*",
        "texture-*",
        "unused-*",
        "units",
    )
    assert not examine(CheckContext(load(path)), Settings(only=rules))
