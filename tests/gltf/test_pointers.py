"""KHR_animation_pointer: animated properties, and warnings about unsupported pointers."""

import math

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.errors import GltfError
from tests.gltf.pointer_channels import sampled_values, target_warnings
from tests.support import animated_value_files
from tests.support.animated_value_files import LIGHT, OFFSET, VISIBLE, FeatureBuilder

BLUE = "/materials/0/pbrMetallicRoughness/baseColorFactor"


def plain(*channels):
    """Return a file with one object of each kind and an animation with pointers."""
    b = FeatureBuilder()
    texture = b.picture(np.full((2, 2, 4), 255))
    b.material(
        (0.5, 0.25, 1, 1),
        normalTexture={"index": texture, "scale": 0.5},
        occlusionTexture={"index": texture},
        emissiveFactor=[0, 0.5, 0],
    )
    b.light(type="spot", intensity=5, spot={"outerConeAngle": 0.5})
    b.add("cameras", type="perspective", perspective={"yfov": 1, "znear": 0.1})
    use = {"KHR_lights_punctual": {"light": 0}}
    b.add("nodes", mesh=b.square(material=0), camera=0, extensions=use)
    b.pointer(*channels)
    return b


@pytest.mark.parametrize(
    ("pointer", "default"),
    [
        (BLUE, [0.5, 0.25, 1, 1]),
        ("/materials/0/pbrMetallicRoughness/metallicFactor", [0]),
        ("/materials/0/pbrMetallicRoughness/roughnessFactor", [1]),
        ("/materials/0/emissiveFactor", [0, 0.5, 0]),
        ("/materials/0/alphaCutoff", [0.5]),
        ("/materials/0/normalTexture/scale", [0.5]),
        ("/materials/0/occlusionTexture/strength", [1]),
        ("/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", [1]),
        ("/materials/0/normalTexture/extensions/KHR_texture_transform/scale", [1, 1]),
        ("/materials/0/occlusionTexture/extensions/KHR_texture_transform/rotation", [0]),
        (f"{LIGHT}/color", [1, 1, 1]),
        (f"{LIGHT}/intensity", [5]),
        (f"{LIGHT}/spot/innerConeAngle", [0]),
        (f"{LIGHT}/spot/outerConeAngle", [0.5]),
        ("/cameras/0/perspective/yfov", [1]),
        ("/cameras/0/perspective/znear", [np.float32(0.1)]),
        (VISIBLE.format(0), [1]),
    ],
)
def test_each_property_has_its_default_and_is_interpolated(pointer, default):
    width = len(default)
    values = np.array([[0] * width, [1] * width], float)
    model = plain((pointer, [0, 1], values[:, 0] if width == 1 else values)).load()
    assert model.warnings == []
    (channel,) = model.channels
    assert (channel.pointer, channel.width) == (pointer, width)
    np.testing.assert_array_equal(channel.default, np.float32(default))
    np.testing.assert_array_equal(model.skeleton.rest.values, channel.default)
    half = 0 if channel.kind == "step" else 0.5
    np.testing.assert_allclose(sampled_values(model, 0.5)[pointer], [half] * width, atol=1e-6)
    np.testing.assert_allclose(sampled_values(model, 1.0)[pointer], [1] * width)


@pytest.mark.parametrize(
    ("pointer", "message"),
    [
        ("", "KHR_animation_pointer has no pointer"),
        ("/materials/7/alphaCutoff", "there is no material 7 (there are 1)"),
        ("/materials/0/doubleSided", "unknown pointer '/materials/0/doubleSided'"),
        ("/materials/00/alphaCutoff", "unknown pointer '/materials/00/alphaCutoff'"),
        ("/nodes/9/translation", "there is no node 9 (there are 1)"),
        ("/meshes/3/weights", "there is no mesh 3 (there are 1)"),
        ("/meshes/0/weights", "node 0 has no morph weights"),
        (OFFSET, "material 0 has no pbrMetallicRoughness/baseColorTexture"),
        (
            "/materials/0/emissiveTexture/extensions/KHR_texture_transform/offset",
            "material 0 has no emissiveTexture",
        ),
        ("/cameras/0/orthographic/xmag", "camera 0 has no orthographic"),
        ("/cameras/0/perspective/zfar", "camera 0 has no perspective/zfar"),
        (
            "/cameras/0/perspective/aspectRatio",
            "'/cameras/0/perspective/aspectRatio' has no effect: the aspect ratio of the picture "
            "is used",
        ),
        (f"{LIGHT}/range", "light 0 has no range"),
        (f"{LIGHT[:-1]}4/color", "there is no light 4 (there are 1)"),
        ("/scenes/0/name", "unknown pointer '/scenes/0/name'"),
        *[
            (pointer, f"unknown pointer '{pointer}'")
            for pointer in (  # read-only, not numeric or not supported
                "/nodes/0/matrix",
                "/nodes/0/globalMatrix",
                "/nodes/0/weights.length",
                "/nodes.length",
                "/nodes/0/weights/-1",
                "/nodes/0/weights/01",
                "/nodes/0/translation/1",
                "/nodes/0/extras/speed",
                "/skins/0/skeleton",
                "/materials/0/normalTexture/texCoord",
                "/materials/0/normalTexture/extensions/KHR_texture_transform/texCoord",
                "/materials/0/extensions/KHR_materials_volume_scatter/multiscatterColor",
                "/extensions/EXT_lights_image_based/lights/0/intensity",
            )
        ],
    ],
)
def test_unsupported_pointers_warn(pointer, message):
    b = plain((pointer, [0, 1], [[1, 1, 1]] * 2))
    assert target_warnings(b) == [message]
    model = b.load()
    assert model.channels == ()
    assert model.clips[0].tracks == ()
    assert model.warnings[0].startswith("/animations/0/channels/0/target: ")


