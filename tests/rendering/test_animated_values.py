"""Animated values, by pixels: visibility, UV transforms, lights, cameras, materials, variants."""

import math

import numpy as np
import pytest

from rigview.scene.scene import Scene
from tests.support import animated_value_files
from tests.support.animated_value_files import LIGHT, VISIBLE, FeatureBuilder
from tests.support.draw import SIDE, covered_extent, draw, draw_clip, middle, orbit_camera, srgb


def linear(picture):
    c = picture[..., :3] / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


# Rigid parts, flip-books, morphs


def test_rigid_meshes_follow_their_joints(gl):
    picture = draw_clip(
        gl, animated_value_files.robot_arm().load(), 1.0, camera=orbit_camera(height=8)
    )
    left, right, top, bottom = covered_extent(picture)
    # the base box is 0.3 to 0.7 m above the ground; the last one lies 0.5 m below (1, 1)
    np.testing.assert_allclose((left, right), (32 - 0.2 * 8, 32 + 1.2 * 8), atol=1)
    np.testing.assert_allclose((top, bottom), (32 - 1.2 * 8, 32 - 0.3 * 8), atol=1)


def test_animated_visibility_shows_one_frame_at_a_time(gl):
    model = animated_value_files.flip_book().load()
    for k in range(4):
        picture = draw_clip(
            gl, model, 0.25 * k + 0.01, camera=orbit_camera(), view_mode="base-colour"
        )
        np.testing.assert_allclose(middle(picture)[:3], srgb([k / 4, 1 - k / 4, 0.5]), atol=1)
        assert covered_extent(picture)[1] - covered_extent(picture)[0] == round((1 + 0.5 * k) * 16)


def test_animated_uv_offset_with_step_interpolation(gl):
    model = animated_value_files.conveyor("STEP").load()
    at = [
        middle(draw_clip(gl, model, t, camera=orbit_camera()))[:3]
        for t in (0.0, 0.24, 0.25, 0.49, 0.5)
    ]
    np.testing.assert_allclose(at, [[0, 0, 255]] * 2 + [[255] * 3] * 2 + [[255, 0, 0]], atol=1)


def test_never_shown_meshes_are_not_framed_and_meshes_shown_later_are(gl):
    b = animated_value_files.flip_book()
    scene = Scene()
    scene.show(b.load()).play_clip(0, 0.0)
    scene.measure()
    np.testing.assert_allclose(np.ptp(scene.bounds.swept, axis=0)[:2], [2.5, 2.5], atol=1e-5)
    b.json["animations"] = []
    scene.show(b.load())
    scene.measure()
    np.testing.assert_allclose(np.ptp(scene.bounds.swept, axis=0)[:2], [1, 1], atol=1e-5)


def test_hidden_parents_hide_their_descendants(gl):
    b = FeatureBuilder()
    b.extension("KHR_node_visibility")
    material = b.unlit()
    shown = {"KHR_node_visibility": {"visible": True}}
    b.add("nodes", children=[1])
    b.add("nodes", children=[2], extensions=shown)
    b.add("nodes", mesh=b.square(material=material), extensions=shown)
    b.pointer((VISIBLE.format(0), [0, 1, 2], [1, 0, 1]), (VISIBLE.format(2), [0, 3], [1, 0]))
    model = b.load()
    alphas = [middle(draw_clip(gl, model, t, camera=orbit_camera()))[3] for t in (0.5, 1.5, 2.5)]
    assert alphas == [255, 0, 255]


def test_animated_morph_weights_by_pointer(gl):
    b = FeatureBuilder()
    b.unlit()
    mesh = b.square(material=0)
    up = b.accessor([[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 1, 0]])
    b.json["meshes"][mesh]["primitives"][0]["targets"] = [{"POSITION": up}]
    b.add("nodes", mesh=mesh)
    b.pointer(("/meshes/0/weights", [0, 1], [0, 1]))
    model = b.load()
    tops = [
        covered_extent(draw_clip(gl, model, t, camera=orbit_camera()))[2] for t in (0.0, 0.5, 1.0)
    ]
    assert tops == [24, 16, 8]


