"""Ambient occlusion: against rays, on ambient light only, without halos, below the soles."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from rigview.model.material import Material
from rigview.rendering.frame import Frame
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.crowd_pictures import show_crowd
from tests.support.looks import set_look
from tests.support.models import make_model, make_primitive, rod_model
from tests.support.solids import cube, linear_from_srgb, sphere, uniform_environment

WHITE = Material(metallic=0.0, roughness=1.0)
FURNACE = {
    "grid": False,
    "shadow": False,  # nor the floor below it
    "background": (0.0, 0.0, 0.0, 0.0),
    "environment": uniform_environment(1.0),
    "light": "none",
    "tone_mapping": "linear",
    "exposure": -1.0,
}
SIZE = 96
CENTER = np.array([0.0, 0.5, 0.0])


def plane(half, height=0.0):
    corners = [[-half, height, -half], [half, height, -half], [half, height, half]]
    corners.append([-half, height, half])
    up = np.tile(np.array([0, 1, 0], np.float32), (4, 1))
    return make_primitive(corners, [0, 2, 1, 0, 3, 2], normals=up, material=0)


def ball_on_plane():
    return make_model([sphere(48, 0.5, at=CENTER, material=0), plane(2.0)], materials=(WHITE,))


class View:
    """Pictures of a scene from above and one side."""

    def __init__(self, gl, model, **display):
        self.gl, self.renderer = gl, Renderer(gl)
        self.scene = set_look(Scene(), **(FURNACE | display))
        self.scene.show(model)
        self.scene.camera.orbit = OrbitCamera(azimuth=0.4, elevation=0.6)
        self.scene.frame(1.0)
        self.scene.update(0.0)

    def draw(self, samples=4, *, quick=False, **display):
        set_look(self.scene, **display)
        target = Target(self.gl, (SIZE, SIZE), samples)
        target.quick = quick
        self.renderer.draw(self.scene, target)
        picture = target.read()
        target.release()
        return picture

    def visibility(self, samples):
        """The light [H, W] over that without occlusion, and where a surface covers the pixel."""
        with_it, without = (self.draw(samples, occlusion=given) for given in (True, False))
        covered = without[..., 3] == 255
        light, full = (linear_from_srgb(one)[..., 0] for one in (with_it, without))
        return light / np.maximum(full, 1e-6), covered


def distance_to_ball(points, ways):
    offset = points - CENTER
    along, inside = (offset * ways).sum(-1), (offset**2).sum(-1) - 0.25
    root = along**2 - inside
    near = -along - np.sqrt(np.maximum(root, 0.0))
    return np.where((root > 0) & (near > 1e-6), near, np.inf)


def distance_to_plane(points, ways):
    level = np.where(np.abs(ways[..., 1]) < 1e-12, 1e-12, ways[..., 1])
    away = -points[..., 1] / level
    hit = points + ways * away[..., None]
    return np.where((away > 1e-6) & (np.abs(hit[..., ::2]) < 2.0).all(axis=-1), away, np.inf)


def traced(camera, reach, rays=96):
    """The visibility [H, W] of a ball on a plane by rays over the cosine, nearer than `reach`."""
    x, y = np.meshgrid((np.arange(SIZE) + 0.5) / SIZE, (np.arange(SIZE) + 0.5) / SIZE)
    seen = [camera.unproject(a, b, -1.0, 1.0) for a, b in zip(x.ravel(), y.ravel(), strict=True)]
    ways = np.array(seen) - camera.position()
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    eye = np.broadcast_to(camera.position(), ways.shape)
    ball, floor = distance_to_ball(eye, ways), distance_to_plane(eye, ways)
    nearest = np.minimum(ball, floor)
    hit = np.isfinite(nearest)
    points = eye + ways * np.where(hit, nearest, 0.0)[:, None]
    normals = np.where((ball < floor)[:, None], (points - CENTER) / 0.5, [0.0, 1.0, 0.0])
    other = np.where(np.abs(normals[:, :1]) < 0.9, [[1.0, 0, 0]], [[0, 1.0, 0]])
    right = np.cross(other, normals)
    right /= np.linalg.norm(right, axis=-1, keepdims=True)
    ahead = np.cross(normals, right)
    visible = np.zeros(len(points))
    for k in range(rays):
        height, turn = (k + 0.5) / rays, 2 * np.pi * (k * 0.618034 % 1.0)
        across = np.sqrt(height) * np.array([np.cos(turn), np.sin(turn)])
        way = across[0] * right + across[1] * ahead + np.sqrt(1 - height) * normals
        start = points + normals * 1e-4
        away = np.minimum(distance_to_ball(start, way), distance_to_plane(start, way))
        visible += 1.0 - np.clip(2.0 - 2.0 * away / reach, 0.0, 1.0)
    return (visible / rays).reshape(SIZE, SIZE), hit.reshape(SIZE, SIZE)


def test_a_ball_on_a_plane_agrees_with_rays(gl):
    view = View(gl, ball_on_plane())
    view.scene.camera.orbit.target = np.array([0.0, 0.3, 0.0])
    view.scene.camera.orbit.distance = 3.0
    found, covered = view.visibility(64)
    expected, hit = traced(view.scene.camera.orbit, Frame.of(view.scene).occlusion_radius)
    both = covered & hit
    assert both.mean() > 0.4
    assert expected[both].min() < 0.6
    off = found - expected
    assert np.abs(off[both]).mean() < 0.035
    assert np.abs(off[both]).mean() < 0.45 * np.abs(1.0 - expected[both]).mean()


def test_a_flat_wall_and_outlines_are_not_darkened(gl):
    """A cube far before a wall: neither the wall around it nor its edges are darker."""
    far = make_model([cube(0.4, at=(0, 3.0, 0), material=0), plane(2.0)], materials=(WHITE,))
    view = View(gl, far)
    view.scene.camera.orbit.elevation = 1.2
    view.scene.frame(1.0)
    found, covered = view.visibility(4)
    assert np.percentile(found[covered], 2) > 0.93
    assert found[covered].mean() > 0.97


@pytest.mark.parametrize(
    "alone",
    [
        sphere(48, 0.5, at=CENTER, material=0),
        replace(cube(1.0, material=0), positions=cube(1.0).positions * np.float32([2, 0.5, 0.004])),
        plane(2.0),
    ],
    ids=["ball", "blade", "plane"],
)
def test_convex_bodies_have_no_dark_spots(gl, alone):
    """Nor where they are one or two texels wide, and seen at a grazing angle."""
    view = View(gl, make_model([alone], materials=(WHITE,)))
    for azimuth, elevation in ((0.4, 0.05), (1.5, 0.2)):
        view.scene.camera.orbit.azimuth, view.scene.camera.orbit.elevation = azimuth, elevation
        view.scene.frame(1.0)
        found, covered = view.visibility(4)
        assert found[covered].min() > 0.8


@pytest.mark.parametrize("ortho", [False, True])
def test_creases_are_darker(gl, ortho):
    view = View(
        gl, make_model([cube(1.0, at=(0, 0.5, 0), material=0), plane(2.0)], materials=(WHITE,))
    )
    view.scene.camera.orbit.ortho = ortho
    found, covered = view.visibility(4)
    assert found[covered].min() < 0.75
    assert (found[covered] < 0.85).mean() > 0.005


def test_direct_light_is_not_occluded(gl):
    dark = uniform_environment(0.0)
    view = View(gl, ball_on_plane(), environment=dark, light="key", light_rim=0.0)
    np.testing.assert_array_equal(view.draw(occlusion=True), view.draw(occlusion=False))


def test_view_modes_and_quick_pictures_have_none(gl):
    view = View(gl, ball_on_plane())
    plain = view.draw(occlusion=False)
    assert (view.draw(occlusion=True) != plain).any()
    np.testing.assert_array_equal(view.draw(quick=True, occlusion=True), plain)
    for mode in ("base-colour", "normals"):
        set_look(view.scene, view_mode=mode)
        np.testing.assert_array_equal(view.draw(occlusion=True), view.draw(occlusion=False))


def test_the_ground_is_darker_below_what_stands_on_it(gl):
    model = make_model([cube(0.6, at=(0, 0.3, 0), material=0)], materials=(WHITE,))
    white = {"grid": True, "background": (1.0, 1.0, 1.0, 1.0), "shadow": False}
    view = View(gl, model, **white)
    contact, without = (view.draw(occlusion=given).astype(int) for given in (True, False))
    darker = (without - contact)[..., 0]
    place = view.scene.camera.current.project(np.array([[0.0, 0.0, 0.32], [0.45, 0.0, 0.0]]), 1.0)
    (x, y), (far_x, far_y) = (place[:, :2] * SIZE).astype(int)
    assert darker[y - 1 : y + 2, x].max() > 25
    assert darker[far_y, far_x] < 12
    raised = make_model([cube(0.6, at=(0, 1.5, 0), material=0)], materials=(WHITE,))
    above = View(gl, raised, **white)
    gap = (above.draw(occlusion=False).astype(int) - above.draw(occlusion=True))[..., 0]
    assert np.percentile(gap, 97) < 12, "nothing touches the ground"


def test_crowds_are_occluded(gl):
    model = rod_model()
    view = View(gl, model)
    world = np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))
    world[:, 0, 3] = [-0.25, 0.0, 0.25]
    show_crowd(view.scene, np.zeros(3, int), world, np.zeros(3))
    view.scene.frame(1.0)
    with_it, without = (view.draw(occlusion=given) for given in (True, False))
    assert (with_it.astype(int) <= without).all()
    assert (with_it != without).any()


GLASS = Material(metallic=0.0, roughness=1.0, alpha_mode="BLEND", double_sided=True)


def pane_over_floor(alphas):
    """A floor, and a pane a little above it, whose opacity goes from one alpha to another in z."""
    a, b = alphas
    colors = np.ones((4, 4), np.float32)
    colors[:, 3] = [a, a, b, b]
    pane = replace(plane(0.8, 0.25), colors=colors, material=1)
    return make_model([plane(2.0), pane], materials=(WHITE, GLASS))


def test_a_gradient_of_opacity_has_no_step(gl):
    """Neither where a pane becomes opaque, nor in the occlusion of the floor that it throws."""
    view = View(gl, pane_over_floor((0.0, 1.0)))
    view.scene.camera.orbit = OrbitCamera(azimuth=0.0, elevation=np.pi / 2, ortho=True)
    view.scene.frame(1.0)
    ends = view.scene.camera.current.project(np.array([[0, 0.25, -0.8], [0, 0.25, 0.8]]), 1.0)
    start, end = (ends[:, 1] * SIZE).astype(int)
    column = view.draw(4)[start - 4 : end, SIZE // 2, 0].astype(int)
    assert np.abs(column[3:] - column[:-3]).max() <= 8
    assert column[0] - column.min() > 8, "the floor is darker below the pane"


def test_occlusion_grows_with_opacity(gl):
    seen = []
    for alpha in (0.0, 0.25, 0.5, 0.75, 1.0):
        view = View(gl, pane_over_floor((alpha, alpha)))
        view.scene.camera.orbit = OrbitCamera(azimuth=0.0, elevation=0.9, ortho=True)
        view.scene.frame(1.0)
        x, y, _ = view.scene.camera.current.project(np.array([[0.0, 0.0, 0.84]]), 1.0)[0] * SIZE
        found, _ = view.visibility(4)
        seen.append(1.0 - found[int(y) : int(y) + 2, int(x) - 9 : int(x) + 9].mean())
    steps = np.diff(seen)
    assert seen[0] < 0.01
    assert seen[-1] > 0.05
    assert (steps > 0.0).all()
    assert steps.max() < 3.0 * steps.mean()


def test_crossing_panes_have_no_dark_slits(gl):
    """Two panes of half opacity that cross: the line is no darker than a crease of both."""
    upright = plane(0.8)
    upright = replace(upright, positions=upright.positions[:, [0, 2, 1]], material=0)
    clear = replace(GLASS, base_color=(1.0, 1.0, 1.0, 0.5))
    model = make_model([replace(plane(0.8), material=0), upright], materials=(clear,))
    view = View(gl, model, background=(0.5, 0.5, 0.5, 1.0))
    view.scene.camera.orbit = OrbitCamera(azimuth=0.0, elevation=0.6, ortho=True)
    view.scene.frame(1.0)
    with_it, without = (
        view.draw(4, occlusion=given)[..., 0].astype(int) for given in (True, False)
    )
    assert (without - with_it).max() < 48


@pytest.mark.parametrize("ortho", [False, True])
def test_no_spot_of_the_ground_stands_alone(gl, ortho):
    """Not even where the floor that occlusion is drawn on ends in a tip of one or two texels."""
    model = make_model([cube(0.6, at=(0, 0.3, 0), material=0)], materials=(WHITE,))
    view = View(gl, model, shadow=True)
    orbit, middle = view.scene.camera.orbit, (96, 96)
    orbit.ortho = ortho
    target = Target(gl, (192, 192), 4)
    for elevation in (0.1, 0.25, 0.5):
        for azimuth in (0.5, 1.1, 1.2, 1.4):
            orbit.elevation, orbit.azimuth = elevation, azimuth
            view.scene.frame(1.0)
            orbit.distance *= 1.3
            view.renderer.draw(view.scene, target)
            alpha = target.read()[..., 3]
            beside = Image.fromarray(np.where(alpha > 1, np.uint8(255), np.uint8(0))).copy()
            ImageDraw.floodfill(beside, middle, 0)  # the cube, and what touches it
            assert alpha[np.asarray(beside) > 0].max(initial=0) <= 4
    target.release()
