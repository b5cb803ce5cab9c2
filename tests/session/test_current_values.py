"""What the inspector shows at the current time: posed vertices and animated materials."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.model.model import MorphTargets
from rigview.scene.character import Character
from rigview.scene.selected import Selected
from rigview.session.inspector import posed_vertex, shown_material, shown_part, vertex_facts
from tests.support.animated_value_files import OFFSET, FeatureBuilder
from tests.support.models import morph_model, rod_model, square_model
from tests.support.skinned_normals import skin_normals

PLACED = np.array([[-2, 0, 0, 5], [0, 0, 1, 1], [0, -1, 0, 0], [0, 0, 0, 1.0]])  # mirrored


def test_a_vertex_in_the_pose_and_in_the_world():
    model = rod_model()
    part = model.meshes[0].primitives[0]
    around = part.positions * np.float32((5, 0, 5))
    part = replace(part, normals=around)
    character = Character(replace(model, meshes=(replace(model.meshes[0], primitives=(part,)),)))
    character.set_placement(PLACED)
    character.play_clip(0, 0.0)
    character.update(0.4)
    skin = model.skins[0]
    palette = character.matrices[skin.joints] @ skin.inverse_bind
    for number in (0, 40, len(part.positions) - 1):
        row, influence = [number], (part.joints[[number]], part.weights[[number]])
        shown = posed_vertex(character, vertex_facts(character, Selected(0, 0, number)))
        for space, place, normal in (
            (palette, shown.model, shown.normal),
            (PLACED @ palette, shown.world, shown.world_normal),
        ):
            blend = np.einsum("vi,viab->vab", part.weights[row], space[part.joints[row]])[0]
            expected = blend[:3, :3] @ part.positions[number] + blend[:3, 3]
            np.testing.assert_allclose(place, expected, atol=1e-5)
            expected = skin_normals(around[row], *influence, space[:, :3])[0]
            np.testing.assert_allclose(normal, expected, atol=1e-5)


def test_morph_targets_bend_normals():
    model = morph_model(2)
    part = model.meshes[0].primitives[0]
    bends = np.zeros((2, 4, 3), np.float32)
    bends[1, 3] = (1.0, 0.0, 0.0)
    part = replace(part, morph=MorphTargets(np.zeros_like(bends), bends, None, ("a", "b")))
    character = Character(replace(model, meshes=(replace(model.meshes[0], primitives=(part,)),)))
    character.play_clip(0, 0.0)
    character.update(1.0 - 1e-6)
    shown = posed_vertex(character, vertex_facts(character, Selected(0, 0, 3)))
    np.testing.assert_allclose(shown.normal, np.sqrt(0.5) * np.array([1, 0, 1]), atol=1e-5)
    still = posed_vertex(character, vertex_facts(character, Selected(0, 0, 0)))
    np.testing.assert_allclose(still.normal, [0, 0, 1], atol=1e-6)


def test_a_vertex_without_a_normal():
    model = square_model()
    part = replace(model.meshes[0].primitives[0], normals=None)
    character = Character(replace(model, meshes=(replace(model.meshes[0], primitives=(part,)),)))
    shown = posed_vertex(character, vertex_facts(character, Selected(0, 0, 0)))
    assert shown.normal is None
    assert shown.world_normal is None


def animated_material():
    """A square whose texture moves by 1 in u, and whose roughness falls from 1 to 0 in a second."""
    b = FeatureBuilder()
    b.extension("KHR_texture_transform")
    texture = {"index": b.picture(np.full((2, 2, 4), 255))}
    b.material(pbrMetallicRoughness={"baseColorTexture": texture})
    b.add("nodes", name="Square", mesh=b.square(material=0))
    rough = "/materials/0/pbrMetallicRoughness/roughnessFactor"
    b.pointer((OFFSET, [0, 1], [[0, 0], [1, 0]]), (rough, [0, 1], [1, 0]))
    return load(b.glb())


def test_a_material_has_the_values_of_the_time():
    character = Character(animated_material())
    character.play_clip(0, 0.0)
    part = shown_part(character, Selected(0, 0))
    character.update(0.0)
    first = shown_material(character, part)
    assert first.material.roughness == 1.0
    assert not first.placements
    assert shown_material(character, part) is first, "it is kept while nothing moves"
    character.update(0.25)
    now = shown_material(character, part)
    assert now.material.roughness == pytest.approx(0.75)
    assert now.placements == {"base colour": "offset 0.25, 0"}
    assert shown_part(character, Selected(0, 0)) is part