# Texture places


def colours(picture, row=32):
    """Return the colours at the centres of the four quarters of a square 1 m wide."""
    return picture[row, 26:40:4, :3].astype(int).tolist()


def test_animated_uv_offset(gl):
    model = animated_value_files.conveyor().load()
    still = colours(draw_clip(gl, model, 0.0, camera=orbit_camera()))
    assert still == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    for quarter in (1, 2, 3):
        moved = colours(draw_clip(gl, model, quarter / 4, camera=orbit_camera()))
        assert moved == still[quarter:] + still[:quarter]


def test_animated_uv_scale_and_rotation(gl):
    b = animated_value_files.conveyor()
    place = animated_value_files.OFFSET.rpartition("/")[0]
    b.json["animations"] = []
    b.pointer(
        (f"{place}/scale", [0, 1], [[1, 1], [0.5, 1]]),
        (f"{place}/rotation", [0, 2], [0, math.pi]),
    )
    model = b.load()
    picture = draw_clip(gl, model, 1.0, camera=orbit_camera())  # u' = v, v' = -u / 2
    stripes = picture[26:40:4, 32, :3].astype(int).tolist()
    assert stripes == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    b.json["animations"][0]["channels"].pop()
    wide = colours(draw_clip(gl, b.load(), 1.0, camera=orbit_camera()))
    assert wide == [[255, 0, 0], [255, 0, 0], [0, 255, 0], [0, 255, 0]]


# Lights


def lit(gl, b, tau=0.0, at=(32, 32)):
    """Return linear light [3] at a pixel, seen from above, without tone mapping."""
    picture = draw_clip(gl, b.load(), tau, camera=orbit_camera(elevation=90), tone_mapping="none")
    return linear(picture.astype(float))[at]


def dark(gl):
    return lit(gl, animated_value_files.lit_floor(intensity=1e-9))  # what is left of the studio


def test_animated_intensity_and_colour_of_a_light(gl):
    b = animated_value_files.lit_floor(intensity=1)
    b.pointer(
        (f"{LIGHT}/intensity", [0, 2], [0, 2]),
        (f"{LIGHT}/color", [0, 1, 2], [[1, 1, 1], [1, 0.5, 0], [1, 0, 0]]),
    )
    around = dark(gl)
    pools = [lit(gl, b, t) - around for t in (0.0, 1.0, 2.0)]
    np.testing.assert_allclose(pools[0], 0, atol=1e-6)
    white = lit(gl, animated_value_files.lit_floor(intensity=1)) - around
    assert white.min() > 0.1
    np.testing.assert_allclose(pools[1], white * [1, 0.5, 0], atol=0.01)
    np.testing.assert_allclose(pools[2], white * [2, 0, 0], atol=0.02)


def test_light_decreases_with_the_square_of_the_distance(gl):
    around = dark(gl)
    near = lit(gl, animated_value_files.lit_floor(intensity=1)) - around
    far = lit(gl, animated_value_files.lit_floor(intensity=4, height=2)) - around
    np.testing.assert_allclose(far, near, rtol=0.03)
    expected = 0.5 * 0.96 / math.pi  # of what does not mirror; what does adds a little
    assert expected < near[0] < 1.3 * expected


def test_a_light_ends_at_its_range(gl):
    b = animated_value_files.lit_floor(intensity=1.5, range=8)
    b.pointer((f"{LIGHT}/range", [0, 1, 2], [8, 1.25, 0]))
    around = dark(gl)
    wide, half, none = (lit(gl, b, t) - around for t in (0.0, 1.0, 2.0))
    np.testing.assert_allclose(half / wide, (1 - 0.8**4) / (1 - 0.125**4), rtol=0.05)
    np.testing.assert_allclose(none, 0, atol=1e-6)  # 0 is no light, not one without an end


