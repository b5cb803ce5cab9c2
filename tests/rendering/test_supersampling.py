"""Pictures of any number of samples: averages of shifted pictures in linear display light."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from rigview.model.material import Material, TextureRef
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.supersampling import picture_places, zoom_of
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.draw import gpu_objects, srgb
from tests.support.looks import new_look
from tests.support.models import Image as ModelImage
from tests.support.models import make_model, make_primitive, rod_model
from tests.support.solids import linear_from_srgb, sphere

SIZE = 48
GREY = (0.3, 0.3, 0.32, 1.0)


def sample_places(count):
    """The places [N, 2] of samples in a pixel, pixels from its centre, with mean 0."""
    zoom = zoom_of(count)
    cells = (np.indices((zoom, zoom)).reshape(2, -1).T + 0.5) / zoom - 0.5
    return (picture_places(count, zoom)[:, None] + cells).reshape(-1, 2)


class Pictures:
    """Pictures of one scene with any number of samples."""

    def __init__(self, gl, model, **display):
        self.gl = gl
        self.renderer = Renderer(gl)
        self.scene = Scene(camera=OrbitCamera(azimuth=0.3, elevation=0.1))
        new_look(self.scene, **({"grid": False, "background": GREY, "occlusion": False} | display))
        self.scene.show(model).play_clip(0 if model.clips else -1, 0.0)
        self.scene.frame(1.0)

    def draw(self, samples, tau=0.3, shift=None):
        """Return a picture [H, W, 4]; with a shift in clip space, of that sample alone."""
        self.scene.update(tau)
        target = Target(self.gl, (SIZE, SIZE), samples)
        if shift is not None:
            whole = target.pictures
            target.pictures = lambda *of: (replace(one, shift=shift) for one in whole(*of))
        self.renderer.draw(self.scene, target)
        picture = target.read()
        self.depth = target.depth(SIZE // 2, SIZE // 2)
        target.release()
        return picture

    def truth(self, zoom=8):
        """Return the mean light [H, W, 3] of a picture of many times the resolution."""
        self.scene.update(0.3)
        target = Target(self.gl, (SIZE * zoom, SIZE * zoom), 1)
        self.renderer.draw(self.scene, target)
        light = linear_from_srgb(target.read())
        target.release()
        return light.reshape(SIZE, zoom, SIZE, zoom, 3).mean(axis=(1, 3))

    def average(self, samples):
        """Return the average of pictures of one sample, premultiplied in linear light."""
        drawn = [self.draw(1, shift=tuple(at * 2 / SIZE)) for at in sample_places(samples)]
        alpha = np.mean([one[..., 3] / 255 for one in drawn], axis=0)
        light = np.mean([linear_from_srgb(one) * one[..., 3:] / 255 for one in drawn], axis=0)
        return light / np.maximum(alpha, 1e-9)[..., None], alpha


@pytest.mark.parametrize("count", [1, 2, 3, 7, 16, 64])
def test_sample_places_fill_the_pixel(count):
    places = sample_places(count)
    np.testing.assert_allclose(places.mean(axis=0), 0.0, atol=1e-12)
    assert np.abs(places).max() <= 0.6
    for axis in places.T:
        assert len(np.unique(np.round(axis, 6))) == count / zoom_of(count)
        gaps = np.diff(np.sort(axis))
        assert not len(gaps) or gaps.max() < 4.0 * zoom_of(count) / count


@pytest.mark.parametrize("background", [GREY, (0, 0, 0, 0)])
@pytest.mark.parametrize("samples", [2, 7, 18])
def test_average_of_shifted_pictures(gl, samples, background):
    shadow = background[3] == 1.0  # otherwise soft edges of it are alpha
    pictures = Pictures(gl, rod_model(), background=background, shadow=shadow)
    light, alpha = pictures.average(samples)
    drawn = pictures.draw(samples)
    clear = alpha > 0.2  # straight colours of nearly transparent pixels are coarse
    np.testing.assert_allclose(drawn[..., 3], alpha * 255, atol=1)
    np.testing.assert_allclose(drawn[clear][:, :3], srgb(light)[clear], atol=4)
    edge = (alpha > 0.05) & (alpha < 0.95)
    assert bool(edge.any()) == (background[3] == 0)


@pytest.mark.parametrize("samples", [8, 16])
def test_average_of_pictures_of_twice_the_resolution(gl, samples):
    """All samples count; of pixels that edges only touch, at most two need not."""
    pictures = Pictures(gl, rod_model())
    light, _ = pictures.average(samples)
    error = np.abs(pictures.draw(samples)[..., :3] - srgb(light).astype(float)).max(axis=-1)
    assert error.max() < 255 / samples
    assert (error > 4).sum() <= 2


def test_textures_are_finer_with_more_samples(gl):
    """Pictures of many samples resemble one of many times the resolution, without its lines."""
    pictures = Pictures(gl, fine_model(), shadow=False)
    error = {}
    truth = pictures.truth()
    for samples in (1, 4, 16):
        found = linear_from_srgb(pictures.draw(samples))
        error[samples] = np.sqrt(((found - truth) ** 2).mean())
    assert 1.5 * error[16] < error[4] < error[1]


def test_more_samples_have_finer_edges(gl):
    """The coverage of an edge takes as many values as there are samples."""
    pictures = Pictures(gl, rod_model(), background=(0, 0, 0, 0), shadow=False)
    values = [len(np.unique(pictures.draw(samples)[..., 3])) for samples in (1, 4, 8, 16, 64)]
    assert values == sorted(set(values))
    assert values[0] == 2
    assert 13 <= values[3] <= 17


def test_pictures_too_large_for_twice_the_resolution(gl):
    most = gl.info["GL_MAX_RENDERBUFFER_SIZE"]
    target = Target(gl, (most // 2 + 1, 2), 16)
    assert len(target.sampling.shifts) == 16
    target.release()


def test_a_target_keeps_nothing_of_the_picture_before(gl):
    """A ball at the left leaves no edge beside one at the right."""
    places = [(side, 0.0, 0.0) for side in (-1.0, 1.0)]
    balls = [make_model([sphere(24, 0.4, at=at)]) for at in places]
    target, renderer, pictures = Target(gl, (SIZE, SIZE), 16), Renderer(gl), []
    for model in (*balls, balls[1]):
        scene = new_look(Scene(), grid=False, shadow=False, background=(0, 0, 0, 0))
        scene.show(model)
        scene.camera.orbit = OrbitCamera(azimuth=0.0, elevation=0.0, distance=5.0)
        scene.update(0.0)
        renderer.draw(scene, target)
        pictures.append(target.read())
    assert (pictures[0][:, SIZE // 2 :] == 0).all()
    assert (pictures[1][:, : SIZE // 2] == 0).all()
    assert pictures[1].any()
    np.testing.assert_array_equal(pictures[1], pictures[2])
    renderer.release()
    target.release()


def test_depth_is_that_of_one_sample(gl):
    pictures = Pictures(gl, rod_model())
    pictures.draw(1)
    depth = pictures.depth
    pictures.draw(16)
    assert pictures.depth == pytest.approx(depth, abs=1e-3)


def test_released_targets_leave_nothing(gl):
    pictures = Pictures(gl, rod_model())
    for samples in (4, 4, 16):  # programs stay, and what is behind the last two
        pictures.draw(samples)
    before = gpu_objects(gl)
    for samples in (2, 16, 1, 4):
        pictures.draw(samples)
    assert gpu_objects(gl) == before


def fine_model():
    """A dark ball of thin rings with a fine texture, and a card of alpha-masked leaves."""
    rows, columns = np.indices((64, 64))
    pixels = np.full((64, 64, 4), 255, np.uint8)
    pixels[..., :3] = np.where((rows // 2 + columns // 2) % 2, 30, 230)[..., None]
    pixels[:, ::8, :3] = 0
    leaves = pixels.copy()
    leaves[..., 3] = np.where((rows % 16 - 8) ** 2 + (columns % 16 - 8) ** 2 < 30, 255, 0)
    turn = np.linspace(0.0, 2 * np.pi, 65)
    uv = np.stack(np.meshgrid(np.linspace(0, 4, 25), np.linspace(0, 2, 13)), -1).reshape(-1, 2)
    ball = sphere(12, 0.5, texcoords=(uv.astype(np.float32),), material=0)
    rings = [
        make_primitive(
            [(r * np.cos(t), y, r * np.sin(t)) for t in turn for r in (0.52, 0.55)],
            [2 * k + j for k in range(64) for j in (0, 1, 2, 1, 3, 2)],
            material=1,
        )
        for y in np.linspace(-0.5, 0.5, 7)
    ]
    corners = [(-0.9, -0.5, 0.3), (0.9, -0.5, -0.3), (0.9, 0.5, -0.3), (-0.9, 0.5, 0.3)]
    card = make_primitive(
        corners,
        [0, 1, 2, 0, 2, 3],
        texcoords=(np.array([[0, 3], [4, 3], [4, 0], [0, 0]], np.float32),),
        material=2,
    )
    materials = (
        Material(base_color_texture=TextureRef(0), metallic=0.0),
        Material(base_color=(0.01, 0.01, 0.01, 1), double_sided=True),
        Material(base_color_texture=TextureRef(1), alpha_mode="MASK", double_sided=True),
    )
    images = tuple(
        ModelImage(name, lambda found=found: found)
        for name, found in (("fine", pixels), ("leaves", leaves))
    )
    return make_model([ball, *rings, card], materials=materials, images=images)


def test_turntable_is_as_steady_as_with_64_samples(gl):
    """The mean difference of one frame to the next, of thin, fine and masked surfaces."""
    pictures = Pictures(gl, fine_model(), grid=True)
    change = {}
    for samples in (1, 16, 64):
        drawn = []
        for k in range(3):
            pictures.scene.camera.orbit.azimuth = 0.3 + 0.01 * k
            drawn.append(pictures.draw(samples)[..., :3].astype(float))
        change[samples] = np.abs(np.diff(drawn, axis=0)).mean()
    assert change[16] < 1.5 * change[64]
    assert change[64] < change[1]


def test_stills_have_more_samples_than_sequences(rigview, model_file, tmp_path):
    def drawn(name, *options):
        size = "--resolution", "40,40", "--quiet", "--fit", "clip"
        out = tmp_path / f"{name}.png"
        run = rigview("render", model_file, *size, *options, "-o", out)
        assert run.code == 0, run
        found = next(tmp_path.glob(f"{name.replace('%d', '*')}.png"))
        with Image.open(found) as image:
            return np.asarray(image)

    still, sequence = drawn("still"), drawn("sequence-%d", "--frames", "0..0")
    assert (still == drawn("sixteen", "--samples", "16")).all()
    assert (sequence == drawn("four", "--samples", "4")).all()
    assert (still != sequence).any()
    eight = drawn("eight-%d", "--frames", "0..0", "--samples", "8")
    assert (eight == drawn("eight", "--samples", "8")).all()
