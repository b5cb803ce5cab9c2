"""What a picture shows: materials, alpha, sides, views, sizes; each by pixels that can be told."""

import gc
import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from app.animation.morph import MorphTargets
from app.camera import OrbitCamera
from app.errors import ContextError
from app.model import Material, Sampler, TextureRef
from app.render.assets import GpuModel
from app.render.renderer import Renderer
from app.render.target import Target, straight_alpha
from app.render.texture import Textures, halved
from app.scene import Display, Scene
from tests.builder import make_model, make_primitive, rod_model, square, square_model

RED, GREEN, BLUE, WHITE = (
    np.array([*c, 255], np.uint8) for c in ([255, 0, 0], [0, 255, 0], [0, 0, 255], [255] * 3)
)


def draw(gl, model, *, size=(64, 64), samples=1, camera=None, tau=0.0, **display):
    """Picture [H, W, 4] of a model seen from +Z, without a grid on nothing."""
    shown = Display(**({"grid": False, "background": (0, 0, 0, 0)} | display))
    scene = Scene(camera=camera or OrbitCamera(azimuth=0.0, elevation=0.0, ortho=True))
    scene.display = shown
    character = scene.show(model)
    character.play(0 if model.clips else -1, 0.0)
    if camera is None:
        scene.frame(size[0] / size[1])
    scene.update(tau)
    renderer, target = Renderer(gl), Target(gl, size, samples)
    renderer.draw(scene, target)
    picture = target.read()
    renderer.release()
    target.release()
    return picture


def gpu_objects(gl):
    """How many buffers, textures and vertex arrays are alive."""
    gc.collect()
    kinds = (moderngl.Buffer, moderngl.Texture, moderngl.VertexArray, moderngl.Framebuffer)
    held = [item for item in gc.get_objects() if isinstance(item, kinds)]
    alive = [item for item in held if not isinstance(item.mglo, moderngl.mgl.InvalidObject)]
    return len(alive)


def middle(picture):
    return picture[picture.shape[0] // 2, picture.shape[1] // 2].astype(int)


def srgb(linear):
    c = np.asarray(linear, float)
    return 255 * np.where(c <= 0.0031308, c * 12.92, 1.055 * c ** (1 / 2.4) - 0.055)


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


def test_texture_transform(gl):
    """A turn by 90 degrees about the top left corner: v takes the place of u."""
    image = np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8).repeat(8, 0).repeat(8, 1)
    ref = TextureRef(0, Sampler(min_filter=9728, mag_filter=9728), rotation=math.pi / 2)
    model = square_model(Material(base_color_texture=ref), image)
    picture = draw(gl, model, view_mode="base-colour").astype(int)
    # u' = v, v' = -u (wraps to 1 - u)
    np.testing.assert_allclose(picture[20, 20], BLUE, atol=1)
    np.testing.assert_allclose(picture[20, 44], RED, atol=1)
    np.testing.assert_allclose(picture[44, 20], WHITE, atol=1)
    np.testing.assert_allclose(picture[44, 44], GREEN, atol=1)


def test_texture_offset_and_scale(gl):
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


def test_straight_alpha_of_nothing_is_nothing():
    picture = np.array([[[10, 20, 30, 0], [64, 32, 0, 128]]], np.uint8)
    np.testing.assert_array_equal(straight_alpha(picture), [[[0, 0, 0, 0], [128, 64, 0, 128]]])


@pytest.mark.parametrize("double", [False, True])
def test_sides(gl, double):
    """Seen from behind a square is not there, unless it is double-sided."""
    model = square_model(Material(base_color=(0.5, 0.5, 0.5, 1), double_sided=double))
    camera = OrbitCamera(azimuth=math.pi, elevation=0.0, ortho=True, distance=3.0)
    picture = draw(gl, model, camera=camera)
    assert (picture[32, 32, 3] == 255) == double
    if double:
        assert picture[32, 32, 0] > 60, "the back is lit as a back"


def test_negative_scale_shows_the_outside(gl):
    """A mirrored node: its front faces are still what one sees, with normals outwards."""
    plain = square_model(Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0))
    expected = draw(gl, plain)
    plain.skeleton.rest.scale[0] = [-1, 1, 1]
    mirrored = draw(gl, plain)
    np.testing.assert_allclose(middle(mirrored), middle(expected), atol=1)


