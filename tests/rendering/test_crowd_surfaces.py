"""Materials, visibility and lights of a crowd: each character as if drawn alone."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import Material
from rigview.model.model import MAX_LIGHTS
from rigview.model.pointer_values import PointerValues
from rigview.rendering.geometry import GpuPrimitive
from rigview.scene.camera import OrbitCamera
from rigview.scene.lights import lights_of_many
from tests.support import animated_value_files, crowd_pictures
from tests.support.animated_value_files import VISIBLE
from tests.support.draw import middle
from tests.support.looks import set_look
from tests.support.models import make_model, square, square_model
from tests.support.solids import sphere

PLAIN = {"grid": False, "background": (0, 0, 0, 0), "shadow": False, "occlusion": False}
TIMES = [0.1, 0.3, 0.8]


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Disable shadows: their texels differ from those of a single character."""
    monkeypatch.setattr(crowd_pictures, "PLAIN", PLAIN)


def both(gl, model, times=TIMES, world=None, *, chosen=0):
    """Return the picture of a crowd, and the composited pictures of its characters."""
    world = crowd_pictures.places_in_a_row(len(times)) if world is None else world
    alone = crowd_pictures.draw_singly(gl, model, [chosen] * len(times), times, world)
    return crowd_pictures.draw_crowd(gl, model, [chosen] * len(times), times, world), alone


def of_each(picture, count=3):
    """Return the pixels [count, 4] at the origins of characters."""
    scene, _ = crowd_pictures.scene_with(make_model([square()]))
    width, height = crowd_pictures.SIZE
    at = scene.camera.current.project(
        crowd_pictures.places_in_a_row(count)[:, :3, 3], width / height
    )
    x, y = (at[:, :2] * crowd_pictures.SIZE).astype(int).T
    return picture[y, x]


def test_animated_visibility_per_character(gl):
    """Hidden meshes differ between characters, and are not drawn."""
    found, alone = both(gl, animated_value_files.flip_book().load())
    np.testing.assert_allclose(found, alone, atol=1)
    assert len(np.unique(of_each(found), axis=0)) == 3, "three frames at once"


def test_meshes_hidden_for_all_are_not_drawn(gl, monkeypatch):
    drawn = []
    draw_instanced = GpuPrimitive.draw_instanced

    def counted(self, program, carriers, count):
        drawn.append(count)
        draw_instanced(self, program, carriers, count)

    monkeypatch.setattr(GpuPrimitive, "draw_instanced", counted)
    model = animated_value_files.flip_book().load()
    crowd_pictures.draw_crowd(
        gl, model, [0] * 3, [0.1, 0.15, 0.6], crowd_pictures.places_in_a_row(3)
    )
    assert sorted(drawn) == [1, 2]


def painted(mode="OPAQUE", **row):
    """Return a square with animated colour, alpha and roughness."""
    b = animated_value_files.FeatureBuilder()
    b.material((1, 0, 0, 1), alphaMode=mode, **row)
    b.add("nodes", mesh=b.square(1.6, material=0))
    pbr = "/materials/0/pbrMetallicRoughness/"
    b.pointer(
        (pbr + "baseColorFactor", [0, 1], [[1, 0, 0, 1], [0, 1, 0, 0.2]]),
        (pbr + "roughnessFactor", [0, 1], [1, 0]),
    )
    return b.load()


@pytest.mark.parametrize("mode", ["OPAQUE", "BLEND"])
def test_animated_material_per_character(gl, mode):
    model = painted(mode)
    found, alone = both(gl, model)
    np.testing.assert_allclose(found, alone, atol=1)
    red = of_each(found)[:, 0]
    assert red[0] > red[1] > red[2] > 0
    shared = crowd_pictures.draw_crowd(gl, model, 0, 0.3, crowd_pictures.places_in_a_row(3))
    alone = crowd_pictures.draw_singly(
        gl, model, [0] * 3, [0.3] * 3, crowd_pictures.places_in_a_row(3)
    )
    np.testing.assert_allclose(shared, alone, atol=1)


def test_animated_alpha_cutoff_per_character(gl):
    found = crowd_pictures.draw_crowd(
        gl, painted("MASK"), [0] * 3, TIMES, crowd_pictures.places_in_a_row(3)
    )
    assert of_each(found)[:, 3].tolist() == [255, 255, 0]


def test_an_animated_material_takes_one_draw_call(gl, monkeypatch):
    calls = []
    draw_instanced = GpuPrimitive.draw_instanced
    monkeypatch.setattr(
        GpuPrimitive,
        "draw_instanced",
        lambda *given: calls.append(given[3]) or draw_instanced(*given),
    )
    crowd_pictures.draw_crowd(gl, painted(), [0] * 3, TIMES, crowd_pictures.places_in_a_row(3))
    assert calls == [3]


