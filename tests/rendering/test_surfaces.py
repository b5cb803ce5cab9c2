"""Normals, texture filtering, and nearly empty scenes."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.model.material import Material, Sampler, TextureRef
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.scene.scene import Scene
from tests.support.draw import draw, middle
from tests.support.models import make_model, square, square_model
from tests.support.solids import sphere

NEAREST, LINEAR, MIPMAPPED = 9728, 9729, 9987


def test_zero_normals_are_replaced_by_face_normals(gl):
    """A file with some zero normals: no pixel is black."""
    ball = sphere(24, material=0)
    normals = ball.normals.copy()
    normals[::2] = 0
    material = Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0)
    whole, gaps = (
        draw(gl, make_model([each], materials=(material,)), view_mode="normals").astype(int)
        for each in (ball, replace(ball, normals=normals))
    )
    drawn = whole[..., 3] == 255
    assert np.abs(whole - gaps)[drawn].mean() < 6
    none = draw(
        gl, make_model([replace(ball, normals=normals * 0)], materials=(material,)),
        view_mode="normals",
    ).astype(int)  # fmt: skip
    assert np.abs(whole - none)[drawn].mean() < 8


def test_a_normal_map_on_a_mesh_without_normals(gl):
    """glTF 2.0, section 3.7.2.1: flat normals are used and tangents are ignored."""
    pixel = np.array([0.6, 0.5, 0.62]) * 127.5 + 127.5
    image = np.tile(np.array([*pixel, 255], np.uint8), (4, 4, 1))
    material = Material(normal_texture=TextureRef(0))
    wrong = np.tile(np.array([0, -1, 0, 1], np.float32), (4, 1))
    flat = square_model(material, image, normals=None, tangents=wrong)
    smooth = square_model(material, image)
    one, other = (middle(draw(gl, model, view_mode="normals")) for model in (flat, smooth))
    np.testing.assert_allclose(one, other, atol=2)
    assert one[0] > 180


@pytest.mark.parametrize(("filtering", "between"), [(NEAREST, (0, 255)), (LINEAR, (160, 215))])
def test_magnification_filter(gl, filtering, between):
    """Two texels, black and white: a hard edge, or a gradient."""
    image = np.zeros((1, 2, 4), np.uint8)
    image[..., 3], image[0, 1] = 255, 255
    ref = TextureRef(0, Sampler(33071, 33071, filtering, filtering))
    picture = draw(gl, square_model(Material(base_color_texture=ref, unlit=True), image))
    row = picture[32, 10:54, 0].astype(int)
    edge = row[len(row) // 2 - 1 : len(row) // 2 + 1]
    if filtering == NEAREST:
        assert set(row.tolist()) == set(between)
    else:
        assert ((edge >= between[0]) & (edge <= between[1])).all()
        assert (np.diff(row) >= 0).all()


@pytest.mark.parametrize(("filtering", "even"), [(NEAREST, False), (MIPMAPPED, True)])
def test_minification_filter(gl, filtering, even):
    """Fine stripes: aliasing without mipmaps, grey with them."""
    stripes = np.zeros((256, 256, 4), np.uint8)
    stripes[..., 3] = 255
    stripes[:, ::3] = 255
    ref = TextureRef(0, Sampler(10497, 10497, filtering, LINEAR))
    model = square_model(Material(base_color_texture=ref, unlit=True), stripes)
    picture = draw(gl, model, size=(32, 32))
    inside = picture[8:24, 8:24, 0].astype(int)
    assert (inside.std() < 12) == even


@pytest.mark.parametrize("mirrored", [False, True])
def test_uv_transforms_against_the_formula(gl, mirrored):
    """KHR_texture_transform at the centres of 8 x 8 texels."""
    image = np.zeros((8, 8, 4), np.uint8)
    image[..., 0], image[..., 1] = np.meshgrid(np.arange(8) * 30, np.arange(8) * 30)
    image[..., 3] = 255
    wrap = 33648 if mirrored else 10497
    offset, turn, scale = (0.3, -0.15), 0.35, (1.7, 0.6)
    ref = TextureRef(
        0, Sampler(wrap, wrap, NEAREST, NEAREST), offset=offset, rotation=turn, scale=scale
    )
    model = square_model(Material(base_color_texture=ref, unlit=True), image)
    picture = draw(gl, model, size=(64, 64)).astype(int)
    rows, columns = np.nonzero(picture[..., 3] == 255)
    low, side = columns.min(), columns.max() + 1 - columns.min()
    u, v = ((x - low + 0.5) / side for x in (columns, rows))
    cos, sin = np.cos(turn), np.sin(turn)
    u, v = u * scale[0], v * scale[1]
    u, v = cos * u + sin * v + offset[0], -sin * u + cos * v + offset[1]
    at = []
    for x in (u, v):
        folded = np.where(np.floor(x) % 2 == 1, 1 - x % 1, x % 1) if mirrored else x % 1
        at.append(np.minimum((folded * 8).astype(int), 7))
    expected = image[at[1], at[0], :3]
    same = (np.abs(picture[rows, columns, :3] - expected) <= 1).all(axis=-1)
    assert same.mean() > 0.9, "but for pixels on an edge between texels"


def test_empty_scene(gl):
    """The grid is drawn without an error, with shadows on."""
    renderer, target = Renderer(gl), Target(gl, (48, 48), 1)
    renderer.draw(Scene(), target)
    assert target.read().std() > 0
    renderer.release()
    target.release()


@pytest.mark.parametrize(
    "display",
    [{"view_mode": "joints"}, {"weights_joint": 0}, {"mask": (1.0,)}, {"wireframe": True}],
)
def test_view_modes_ignore_lights(gl, display):
    """Weights and view modes are equal with and without shadows."""
    model = make_model([square(material=0)], materials=(Material(),))
    one, other = (draw(gl, model, shadow=shadow, **display) for shadow in (True, False))
    if "wireframe" not in display:
        np.testing.assert_array_equal(one, other)
    assert one[..., 3].any()
