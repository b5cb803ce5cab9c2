"""Materials, textures and alpha, by pixels."""

import math
from dataclasses import replace
from io import BytesIO

import numpy as np
import PIL.Image
import pytest

from rigview.model.material import Material, Sampler, TextureRef
from rigview.rendering.program import Programs
from rigview.rendering.render_target import straight_alpha
from rigview.rendering.textures.mipmaps import Mipmaps
from rigview.rendering.textures.texture import Textures, halved
from rigview.rendering.textures.texture_stream import TextureStream
from rigview.scene.camera import OrbitCamera
from tests.support.draw import BLUE, GREEN, RED, WHITE, draw, middle, srgb
from tests.support.gltf_documents import Builder
from tests.support.mask_pictures import mask_alpha
from tests.support.models import make_model, square, square_model


def test_base_colour_is_encoded_once(gl):
    model = square_model(Material(base_color=(0.5, 0.25, 0.05, 1.0)))
    color = middle(draw(gl, model, view_mode="base-colour"))
    np.testing.assert_allclose(color, [*srgb([0.5, 0.25, 0.05]), 255], atol=1)


def test_unlit_material(gl):
    model = square_model(Material(base_color=(0.2, 0.6, 0.4, 1.0), unlit=True))
    np.testing.assert_allclose(middle(draw(gl, model))[:3], srgb([0.2, 0.6, 0.4]), atol=1)


def test_texture_the_right_way_up_and_srgb(gl):
    image = np.array([[RED, GREEN], [BLUE, [128, 128, 128, 255]]], np.uint8)
    image = image.repeat(8, axis=0).repeat(8, axis=1)
    ref = TextureRef(0, Sampler(min_filter=9728, mag_filter=9728))
    model = square_model(Material(base_color_texture=ref), image)
    picture = draw(gl, model, view_mode="base-colour").astype(int)
    np.testing.assert_allclose(picture[20, 20], RED, atol=1)
    np.testing.assert_allclose(picture[20, 44], GREEN, atol=1)
    np.testing.assert_allclose(picture[44, 20], BLUE, atol=1)
    np.testing.assert_allclose(picture[44, 44], [128, 128, 128, 255], atol=1)


def test_uv_rotation(gl):
    """Rotation by 90 degrees about the top left corner: v replaces u."""
    image = np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8).repeat(8, 0).repeat(8, 1)
    ref = TextureRef(0, Sampler(min_filter=9728, mag_filter=9728), rotation=math.pi / 2)
    model = square_model(Material(base_color_texture=ref), image)
    picture = draw(gl, model, view_mode="base-colour").astype(int)
    # u' = v, v' = -u (wraps to 1 - u)
    np.testing.assert_allclose(picture[20, 20], BLUE, atol=1)
    np.testing.assert_allclose(picture[20, 44], RED, atol=1)
    np.testing.assert_allclose(picture[44, 20], WHITE, atol=1)
    np.testing.assert_allclose(picture[44, 44], GREEN, atol=1)


def test_uv_offset_and_scale(gl):
    image = np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8).repeat(8, 0).repeat(8, 1)
    ref = TextureRef(
        0, Sampler(min_filter=9728, mag_filter=9728), offset=(0.5, 0.5), scale=(0.5, 0.5)
    )
    model = square_model(Material(base_color_texture=ref), image)
    picture = draw(gl, model, view_mode="base-colour").astype(int)
    assert (np.abs(picture[10:54, 10:54] - WHITE) <= 1).all()


def test_second_texture_coordinates(gl):
    image = np.array([[RED, GREEN]], np.uint8).repeat(8, 0).repeat(4, 1)
    ref = TextureRef(0, Sampler(min_filter=9728, mag_filter=9728), texcoord=1)
    zeros = np.full((4, 2), 0.25, np.float32)
    uv = np.full((4, 2), 0.75, np.float32)
    model = square_model(Material(base_color_texture=ref), image, texcoords=(zeros, uv))
    np.testing.assert_allclose(middle(draw(gl, model, view_mode="base-colour")), GREEN, atol=1)


@pytest.mark.parametrize(
    ("wrap", "expected"), [(10497, [RED, GREEN, RED]), (33648, [RED, GREEN, GREEN])]
)
def test_wrap_modes(gl, wrap, expected):
    image = np.array([[RED, GREEN]], np.uint8).repeat(8, 0).repeat(4, 1)
    ref = TextureRef(0, Sampler(wrap, wrap, 9728, 9728), scale=(2.0, 1.0))
    model = square_model(Material(base_color_texture=ref), image)
    picture = draw(gl, model, view_mode="base-colour").astype(int)
    for x, color in zip((10, 25, 39), expected, strict=True):
        np.testing.assert_allclose(picture[32, x], color, atol=1)


def test_wrap_clamp(gl):
    image = np.array([[RED, GREEN]], np.uint8).repeat(8, 0).repeat(4, 1)
    ref = TextureRef(0, Sampler(33071, 33071, 9728, 9728), scale=(2.0, 1.0))
    model = square_model(Material(base_color_texture=ref), image)
    picture = draw(gl, model, view_mode="base-colour").astype(int)
    np.testing.assert_allclose(picture[32, 55], GREEN, atol=1)


