"""The uniform block of a material: no value overlaps another one, and shaders use all of them."""

import re

import numpy as np
import pytest

from rigview.model.material import FACTORS, TEXTURES, Clearcoat, Material, Sheen, TextureRef
from rigview.rendering.material_block import (
    BASE,
    EXTENSION,
    block,
    block_glsl,
    glsl_name,
    value_defines,
)
from rigview.resources import shader_names, shader_text

UNIFORMS = [*BASE.uniforms, *EXTENSION.uniforms]


def test_no_two_values_overlap():
    used = np.zeros(4 * EXTENSION.end, int)
    for uniform in UNIFORMS:
        assert uniform.start // 4 == (uniform.start + uniform.width - 1) // 4, "in one vector"
        used[uniform.start : uniform.start + uniform.width] += 1
    for vector in (*BASE.textures.values(), *EXTENSION.textures.values()):
        used[4 * vector : 4 * vector + 8] += 1
    assert used.max() == 1
    starts = [each.start for each in EXTENSION.uniforms]
    assert min(starts) == 4 * BASE.end, "a plain material has the first part only"


def test_every_factor_is_in_the_block():
    assert {field for uniform in UNIFORMS for field in uniform.fields} >= set(FACTORS)
    assert {*BASE.textures, *EXTENSION.textures} == set(TEXTURES)


@pytest.mark.parametrize("uniform", UNIFORMS, ids=lambda each: each.name)
def test_shaders_use_every_value(uniform):
    text = "".join(map(shader_text, shader_names()))
    assert re.search(rf"\bmaterial_{uniform.name}\b", text)


@pytest.mark.parametrize("field", TEXTURES)
def test_shaders_use_every_texture(field):
    text = "".join(map(shader_text, shader_names()))
    assert re.search(rf"\b{glsl_name(field).removesuffix('_texture')}_texel\b", text)


def values(material, name):
    (uniform,) = (each for each in UNIFORMS if each.name == name)
    extended = uniform in EXTENSION.uniforms
    floats = block(material, extended=extended).ravel()
    return floats[uniform.start : uniform.start + uniform.width].tolist()


def test_values_in_the_block():
    material = Material(
        base_color=(0.25, 0.5, 2.0, 1.0), roughness=3.0, emissive=(1.0, 0.5, 0.0),
        emissive_strength=4.0, ior=0.0, clearcoat=Clearcoat(2.0, roughness=0.5),
        sheen=Sheen((0.5, 9.0, 0.0)),
    )  # fmt: skip
    assert values(material, "base_color") == [0.25, 0.5, 2.0, 1.0], "as stored"
    assert values(material, "roughness") == [1.0]
    assert values(material, "emission") == [4.0, 2.0, 0.0]
    assert values(material, "reflectance") == values(material, "refraction_blur") == [1.0]
    assert values(material, "clearcoat_factor") == [1.0]
    assert values(material, "clearcoat_roughness") == [0.5]
    assert values(material, "sheen_color") == [0.5, 1.0, 0.0]
    assert values(material, "specular_color") == [1.0, 1.0, 1.0], "the default of the extension"


def test_usual_values_are_constants():
    usual = Material(metallic=0.0)
    assert value_defines(usual) == {}
    assert value_defines(Material(metallic=0.0, emissive_strength=2.0)) == {}, "of no emission"
    assert value_defines(usual, ["pbrMetallicRoughness/baseColorFactor"]) == {"BASE_COLOR": 1}
    other = Material(base_color=(1.0, 1.0, 1.0, 0.5), emissive=(0.0, 0.1, 0.0))
    assert value_defines(other) == {"BASE_COLOR": 1, "EMISSION": 1, "METALLIC": 1}


def test_uv_transforms_are_in_the_block():
    ref = TextureRef(0, texcoord=1, offset=(0.25, 0.5), scale=(2.0, 4.0))
    vectors = block(Material(clearcoat=Clearcoat(texture=ref)), extended=True)
    first = EXTENSION.textures["clearcoat.texture"]
    np.testing.assert_allclose(vectors[first], [2, 0, 0.25, 1])
    np.testing.assert_allclose(vectors[first + 1], [0, 4, 0.5, 1])


def test_definitions_name_the_components():
    text = block_glsl()
    for uniform in UNIFORMS:
        (found,) = re.findall(rf"#define material_{uniform.name} VALUES\((\d+)\)\.(\w+)\n", text)
        vector, components = found
        assert int(vector) == uniform.start // 4
        first = uniform.start % 4
        assert components == "xyzw"[first : first + uniform.width]
