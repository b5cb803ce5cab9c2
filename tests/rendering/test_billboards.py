"""Billboards, by matrices and by silhouettes."""

import math

import numpy as np
import pytest

from rigview.scene.billboard_nodes import matrices_facing
from rigview.scene.lights import lights_of
from rigview.scene.scene import Scene
from tests.support import animated_value_files
from tests.support.draw import covered_extent, draw_clip, orbit_camera

TILTED = {
    "translation": [0.3, -0.2, 0.1],
    "rotation": animated_value_files.rotation_about("x", 35),
    "scale": [0.5, 2, 1.5],
}
ANGLES = [(0, 0), (37, 20), (90, 0), (143, -30), (180, 0), (-75, 60)]


def turned(model, camera):
    """Return the matrices of a billboard's file, at rest and facing the camera."""
    scene = Scene(camera=camera)
    character = scene.show(model)
    scene.update(0.0)
    return character.matrices.astype(float), matrices_facing(character, camera).astype(float)


def sizes(matrix):
    return np.linalg.norm(matrix[:3, :3], axis=0)


@pytest.mark.parametrize("ortho", [True, False])
@pytest.mark.parametrize(("azimuth", "elevation"), ANGLES)
def test_full_billboard_is_parallel_to_the_image_plane_and_upright(azimuth, elevation, ortho):
    camera = orbit_camera(azimuth, elevation, ortho=ortho)
    before, after = turned(animated_value_files.billboard("full", TILTED).load(), camera)
    axes = after[1, :3, :3] / sizes(after[1])
    np.testing.assert_allclose(axes, camera.axes().T, atol=1e-5)
    np.testing.assert_allclose(after[1, :3, 3], before[1, :3, 3], atol=1e-6)
    np.testing.assert_allclose(sizes(after[1]), sizes(before[1]), atol=1e-5)


@pytest.mark.parametrize("ortho", [True, False])
@pytest.mark.parametrize(("azimuth", "elevation"), ANGLES)
def test_axis_billboard_keeps_its_axis_and_faces_the_camera(azimuth, elevation, ortho):
    camera = orbit_camera(azimuth, elevation, ortho=ortho)
    parent = TILTED | {"scale": [2, 2, 2]}
    before, after = turned(animated_value_files.billboard("axis", parent).load(), camera)
    np.testing.assert_allclose(after[1, :3, 1], before[1, :3, 1], atol=1e-5)
    np.testing.assert_allclose(sizes(after[1]), sizes(before[1]), atol=1e-5)
    away = camera.direction() if ortho else camera.position() - after[1, :3, 3]
    right = after[1, :3, 0]
    assert abs(right @ away) < 1e-4 * np.linalg.norm(away)
    assert after[1, :3, 2] @ away > 0


def test_descendants_rotate_with_the_billboard():
    before, after = turned(
        animated_value_files.billboard("full", TILTED).load(), orbit_camera(70, 10)
    )
    np.testing.assert_allclose(
        np.linalg.inv(after[1]) @ after[2], np.linalg.inv(before[1]) @ before[2], atol=1e-5
    )
    np.testing.assert_array_equal(after[0], before[0])


def test_nested_billboards_turn_independently():
    b = animated_value_files.billboard("axis", TILTED)
    b.json["nodes"][2]["extras"] = {"rigview": {"billboard": "full"}}
    camera = orbit_camera(50, 40)
    _, after = turned(b.load(), camera)
    axes = after[2, :3, :3] / sizes(after[2])
    np.testing.assert_allclose(axes, camera.axes().T, atol=1e-5)


def test_axis_billboard_seen_along_its_axis_is_not_degenerate():
    camera = orbit_camera(0, 0)
    b = animated_value_files.billboard(
        "axis", {"rotation": animated_value_files.rotation_about("x", 90)}
    )
    _, after = turned(b.load(), camera)
    assert np.isfinite(after).all()
    np.testing.assert_allclose(sizes(after[1]), 1, atol=1e-5)


def test_mirrored_billboard_stays_mirrored_and_shows_its_front(gl):
    b = animated_value_files.billboard("full", scale=[-1, 1, 1])
    b.json["materials"][0]["doubleSided"] = False
    camera = orbit_camera(120, 10)
    before, after = turned(b.load(), camera)
    assert np.linalg.det(before[1, :3, :3]) < 0
    assert np.linalg.det(after[1, :3, :3]) < 0
    picture = draw_clip(gl, b.load(), camera=camera)
    left, right, *_ = covered_extent(picture)
    np.testing.assert_allclose((left, right), (32 - 1.1 * 16, 32 + 0.5 * 16), atol=1)


def test_billboard_of_scale_zero():
    b = animated_value_files.billboard("full", scale=[0, 1, 1])
    before, after = turned(b.load(), orbit_camera(30))
    np.testing.assert_array_equal(after, before)


@pytest.mark.parametrize("kind", ["axis", "full"])
def test_silhouette_has_the_same_width_from_every_side(gl, kind):
    model = animated_value_files.billboard(kind).load()
    for azimuth in range(0, 360, 45):
        left, right, top, bottom = covered_extent(
            draw_clip(gl, model, camera=orbit_camera(azimuth))
        )
        # the square, and the mark beside it: 1 m to its right
        assert (left, right) == (24, 32 + round(1.1 * 16))
        assert (top, bottom) == (24, 40)
    _, _, top, bottom = covered_extent(draw_clip(gl, model, camera=orbit_camera(30, 60)))
    assert bottom - top == pytest.approx(16 * (1 if kind == "full" else 0.5), abs=1)


