"""The orbit camera: conventions, exact framing, no roll."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.model.model import CameraView
from rigview.scene.camera import FIT, POLE, PRESETS, WHEEL, FileCamera, OrbitCamera
from rigview.scene.scene import Scene
from rigview.scene.scene_bounds import FARTHEST, NEAREST
from tests.support.models import rod_model

angle = st.floats(-math.pi, math.pi)
tilt = st.floats(-POLE, POLE)


def test_view_and_projection_are_for_column_vectors():
    """pyrr's row-vector matrices are transposed: M @ v, -Z is forward, clip w is the distance."""
    camera = OrbitCamera(target=np.array([1.0, 2.0, 3.0]), distance=5.0, azimuth=0.0, elevation=0.0)
    view = camera.view()
    np.testing.assert_allclose(view @ [1, 2, 3, 1], [0, 0, -5, 1], atol=1e-6)
    np.testing.assert_allclose(view @ [2, 2, 3, 1], [1, 0, -5, 1], atol=1e-6)
    clip = camera.projection(1.0) @ view @ [1, 2, 3, 1]
    assert clip[3] == pytest.approx(5.0)
    assert abs(clip[0]) < 1e-6
    top = np.array([1, 2 + 5 * math.tan(camera.fov / 2), 3, 1])
    clip = camera.projection(2.0) @ view @ top
    assert clip[1] / clip[3] == pytest.approx(1.0, abs=1e-5)


@given(angle, tilt)
def test_axes_are_orthonormal_and_level(azimuth, elevation):
    camera = OrbitCamera(azimuth=azimuth, elevation=elevation)
    axes = camera.axes()
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)
    assert axes[0, 1] == 0.0, "the horizon stays level"
    assert axes[1, 1] > 0.0


@pytest.mark.parametrize("ortho", [False, True])
@given(azimuth=angle, elevation=tilt, aspect=st.floats(0.3, 3.0), scale=st.floats(1e-4, 1e4))
def test_frame_fits_tightly(ortho, azimuth, elevation, aspect, scale):
    points = np.random.default_rng(3).normal(size=(200, 3)) * [1, 2, 0.5] * scale + scale * 7
    camera = OrbitCamera(azimuth=azimuth, elevation=elevation, ortho=ortho)
    camera.frame(points, aspect)
    at = camera.project(points, aspect)[..., :2] * 2 - 1
    assert np.abs(at).max() == pytest.approx(1 / FIT, rel=1e-3)
    low, high = points.min(axis=0), points.max(axis=0)
    shown = camera.showing((low + high) / 2, float(np.linalg.norm(high - low)) / 2)
    depth = shown.project(points, aspect)[..., 2]
    assert (np.abs(depth) <= 1).all()


def test_frame_without_points_and_with_invalid_numbers():
    camera = OrbitCamera()
    camera.frame(np.zeros((0, 3)), 1.0)
    assert np.isfinite(camera.view()).all()
    camera.frame(np.array([[np.nan, 0, 0], [1, 1, 1]]), 1.0)
    assert np.isfinite(camera.projection(1.0)).all()


def test_orbit_clamps_at_the_poles():
    camera = OrbitCamera()
    camera.orbit(0.0, 10.0)
    assert camera.elevation == POLE
    camera.orbit(0.0, -20.0)
    assert camera.elevation == -POLE


def test_pan_is_relative_to_the_picture_height():
    camera = OrbitCamera(azimuth=0.7, elevation=0.3)
    point = camera.target.copy()
    camera.pan(0.25, -0.1)
    at = camera.project(point, 1.0)
    assert at[0] == pytest.approx(0.5 - 0.25, abs=1e-6)
    assert at[1] == pytest.approx(0.5 - 0.1, abs=1e-6)


def test_zoom_never_passes_the_target():
    camera = OrbitCamera()
    camera.zoom(500)
    assert camera.distance > 0
    far = camera.distance
    camera.zoom(-1)
    assert camera.distance > far