def test_mirrored_skin_shows_the_outside(gl):
    model = replace(rod_model(), clips=())
    expected = draw(gl, model)
    model.skeleton.rest.scale[1] = [-1, 1, 1]
    mirrored = draw(gl, model)
    np.testing.assert_array_equal(mirrored[..., 3] > 0, (expected[..., 3] > 0))


@pytest.mark.parametrize("texture", [False, True])
def test_palette_texture_draws_the_same(gl, texture):
    model = rod_model()
    scene = Scene(camera=OrbitCamera(azimuth=0.0, elevation=0.0))
    scene.show(model).play(0, 0.0)
    scene.frame(1.0)
    scene.update(0.7)
    target = Target(gl, (64, 64), 1)
    pictures = []
    for kind in (False, texture):
        renderer = Renderer(gl, palette_texture=kind)
        renderer.draw(scene, target)
        pictures.append(target.read())
        renderer.release()
    target.release()
    np.testing.assert_array_equal(*pictures)


def test_eight_influences_draw_as_four_where_four_are_used(gl):
    np.testing.assert_array_equal(draw(gl, rod_model(4), tau=0.6), draw(gl, rod_model(8), tau=0.6))


def test_the_pose_moves_the_picture(gl):
    still, bent = draw(gl, rod_model(), tau=0.0), draw(gl, rod_model(), tau=0.9)
    assert (still[..., 3] != bent[..., 3]).mean() > 0.02


def test_weights_paint_the_chosen_joint(gl):
    """Viridis: the top of the rod yellow for its own joint, the bottom grey: no weight at all."""
    picture = draw(gl, replace(rod_model(), clips=()), weights_joint=3).astype(int)
    column = picture[:, 32]
    drawn = np.nonzero(column[:, 3])[0]
    top, bottom = column[drawn[2]], column[drawn[-3]]
    assert top[0] > 120
    assert top[2] < top[0]
    assert top[1] > top[2] + 50
    assert np.ptp(bottom[:3]) < 12, "grey"


def test_wireframe_draws_edges(gl):
    plain = draw(gl, rod_model(), size=(128, 128))
    wire = draw(gl, rod_model(), size=(128, 128), wireframe=True)
    changed = (np.abs(plain.astype(int) - wire.astype(int)).max(axis=-1) > 20).sum()
    assert 100 < changed < (plain[..., 3] > 0).sum()


@pytest.mark.parametrize("topology", ["points", "lines"])
def test_points_and_lines_are_unlit_dots_and_strokes(gl, topology):
    primitive = replace(square(normals=None, material=0), topology=topology)
    material = Material(base_color=(0.2, 0.6, 0.4, 1.0))
    picture = draw(gl, make_model([primitive], materials=(material,)), background=(0, 0, 0, 0))
    drawn = picture[picture[..., 3] == 255]
    assert 16 <= len(drawn) < 64 * 8
    np.testing.assert_allclose(
        drawn[:, :3], np.tile(srgb([0.2, 0.6, 0.4]), (len(drawn), 1)), atol=1
    )


def test_a_mesh_with_and_without_its_skin(gl):
    """One mesh on two nodes, skinned on one of them and rigid on the other."""
    model = replace(rod_model(), clips=())
    skinned = model.instances[0]
    model = replace(model, instances=(skinned, replace(skinned, joint=3, skin=-1)))
    picture = draw(gl, model)
    alone = draw(gl, replace(model, instances=(skinned,)))
    assert (picture[..., 3] > 0).sum() != (alone[..., 3] > 0).sum()
    rows = np.nonzero((picture[..., 3] > 0).any(axis=1))[0]
    assert len(rows) > 55, "the rigid one stands on the top joint: twice the height, framed"


def test_skeleton_is_drawn_over_the_mesh(gl):
    plain = draw(gl, rod_model(), size=(128, 128))
    bones = draw(gl, rod_model(), size=(128, 128), skeleton=True)
    assert (np.abs(plain.astype(int) - bones.astype(int)).max(axis=-1) > 60).sum() > 60


def test_grid_lies_below(gl):
    camera = OrbitCamera(azimuth=0.3, elevation=0.4, distance=8.0)
    camera.radius = 2.0
    bare = draw(gl, rod_model(), camera=camera, size=(128, 128))
    grid = draw(gl, rod_model(), camera=camera, size=(128, 128), grid=True)
    assert (grid[..., 3] > 0).sum() > (bare[..., 3] > 0).sum() + 200


