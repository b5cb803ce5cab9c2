"""Textures of each slot with each set of texture coordinates, in every pass that reads them."""

from dataclasses import replace
from itertools import cycle

import moderngl
import numpy as np
import pytest

from rigview.model.material import (
    TEXCOORD_SETS,
    TEXTURES,
    Anisotropy,
    Clearcoat,
    DiffuseTransmission,
    Iridescence,
    Material,
    Sampler,
    Sheen,
    Specular,
    TextureRef,
    Transmission,
    Volume,
)
from rigview.model.model import Image
from rigview.rendering.program import Programs
from rigview.rendering.renderer import Renderer
from rigview.scene.camera import OrbitCamera
from rigview.scene.environment import Environment
from tests.support import crowd_pictures
from tests.support.animated_value_files import FeatureBuilder
from tests.support.draw import BLUE, GREEN, RED, WHITE, draw, middle
from tests.support.ground_pictures import draw_from_above
from tests.support.models import make_model, rod_model, square, square_model
from tests.support.solids import uniform_environment

NEAREST = Sampler(33071, 33071, 9728, 9728)
SETS = range(TEXCOORD_SETS)
WRONG, RIGHT = [140, 100, 210, 90], [255, 240, 235, 255]
PICTURES = [np.array(rows, np.uint8) for rows in ([[WRONG, RIGHT]], [[WRONG]], [[RIGHT]])]
IMAGES = tuple(Image("", lambda pixels=pixels: pixels) for pixels in PICTURES)
LIT = Material(  # a texture in any slot changes its colour
    base_color=(0.9, 0.9, 0.9, 1.0),
    metallic=0.4,
    roughness=0.6,
    emissive=(0.02, 0.02, 0.02),
    specular=Specular(color=(9.0, 9.0, 9.0)),
    clearcoat=Clearcoat(1.0, roughness=1.0),
    sheen=Sheen((1.0, 1.0, 1.0), roughness=1.0),
    transmission=Transmission(0.9),
    volume=Volume(2.0, attenuation_distance=1.0, attenuation_color=(0.7, 0.3, 0.1)),
    diffuse_transmission=DiffuseTransmission(0.8, color=(0.2, 0.9, 0.4)),
    anisotropy=Anisotropy(0.8),
    iridescence=Iridescence(0.8),
)
GREY = uniform_environment()
UNEVEN = Environment(  # brighter on some sides, and in sharp reflections
    GREY.irradiance * np.array([[1.0], [0.5], [0.4], [0.3], *[[0.1]] * 5], np.float32),
    GREY.levels
    * np.linspace(3.0, 0.3, len(GREY.levels), dtype=np.float32)[:, None, None, None]
    * np.linspace(0.2, 2.0, GREY.levels.shape[2], dtype=np.float32)[:, None],
)


def coordinates(right, count=TEXCOORD_SETS):
    """Sets of texture coordinates of a square: each of one pixel, `right` of the second one."""
    return tuple(
        np.full((4, 2), [0.75 if k == right else 0.25, 0.5], np.float32) for k in range(count)
    )


def square_at(right, count=TEXCOORD_SETS, **fields):
    return square(material=0, texcoords=coordinates(right, count), **fields)


def lit_color(gl, refs, part):
    """The colour [3] of a square seen at a slant, with a texture in every slot."""
    model = make_model([part], materials=(LIT.changed(refs),), images=IMAGES)
    options = {"environment": UNEVEN, "tone_mapping": "linear", "background": (1, 1, 1, 1)}
    camera = OrbitCamera(azimuth=1.0, elevation=0.2, distance=2.0)
    return middle(draw(gl, model, size=(16, 16), camera=camera, **options))[:3]


