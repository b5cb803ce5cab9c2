"""Shadows: position, softness, casters and receivers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.crowd import Crowd
from rigview.loading.load import load
from rigview.model.material import Material, Sampler, TextureRef
from rigview.model.model import Image
from rigview.rendering.ground_pass import shadow_outline
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.resources import asset_path
from rigview.scene.camera import OrbitCamera
from rigview.scene.lights import key_light
from rigview.scene.scene import Scene
from tests.support.draw import draw
from tests.support.ground_pictures import MATTE, PAPER, draw_from_above
from tests.support.lights import light_source, lit_model
from tests.support.looks import set_look
from tests.support.models import make_model, make_primitive, rod_model, square
from tests.support.shared import MODELS, needs_shared
from tests.support.solids import cube, sphere

WAY = key_light().direction


def shade(gl, model, **options):
    """Return the shadow opacity on the ground [H, W], 0 to 1, and the pixel size, metres."""
    (with_shadow, pixel), (without, _) = (
        draw_from_above(gl, model, shadow=shadow, **options) for shadow in (True, False)
    )
    ground = np.maximum(without[..., 0], 1)
    return 1 - with_shadow[..., 0] / ground, pixel


def test_position_of_a_shadow(gl):
    """Centre and area, against the outline of the cube projected along the light."""
    height = 1.2
    model = make_model([cube(0.6, (0, height, 0), material=0)], materials=(MATTE,))
    dark, pixel = shade(gl, model)
    side = len(dark)
    rows, columns = np.nonzero(dark > 0.21)
    place = (np.stack([columns, rows], -1) + 0.5 - side / 2) * pixel  # x, z: the top looks to -Z
    middle = -WAY[[0, 2]] / WAY[1] * height
    # the cube hides a part of its own shadow from above: compare the outline's far edges
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.3
    corners += [0, height, 0]
    thrown = corners[:, [0, 2]] - corners[:, 1:2] * WAY[[0, 2]] / WAY[1]
    far = np.sign(middle)
    np.testing.assert_allclose(
        (place * far).max(axis=0), (thrown * far).max(axis=0), atol=2.5 * pixel
    )
    other = np.abs(place - middle).max(axis=0)
    assert (other < np.abs(thrown - middle).max(axis=0) + 3 * pixel).all()


def test_soft_edge_is_symmetric(gl):
    """Half the opacity is reached in the middle of a monotonic edge."""
    model = make_model([cube(0.8, (0, 2.0, 0), material=0)], materials=(MATTE,))
    dark, _ = shade(gl, model, size=512)
    row = dark[:, np.argmax((dark > 0.3).sum(axis=0))]
    top = row.max()
    assert top == pytest.approx(0.42, abs=0.02)
    inside = np.nonzero(row > top * 0.98)[0]
    first, last = inside[0], inside[-1]
    rise, fall = row[:first][row[:first] > 0.01], row[last + 1 :][row[last + 1 :] > 0.01]
    assert len(rise) >= 2
    assert abs(len(rise) - len(fall)) <= 2
    assert (np.diff(rise) >= -1e-6).all()
    assert (np.diff(fall) <= 1e-6).all()


def test_shadow_is_optional(gl):
    model = make_model([cube(material=0)], materials=(MATTE,))
    grid, plain = (draw_from_above(gl, model, shadow=s, grid=g)[0] for s, g in ((False, True),) * 2)
    np.testing.assert_array_equal(grid, plain)
    for kind in ("point", "spot"):
        lamps = lit_model([cube(material=0)], [{"kind": kind}], materials=(MATTE,))
        one, other = (draw(gl, lamps, shadow=shadow) for shadow in (True, False))
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("radius", [0.01, 1.0, 300.0])
def test_no_self_shadowing_of_a_sphere(gl, radius):
    """Surfaces that face the light are as bright as without a shadow, at any scale."""
    model = make_model([sphere(radius=radius, material=0)], materials=(MATTE,))
    with_shadow, without = (
        draw(gl, model, size=(160, 160), shadow=shadow).astype(int) for shadow in (True, False)
    )
    y, x = np.mgrid[0:160, 0:160]
    drawn = without[..., 3] == 255
    reach = (np.nonzero(drawn.any(axis=0))[0].max() + 1 - 80) + 0.5
    px, py = (x + 0.5 - 80) / reach, (80 - y - 0.5) / reach
    normal = np.stack([px, py, np.sqrt(np.clip(1 - px**2 - py**2, 0, 1))], -1)
    lit = drawn & (normal @ -WAY > 0.12)
    assert lit.sum() > 4000
    assert np.abs(with_shadow - without)[lit].max() <= 1


@needs_shared
@pytest.mark.parametrize("name", ["robot.glb", "CesiumMan.glb", "Fox.glb", "Woman.gltf"])
def test_no_self_shadowing_of_models(gl, name):
    """Unoccluded faces that face the light are unchanged."""
    scene = set_look(Scene(), grid=False, occlusion=False, background=(0, 0, 0, 0))
    scene.show(load(MODELS / name)).play_clip(0, 0.0)
    camera = scene.camera.orbit
    camera.ortho = True
    scene.frame(1.0)
    camera.move_to(camera.target - WAY * camera.distance)  # as the light sees it: all is lit
    scene.update(0.3)
    renderer, target = Renderer(gl), Target(gl, (160, 160), 1)
    pictures = []
    for shadow in (True, False):
        set_look(scene, shadow=shadow)
        renderer.draw(scene, target)
        pictures.append(target.read().astype(int))
    renderer.release()
    target.release()
    drawn = pictures[1][..., 3] == 255
    for row, column in ((0, 1), (0, -1), (1, 1), (1, -1)):  # not what lies beside an outline
        drawn &= np.roll(drawn, column, axis=row)
    change = np.abs(pictures[0] - pictures[1]).max(axis=-1)[drawn]
    assert drawn.sum() > 1000
    assert (change > 3).mean() < 0.12, "soft edges on what is farther away are left"


@pytest.mark.parametrize(
    "path",
    [
        asset_path("mannequin.glb"),
        *(pytest.param(MODELS / each, marks=needs_shared) for each in ("Fox.glb", "CesiumMan.glb")),
    ],
    ids=["mannequin", "fox", "cesium"],
)
def test_cut_outs_stand_on_a_shadow(rigview_render, path):
    """On a transparent background it is black with alpha, below the feet and to no edge."""
    small = {"no_background": True, "resolution": (160, 160), "samples": 4}
    picture, bare = (rigview_render(path, **small, shadow=shadow) for shadow in (True, False))
    solid = bare[..., 3] > 0
    lowest = np.nonzero(solid.any(axis=1))[0].max()
    shadow = np.where(solid, 0, picture[..., 3]) / 255.0
    assert shadow[lowest - 6 : lowest + 1].max() >= 0.25
    soft = ~solid & (picture[..., 3] > 0)
    assert (picture[soft][:, :3] == 0).all()
    edges = shadow[:, 0], shadow[:, -1], shadow[0]
    assert max(edge.max() for edge in edges) < 0.02
    other = rigview_render(path, **small, view_mode="normals")
    assert ((other[..., 3] > 0) == solid).mean() > 0.99, "values have no shadow"


def test_cut_outs_from_below_have_no_floor(gl):
    model = make_model([cube(material=0)], materials=(MATTE,))
    camera = OrbitCamera(azimuth=0.4, elevation=-0.5, ortho=True, distance=6.0)
    with_shadow, without = (
        draw(gl, model, camera=camera, shadow=shadow, occlusion=True) for shadow in (True, False)
    )
    np.testing.assert_array_equal(with_shadow[..., 3], without[..., 3])


def test_shadows_are_deterministic(gl):
    model = make_model([sphere(material=0), cube(0.5, (1.5, 0, 0.5))], materials=(MATTE,))
    one, other = (draw(gl, model, shadow=True, grid=True, size=(96, 96)) for _ in range(2))
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("material", "casts"),
    [
        (Material(double_sided=True), True),
        (Material(), True),
        (Material(alpha_mode="MASK", base_color=(1, 1, 1, 0.4)), False),
        (Material(alpha_mode="MASK", base_color=(1, 1, 1, 0.4), alpha_cutoff=0.3), True),
    ],
)
def test_materials_that_cast_a_shadow(gl, material, casts):
    """A sheet 1 m above the ground."""
    dark, _ = shade(gl, _sheet(material))
    assert ((dark > 0.3).sum() > 50) == casts


def test_the_shadow_of_a_blended_material_is_as_strong_as_it_is_opaque(gl):
    def shadow(alpha):
        dark, _ = shade(gl, _sheet(Material(alpha_mode="BLEND", base_color=(1, 1, 1, alpha))))
        return dark.sum()

    found = np.array([shadow(alpha) for alpha in (0, 0.25, 0.5, 0.75, 1)])
    np.testing.assert_allclose(found / found[-1], [0, 0.25, 0.5, 0.75, 1], atol=0.06)


def test_shadow_of_a_masked_material(gl):
    """One half of the sheet is cut out: half the shadow."""
    image = np.full((4, 4, 4), 255, np.uint8)
    whole = Material(
        alpha_mode="MASK",
        double_sided=True,
        base_color_texture=TextureRef(0, Sampler(33071, 33071, 9728, 9728)),
    )
    full = (shade(gl, _sheet(whole, image))[0] > 0.21).sum()
    image = image.copy()
    image[:, :2, 3] = 0
    half = (shade(gl, _sheet(whole, image))[0] > 0.21).sum()
    assert half < 0.75 * full


def _sheet(material, image=None):
    sheet = square(1.0, material=0)
    lying = sheet.positions[:, [0, 2, 1]] * [1, 1, -1] + [0, 1, 0]
    normals = np.tile(np.array([0, 1, 0], np.float32), (4, 1))
    post = make_primitive([[0, 0, 0], [0, 1e-4, 0], [1e-4, 0, 0]], [0, 1, 2])  # where the floor is
    sheet = replace(sheet, positions=lying.astype(np.float32), normals=normals)
    images = () if image is None else (Image("holes", lambda: image),)
    return make_model([sheet, post], materials=(material,), images=images)


def test_the_first_light_of_the_file_casts_the_shadow(gl):
    """It shines from the other side, and so does the shadow fall."""
    turned = make_model(
        [cube(0.6, (0, 1.2, 0), material=0)], (-1, -1), materials=(MATTE,), lights=(light_source(),)
    )
    quarter = math.radians(-60) / 2
    turned.skeleton.rest.rotation[1] = [math.sin(quarter), 0, 0, math.cos(quarter)]
    dark, pixel = shade(gl, turned)
    rows, columns = np.nonzero(dark > 0.21)
    assert abs(columns.mean() + 0.5 - len(dark) / 2) * pixel < 0.05
    assert (rows.mean() + 0.5 - len(dark) / 2) * pixel < -0.2, "behind: it shines along -Z"


def test_light_from_below_casts_no_shadow_on_the_ground(gl):
    model = make_model([cube(0.6, (0, 1.2, 0))], (-1, -1), lights=(light_source(),))
    up = math.radians(60) / 2
    model.skeleton.rest.rotation[1] = [math.sin(up), 0, 0, math.cos(up)]
    assert np.abs(shade(gl, model)[0]).max() < 0.02


def test_outline_contains_the_shadow(rng):
    """It contains every projected point with the margin, and its sides are tight."""
    points = rng.normal(size=(40, 3)).astype(np.float32)
    corners = shadow_outline(points, WAY, -3.0, 0.25)
    np.testing.assert_allclose(corners[:, 1], -3.0)
    way = points + ((-3.0 - points[:, 1]) / WAY[1])[:, None] * WAY
    flat = corners[:, [0, 2]]
    along = np.roll(flat, -1, axis=0) - flat
    out = np.stack([along[:, 1], -along[:, 0]], -1)
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    room = np.einsum("ka,ka->k", out, flat)[:, None] - out @ way[:, [0, 2]].T
    np.testing.assert_allclose(room.min(axis=1), 0.25 / -WAY[1], atol=1e-4)


def test_a_floor_of_the_file_hides_the_ground(gl):
    """It is at the same height, and receives the shadow itself."""
    corners = np.array([[-2, 0, 2], [2, 0, 2], [2, 0, -2], [-2, 0, -2]], float)
    normals = np.tile([0.0, 1, 0], (4, 1)).astype(np.float32)
    floor = make_primitive(corners, [0, 1, 2, 0, 2, 3], normals=normals, material=0)
    model = make_model([floor, cube(0.5, (0, 0.25, 0), material=0)], materials=(MATTE,))
    pictures = []
    for grid in (True, False):
        camera = OrbitCamera(azimuth=0.5, elevation=0.15)
        shown = {"grid": grid, "background": PAPER, "size": (160, 120)}
        camera.distance = 9.0
        pictures.append(draw(gl, model, camera=camera, **shown).astype(int))
    bare = draw(gl, model, camera=camera, size=(160, 120))[..., 3] == 255
    assert bare.mean() > 0.02
    np.testing.assert_array_equal(pictures[0][bare], pictures[1][bare])
    assert (pictures[0] != pictures[1]).any(), "beside it the ground is there"


def test_shadow_of_a_crowd_of_one(gl):
    """It casts and receives shadows like a single character."""
    model = replace(rod_model(), materials=(MATTE,))
    pictures = []
    for many in (False, True):
        scene = Scene()
        character = scene.show(model)
        character.play_clip(0, 0.0, passes=1)
        scene.frame(1.0)
        extent = scene.bounds.extent
        if many:
            place = np.eye(4, dtype=np.float32)[None]
            scene.crowd = Crowd(model.skeleton, model.skins, model.clips, [0], place)
        scene.update(0.7)
        if many:
            scene.crowd.pose_at([0.7])
        assert scene.bounds.extent is extent
        renderer, target = Renderer(gl), Target(gl, (96, 96), 1)
        renderer.draw(scene, target)
        pictures.append(target.read().astype(int))
        renderer.release()
        target.release()
    change = np.abs(pictures[0] - pictures[1]).max(axis=-1)
    assert change.max() <= 16, "its softness is that of one character, not of what it sweeps"
    assert (change > 1).mean() < 0.1


def test_shadows_of_narrow_shapes_have_no_specks(gl):
    """Neighbouring pixels differ little where spikes and gaps are narrower than the soft edge."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    tips = 1.6 * np.stack([np.cos(turns), np.zeros_like(turns), np.sin(turns)], -1)
    across = 0.1 * np.stack([-np.sin(turns), np.zeros_like(turns), np.cos(turns)], -1)
    places = np.stack([0.25 * tips - across, 0.25 * tips + across, tips], 1).reshape(-1, 3)
    above = 5.0 * WAY / WAY[1]  # outside of the picture
    spikes = make_primitive(places + above, np.arange(len(places)), material=0)
    model = make_model([spikes], materials=(replace(MATTE, double_sided=True),))
    dark, _ = shade(gl, model, size=768)
    assert dark.max() == pytest.approx(0.42, abs=0.02)
    assert max(np.abs(np.diff(dark, axis=axis)).max() for axis in (0, 1)) < 0.18