@pytest.mark.parametrize("samples", [1, 4])
def test_multisampling_softens_edges(gl, samples):
    picture = draw(gl, rod_model(), tau=0.7, samples=samples)
    partial = ((picture[..., 3] > 0) & (picture[..., 3] < 255)).sum()
    assert (partial > 0) == (samples > 1)


def test_exposure_and_tone_mapping(gl):
    model = square_model(Material(base_color=(0.5, 0.5, 0.5, 1), metallic=0.0))
    plain, brighter = middle(draw(gl, model)), middle(draw(gl, model, exposure=1.0))
    assert brighter[0] > plain[0] + 20
    assert len({tuple(middle(draw(gl, model, tone_mapping=t))) for t in ("neutral", "aces")}) == 2


def test_normal_map_leans_the_light(gl):
    """A bump that looks to the light (up) is brighter than one that looks away."""
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


def test_farther_glass_is_drawn_first(gl):
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


def test_uploading_another_model_frees_the_first(gl):
    scene = Scene(camera=OrbitCamera())
    renderer, target = Renderer(gl), Target(gl, (32, 32), 1)
    alive = []
    for _ in range(4):
        scene.show(rod_model()).play(0, 0.0)
        scene.frame(1.0)
        scene.update(0.0)
        renderer.draw(scene, target)
        alive.append(gpu_objects(gl))
    assert alive[1:] == [alive[1]] * 3
    renderer.unload()
    assert gpu_objects(gl) < alive[-1]
    renderer.release()
    target.release()


def test_nothing_is_drawn_of_indices_that_make_no_triangle(gl):
    void = make_primitive([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.zeros(0, np.uint32))
    assert not draw(gl, make_model([void])).any()


def test_a_model_that_the_driver_refuses(gl, monkeypatch):
    def refuse(*_, **__):
        raise moderngl.Error("out of memory")

    monkeypatch.setattr("app.render.assets.Textures", refuse)
    renderer = Renderer(gl)
    with pytest.raises(ContextError, match="out of memory"):
        renderer.upload(rod_model())
    renderer.release()


@pytest.mark.parametrize("shape", [(8, 8), (9, 5), (1, 6), (7, 1)])
def test_halved(rng, shape):
    pixels = rng.integers(0, 256, (*shape, 4)).astype(np.uint8)
    height, width = (max(1, side // 2) for side in shape)
    expected = [
        [pixels[2 * y : 2 * y + 2, 2 * x : 2 * x + 2].mean(axis=(0, 1)) for x in range(width)]
        for y in range(height)
    ]
    np.testing.assert_allclose(halved(pixels), expected, atol=0.51)


def test_a_picture_too_large_for_the_gpu_is_shown_smaller(gl):
    model = square_model(Material(base_color_texture=TextureRef(0)), np.full((40, 70, 4), 200))
    textures = Textures(SmallGpu(gl), model)
    texture = textures.get(0, Sampler(), srgb=True)
    assert (texture.width, texture.height) == (17, 10)
    assert model.warnings == [
        "/images/0: 70 x 40 pixels are more than this GPU takes; it is shown smaller"
    ]
    textures.release()


class SmallGpu:
    """A context whose textures have at most 64 pixels a side."""

    def __init__(self, context):
        self.context = context
        self.info = context.info | {"GL_MAX_TEXTURE_SIZE": 64}

    def __getattr__(self, name):
        return getattr(self.context, name)


def test_an_upload_that_fails_leaves_nothing(gl):
    model = rod_model()
    broken = replace(model.meshes[0].primitives[0], morph=MorphTargets(None, None, None, ()))
    primitives = (*model.meshes[0].primitives, broken)
    before = gpu_objects(gl)
    with pytest.raises(AttributeError):
        GpuModel(gl, replace(model, meshes=(replace(model.meshes[0], primitives=primitives),)))
    assert gpu_objects(gl) == before


def test_depth_under_the_cursor(gl):
    camera = OrbitCamera(azimuth=0.0, elevation=0.0, distance=4.0)
    scene = Scene(camera=camera)
    scene.show(square_model(Material()))
    scene.update(0.0)
    renderer, target = Renderer(gl), Target(gl, (64, 64), 4)
    renderer.draw(scene, target)
    x, y, depth = camera.project(np.zeros(3), 1.0)
    assert target.depth(32, 32) == pytest.approx(depth, abs=1e-3)
    np.testing.assert_allclose(camera.unproject(x, y, target.depth(32, 32), 1.0), 0, atol=0.02)
    renderer.release()
    target.release()