def test_billboard_faces_a_file_camera(gl):
    b = animated_value_files.billboard("full")
    b.add(
        "cameras", type="orthographic", orthographic={"xmag": 2, "ymag": 2, "znear": 0, "zfar": 9}
    )
    b.add(
        "nodes",
        camera=0,
        translation=[4, 0, 0],
        rotation=animated_value_files.rotation_about("y", 90),
    )
    left, right, *_ = covered_extent(draw_clip(gl, b.load(), file_camera=0))
    assert (left, right) == (24, 50)


@pytest.mark.parametrize("kind", ["axis", "full"])
def test_billboard_is_framed_from_every_side(gl, kind):
    model = animated_value_files.billboard(kind, TILTED).load()
    for azimuth, elevation in ANGLES:
        for ortho in (True, False):
            scene = Scene(camera=orbit_camera(azimuth, elevation, ortho=ortho))
            scene.show(model)
            scene.frame(1.0)
            picture = draw_clip(gl, model, camera=scene.camera.orbit)
            left, right, top, bottom = covered_extent(picture)
            assert left > 0
            assert top > 0
            assert right < 64
            assert bottom < 64
            assert max(right - left, bottom - top) > 20  # nor lost in it


def test_skinned_billboard_faces_the_camera(gl):
    b = animated_value_files.billboard("full")
    part = b.json["meshes"][0]["primitives"][0]
    part["attributes"]["JOINTS_0"] = b.accessor([[0, 0, 0, 0]] * 4, "uint8")
    part["attributes"]["WEIGHTS_0"] = b.accessor([[1, 0, 0, 0]] * 4)
    b.add("skins", joints=[1])
    b.add("nodes", mesh=0, skin=0)
    del b.json["nodes"][1]["mesh"]
    for azimuth in (0, 60, 200):
        left, right, *_ = covered_extent(draw_clip(gl, b.load(), camera=orbit_camera(azimuth)))
        assert (left, right) == (24, 50)


@pytest.mark.parametrize("said", ["full", {"billboard": "flat"}, {"billboard": 3}, [1]])
def test_other_values_of_extras_are_ignored(said):
    b = animated_value_files.billboard("full")
    b.json["nodes"][1]["extras"] = {"rigview": said}
    model = b.load()
    assert dict(model.billboards) == {}
    place = "/nodes/1/extras/rigview/billboard: must be 'axis' or 'full'; it is left out"
    assert model.warnings == [place] * isinstance(said, dict)


def test_rotation_of_the_character_does_not_rotate_the_billboard():
    camera = orbit_camera(20, 10)
    scene = Scene(camera=camera)
    character = scene.show(animated_value_files.billboard("full", TILTED).load())
    scene.update(0.0)
    turn = math.radians(130)
    world = np.eye(4, dtype=np.float32)
    world[0, [0, 2]], world[2, [0, 2]] = (
        (math.cos(turn), math.sin(turn)),
        (
            -math.sin(turn),
            math.cos(turn),
        ),
    )
    character.set_placement(world)
    placed = (world @ matrices_facing(character, camera))[1, :3, :3].astype(float)
    np.testing.assert_allclose(placed / np.linalg.norm(placed, axis=0), camera.axes().T, atol=1e-5)


def lantern(kind="full"):
    """Return a builder of a billboard with a descendant spot light and camera."""
    b = animated_value_files.billboard(kind)
    spot = b.light(type="spot", intensity=7.0)
    use = {"KHR_lights_punctual": {"light": spot}}
    lens = {"xmag": 2, "ymag": 2, "znear": 0, "zfar": 9}
    eye = b.add("cameras", type="orthographic", orthographic=lens)
    b.add("nodes", name="Lantern", translation=[0.5, 0, 0.25], extensions=use)
    b.add("nodes", name="Eye", translation=[0, 0, 5], camera=eye)
    b.json["nodes"][1]["children"] += [3, 4]
    return b.load()


@pytest.mark.parametrize("azimuth", [0, 90, -140])
def test_descendant_light_rotates_with_the_billboard(azimuth):
    camera = orbit_camera(azimuth, 20, ortho=True)
    scene = Scene(camera=camera)
    character = scene.show(lantern())
    scene.update(0.0)
    (light,) = lights_of([character], camera)
    right, _, back = camera.axes()
    np.testing.assert_allclose(light.direction, -back, atol=1e-5)
    np.testing.assert_allclose(light.position, 0.5 * right + 0.25 * back, atol=1e-5)


def test_descendant_camera_does_not_rotate_with_the_billboard():
    scene = Scene(camera=orbit_camera(70, 20))
    scene.show(lantern())
    scene.update(0.0)
    scene.camera.file_camera = 0
    np.testing.assert_allclose(scene.camera.used.position(), [0, 0, 5], atol=1e-6)
    np.testing.assert_allclose(scene.camera.used.direction(), [0, 0, 1], atol=1e-6)