def test_animated_uv_offset_per_character(gl):
    found, alone = both(gl, animated_value_files.conveyor("STEP").load(), [0.0, 0.3, 0.6])
    np.testing.assert_allclose(found, alone, atol=1)
    assert len(np.unique(of_each(found), axis=0)) == 3


def test_material_variant_of_a_crowd(gl):
    colors = Material(base_color=(1, 0, 0, 1), unlit=True), Material(unlit=True)
    primitive = square(material=0, variants={0: 1})
    model = make_model([primitive], materials=colors, variants=("White",))
    scene, _ = crowd_pictures.scene_with(model)
    crowd_pictures.show_crowd(scene, -1, crowd_pictures.places_in_a_row(3), 0.0)
    for variant, color in ((-1, [255, 0, 0, 255]), (0, [255] * 4), (-1, [255, 0, 0, 255])):
        scene.character.variant = variant
        found = of_each(crowd_pictures.draw_scene(gl, scene))
        np.testing.assert_array_equal(found, [color] * 3)


def test_billboards_of_a_crowd_face_the_camera(gl):
    for kind in ("axis", "full"):
        model = animated_value_files.billboard(kind).load()
        world = crowd_pictures.places_in_a_row(3, turned=True)
        world[1, :3, :3] *= 2
        found, alone = both(gl, model, [0] * 3, world, chosen=-1)
        np.testing.assert_allclose(found, alone, atol=1)
        shared = crowd_pictures.draw_crowd(gl, model, -1, 0.0, world)
        np.testing.assert_allclose(shared, alone, atol=1)


def test_mirrored_characters_are_lit_from_the_same_side(gl):
    """A mirrored sphere of a crowd is not inside out."""
    model = make_model([sphere(material=0)], materials=(Material(metallic=0.0),))
    world = crowd_pictures.places_in_a_row(3)
    world[1, 0, 0] = -1
    found, alone = both(gl, model, [0] * 3, world, chosen=-1)
    np.testing.assert_allclose(found, alone, atol=1)


def glass(color, z=0.0, alpha=0.5):
    material = Material(base_color=(*color, alpha), alpha_mode="BLEND", unlit=True)
    return square_model(material, size=1.6, z=z)


def looked_at(gl, model, world, *, azimuth=0.0, chosen=-1, times=0.0):
    scene, _ = crowd_pictures.scene_with(model)
    scene.camera.orbit = OrbitCamera(azimuth=azimuth, elevation=0.0, distance=8.0)
    scene.camera.orbit.target = np.zeros(3)
    crowd_pictures.show_crowd(scene, chosen, world, times)
    return crowd_pictures.draw_scene(gl, scene)


@pytest.mark.parametrize("azimuth", [0.0, math.pi])
@pytest.mark.parametrize("turned", [False, True])
def test_characters_are_blended_back_to_front(gl, azimuth, turned):
    """Two panes, red and green by their own time: the near one has more weight."""
    b = animated_value_files.FeatureBuilder()
    b.unlit(alphaMode="BLEND", pbrMetallicRoughness={"baseColorFactor": [1, 0, 0, 0.5]})
    b.add("nodes", mesh=b.square(1.6, material=0))
    pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor"
    b.pointer((pointer, [0, 1], [[1, 0, 0, 0.5], [0, 1, 0, 0.5]]))
    world = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    world[:, 2, 3] = [-1, 1]
    times = [0.0, 1.0]  # green is nearer to +Z
    if turned:
        world, times = world[::-1], times[::-1]
    picture = looked_at(gl, b.load(), world, azimuth=azimuth, chosen=[0, 0], times=times)
    near, far = (1, 0) if azimuth == 0.0 else (0, 1)
    expected = np.array([0, 0, 0, 191])
    expected[[near, far]] = 170, 85  # straight alpha: 1/2 and 1/4 of 3/4
    np.testing.assert_allclose(middle(picture), expected, atol=2)


def test_primitives_and_triangles_of_characters_are_sorted(gl):
    """Two transparent shells: a crowd of one equals its character, from all sides and scales."""
    colors = (1.0, 0.2, 0.1, 0.4), (0.1, 0.3, 1.0, 0.6)
    materials = tuple(
        Material(base_color=color, alpha_mode="BLEND", double_sided=k == 0, metallic=0.0)
        for k, color in enumerate(colors)
    )
    inner = sphere(material=1)
    inner = replace(inner, positions=inner.positions * np.float32(0.6))
    model = make_model([sphere(material=0), inner], materials=materials)
    world = crowd_pictures.places_in_a_row(3, turned=True)
    found, alone = both(gl, model, [0] * 3, world, chosen=-1)
    np.testing.assert_allclose(found, alone, atol=1)
    assert 0 < of_each(found)[0, 3] < 255