@pytest.mark.parametrize(("field", "number"), [*zip(TEXTURES, cycle(SETS[1:]), strict=False)])
def test_every_slot_uses_its_set(gl, field, number):
    """The colours are those of textures of one colour, for which no coordinates matter."""
    tangents = np.tile(np.array([1, 0, 0, 1], np.float32), (4, 1))
    wrong, right = (
        lit_color(
            gl,
            {slot: TextureRef(2 if slot == chosen else 1, NEAREST) for slot in TEXTURES},
            square_at(-1, 1, tangents=tangents),
        )
        for chosen in ("", field)
    )
    assert np.abs(wrong - right).max() > 1, "the texture changes the colour"
    other = (number + 1) % TEXCOORD_SETS
    refs = {slot: TextureRef(0, NEAREST, number if slot == field else other) for slot in TEXTURES}
    for at, expected in ((number, right), (-1, wrong)):
        part = square_at(at, tangents=tangents)
        np.testing.assert_allclose(lit_color(gl, refs, part), expected, atol=1)


COLORS = np.array([[RED, GREEN, BLUE, WHITE]])


@pytest.mark.parametrize("count", range(1, TEXCOORD_SETS + 2))
def test_meshes_with_few_and_many_sets(gl, count):
    """Each set has another texel; in place of a missing one, the first is used."""
    texcoords = tuple(np.full((4, 2), [k / 4 + 0.125, 0.5], np.float32) for k in range(count))
    for number in SETS:
        ref = TextureRef(0, NEAREST, number)
        material = Material(base_color_texture=ref, unlit=True)
        model = square_model(material, COLORS, texcoords=texcoords)
        expected = COLORS[0, number if number < count else 0]
        np.testing.assert_allclose(middle(draw(gl, model, size=(16, 16))), expected, atol=1)


@pytest.mark.parametrize("number", SETS)
def test_view_mode_of_texture_coordinates(gl, number):
    """It shows the set of the base colour: as a mesh that has no other."""
    uv = square().texcoords[0]
    others = np.full((4, 2), 0.03, np.float32)
    sets = tuple(uv if k == number else others for k in SETS)
    model = square_model(Material(base_color_texture=TextureRef(0, NEAREST, number)), COLORS,
                         texcoords=sets)  # fmt: skip
    plain = square_model(Material(base_color_texture=TextureRef(0, NEAREST)), COLORS)
    np.testing.assert_array_equal(*(draw(gl, each, view_mode="uv") for each in (model, plain)))


HOLE = np.array([[[255, 0, 0, 255], [0, 255, 0, 0]]], np.uint8)


def cut_out(number, right, **fields):
    """A square whose texture is transparent at the set `right`."""
    material = Material(
        base_color_texture=TextureRef(0, NEAREST, number), alpha_mode="MASK", double_sided=True
    )
    return square_model(material, HOLE, texcoords=coordinates(right), **fields)


@pytest.mark.parametrize(("number", "samples"), [(1, 4), (2, 1), (3, 4)])
def test_alpha_of_each_set_in_all_passes(gl, number, samples):
    """Surface, view modes, shadow and picking agree where a masked material is cut out."""
    for right in (number, 0):
        model, there = cut_out(number, right), right != number
        for mode in ("lit", "uv"):
            picture = draw(gl, model, size=(16, 16), samples=samples, view_mode=mode)
            assert (middle(picture)[3] == 255) == there
        raised = cut_out(number, right)
        raised = replace(raised, meshes=(replace(raised.meshes[0], primitives=(flat(raised),)),))
        lit, shaded = (draw_from_above(gl, raised, 32, shadow=s)[0] for s in (False, True))
        assert (np.abs(lit - shaded).max() > 20) == there
        renderer, scene = Renderer(gl), crowd_pictures.scene_with(model)[0]
        scene.camera.orbit = OrbitCamera(azimuth=0.0, elevation=0.0, distance=3.0)
        scene.update(0.0)
        assert (renderer.pick(scene, (16, 16), (8, 8)) is not None) == there
        renderer.release()


