"""Draw order of blended surfaces: back to front for any nodes and poses."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.skin import Skin, skin_points
from rigview.model.material import Material
from rigview.model.model import MeshInstance
from rigview.rendering.gpu_model import MOST_SORTED, DepthOrder
from rigview.scene.camera import OrbitCamera
from tests.support.draw import draw, middle
from tests.support.models import make_model, make_primitive, rod_model, square
from tests.support.solids import sphere

RED = Material(base_color=(1, 0, 0, 0.5), alpha_mode="BLEND", double_sided=True)
BLUE = Material(base_color=(0, 0, 1, 0.5), alpha_mode="BLEND", double_sided=True)
FLAT = {"view_mode": "base-colour", "background": (0, 0, 0, 1)}


def behind():
    return OrbitCamera(azimuth=np.pi, elevation=0.0, ortho=True, distance=3.0)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_primitives_of_one_node_are_sorted_by_depth(gl, order):
    """Two panes of one mesh: red is nearer to a camera at the front."""
    panes = [square(z=0.5, material=0), square(z=-0.5, material=1)]
    model = make_model([panes[k] for k in order], materials=(RED, BLUE))
    np.testing.assert_allclose(middle(draw(gl, model, **FLAT)), [128, 0, 64, 255], atol=2)
    back = middle(draw(gl, model, camera=behind(), **FLAT))
    np.testing.assert_allclose(back, [64, 0, 128, 255], atol=2)


@pytest.mark.parametrize("turned", [False, True])
def test_triangles_of_one_primitive_are_sorted_by_depth(gl, turned):
    """Both panes in one primitive, distinguished by vertex colours; with and without indices."""
    a, b = square(z=0.5), square(z=-0.5)
    colors = np.repeat(np.array([[1, 0, 0, 0.5], [0, 0, 1, 0.5]], np.float32), 4, axis=0)
    order = [b.indices + 4, a.indices] if turned else [a.indices, b.indices + 4]
    both = make_primitive(
        np.concatenate([a.positions, b.positions]), np.concatenate(order),
        normals=np.concatenate([a.normals, b.normals]), colors=colors, material=0,
    )  # fmt: skip
    white = Material(alpha_mode="BLEND", double_sided=True)
    spread = replace(
        both, indices=None, positions=both.positions[both.indices],
        normals=both.normals[both.indices], colors=both.colors[both.indices],
    )  # fmt: skip
    for primitive in (both, spread):
        model = make_model([primitive], materials=(white,))
        np.testing.assert_allclose(middle(draw(gl, model, **FLAT)), [128, 0, 64, 255], atol=2)
        back = middle(draw(gl, model, camera=behind(), **FLAT))
        np.testing.assert_allclose(back, [64, 0, 128, 255], atol=2)


def test_wireframe_of_sorted_triangles(gl):
    """The edges of a pane are visible through another, in any order of the file."""
    a, b = square(z=0.5), square(z=-0.5)
    pictures = []
    for order in ([a.indices, b.indices + 4], [b.indices + 4, a.indices]):
        both = make_primitive(
            np.concatenate([a.positions, b.positions]), np.concatenate(order),
            normals=np.concatenate([a.normals, b.normals]), material=0,
        )  # fmt: skip
        model = make_model([both], materials=(RED,))
        camera = OrbitCamera(azimuth=0.3, elevation=0.2, distance=4.0)
        pictures.append(draw(gl, model, camera=camera, wireframe=True, size=(96, 96), **FLAT))
    np.testing.assert_array_equal(*pictures)


@pytest.mark.parametrize("moved", [-0.5, 0.5])
def test_skinned_panes_are_sorted_by_their_pose(gl, moved):
    """Both overlap at rest; a joint moves the blue one in front of or behind the red one."""
    skin = Skin("S", np.array([1, 2], np.int32), np.tile(np.eye(4, dtype=np.float32), (2, 1, 1)))
    panes = []
    for k in range(2):
        joints = np.full((4, 4), k, np.uint16)
        weights = np.tile(np.array([1, 0, 0, 0], np.float32), (4, 1))
        panes.append(square(material=k, joints=joints, weights=weights))
    model = make_model(
        panes, (-1, -1, -1), translations=[[0, 0, 0], [0, 0, 0], [0, 0, moved]],
        materials=(RED, BLUE), skins=(skin,), instances=(MeshInstance(0, 0, 0, -1, True),),
    )  # fmt: skip
    expected = [64, 0, 128, 255] if moved > 0 else [128, 0, 64, 255]
    np.testing.assert_allclose(middle(draw(gl, model, **FLAT)), expected, atol=2)


def test_a_jacket_over_a_body(gl):
    """A transparent tube around an opaque one, bent: the body is visible through both walls."""
    rod = rod_model()
    body = replace(rod.meshes[0].primitives[0], material=0)
    wide = body.positions * np.array([2, 1, 2], np.float32)
    jacket = replace(body, positions=wide.astype(np.float32), material=1)
    mesh = replace(rod.meshes[0], primitives=(jacket, body))
    solid = Material(base_color=(0, 1, 0, 1), unlit=True)
    clear = Material(base_color=(1, 0, 0, 0.5), alpha_mode="BLEND", double_sided=True, unlit=True)
    model = replace(rod, meshes=(mesh,), materials=(solid, clear))
    for tau in (0.0, 0.8):
        picture = draw(gl, model, tau=tau, background=(0, 0, 0, 1), size=(96, 96)).astype(int)
        green = picture[..., 1] > 100
        assert green.sum() > 100
        np.testing.assert_allclose(picture[green][:, :2], 128, atol=3)  # one layer over the body
        two = (picture[..., 1] < 5) & (picture[..., 0] > 5)
        assert (np.abs(picture[two][:, 0] - 191) < 4).mean() > 0.8, "both walls beside it"


def test_centre_and_depths_of_a_skinned_primitive(rng):
    """Against all posed vertices."""
    rod = rod_model(8)
    primitive, skin = rod.meshes[0].primitives[0], rod.skins[0]
    order = DepthOrder(primitive, skinned=True, joints=len(skin.joints))
    matrices = rng.normal(size=(rod.skeleton.count, 4, 4)).astype(np.float32)
    matrices[:, 3] = [0, 0, 0, 1]
    palette = skin.palette(matrices)
    posed = skin_points(primitive.positions, primitive.joints, primitive.weights, palette)
    used = np.unique(primitive.indices)
    np.testing.assert_allclose(order.center(palette), posed[used].mean(axis=0), atol=1e-4)
    away = np.array([0.3, -0.5, 0.8])
    indices = order.back_to_front(palette, away)
    depth = (posed @ away)[indices.reshape(-1, 3)].mean(axis=1)
    assert (np.diff(depth) <= 1e-4).all()
    expected = {tuple(t) for t in primitive.indices.reshape(-1, 3).tolist()}
    assert {tuple(t) for t in indices.reshape(-1, 3).tolist()} == expected


def test_too_many_triangles_are_not_sorted():
    few = make_primitive(np.zeros((3, 3)), np.zeros(3 * MOST_SORTED, np.uint32))
    many = replace(few, indices=np.zeros(3 * MOST_SORTED + 3, np.uint32))
    assert DepthOrder(few, skinned=False).sorted
    assert not DepthOrder(many, skinned=False).sorted
    np.testing.assert_array_equal(DepthOrder(many, skinned=False).center(np.eye(3, 4)[None]), 0.0)


@pytest.mark.parametrize("blend", [False, True])
def test_double_sided_and_mirrored(gl, blend):
    """A node of negative scale: the same picture as the unscaled square, from both sides."""
    material = replace(
        RED if blend else Material(double_sided=True), base_color=(0.5, 0.4, 0.3, 0.5)
    )
    plain = make_model([square(material=0)], materials=(material,))
    mirrored = make_model([square(material=0)], materials=(material,))
    mirrored.skeleton.rest.scale[0] = [-1, 1, 1]
    for camera in (None, behind()):
        one, other = (middle(draw(gl, m, camera=camera)) for m in (plain, mirrored))
        np.testing.assert_allclose(one, other, atol=1)


def test_blended_surfaces_hide_others_only_where_opaque(gl):
    """Two concentric spheres are both visible; with alpha 1 the outer one hides the inner one."""
    for alpha, hidden in ((0.5, False), (1.0, True)):
        outer = Material(base_color=(1, 0, 0, alpha), alpha_mode="BLEND")
        inner = Material(base_color=(0, 0, 1, 1.0), alpha_mode="BLEND")
        for order in ((0, 1), (1, 0)):
            balls = [sphere(16, 1.0, material=0), sphere(16, 0.5, material=1)]
            model = make_model([balls[k] for k in order], materials=(outer, inner))
            color = middle(draw(gl, model, **FLAT))
            assert (color[2] < 5) == hidden


def test_opaque_parts_are_visible_through_blended_surfaces(gl):
    """Also if the centre of the opaque part is nearer and it is drawn last."""
    ball = Material(base_color=(0, 0, 1, 0.5), alpha_mode="BLEND")
    solid = Material(base_color=(1, 0, 0, 1.0), alpha_mode="BLEND", double_sided=True)
    for order in ((0, 1), (1, 0)):
        parts = [sphere(16, 1.0, material=0), square(0.5, 0.3, material=1)]
        model = make_model([parts[k] for k in order], materials=(ball, solid))
        np.testing.assert_allclose(middle(draw(gl, model, **FLAT)), [128, 0, 128, 255], atol=1)


def test_the_ground_is_visible_through_blended_surfaces(gl):
    """The grid lines are visible behind a pane."""
    model = make_model([square(4.0, material=0)], materials=(RED,))
    camera = OrbitCamera(azimuth=0.0, elevation=0.3)
    with_grid, without = (
        draw(gl, model, camera=camera, size=(96, 96), grid=grid, shadow=False, **FLAT).astype(int)
        for grid in (True, False)
    )
    seen = np.abs(with_grid - without).max(axis=-1)[without[..., 0] > 100]
    assert seen.max() > 5