def open_box(half=1.0):
    """Five walls without thickness around the origin, open at +Z."""
    a = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    level = np.full((4, 1), half, np.float32)
    walls = [
        np.hstack([a, -level]),
        *(np.hstack([side * level, a]) for side in (-1, 1)),
        *(np.hstack([a[:, :1], side * level, a[:, 1:]]) for side in (-1, 1)),
    ]
    order = np.array([0, 1, 2, 0, 2, 3], np.uint32)
    indices = np.concatenate([order + 4 * k for k in range(len(walls))])
    return make_primitive(np.vstack(walls), indices, material=0)


def test_no_light_comes_through_the_corners_of_walls(gl):
    """Along the upper and the left edge of the back wall, which is in shadow."""
    model = make_model([open_box()], materials=(replace(MATTE, double_sided=True),))
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, distance=3.2, target=np.zeros(3))
    picture = draw(gl, model, size=(800, 800), camera=camera, samples=4)[..., 1].astype(int)
    places = camera.project(np.array([[-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]]), 1.0) * 800
    (left, top), (right, bottom) = places[:, :2].astype(int)
    wall = np.median(picture[top + 60 : bottom - 60, left + 60 : right - 60])
    upper = picture[top + 2 : top + 16, left + 30 : right - 30]
    beside = picture[top + 30 : bottom - 30, left + 2 : left + 16].T
    for band in (upper, beside):
        assert band.mean(axis=1).max() - wall < 4
        assert np.abs(np.diff(band, axis=1)).max() <= 3, "no saw-tooth along the corner"