def flat(model):
    """The square of a model, lying above the ground."""
    part = model.meshes[0].primitives[0]
    return replace(
        part,
        positions=part.positions[:, [0, 2, 1]] * np.float32([1, 1, -1]) + np.float32([0, 1, 0]),
        normals=part.normals[:, [0, 2, 1]],
    )


@pytest.mark.parametrize("influences", [4, 8])
def test_crowds_of_skinned_characters(gl, influences):
    """As the characters drawn alone, with the colour of the fourth set."""
    model = rod_model(influences)
    part = model.meshes[0].primitives[0]
    rows = np.ones((len(part.positions), 1), np.float32)
    sets = tuple(rows * np.float32([k / 4 + 0.125, 0.5]) for k in SETS)
    part = replace(part, texcoords=sets, colors=rows.repeat(4, axis=1), material=0)
    material = Material(base_color_texture=TextureRef(0, NEAREST, 3), unlit=True)
    model = replace(
        model,
        meshes=(replace(model.meshes[0], primitives=(part,)),),
        materials=(material,),
        images=(Image("", lambda: COLORS[:, [0, 1, 3, 2]]),),
    )
    world = crowd_pictures.places_in_a_row(3)
    given = gl, model, [0] * 3, [0.1, 0.5, 0.9], world
    crowd, alone = crowd_pictures.draw_crowd(*given), crowd_pictures.draw_singly(*given)
    np.testing.assert_allclose(crowd, alone, atol=1)
    np.testing.assert_array_equal(np.unique(crowd[crowd[..., 3] > 0], axis=0), [BLUE])


@pytest.mark.parametrize("crowd", [False, True])
def test_animated_transforms_of_the_fourth_set(gl, crowd):
    """An animated offset moves the texture by its own set, of each character of a crowd."""
    b = FeatureBuilder()
    b.extension("KHR_texture_transform")
    transform = {"KHR_texture_transform": {"offset": [0, 0], "texCoord": 3}}
    info = {"index": b.picture(COLORS), "extensions": transform}
    b.unlit(pbrMetallicRoughness={"baseColorTexture": info})
    mesh = b.square(2.0, at=(0, 1, 0), material=0)
    attributes = b.json["meshes"][mesh]["primitives"][0]["attributes"]
    for k in (1, 2, 3):
        attributes[f"TEXCOORD_{k}"] = b.accessor([[0.125 if k == 3 else 0.875, 0.5]] * 4)
    b.add("nodes", mesh=mesh)
    path = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform"
    b.pointer((f"{path}/offset", [0, 1], [[0, 0], [1, 0]]))
    model, times = b.load(), [0.0, 0.25, 0.5]
    world = crowd_pictures.places_in_a_row(3)
    draw_all = crowd_pictures.draw_crowd if crowd else crowd_pictures.draw_singly
    picture = draw_all(gl, model, [0] * 3, times, world)
    colors = np.unique(picture[picture[..., 3] == 255], axis=0)
    np.testing.assert_array_equal(colors, np.unique([RED, GREEN, BLUE], axis=0))


def test_the_most_attributes_of_a_vertex_are_few_enough(gl):
    """OpenGL 3.3 guarantees 16."""
    defines = {
        "SKIN": 8, "INSTANCED": 1, "TANGENTS": 1, "COLORS": 1, "NORMAL_TEXTURE": 1, "CARRIED": 1,
        "PALETTE_TEXTURE": 1, "PALETTE_WIDTH": 3072, "PALETTE_LINES": 2, "UV_TRANSFORM": 1,
        "BASE_COLOR_TEXTURE": 1, "TEXCOORDS": TEXCOORD_SETS, "SUNS": 2, "SHADOW": 1,
    }  # fmt: skip
    programs = Programs(gl)
    program = programs.get("mesh", defines)
    used = [name for name in program if isinstance(program[name], moderngl.Attribute)]
    assert {"in_texcoords01", "in_texcoords23", "in_weights1", "in_matrix2"} <= {*used}
    assert len(used) <= 16
    programs.release()