def test_a_spot_lights_only_its_cone(gl):
    b = animated_value_files.lit_floor(
        "spot", intensity=2, spot={"innerConeAngle": 0.2, "outerConeAngle": 0.6}
    )
    b.pointer((f"{LIGHT}/spot/outerConeAngle", [0, 1], [0.6, 1.2]))
    around = dark(gl)
    inside = lit(gl, b) - around
    np.testing.assert_allclose(
        inside, lit(gl, animated_value_files.lit_floor(intensity=2)) - around, rtol=0.03
    )
    outside = 32, 32 + round(16 * math.tan(0.7))
    np.testing.assert_allclose(lit(gl, b, at=outside), around, atol=0.003)
    assert (lit(gl, b, 1.0, at=outside) > around + 0.05).all()
    between = lit(gl, b, at=(32, 32 + round(16 * math.tan(0.4)))) - around
    assert (between < 0.8 * inside).all()
    assert (between > 0.02).all()


def test_directional_light_is_uniform_and_has_no_range(gl):
    b = animated_value_files.lit_floor("directional", intensity=1, range=0.1)
    around = dark(gl)
    middle_of, side = lit(gl, b) - around, lit(gl, b, at=(32, 50)) - around
    np.testing.assert_allclose(middle_of, side, atol=0.004)
    assert middle_of.min() > 0.1


def test_a_hidden_light_is_off(gl):
    b = animated_value_files.lit_floor(intensity=5)
    b.extension("KHR_node_visibility")
    b.pointer((VISIBLE.format(1), [0, 1], [1, 0]))
    around = dark(gl)
    assert (lit(gl, b, 0.0) > around + 0.1).all()
    np.testing.assert_allclose(lit(gl, b, 1.0), around, atol=1e-6)


def test_scale_does_not_change_a_light(gl):
    b = animated_value_files.lit_floor("spot", intensity=2)
    plain = lit(gl, b)
    b.json["nodes"][1]["scale"] = [3, 3, 3]
    np.testing.assert_allclose(lit(gl, b), plain, atol=1e-6)


# Cameras


def height(picture):
    return covered_extent(picture)[3] - covered_extent(picture)[2]


def test_a_file_camera_follows_its_node(gl):
    model = animated_value_files.two_cameras().load()
    heights = [height(draw_clip(gl, model, t, file_camera=0)) for t in (0.0, 0.5, 1.0)]
    np.testing.assert_allclose(heights, [32, 32 / 1.5, 16], atol=1)


def test_animated_field_of_view(gl):
    model = animated_value_files.two_cameras().load()
    assert height(draw_clip(gl, model, 0.0, file_camera=0, clip=1)) == 32
    assert height(draw_clip(gl, model, 1.0, file_camera=0, clip=1)) == 64
    assert height(draw_clip(gl, model, 0.0, file_camera=1, clip=1)) == 16
    assert height(draw_clip(gl, model, 1.0, file_camera=1, clip=1)) == 32


def test_invalid_animated_camera_values_are_drawn(gl):
    b = animated_value_files.two_cameras()
    b.json["animations"] = []
    b.pointer(
        ("/cameras/0/perspective/yfov", [0, 1], [-1, 9]),
        ("/cameras/0/perspective/znear", [0, 1], [-1, 0]),
        ("/cameras/1/orthographic/ymag", [0, 1], [0, -2]),
        ("/cameras/1/orthographic/zfar", [0, 1], [-1, 10]),
    )
    model = b.load()
    for tau in (0.0, 0.5, 1.0):
        for file_camera in (0, 1):
            assert draw_clip(gl, model, tau, file_camera=file_camera).shape == (SIDE, SIDE, 4)


def test_cameras_of_hidden_nodes_work(gl):
    b = animated_value_files.two_cameras()
    b.extension("KHR_node_visibility")
    b.json["nodes"][1]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    assert height(draw_clip(gl, b.load(), file_camera=0)) == 32


# Materials