@pytest.mark.parametrize("ortho", [False, True])
def test_zoom_ends_where_the_depth_range_would(ortho):
    scene = Scene(camera=OrbitCamera(ortho=ortho))
    scene.show(rod_model())
    camera = scene.camera
    low, high = scene.bounds.radius * NEAREST, scene.bounds.radius * FARTHEST
    for _ in range(100):
        camera.zoom(-30.0, 0.3, 0.2)
        assert camera.used.near < camera.used.far
        assert np.isfinite(camera.used.projection(1.5)).all()
    assert camera.orbit.distance == high
    camera.zoom(1.0)
    assert camera.orbit.distance == high * WHEEL
    camera.orbit.target = np.zeros(3)
    camera.zoom(1000.0)
    assert camera.orbit.distance == pytest.approx(low)
    assert np.isfinite(camera.used.projection(1.5)).all()
    camera.orbit.distance = low / 10.0
    camera.zoom(1.0)
    assert camera.orbit.distance == low / 10.0, "it does not jump back"


def test_depth_range_of_a_huge_orthographic_camera():
    camera = OrbitCamera(distance=1e20, ortho=True).showing(np.zeros(3), 1.0)
    assert np.isfinite(camera.projection(1.5)).all()


@pytest.mark.parametrize("scale", [0.01, 1.0, 1000.0])
@pytest.mark.parametrize("ortho", [False, True])
@pytest.mark.parametrize("distance", [0.3, 2.5, 16.0, 40.0, 1e4])
def test_the_scene_and_the_ground_around_it_are_between_the_planes(scale, ortho, distance):
    way = np.random.default_rng(5).normal(size=(300, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    middle = np.array([7.0, -3.0, 2.0]) * scale
    for azimuth in (0.0, 2.0):
        target = middle + np.array([0.4, 0.6, -0.2]) * scale
        camera = OrbitCamera(target, distance * scale, azimuth, 0.3, ortho=ortho)
        shown = camera.showing(middle, scale)
        # from a near camera, what is beside it and behind it is not seen
        points = middle + way * 6.0 * scale
        depths = (camera.position() - points) @ camera.direction()
        seen = (depths > 0.02 * camera.distance) | ortho
        assert depths[seen].size
        assert shown.far > depths.max()
        assert (depths[seen] >= shown.near).all()
        assert shown.near < shown.far
        assert shown.near >= 1e-5 * shown.far or ortho


def test_a_target_far_behind_the_scene_does_not_cut_it_off():
    camera = OrbitCamera(distance=1000.0, azimuth=0.0, elevation=0.0)
    shown = camera.showing(np.array([0.0, 0.0, 997.0]), 1.0)
    assert shown.near < 0.1
    assert shown.far > 60.0


def test_what_was_framed_before_does_not_change_the_projection():
    scene = Scene()
    scene.show(rod_model())
    scene.frame(1.0)
    camera = replace(scene.camera.orbit)
    expected = scene.camera.used.projection(1.0)
    scene.camera.orbit.frame(np.array([[-30.0, 0.0, 0.0], [30.0, 9.0, 5.0]]), 1.0)
    assert (scene.camera.used.projection(1.0) != expected).any()
    scene.camera.orbit = camera
    np.testing.assert_array_equal(scene.camera.used.projection(1.0), expected)


def test_a_scene_that_is_not_finite_has_a_projection():
    camera = OrbitCamera()
    for middle, radius in ((np.full(3, np.nan), 1.0), (np.zeros(3), np.inf)):
        shown = camera.showing(middle, radius)
        assert 0.0 < shown.near < shown.far < np.inf


@pytest.mark.parametrize("ortho", [False, True])
def test_unproject_inverts_project(ortho):
    camera = OrbitCamera(azimuth=0.4, elevation=0.2, ortho=ortho)
    point = np.array([0.3, -0.2, 0.5])
    x, y, depth = camera.project(point, 1.5)
    np.testing.assert_allclose(camera.unproject(x, y, depth, 1.5), point, atol=1e-6)


def test_points_behind_the_camera_are_nan():
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, distance=2.0)
    assert np.isnan(camera.project(np.array([0.0, 0.0, 5.0]), 1.0)).all()


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name):
    camera = OrbitCamera()
    camera.use_preset(name)
    place = camera.direction()
    expected = {
        "front": [0, 0, 1],
        "back": [0, 0, -1],
        "right": [1, 0, 0],
        "left": [-1, 0, 0],
        "top": [0, 1, 0],
        "bottom": [0, -1, 0],
        "iso": np.ones(3) / math.sqrt(3),
    }[name]
    np.testing.assert_allclose(place, expected, atol=0.01)


