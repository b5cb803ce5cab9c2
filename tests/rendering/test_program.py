"""Every combination of shader definitions that a model can need compiles."""

import itertools
import re

import moderngl
import numpy as np
import pytest

from rigview.model.material import EXTENSIONS, TEXTURES
from rigview.rendering import program
from rigview.rendering.material_block import EXTENDED, glsl_name
from rigview.rendering.program import Programs, define
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.surfaces import MODES
from rigview.resources import shader_names, shader_text
from rigview.scene.scene import Scene
from tests.support.models import rod_model, square_model

BASE_TEXTURES = [glsl_name(name).upper() for name, row in TEXTURES.items() if not row.owner]
SKINS = [
    {},
    {"SKIN": 4, "PALETTE_SIZE": 341},
    {"SKIN": 8, "PALETTE_SIZE": 1365},
    {"SKIN": 8, "PALETTE_TEXTURE": 1, "PALETTE_WIDTH": 3072, "PALETTE_LINES": 2},
    {"SKIN": 4, "PALETTE_TEXTURE": 1, "PALETTE_WIDTH": 150, "PALETTE_LINES": 1, "INSTANCED": 1},
    {"INSTANCED": 1},
]


MORPHS = [{}, {"MORPH": 1, "MORPH_WIDTH": 3072}]
SETS = {"TEXCOORDS": 4, "UV_TRANSFORM": 1}
SURFACES = [{}, {"FLAT": 1}, {"TANGENTS": 1, **dict.fromkeys(BASE_TEXTURES, 1), **SETS}]
ALPHAS = [{}, {"ALPHA_MASK": 1}, {"ALPHA_BLEND": 1, "UNLIT": 1}]


@pytest.mark.parametrize("mode", MODES)
def test_mesh_compiles(gl, mode):
    """Every vertex shader with one fragment shader, and the other way round: see below."""
    programs = Programs(gl)
    name = "wire" if mode == "wire" else "mesh"
    vertex = [skin | morph for skin, morph in itertools.product(SKINS, MORPHS)]
    fragment = [surface | alpha for surface, alpha in itertools.product(SURFACES, ALPHAS)]
    for given in (
        *(each | fragment[-1] for each in vertex),
        *(SKINS[1] | each for each in fragment),
    ):
        assert programs.get(name, MODES[mode] | given).glo > 0
    programs.release()


def words(shader):
    """The words of a shader and of what it includes."""
    included = re.findall(r'#include "(lib/.*)"', shader_text(shader))
    return set(re.findall(r"\w+", "".join(map(shader_text, (shader, *included)))))


def test_definitions_concern_one_stage():
    of_vertices, of_surfaces = (
        set().union(*a, *b) for a, b in ((SKINS, MORPHS), (SURFACES, ALPHAS))
    )
    assert not of_surfaces & (words("mesh.vert") | words("wire.geom"))
    assert not of_vertices & (words("mesh.frag") | words("wire.frag"))
    assert of_vertices < words("mesh.vert")


LOBES = [name.upper() for name, row in EXTENSIONS.items() if row.strength]


@pytest.mark.parametrize("mode", ["lit", "roughness", "weights", "depth"])
@pytest.mark.parametrize("shown", [[], *[[name] for name in LOBES], LOBES])
def test_material_extensions_compile(gl, mode, shown):
    programs = Programs(gl)
    extensions = {EXTENDED: 1, **dict.fromkeys(shown, 1)}
    textures = {glsl_name(name).upper(): 1 for name in TEXTURES}
    lights = [{}, {"PUNCTUAL": 3, "SHADOW": 1, "TANGENTS": 1}]
    rows = {"INSTANCED": 1, "MATERIAL_ROWS": 1}
    for extra in (*lights, textures, rows, {"RADIANCE": 1}, {"ALPHA_BLEND": 1, "FLAT": 1}):
        if "RADIANCE" in extra and "TRANSMISSION" in extensions:
            continue  # glass is not in what is seen through it
        defines = MODES[mode] | extensions | extra
        name = "depth" if mode == "depth" else "mesh"
        assert programs.get(name, defines).glo > 0
    programs.release()


def test_programs_are_cached(gl):
    programs = Programs(gl)
    defines = {"FLAT": 1}
    assert programs.get("mesh", defines) is programs.get("mesh", defines)
    assert programs.get("mesh", defines) is not programs.get("mesh")
    programs.release()


def test_define_keeps_the_version_first():
    text = define("#version 330 core\nvoid main() {}\n", {"B": 2, "A": 0})
    assert text.splitlines() == [
        "#version 330 core",
        "#define A 0",
        "#define B 2",
        "void main() {}",
    ]


@pytest.mark.parametrize("name", shader_names())
def test_shader_begins_with_a_comment(name):
    lines = shader_text(name).splitlines()
    first = lines[1] if lines[0].startswith("#version") else lines[0]
    assert first.startswith("// ")
    assert lines[0] in ("#version 330 core", first)


def test_programs_of_models_that_were_replaced_are_freed(gl, monkeypatch):
    """The last ones are kept, for a file that is reloaded, and those that draw no surfaces."""
    monkeypatch.setattr(program, "KEPT", 2)
    programs = Programs(gl)
    line = programs.get("line")
    defines = [{"UNUSED": k} for k in range(3)]
    made = [programs.get("depth", each) for each in defines]
    assert programs.get("depth", defines[0]) is made[0]
    programs.trim()
    assert [isinstance(each.mglo, moderngl.InvalidObject) for each in made] == [False, True, False]
    assert programs.get("line") is line
    programs.release()


def test_surfaces_are_drawn_after_their_programs_were_freed(gl, monkeypatch):
    monkeypatch.setattr(program, "KEPT", 0)
    renderer, target, pictures = Renderer(gl), Target(gl, (16, 16), 1), []
    for model in (square_model(), rod_model(), square_model()):
        scene = Scene()
        scene.show(model)
        scene.frame(1.0)
        scene.update(0.0)
        renderer.upload(model)
        renderer.draw(scene, target)
        pictures.append(target.read())
    renderer.release()
    target.release()
    np.testing.assert_array_equal(pictures[0], pictures[2])
    assert (pictures[0] != pictures[1]).any()
