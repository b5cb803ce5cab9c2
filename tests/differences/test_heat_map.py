import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from rigview.differences.heat_map import STOPS, error_swatches, errors_at, relative_errors, viridis
from rigview.differences.model_pair import pair_models
from rigview.model.material import Material, TextureRef
from tests.support.character_versions import character
from tests.support.draw import draw
from tests.support.models import make_model, rod_model, square, square_model

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


def test_the_legend_of_errors():
    labels = [swatch.label for swatch in error_swatches(1e-4, 0.173)]
    assert labels == ["within 0.1 mm", "0 mm", "43.2 mm", "86.5 mm", "130 mm", "173 mm"]
    assert [swatch.label for swatch in error_swatches(1e-4, 1e-4)] == ["within 0.1 mm"]


def test_relative_errors():
    a, b = character().load(), character(wave=(0, 91, 0)).load()
    found = errors(a, b)
    far = found.vertices[0][0]
    ((share,),) = relative_errors(found, threshold=0.01, full=far.max())
    np.testing.assert_allclose(share, np.where(far > 0.01, far / far.max(), 0), atol=1e-6)
    ((none,),) = relative_errors(found, threshold=0.0, full=0.0)
    assert not none.any()


def drawn(gl, model, errors):
    """A picture whose vertices are coloured by their errors."""
    return draw(gl, model, vertex_values=relative_errors(errors, 1e-4, 1.0))


def test_drawn_by_their_errors(gl):
    """Vertices without error are grey, others coloured; both are lit."""
    model = rod_model()
    still = errors_at(pair_models(model, model), (None, None), 0.0)
    hot = replace(still, vertices=tuple(tuple(v + 1 for v in g) for g in still.vertices))
    plain, bright = (drawn(gl, model, each)[..., :3] for each in (still, hot))
    differs = (plain != bright).any(axis=-1)
    assert differs.sum() > 50
    assert np.ptp(plain[differs].astype(int), axis=1).max() < 12
    assert (bright[differs].astype(int)[:, 1] - bright[differs][:, 2]).max() > 100
    assert len(np.unique(bright[differs][:, 1])) > 1


def test_instances_of_a_mesh_have_their_own_errors(gl):
    """Of two squares that are one mesh at two nodes, only the one with errors is coloured."""
    model = make_model([square()], (-1, -1), translations=[[-1, 0, 0], [1, 0, 0]])
    instance = model.instances[0]
    model = replace(model, instances=(instance, replace(instance, joint=1)))
    still = errors_at(pair_models(model, model), (None, None), 0.0)
    hot = replace(still, vertices=(still.vertices[0], (still.vertices[1][0] + 1,)))
    plain, bright = (drawn(gl, model, each) for each in (still, hot))
    columns = np.flatnonzero((plain != bright).any(axis=(0, 2)))
    assert columns.min() > plain.shape[1] // 2


def test_drawn_without_normal_map_and_opaque(gl):
    """The material changes nothing but what a mask cuts off."""
    picture = np.random.default_rng(0).integers(0, 255, (8, 8, 4), np.uint8)
    bumpy = Material(normal_texture=TextureRef(0), alpha_mode="BLEND", base_color=(1, 1, 1, 0.3))
    pictures = []
    for material in (Material(), bumpy):
        model = square_model(material, picture)
        found = errors_at(pair_models(model, model), (None, None), 0.0)
        pictures.append(drawn(gl, model, found))
    np.testing.assert_array_equal(*pictures)
