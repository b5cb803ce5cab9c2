"""The numbers of the inspector: transforms in all spaces and poses, vertices, parts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.animation.skin import bind_pose
from rigview.loading.load import load
from rigview.model.material import Material, TextureRef
from rigview.scene.character import Character
from rigview.scene.selected import Selected
from rigview.session.inspector import (
    Inspector,
    joint_facts,
    joint_transform,
    posed_vertex,
    shown_part,
    vertex_facts,
)
from tests.support.models import rod_model, square_model

ORACLE = Path(__file__).parents[1] / "oracle"


def bent(seconds=0.4):
    """The rod, bent by its clip, away from the origin."""
    character = Character(rod_model())
    character.set_placement(np.array([[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]))
    character.play_clip(0, 0.0)
    character.update(seconds)
    return character


@pytest.mark.parametrize("key", ["skins", "mirrors", "arcs"])
def test_transforms_equal_those_of_the_independent_program(key):
    """Local numbers and world matrices of all nodes, while the first clip loops."""
    model = load(ORACLE / "models" / f"{key}.gltf")
    with np.load(ORACLE / f"{key}.npz") as stored:
        numbers = dict(stored)
    row = int(np.flatnonzero(numbers["loop"] & (numbers["clip"] == 0))[0])
    character = Character(model)
    character.play_clip(0, 0.0)
    character.update(float(numbers["time"][row]))
    for node, joint in enumerate(model.skeleton.joint_of_node.tolist()):
        local = joint_transform(character, joint, "current", "local")
        world = joint_transform(character, joint, "current", "world")
        np.testing.assert_allclose(local.translation, numbers["T"][row, node], atol=1e-5)
        np.testing.assert_allclose(local.scale, numbers["S"][row, node], atol=1e-5)
        same = abs(local.rotation @ numbers["R"][row, node].astype(float))
        assert same == pytest.approx(1.0, abs=1e-5)
        np.testing.assert_allclose(world.matrix, numbers["world"][row, node], atol=1e-4)


def test_rest_and_bind_in_every_space():
    character = bent()
    skeleton, skin = character.model.skeleton, character.model.skins[0]
    joint = int(skin.joints[2])
    rest = joint_transform(character, joint, "rest", "local")
    np.testing.assert_array_equal(rest.translation, skeleton.rest.translation[joint])
    in_model = joint_transform(character, joint, "rest", "model")
    np.testing.assert_allclose(in_model.matrix, skeleton.to_model(skeleton.rest)[joint])
    in_world = joint_transform(character, joint, "rest", "world")
    np.testing.assert_allclose(in_world.matrix, character.world @ in_model.matrix)
    bound = joint_transform(character, joint, "bind", "model")
    np.testing.assert_allclose(
        bound.matrix @ skin.inverse_bind[2].astype(float), np.eye(4), atol=1e-5
    )
    own = bind_pose(skeleton, skin)
    local = joint_transform(character, joint, "bind", "local")
    np.testing.assert_array_equal(local.rotation, own.rotation[joint])


def test_the_current_transform_follows_the_pose():
    character, inspector = bent(), Inspector()
    joint = int(character.model.skins[0].joints[1])
    before = inspector.transform(character, joint, "current")
    assert inspector.transform(character, joint, "current") is before, "kept while nothing moves"
    still = inspector.transform(character, joint, "rest")
    character.update(0.7)
    after = inspector.transform(character, joint, "current")
    assert after.angle(before) > 1.0
    assert inspector.transform(character, joint, "rest") is still
    inspector.space = "world"
    placed = inspector.transform(character, joint, "current")
    assert placed.translation[0] == pytest.approx(5.0 + character.matrices[joint, 0, 3], abs=1e-5)
    character.set_placement(np.eye(4))
    moved = inspector.transform(character, joint, "rest")
    assert moved.translation[0] == pytest.approx(character.still_matrices("rest")[joint, 0, 3])


def test_what_does_not_move_of_a_joint():
    character = bent()
    model = character.model
    first, second = model.skins[0].joints[:2].tolist()
    facts = joint_facts(model, second)
    assert facts.parent == first
    assert facts.skins == (model.skins[0].name,)
    assert 0.0 < facts.greatest_weight <= 1.0
    assert second in joint_facts(model, first).children
    assert joint_facts(model, model.instances[0].joint).parts == 1


def test_a_local_unit_below_a_scaled_parent():
    model = rod_model()
    model.skeleton.rest.scale[1] = 0.01
    assert joint_facts(model, 2).metre == pytest.approx(0.01)
    model = rod_model()
    model.skeleton.rest.scale[1] = (1, 2, 1)
    assert np.isnan(joint_facts(model, 2).metre)


def test_a_vertex():
    character = bent()
    part = character.model.meshes[0].primitives[0]
    last = len(part.positions) - 1
    chosen = Selected(character.model.instances[0].joint, 0, last)
    facts = vertex_facts(character, chosen)
    np.testing.assert_array_equal(facts.stored, part.positions[last])
    np.testing.assert_allclose(facts.rest, part.positions[last], atol=1e-5)
    assert sum(weight for _, weight in facts.influences) == pytest.approx(1.0)
    assert facts.stored_sum == 1.0
    assert np.linalg.norm(posed_vertex(character, facts).model - facts.rest) > 0.01
    assert vertex_facts(character, chosen._replace(primitive=7)) is None


def test_the_sum_of_stored_weights():
    model = rod_model()
    part = model.meshes[0].primitives[0]
    sums = np.full(len(part.positions), 0.5, np.float32)
    mesh = replace(model.meshes[0], primitives=(replace(part, weight_sums=sums),))
    character = Character(replace(model, meshes=(mesh,)))
    chosen = Selected(model.instances[0].joint, 0, 3)
    assert vertex_facts(character, chosen).stored_sum == 0.5


def test_a_part_with_the_material_of_the_variant():
    plain = Material("Plain", base_color_texture=TextureRef(0))
    model = square_model(material=plain, image=np.zeros((8, 16, 4)))
    other = replace(model.materials[0], name="Other", roughness=0.25)
    part = replace(model.meshes[0].primitives[0], variants={0: 1})
    mesh = replace(model.meshes[0], primitives=(part,))
    model = replace(model, meshes=(mesh,), materials=(*model.materials, other), variants=("Other",))
    character = Character(model)
    chosen = Selected(0, 0)
    assert shown_part(character, chosen).material is model.materials[0]
    textures = shown_part(character, chosen).textures
    assert {(t["width"], t["height"]) for t in textures.values()} == {(16, 8)}
    character.variant = 0
    assert shown_part(character, chosen).material is other
    assert shown_part(character, Selected(0, 5)) is None