def test_move_to():
    camera = OrbitCamera()
    camera.move_to(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(camera.position(), [1, 2, 3], atol=1e-9)


@pytest.mark.parametrize("aspect", [0.6, 1.7])
def test_matching_a_perspective_camera_shows_the_same(aspect):
    shown = CameraView("Eye", 0, "perspective", 0.8, 1.0, 1.0, 0.01, 100.0)
    placed = np.eye(4)
    turn = 0.7
    placed[:3, 0] = np.cos(turn), 0, -np.sin(turn)
    placed[:3, 2] = np.sin(turn), 0, np.cos(turn)
    placed[:3, 3] = 3.0, 1.5, 4.0
    lens, camera = FileCamera(shown, placed), OrbitCamera()
    camera.match(lens, np.array([0.2, 1.0, 0.1], np.float32), 1.0)
    points = np.random.default_rng(3).uniform(-1, 1, (20, 3)).astype(np.float32)
    seen = lens.project(points, aspect)[:, :2]
    np.testing.assert_allclose(camera.project(points, aspect)[:, :2], seen, atol=1e-9)
    np.testing.assert_allclose(camera.target + camera.direction() * camera.distance, placed[:3, 3])
    nearest = camera.target - [0.2, 1.0, 0.1]
    assert abs(float(nearest @ lens.direction())) < 1e-6


def test_matching_an_orthographic_camera_shows_the_same_size():
    shown = CameraView("Plan", 0, "orthographic", 1.0, 9.0, 2.5, 0.0, 10.0)
    placed = np.eye(4)
    placed[:3, 3] = 0.3, 0.4, 5.0
    lens, camera = FileCamera(shown, placed), OrbitCamera()
    camera.match(lens, np.zeros(3, np.float32), 1.0)
    points = np.random.default_rng(4).uniform(-1, 1, (20, 3)).astype(np.float32)
    seen = lens.project(points, 1.5)[:, :2]
    assert camera.ortho
    np.testing.assert_allclose(camera.project(points, 1.5)[:, :2], seen, atol=1e-9)


def test_matching_a_camera_that_faces_away_keeps_its_direction():
    placed = np.eye(4)
    placed[:3, 3] = 0.0, 0.0, -4.0  # behind the middle, looking further back
    lens = FileCamera(CameraView("Away", 0, "perspective", 0.8, 1, 1, 0.01, 100.0), placed)
    camera = OrbitCamera()
    camera.match(lens, np.zeros(3, np.float32), 1.0)
    np.testing.assert_allclose(camera.direction(), [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(camera.position(), placed[:3, 3], atol=1e-12)
    assert camera.distance == pytest.approx(4.0)


@pytest.mark.parametrize("ortho", [False, True])
def test_zoom_keeps_the_point_under_the_pointer(ortho):
    camera = OrbitCamera(target=np.array([1.0, 2.0, 3.0]), azimuth=0.7, elevation=0.3, ortho=ortho)
    right, up = 0.3, -0.2
    height = 2.0 * camera.distance * math.tan(camera.fov / 2.0)
    point = camera.target + (camera.axes()[0] * right + camera.axes()[1] * up) * height
    before = camera.project(point, 1.5)[:2]
    camera.zoom(3.0, right, up)
    np.testing.assert_allclose(camera.project(point, 1.5)[:2], before, atol=1e-9)
    assert camera.distance == pytest.approx(3.0 * WHEEL**3)
