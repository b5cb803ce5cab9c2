"""Surfaces that are shaded after all data are drawn look like those that are shaded at once."""

import numpy as np
import pytest

from rigview.model.material import Material, Sampler, TextureRef
from rigview.model.model import Image
from rigview.rendering.frame import Frame
from rigview.rendering.program import Programs
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.software import software_drawing
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from rigview.scene.selected import Selected
from tests.support import crowd_pictures
from tests.support.draw import gpu_objects, orbit_camera
from tests.support.looks import new_look
from tests.support.models import make_model, make_primitive, rod_model
from tests.support.solids import cube, sphere

SIZE = 96
OPEN = {"occlusion": False}


def noise(side=64, channels=4, seed=1):
    """A smooth random picture."""
    coarse = np.random.default_rng(seed).integers(0, 256, (side // 8, side // 8, channels))
    return np.kron(coarse, np.ones((8, 8, 1))).astype(np.uint8)


def textured(**fields):
    """A material with textures of colour, normals, roughness and occlusion."""
    refs = {
        name: TextureRef(k, Sampler())
        for k, name in enumerate(
            ("base_color_texture", "normal_texture", "metallic_roughness_texture")
        )
    }
    return Material(**{"metallic": 0.6, "roughness": 0.8, **refs, **fields})


def images():
    bumps = noise(seed=2) // 4 + np.array([96, 96, 191, 0], np.uint8)
    shown = noise(seed=0), bumps.astype(np.uint8), noise(seed=2)
    return tuple(Image("", lambda pixels=pixels: pixels) for pixels in shown)


def mapped_sphere(**fields):
    """A sphere with texture coordinates that repeat."""
    ball = sphere(24, 0.5, **fields)
    x, y, z = np.asarray(ball.normals).T
    uv = np.stack([np.arctan2(x, z) * 0.7, y * 2.0], axis=1).astype(np.float32)
    return make_primitive(
        ball.positions, ball.indices, normals=ball.normals, texcoords=(uv,), **fields
    )


def with_tangents():
    ball = mapped_sphere(material=0)
    x, _, z = np.asarray(ball.normals).T
    across = np.stack([z, 0 * x, -x, 1 + 0 * x], axis=1)
    across[:, :3] /= np.maximum(np.linalg.norm(across[:, :3], axis=1, keepdims=True), 1e-6)
    return make_primitive(
        ball.positions,
        ball.indices,
        normals=ball.normals,
        texcoords=ball.texcoords,
        tangents=across.astype(np.float32),
        material=0,
    )


def flat_cube():
    shape = cube(0.8)
    return make_primitive(shape.positions, shape.indices, material=0)


def two_materials():
    parts = [sphere(24, 0.5, at=(x, 0, 0), material=k) for k, x in enumerate((-0.3, 0.3))]
    colours = ((0.8, 0.1, 0.1, 1), (0.1, 0.6, 0.2, 1))
    return make_model(parts, materials=tuple(Material(base_color=c) for c in colours))


def one(primitive, material=None):
    return make_model([primitive], materials=(material or textured(),), images=images())


MODELS = {
    "plain": lambda: make_model([sphere(24, 0.5)]),
    "textures": lambda: one(mapped_sphere(material=0)),
    "tangents": lambda: one(with_tangents()),
    "flat": lambda: one(flat_cube(), Material(roughness=0.5)),
    "mask": lambda: one(mapped_sphere(material=0), textured(alpha_mode="MASK", double_sided=True)),
    "two materials": two_materials,
}


find_groups = software_drawing.deferred_groups


class Pictures:
    """Draws a scene with and without deferred shading."""

    def __init__(self, gl, monkeypatch):
        self._gl, self._patch = gl, monkeypatch
        self.count = 0

    def draw(self, scene, samples, *, deferred, size=SIZE, times=(0.0,)):
        """Return the picture [H, W, 4] at the last time; `count` is how many were deferred."""

        def groups(frame, picture):
            found = find_groups(frame, picture) if deferred else []
            self.count += bool(found)
            return found

        self._patch.setattr(software_drawing, "DENSE", 1e6)
        self._patch.setattr(software_drawing, "deferred_groups", groups)
        self.count = 0
        drawing, target = Renderer(self._gl), Target(self._gl, (size, size), samples)
        for tau in times:
            scene.update(tau)
            drawing.draw(scene, target)
        picture = target.read().astype(int)
        target.release()
        drawing.release()
        return picture


@pytest.fixture
def pictures(gl, monkeypatch):
    return Pictures(gl, monkeypatch)


def scene_of(model, camera=None, **display):
    scene = Scene(camera=camera or OrbitCamera(azimuth=0.4, elevation=0.3))
    new_look(scene, **display)
    scene.show(model).play_clip(-1, 0.0)
    if camera is None:
        scene.frame(1.0)
    scene.update(0.0)
    return scene


def assert_alike(one, other):
    """Few pixels differ by more than a step: at edges, where points and levels of textures do."""
    apart = np.abs(one - other).max(axis=-1)
    assert (apart <= 1).mean() > 0.92
    assert (apart <= 16).mean() > 0.996
    assert apart.mean() < 0.5


@pytest.mark.parametrize("samples", [1, 4, 16])
@pytest.mark.parametrize("name", MODELS)
def test_pictures(pictures, name, samples):
    scene = scene_of(MODELS[name]())
    now = pictures.draw(scene, samples, deferred=True)
    assert pictures.count == (2 if samples == 16 else 1)
    before = pictures.draw(scene, samples, deferred=False)
    assert pictures.count == 0
    assert_alike(now, before)


@pytest.mark.parametrize("samples", [1, 4])
def test_orthographic_and_transparent(pictures, samples):
    camera = orbit_camera(azimuth=30, elevation=20, height=1.5)
    scene = scene_of(two_materials(), camera, grid=False, background=(0, 0, 0, 0), **OPEN)
    now = pictures.draw(scene, samples, deferred=True)
    before = pictures.draw(scene, samples, deferred=False)
    assert pictures.draw(scene, samples, deferred=True)[..., 3].min() == 0
    assert_alike(now, before)
    np.testing.assert_allclose(now[..., 3], before[..., 3], atol=1)


def test_surfaces_below_the_floor(pictures):
    scene = scene_of(make_model([sphere(24, 0.5)]), **OPEN)
    scene.bounds.floor += 0.6
    now = pictures.draw(scene, 4, deferred=True)
    assert pictures.count == 1
    assert_alike(now, pictures.draw(scene, 4, deferred=False))


def test_crowd(pictures):
    """Characters of a crowd are shaded together."""
    model = make_model([sphere(12, 0.8)])
    scene, _ = crowd_pictures.scene_with(model)
    world = crowd_pictures.places_in_a_row(3)
    crowd_pictures.show_crowd(scene, [-1] * 3, world)
    now = pictures.draw(scene, 4, deferred=True)
    assert pictures.count == 1
    assert_alike(now, pictures.draw(scene, 4, deferred=False))


def suits(gl, scene, samples=4, size=SIZE):
    """Whether the frame of a scene is deferred."""
    drawing, target = Renderer(gl), Target(gl, (size, size), samples)
    drawing.draw(scene, target)
    frame = Frame.of(scene)
    drawing._upload_poses(frame)
    picture = next(target.pictures(Programs(gl), frame.part, frame.clear_color))
    found = bool(find_groups(frame, picture))
    target.release()
    drawing.release()
    return found


def test_dense_meshes_are_deferred(gl):
    fine, coarse = (scene_of(make_model([sphere(rings, 0.5)])) for rings in (24, 3))
    assert suits(gl, fine)
    assert not suits(gl, coarse)
    assert suits(gl, coarse, size=16)


@pytest.mark.parametrize(
    ("model", "display"),
    [
        (lambda: one(mapped_sphere(material=0), Material(alpha_mode="BLEND")), {}),
        (lambda: one(mapped_sphere(material=0), Material(unlit=True)), {}),
        (MODELS["plain"], {"wireframe": True}),
        (MODELS["plain"], {"view_mode": "normals"}),
    ],
)
def test_others_are_shaded_at_once(gl, model, display):
    assert not suits(gl, scene_of(model(), **display))


@pytest.mark.parametrize(
    "display", [{"skeleton": True}, {"bounds": True}, {"axes": True}, {"selected": Selected(0, 0)}]
)
def test_overlays_are_drawn_over_shaded_surfaces(pictures, display):
    scene = scene_of(MODELS["textures"](), **display)
    now = pictures.draw(scene, 4, deferred=True)
    assert pictures.count == 1
    assert_alike(now, pictures.draw(scene, 4, deferred=False))
    without = pictures.draw(scene_of(MODELS["textures"]()), 4, deferred=True)
    assert (np.abs(now - without).max(axis=-1) > 30).sum() > 20


def test_a_near_plane_too_close_for_points_from_depths(gl, monkeypatch):
    scene = scene_of(MODELS["plain"]())
    assert suits(gl, scene)
    monkeypatch.setattr(OrbitCamera, "showing", lambda *_: OrbitCamera(near=1e-6, far=1e3))
    assert not suits(gl, scene)


@pytest.mark.parametrize("samples", [1, 4])
def test_blended_surfaces_are_drawn_over_shaded_ones(pictures, samples):
    parts = [mapped_sphere(material=0), cube(0.6, material=1)]
    glass = Material(base_color=(0.2, 0.4, 0.9, 0.5), alpha_mode="BLEND")
    scene = scene_of(make_model(parts, materials=(textured(), glass), images=images()))
    now = pictures.draw(scene, samples, deferred=True)
    assert pictures.count == 1
    assert_alike(now, pictures.draw(scene, samples, deferred=False))


def test_buffers_are_released(gl, pictures):
    scene = scene_of(MODELS["plain"]())
    pictures.draw(scene, 4, deferred=True)
    before = gpu_objects(gl)
    for samples in (1, 4, 16):
        pictures.draw(scene, samples, deferred=True)
    assert gpu_objects(gl) == before


@pytest.mark.parametrize("samples", [1, 4])
def test_animated_meshes_leave_no_trace(pictures, samples):
    """What the data of the frame before show is gone in the next one."""
    scene = scene_of(rod_model())
    scene.character.play_clip(0, 0.0)
    first, alone = (
        pictures.draw(scene, samples, deferred=True, times=(tau,)) for tau in (0.1, 0.6)
    )
    later = pictures.draw(scene, samples, deferred=True, times=(0.1, 0.6))
    assert pictures.count == 2
    np.testing.assert_array_equal(later, alone)
    assert (first != alone).any()