def test_vertex_colours_multiply(gl):
    colors = np.tile(np.array([1, 0.5, 0, 1], np.float32), (4, 1))
    model = square_model(Material(base_color=(0.5, 0.5, 0.5, 1)), colors=colors)
    color = middle(draw(gl, model, view_mode="base-colour"))
    np.testing.assert_allclose(color[:3], srgb([0.5, 0.25, 0.0]), atol=1)


def test_alpha_mask_cuts(gl):
    image = np.array([[[255, 0, 0, 255], [0, 255, 0, 100]]], np.uint8).repeat(8, 0).repeat(4, 1)
    ref = TextureRef(0, Sampler(33071, 33071, 9728, 9728))
    model = square_model(Material(base_color_texture=ref, alpha_mode="MASK"), image)
    picture = draw(gl, model, view_mode="base-colour")
    assert picture[32, 20, 3] == 255
    assert picture[32, 44, 3] == 0


@pytest.mark.parametrize("turn", [0.0, 0.6])
@pytest.mark.parametrize(("kind", "off"), [("leaves", 0.1), ("strands", 0.25)])
def test_masks_keep_their_share_from_afar(gl, turn, kind, off):
    """The pixels that a mask leaves, over those of the whole square, are the same at any size."""
    image = np.full((128, 128, 4), 200, np.uint8)
    image[..., 3] = np.round(255 * mask_alpha(kind))
    ref, shares = TextureRef(0, sampler=Sampler(min_filter=9987)), []
    for size in (256, 96, 48, 24):
        seen = [
            draw(
                gl,
                square_model(Material(base_color_texture=ref, alpha_mode=mode), image),
                size=(size, size),
                samples=16,
                camera=OrbitCamera(azimuth=turn, elevation=0.0, ortho=True, distance=3.0),
            )[..., 3].sum()
            for mode in ("MASK", "OPAQUE")
        ]
        shares.append(seen[0] / seen[1])
    np.testing.assert_allclose(shares, shares[0], rtol=off)


def test_opaque_ignores_alpha(gl):
    model = square_model(Material(base_color=(1, 0, 0, 0.1)))
    assert middle(draw(gl, model, view_mode="base-colour"))[3] == 255


@pytest.mark.parametrize(
    ("background", "expected"),
    [
        ((0, 0, 0, 1), [128, 0, 0, 255]),
        ((1, 1, 1, 1), [255, 127, 127, 255]),
        ((1, 0, 0, 1), [255, 0, 0, 255]),
        ((0, 0, 0, 0), [255, 0, 0, 128]),  # straight alpha, not darkened
    ],
)
def test_blend_over_backgrounds(gl, background, expected):
    model = square_model(Material(base_color=(1, 0, 0, 0.5), alpha_mode="BLEND"))
    color = middle(draw(gl, model, view_mode="base-colour", background=background))
    np.testing.assert_allclose(color, expected, atol=2)


def test_straight_alpha_of_transparent_pixels():
    picture = np.array([[[10, 20, 30, 0], [64, 32, 0, 128]]], np.uint8)
    np.testing.assert_array_equal(straight_alpha(picture), [[[0, 0, 0, 0], [128, 64, 0, 128]]])


def test_exposure_and_tone_mapping(gl):
    model = square_model(Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0))
    plain, brighter = middle(draw(gl, model)), middle(draw(gl, model, exposure=1.0))
    assert brighter[0] > plain[0] + 20
    assert len({tuple(middle(draw(gl, model, tone_mapping=t))) for t in ("neutral", "aces")}) == 2


def test_normal_map_changes_the_lighting(gl):
    """A bump towards the light (up) is brighter than one away from it."""
    material = Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0, normal_texture=TextureRef(0))
    colors = []
    for y in (0.8, -0.8):
        pixel = np.array([0.0, y, 0.6]) * 127.5 + 127.5
        image = np.tile(np.array([*pixel, 255], np.uint8), (4, 4, 1))
        colors.append(middle(draw(gl, square_model(material, image)))[0])
    assert colors[0] > colors[1] + 40, "green is up"


@pytest.mark.parametrize("tangents", [False, True])
def test_normal_map_with_and_without_tangents_agree(gl, tangents):
    material = Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0, normal_texture=TextureRef(0))
    pixel = np.array([0.6, 0.5, 0.62]) * 127.5 + 127.5
    image = np.tile(np.array([*pixel, 255], np.uint8), (4, 4, 1))
    given = np.tile(np.array([1, 0, 0, 1], np.float32), (4, 1))
    plain = middle(draw(gl, square_model(material, image)))
    other = middle(draw(gl, square_model(material, image, tangents=given if tangents else None)))
    np.testing.assert_allclose(plain, other, atol=1)


