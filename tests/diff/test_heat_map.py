import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.diff.compare import pair_models
from rigview.diff.heat_map import STOPS, errors_at, heat_map_model, viridis, with_error_colors
from rigview.model.material import Material, TextureRef
from tests.support.character_versions import character
from tests.support.draw import draw
from tests.support.models import make_model, rod_model, square

ROOT = Path(__file__).resolve().parents[2]


def errors(a, b, clip=0, time=1.0):
    bodies = pair_models(a, b)
    return errors_at(bodies, (a.clips[clip], b.clips[clip]), time)


def test_colours_equal_those_of_the_shader():
    text = (ROOT / "shaders/lib/color.glsl").read_text(encoding="utf-8")
    found = re.findall(r"vec3\((\d\.\d+), (\d\.\d+), (\d\.\d+)\)", text.partition("viridis")[2])
    np.testing.assert_array_equal(STOPS, np.array(found, float))
    np.testing.assert_array_equal(viridis(np.array([0, 0.125, 1, 2])), STOPS[[0, 1, 8, 8]])


def test_brightness_is_monotonic():
    """In greyscale, a greater error is brighter."""
    grey = viridis(np.linspace(0, 1, 50)) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(grey) > 0).all()


def test_errors_by_hand():
    found = errors(character().load(), character(wave=(0, 91, 0)).load())
    ((far,),) = found.vertices
    chord = 2 * np.sin(np.radians(0.5))
    radii = [0, 0, np.hypot(0.2, 0.5), np.hypot(0.2, 1), 2]
    np.testing.assert_allclose(far, chord * np.array(radii), rtol=1e-4, atol=1e-7)
    assert found.greatest == far.max()
    assert found.joint == "Hand"
    angle = np.radians(91)
    np.testing.assert_allclose(
        found.point, [-2 * np.sin(angle), 1 + 2 * np.cos(angle), 0], atol=1e-5
    )


def test_errors_are_in_the_scale_of_the_first_version():
    one = errors(character().load(), character(wave=(0, 91, 0)).load())
    two = errors(character().load(), character(wave=(0, 91, 0), size=100).load())
    np.testing.assert_allclose(two.vertices[0][0], one.vertices[0][0], atol=1e-5)
    np.testing.assert_allclose(two.point, one.point, atol=1e-5)


def test_unmatched_vertices_have_the_error_of_their_joints():
    points = [[-0.3, 0, 0], [0.3, 0.7, 0], [-0.3, 1.4, 0], [0.3, 2.2, 0]]
    weights = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 1, 0]]
    b = character(points=points, weights=weights, triangles=((0, 1, 2),), wave=(0, 91, 0))
    ((far,),) = errors(character().load(), b.load()).vertices
    hand = 2 * np.sin(np.radians(0.5))  # its origin is 1 m from Arm
    np.testing.assert_allclose(far, [0, 0, hand / 2, hand], rtol=1e-4, atol=1e-7)


def test_new_joint_has_the_error_of_its_parent():
    b = character(wave=(0, 91, 0))
    b.json["nodes"][2]["children"] = [4]
    b.add("nodes", name="Finger", mesh=b.mesh(), translation=[0, 0.5, 0])
    found = errors(character().load(), b.load())
    hand = 2 * np.sin(np.radians(0.5))
    np.testing.assert_allclose(found.vertices[1][0], hand, rtol=1e-4)


def test_nothing_to_draw():
    a, b = make_model([], (-1, 0)), make_model([], (-1, 0), translations=[[0, 0, 0], [0, 1, 0]])
    found = errors_at(pair_models(a, b), (None, None), 0.0)
    assert (found.greatest, found.joint) == (1, "Joint 1")
    assert errors_at(pair_models(a, a), (None, None), 0.0).greatest == 0


def test_error_colours():
    a, b = character().load(), character(wave=(0, 91, 0)).load()
    found = errors(a, b)
    far = found.vertices[0][0]
    model = with_error_colors(heat_map_model(b), found, threshold=0.01, full=far.max())
    colours = model.meshes[0].primitives[0].colors
    np.testing.assert_allclose(colours[:, 0], np.where(far > 0.01, far / far.max(), 0), atol=1e-6)
    assert (colours[:, 1:] == 1).all()
    assert b.meshes[0].primitives[0].colors is None, "the model itself stays"


def test_instances_of_a_mesh_have_separate_colours():
    model = make_model([square()], (-1, -1))
    instance = model.instances[0]
    model = replace(model, instances=(instance, replace(instance, joint=1)))
    apart = heat_map_model(model)
    assert [each.mesh for each in apart.instances] == [0, 1]
    assert len(apart.meshes) == 2


@pytest.mark.parametrize(("mode", "kept"), [("MASK", True), ("BLEND", False), ("OPAQUE", False)])
def test_only_masked_materials_keep_their_texture(mode, kept):
    material = Material(base_color_texture=TextureRef(0), alpha_mode=mode, unlit=True)
    (plain,) = heat_map_model(make_model([square()], materials=(material,))).materials
    assert (plain.base_color_texture is not None) is kept
    assert plain.alpha_mode == ("MASK" if kept else "OPAQUE")
    assert not plain.unlit


def test_drawn_by_the_view_mode(gl):
    """Vertices without error are grey, others coloured; both are lit."""
    model = rod_model()
    bodies = pair_models(model, model)
    still = errors_at(bodies, (None, None), 0.0)
    plain = draw(gl, with_error_colors(heat_map_model(model), still, 1e-4, 1.0), view_mode="heat")[
        ..., :3
    ]
    hot = replace(still, vertices=tuple(tuple(v + 1 for v in g) for g in still.vertices))
    bright = draw(gl, with_error_colors(heat_map_model(model), hot, 1e-4, 1.0), view_mode="heat")[
        ..., :3
    ]
    differs = (plain != bright).any(axis=-1)
    assert differs.sum() > 50
    assert np.ptp(plain[differs].astype(int), axis=1).max() < 12
    assert (bright[differs].astype(int)[:, 1] - bright[differs][:, 2]).max() > 100
    assert len(np.unique(bright[differs][:, 1])) > 1