def test_pointer_to_a_node_transform_is_a_joint_track():
    b = animated_value_files.robot_arm()
    turn = [
        animated_value_files.rotation_about("x", 0),
        animated_value_files.rotation_about("x", 90),
    ]
    b.pointer(
        ("/nodes/1/rotation", [0, 1], turn),
        ("/nodes/1/scale", [0, 1], [[1, 1, 1], [2, 2, 2]]),
        ("/nodes/0/translation", [0, 1], [[0, 0, 0], [0, 0, 4]]),
    )
    model = b.load()
    assert model.channels == ()
    assert model.warnings == []
    pose = Pose.like(model.skeleton.rest, (1,))
    model.clips[1].sample(np.array([0.5]), pose)
    np.testing.assert_allclose(
        pose.rotation[0, 1], animated_value_files.rotation_about("x", 45), atol=1e-6
    )
    np.testing.assert_allclose(pose.scale[0, 1], 1.5)
    np.testing.assert_allclose(pose.translation[0, 0], [0, 0, 2])


def test_pointer_and_node_target_of_one_property():
    b = animated_value_files.robot_arm()
    row = b.json["animations"][0]
    b.pointer(("/nodes/1/rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0, 1]]))
    pointed = b.json["animations"].pop()
    row["samplers"] += pointed["samplers"]
    row["channels"].append(pointed["channels"][0] | {"sampler": 2})
    model = b.load()
    assert len(model.clips[0].tracks) == 2
    assert model.warnings == [
        "/animations/0/channels/2/target: a second channel for rotation of “Upper”; the last one "
        "is used"
    ]


@pytest.mark.parametrize(
    ("values", "kind", "message"),
    [
        ([[1, 1, 1], [0, 0, 0]], "float32", "VEC4"),  # needs VEC4
        ([[1, 1, 1, 1]], "float32", "1 values, but the key times need 2"),
        ([1, 1, 1, 1, 0, 0, 0, 0], "float32", "VEC4"),
    ],
)
def test_values_of_wrong_shape(values, kind, message):
    b = plain((BLUE, [0, 1], values, "LINEAR", kind), (f"{LIGHT}/intensity", [0, 1], [0, 1]))
    model = b.load()
    (warning,) = model.warnings
    assert warning.startswith("/animations/0/samplers/0/output: ")
    assert message in warning
    assert warning.endswith("; the channel is ignored")
    assert len(model.clips[0].tracks) == 1, "the other channel"
    b.json["extensionsRequired"] = ["KHR_animation_pointer"]
    with pytest.raises(GltfError) as caught:
        b.load()
    assert caught.value.place == "/animations/0/samplers/0/output"
    assert message in caught.value.message


@pytest.mark.parametrize("extension", [{"pointer": 5}, {}, [], None, "/nodes/0"])
def test_pointers_of_another_type_warn(extension):
    b = plain((BLUE, [0, 1], [[1, 1, 1, 1]] * 2), (f"{LIGHT}/intensity", [0, 1], [0, 1]))
    target = b.json["animations"][0]["channels"][0]["target"]
    target["extensions"] = {"KHR_animation_pointer": extension}
    assert target_warnings(b) == ["KHR_animation_pointer has no pointer"]
    assert len(b.load().clips[0].tracks) == 1


def test_more_values_than_keys_warn():
    model = plain((BLUE, [0, 1], [[0, 0, 0, 1]] * 3)).load()
    assert model.warnings == ["/animations/0/samplers/0/output: 3 values, but the key times need 2"]


def test_integer_values_are_not_normalized():
    model = plain((f"{LIGHT}/intensity", [0, 1], [0, 70000], "LINEAR", "uint32")).load()
    assert sampled_values(model, 0.5)[f"{LIGHT}/intensity"] == 35000


def test_normalized_integer_values():
    b = plain((BLUE, [0, 1], [[0, 0, 0, 255], [255, 51, 0, 255]], "LINEAR", "uint8"))
    output = b.json["animations"][0]["samplers"][0]["output"]
    b.json["accessors"][output]["normalized"] = True
    np.testing.assert_allclose(sampled_values(b.load(), 1)[BLUE], [1, 0.2, 0, 1], atol=1e-6)


@pytest.mark.parametrize("interpolation", ["LINEAR", "CUBICSPLINE"])
def test_visibility_uses_step_interpolation(interpolation):
    on = [0, 1] if interpolation == "LINEAR" else [0, 0, 0, 0, 1, 0]
    model = plain((VISIBLE.format(0), [0, 1], on, interpolation)).load()
    assert model.warnings == [
        f"/animations/0/samplers/0/interpolation: {interpolation} is not allowed for visibility; "
        "STEP is used"
    ]
    assert model.clips[0].tracks[0].interpolation == "STEP"
    assert model.channels[0].kind == "step"
    values = [sampled_values(model, t)[VISIBLE.format(0)][0] for t in (0, 0.99, 1)]
    assert values == [0, 0, 1]


def test_non_zero_visibility_is_visible():
    b = plain((VISIBLE.format(0), [0, 1, 2], [1, 0, 7]))
    output = b.json["animations"][0]["samplers"][0]["output"]
    b.json["accessors"][output]["normalized"] = True  # 1 / 255 is visible, too
    model = b.load()
    assert model.clips[0].tracks[0].values.ravel().tolist() == [1, 0, 1]
    model = plain((VISIBLE.format(0), [0, 1], [0.25, 0], "STEP", "float32")).load()
    assert model.clips[0].tracks[0].values.ravel().tolist() == [1, 0]
    assert model.warnings == [
        "/animations/0/samplers/0/output: visibility keys should be unsigned bytes; 0 is hidden, "
        "other values are visible"
    ]


def test_channel_joint_is_the_only_node_that_uses_the_object():
    b = plain(
        (f"{LIGHT}/color", [0], [[1, 0, 0]]),
        ("/cameras/0/perspective/yfov", [0], [1]),
        (BLUE, [0], [[1, 0, 0, 1]]),
    )
    assert [channel.joint for channel in b.load().channels] == [0, 0, 0]
    b.add("nodes", mesh=0)
    assert [channel.joint for channel in b.load().channels] == [0, 0, -1]


def test_cubic_interpolation():
    keys = [[0], [0], [4], [0], [1], [0]]
    model = plain((f"{LIGHT}/intensity", [0, 1], keys, "CUBICSPLINE")).load()
    expected = 0.5 + 4 * (0.125 - 0.5 + 0.5)
    assert sampled_values(model, 0.5)[f"{LIGHT}/intensity"] == pytest.approx(expected)


def test_invalid_spot_cone_is_clamped():
    b = plain()
    lights = b.json["extensions"]["KHR_lights_punctual"]["lights"]
    lights[0]["spot"] = {"innerConeAngle": 1.0, "outerConeAngle": 0.5}
    (light,) = b.load().lights
    assert (light.inner, light.outer) == (0.5, 0.5)
    assert b.load().warnings[0].startswith("/extensions/KHR_lights_punctual/lights/0/spot: ")
    lights[0]["spot"] = {
        "outerConeAngle": float(np.float32(math.pi / 2))
    }  # exceeds π / 2 by rounding
    assert b.load().warnings == []
    assert b.load().lights[0].outer == math.pi / 2


def test_negative_light_values_become_zero():
    b = plain()
    lights = b.json["extensions"]["KHR_lights_punctual"]["lights"]
    lights[0] |= {"color": [0.5, -1, 1], "intensity": -5, "range": -2}
    model = b.load()
    (light,) = model.lights
    assert (light.color, light.intensity, light.range) == ((0.5, 0, 1), 0, 0)
    assert model.warnings == [
        f"{LIGHT}/{key}: must not be negative; 0 is used" for key in ("color", "intensity", "range")
    ]


def test_lights_outside_the_scene_are_left_out():
    b = plain()
    b.add("nodes", name="Elsewhere")
    b.json |= {"scene": 0, "scenes": [{"nodes": [1]}]}
    assert b.load().lights == ()


def test_missing_light_and_too_many_lights_warn():
    b = plain()
    for _ in range(17):
        b.add("nodes", extensions={"KHR_lights_punctual": {"light": 0}})
    b.add("nodes", extensions={"KHR_lights_punctual": {"light": 4}})
    warnings = b.load().warnings
    assert warnings == [
        "/nodes/18/extensions/KHR_lights_punctual/light: there is no light 4 (there are 1)",
        "/extensions/KHR_lights_punctual/lights: 18 lights in the scene; only 16 are used",
    ]
