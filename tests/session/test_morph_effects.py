"""How far morph targets move what is selected, and their order."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.morph import MorphTargets
from rigview.model.model import Skin
from rigview.scene.character import Character
from rigview.scene.selected import Selected
from rigview.session.inspector import by_effect, morph_effects
from rigview.session.outliner import MorphRow, sorted_morphs
from tests.support.models import morph_model

LENGTHS = ((0.0, 0.5, 0.0, 0.0), (0.2, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0))  # [M][V]


def face(*, scale=1.0, skin=False):
    """A square with three targets of `LENGTHS`, the last one empty; rigid or with two joints."""
    model = morph_model(3)
    moves = np.zeros((3, 4, 3), np.float32)
    moves[..., 1] = LENGTHS
    part = replace(
        model.meshes[0].primitives[0], morph=MorphTargets(moves, None, None, ("up", "low", "none"))
    )
    instance = model.instances[0]
    if skin:
        part = replace(
            part,
            joints=np.zeros((4, 4), np.uint16),
            weights=np.float32([[1, 0, 0, 0]] * 4),
        )
        bind = np.diag([scale, scale, scale, 1.0]).astype(np.float32)[None]
        skins = (Skin("skin", np.array([instance.joint], np.int32), bind),)
        model = replace(model, skins=skins, instances=(replace(instance, skin=0),))
    return Character(replace(model, meshes=(replace(model.meshes[0], primitives=(part,)),)))


def reaches(character, chosen):
    return {each.target: pytest.approx(each.reach) for each in morph_effects(character, chosen)}


def test_a_vertex_a_part_and_everything():
    character = face()
    node = character.model.instances[0].joint
    assert reaches(character, Selected(node, 0, 1)) == {"up": 0.5}
    assert reaches(character, Selected(node, 0, 3)) == {}
    every = {"up": 0.5, "low": 0.2}
    for chosen in (Selected(node, 0), Selected(node), None):
        assert reaches(character, chosen) == every
    assert reaches(character, Selected(node + 1)) == {}


def test_they_are_in_metres_of_the_model():
    character = face(scale=0.01, skin=True)
    joint = int(character.model.skins[0].joints[0])
    assert reaches(character, Selected(joint)) == {"up": 0.005, "low": 0.002}


def test_the_one_that_moves_most_at_its_weight_is_first():
    effects = morph_effects(face(), None)
    order = [each.target for each in by_effect(effects, np.float32([0.1, -1.0, 0.0]))]
    assert order == ["low", "up"]
    assert [each.target for each in by_effect(effects, np.zeros(3))] == ["up", "low"]


def test_orders_of_the_list():
    rows = [MorphRow(-1, "Body", "")]
    rows += [MorphRow(k, name, name) for k, name in enumerate(("up", "low", "none"))]
    values = np.float32([0.1, -1.0, 0.5])

    def names(order, found=None):
        return [row.label for row in sorted_morphs(rows, order, values, found or {})]

    assert names("file") == ["Body", "up", "low", "none"]
    assert names("weight") == ["low", "none", "up"]
    assert names("effect", {0: 0.5, 1: 0.01}) == ["up", "low", "none"]
    assert names("effect", {2: 0.5, 0: 0.01}) == ["none", "up", "low"]