@pytest.mark.parametrize(
    ("name", "mode", "values", "expected"),
    [
        (
            "pbrMetallicRoughness/baseColorFactor",
            "base-colour",
            [[1, 0, 0, 1], [0, 1, 0, 1]],
            srgb([0.5, 0.5, 0]),
        ),
        ("pbrMetallicRoughness/metallicFactor", "metallic", [0, 1], [127.5] * 3),
        ("pbrMetallicRoughness/roughnessFactor", "roughness", [1, 0.5], [191] * 3),
        ("emissiveFactor", "emissive", [[0, 0, 0], [1, 0.5, 0]], srgb([0.5, 0.25, 0])),
        ("pbrMetallicRoughness/metallicFactor", "metallic", [3, 3], [255] * 3),
    ],
)
def test_animated_factor(gl, name, mode, values, expected):
    b = FeatureBuilder()
    b.material()
    b.add("nodes", mesh=b.square(material=0))
    b.pointer((f"/materials/0/{name}", [0, 1], values))
    picture = draw_clip(gl, b.load(), 0.5, camera=orbit_camera(), view_mode=mode)
    np.testing.assert_allclose(middle(picture)[:3], expected, atol=2)


def test_animated_emissive_strength(gl):
    b = FeatureBuilder()
    strength = {"KHR_materials_emissive_strength": {"emissiveStrength": 1}}
    b.material((0, 0, 0, 1), emissiveFactor=[0.1, 0.05, 0], extensions=strength)
    b.add("nodes", mesh=b.square(material=0))
    pointer = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength"
    b.pointer((pointer, [0, 1], [0, 4]))
    model = b.load()
    dull, bright = (
        linear(draw_clip(gl, model, t, camera=orbit_camera(), tone_mapping="none").astype(float))[
            32, 32
        ]
        for t in (0.0, 1.0)
    )
    np.testing.assert_allclose(bright - dull, [0.4, 0.2, 0], atol=0.01)


def test_animated_alpha_cutoff(gl):
    b = FeatureBuilder()
    pixels = np.full((2, 2, 4), 255)
    pixels[..., 3] = 128
    info = {"index": b.picture(pixels)}
    b.unlit(alphaMode="MASK", pbrMetallicRoughness={"baseColorTexture": info})
    b.add("nodes", mesh=b.square(material=0))
    b.pointer(("/materials/0/alphaCutoff", [0, 1], [0.4, 0.6]))
    model = b.load()
    assert [middle(draw_clip(gl, model, t, camera=orbit_camera()))[3] for t in (0.0, 1.0)] == [
        255,
        0,
    ]


def test_animated_occlusion_strength_and_normal_scale(gl):
    b = FeatureBuilder()
    shade = b.picture(np.full((2, 2, 4), [0, 0, 0, 255]))
    tilt = b.picture(np.full((2, 2, 4), [218, 128, 218, 255]))
    b.material(occlusionTexture={"index": shade}, normalTexture={"index": tilt})
    b.add("nodes", mesh=b.square(material=0))
    b.pointer(
        ("/materials/0/occlusionTexture/strength", [0, 1], [0, 1]),
        ("/materials/0/normalTexture/scale", [0, 1], [0, 1]),
    )
    model = b.load()
    open_, shut = (
        middle(draw_clip(gl, model, t, camera=orbit_camera(), view_mode="occlusion"))[0]
        for t in (0.0, 1.0)
    )
    assert (open_, shut) == (255, 0)
    flat, bent = (
        middle(draw_clip(gl, model, t, camera=orbit_camera(), view_mode="normals"))
        for t in (0.0, 1.0)
    )
    assert bent[0] > flat[0] + 60


def test_material_variants(gl):
    b = FeatureBuilder()
    b.extension("KHR_materials_variants", variants=[{"name": "Day"}, {"name": "Night"}])
    colors = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]
    for color in colors:
        b.unlit(pbrMetallicRoughness={"baseColorFactor": color})
    mappings = [{"material": 1, "variants": [0]}, {"material": 2, "variants": [1]}]
    mapped = {"KHR_materials_variants": {"mappings": mappings}}
    b.add("nodes", mesh=b.square(material=0, extensions=mapped))
    model = b.load()
    assert model.variants == ("Day", "Night")
    for variant, color in zip((-1, 0, 1), colors, strict=True):
        picture = draw(gl, model, view_mode="base-colour", variant=variant)
        np.testing.assert_allclose(middle(picture) / 255, color, atol=0.01)