def test_back_faces_are_drawn_first_without_sorting(gl, monkeypatch):
    monkeypatch.setattr("rigview.rendering.surfaces.MOST_INDICES", 10)
    glassy = Material(base_color=(1, 1, 1, 0.5), alpha_mode="BLEND", double_sided=True, unlit=True)
    model = make_model([sphere(material=0)], materials=(glassy,))
    found = looked_at(gl, model, crowd_pictures.places_in_a_row(1))
    np.testing.assert_allclose(middle(found), [255, 255, 255, 191], atol=3)


def test_blended_surfaces_are_opaque_in_view_modes(gl, monkeypatch):
    monkeypatch.setattr(crowd_pictures, "PLAIN", PLAIN | {"view_mode": "roughness"})
    picture = looked_at(gl, glass((1, 0, 0)), crowd_pictures.places_in_a_row(1))
    np.testing.assert_array_equal(middle(picture), [255] * 4)


def test_the_ground_is_visible_through_blended_surfaces(gl, monkeypatch):
    """The grid is also visible behind the panes of a crowd."""
    monkeypatch.setattr(crowd_pictures, "PLAIN", PLAIN | {"grid": True})
    model = glass((1, 1, 1), alpha=0.1)
    scene, _ = crowd_pictures.scene_with(model)
    scene.camera.orbit = OrbitCamera(azimuth=0.0, elevation=0.2, distance=3.0)
    scene.camera.orbit.target = np.zeros(3)
    crowd_pictures.show_crowd(scene, -1, crowd_pictures.places_in_a_row(1), 0.0)
    with_grid = crowd_pictures.draw_scene(gl, scene)
    set_look(scene, grid=False)
    without = crowd_pictures.draw_scene(gl, scene)
    pane = without[..., 3] > 0
    assert pane.any()
    assert (with_grid[pane] != without[pane]).any()


def test_directional_light_of_a_crowd_is_used_once(gl):
    model = animated_value_files.lit_floor("directional", intensity=2.0).load()
    world = crowd_pictures.places_in_a_row(3)
    world[:, :3, :3] *= np.float32(0.4)
    found, alone = both(gl, model, [0] * 3, world, chosen=-1)
    np.testing.assert_allclose(found, alone, atol=1)


def test_point_light_per_character(gl):
    """Lights with a short range: each floor is as bright as that of a single character."""
    model = animated_value_files.lit_floor("point", intensity=3.0, range=1.2).load()
    world = crowd_pictures.places_in_a_row(3)
    world[:, :3, :3] *= np.float32(0.4)
    found, alone = both(gl, model, [0] * 3, world, chosen=-1)
    np.testing.assert_allclose(found, alone, atol=1)
    assert of_each(found)[:, 0].min() > 60, "lit at all"


def lights(model, count, eye=(0, 0, 0), values=None, apart=1.0):
    placed = np.tile(np.eye(4, dtype=np.float32), (count, model.skeleton.count, 1, 1))
    placed[..., 0, 3] = apart * np.arange(count)[:, None]
    if values is None:
        values = np.tile(model.skeleton.rest.values, (count, 1))
    return lights_of_many(PointerValues(model), values, placed, np.array(eye, float))


def beacons():
    """Return a file with a point light that is switched on and off, and a directional light."""
    b = animated_value_files.lit_floor("point", intensity=3.0)
    b.extension("KHR_node_visibility")
    sun = {"KHR_lights_punctual": {"light": b.light(type="directional")}}
    b.add("nodes", name="Sun", extensions=sun)
    b.json["nodes"][1]["extensions"]["KHR_node_visibility"] = {"visible": True}
    b.pointer((VISIBLE.format(1), [0, 1], [1, 0]))
    return b.load()


def test_the_nearest_lights_are_used_if_there_are_too_many():
    found = lights(beacons(), 40, eye=(30.2, 0, 0))
    assert [each.kind for each in found] == ["point"] * (MAX_LIGHTS - 1) + ["directional"]
    assert [each.position[0] for each in found[:-1]] == list(range(23, 38))
    assert found[-1].position[0] == 0, "the first one's sun"


def test_lights_that_are_off_do_not_count():
    model = beacons()
    values = np.ones((40, model.skeleton.rest.values.shape[-1]), np.float32)
    values[4:38] = 0
    found = lights(model, 40, eye=(30.2, 0, 0), values=values)
    assert [each.position[0] for each in found] == [0, 1, 2, 3, 38, 39, 0]
    assert not lights(animated_value_files.robot_arm().load(), 3)