@pytest.mark.parametrize("tangents", [False, True])
def test_normal_map_of_back_faces(gl, tangents):
    """Back faces flip the normal and the tangent frame."""
    material = Material(
        base_color=(0.5, 0.5, 0.5, 1), metallic=0.0, normal_texture=TextureRef(0), double_sided=True
    )
    given = np.tile(np.array([1, 0, 0, 1], np.float32), (4, 1)) if tangents else None
    found = []
    for x, y, behind in [(0.6, 0.5, True), (0.6, -0.5, False), (0.6, 0.5, False)]:
        pixel = np.array([x, y, 0.62]) * 127.5 + 127.5
        image = np.tile(np.array([*pixel, 255], np.uint8), (4, 4, 1))
        model = square_model(material, image, tangents=given)
        if behind:  # seen from where the camera stands, +X is on the other side
            model.skeleton.rest.rotation[0] = [0, 1, 0, 0]
        found.append(middle(draw(gl, model)))
    np.testing.assert_allclose(found[0], found[1], atol=1)
    assert abs(int(found[1][0]) - int(found[2][0])) > 20


def test_occlusion_metal_rough_and_emissive(gl):
    grey = Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0)
    image = np.tile(np.array([0, 128, 255, 255], np.uint8), (4, 4, 1))
    plain = middle(draw(gl, square_model(grey, image)))
    occluded = replace(grey, occlusion_texture=TextureRef(0))
    assert middle(draw(gl, square_model(occluded, image)))[0] < plain[0] - 10
    metal = replace(grey, metallic=1.0, metallic_roughness_texture=TextureRef(0))
    assert not np.array_equal(middle(draw(gl, square_model(metal, image))), plain)
    glowing = replace(grey, emissive=(0.0, 0.0, 1.0), emissive_texture=TextureRef(0))
    assert middle(draw(gl, square_model(glowing, image)))[2] > plain[2] + 40


def test_blended_nodes_are_drawn_back_to_front(gl):
    """Blended squares on two nodes, the nearer one first in the file."""
    red = square(z=0.0, material=0)
    blue = square(z=0.0, material=1)
    materials = (
        Material(base_color=(1, 0, 0, 0.5), alpha_mode="BLEND"),
        Material(base_color=(0, 0, 1, 0.5), alpha_mode="BLEND"),
    )
    base = make_model([red], (-1, -1), translations=[[0, 0, 0.5], [0, 0, -0.5]])
    instance = base.instances[0]
    model = replace(
        base,
        meshes=(replace(base.meshes[0]), replace(base.meshes[0], primitives=(blue,))),
        materials=materials,
        instances=(instance, replace(instance, joint=1, mesh=1)),
    )
    front = middle(draw(gl, model, view_mode="base-colour", background=(0, 0, 0, 1)))
    np.testing.assert_allclose(front, [128, 0, 64, 255], atol=2)
    camera = OrbitCamera(azimuth=math.pi, elevation=0.0, ortho=True, distance=3.0)
    doubled = replace(model, materials=tuple(replace(m, double_sided=True) for m in materials))
    options = {"view_mode": "base-colour", "background": (0, 0, 0, 1)}
    back = middle(draw(gl, doubled, camera=camera, **options))
    assert back[2] > back[0]


@pytest.mark.parametrize("shape", [(8, 8), (9, 5), (1, 6), (7, 1)])
def test_halved(rng, shape):
    pixels = rng.integers(0, 256, (*shape, 4)).astype(np.uint8)
    height, width = (max(1, side // 2) for side in shape)
    expected = [
        [pixels[2 * y : 2 * y + 2, 2 * x : 2 * x + 2].mean(axis=(0, 1)) for x in range(width)]
        for y in range(height)
    ]
    np.testing.assert_allclose(halved(pixels), expected, atol=0.51)


def test_textures_too_large_for_the_gpu_are_downscaled(gl):
    model = square_model(Material(base_color_texture=TextureRef(0)), np.full((40, 70, 4), 200))
    textures = Textures(SmallGpu(gl), model, Mipmaps(gl, Programs(gl)))
    texture = textures.get(0, Sampler(), srgb=True)
    assert texture.size == (17, 10)
    assert model.warnings == [
        "/images/0: 70 x 40 pixels exceed the texture size of this GPU; downscaled"
    ]
    textures.release()


@pytest.mark.parametrize("streamed", [False, True])
def test_equal_images_are_one_texture(gl, streamed):
    """Of each sampler and colour space."""
    b = Builder()
    data = BytesIO()
    PIL.Image.fromarray(np.full((4, 4, 4), 90, np.uint8)).save(data, "PNG")
    for _ in range(3):
        b.add("images", bufferView=b.view(data.getvalue()))
    stream = TextureStream() if streamed else None
    textures = Textures(gl, b.load(), Mipmaps(gl, Programs(gl)), stream=stream)
    one, two, three = (textures.get(image, Sampler(), srgb=True) for image in range(3))
    if stream is not None:
        stream.finish()
    assert one is two is three
    assert one.size == (4, 4)
    assert textures.get(1, Sampler(), srgb=False) is not one
    textures.release()


class SmallGpu:
    """A context with textures of at most 64 pixels per side."""

    def __init__(self, context):
        self.context = context
        self.info = context.info | {"GL_MAX_TEXTURE_SIZE": 64}

    def __getattr__(self, name):
        return getattr(self.context, name)
