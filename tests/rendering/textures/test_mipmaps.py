"""Mipmaps drawn by our shader: the levels of glGenerateMipmap."""

import moderngl
import numpy as np
import pytest

from rigview.rendering.program import Programs
from rigview.rendering.textures.mipmaps import Mipmaps
from rigview.rendering.textures.texture import SRGB8_ALPHA8
from rigview.resources import shader_text
from tests.support.draw import gpu_objects

LEVEL = """#version 330 core
uniform sampler2D picture;
uniform int level;
out vec4 out_color;
void main() { out_color = texelFetch(picture, ivec2(gl_FragCoord.xy), level); }
"""


def levels(gl, texture, whole):
    """Return the levels of a texture of some size but the first, float."""
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    program = gl.program(vertex_shader=shader_text("picture.vert"), fragment_shader=LEVEL)
    array = gl.vertex_array(program, [])
    found = []
    for level in range(1, max(whole).bit_length()):
        size = tuple(max(1, side >> level) for side in whole)
        shown = gl.texture(size, 4, dtype="f4")
        framebuffer = gl.framebuffer([shown])
        framebuffer.use()
        texture.use(0)
        program["level"] = level
        array.render(moderngl.TRIANGLES, vertices=3)
        found.append(np.frombuffer(framebuffer.read(components=4, dtype="f4"), np.float32))
        gl.detect_framebuffer(0).use()
        framebuffer.release()
        shown.release()
    array.release()
    program.release()
    return found


@pytest.mark.parametrize("internal_format", [None, SRGB8_ALPHA8])
@pytest.mark.parametrize("size", [(32, 32), (8, 2), (1, 4), (13, 6)])
def test_levels_are_those_of_the_driver(gl, size, internal_format):
    pixels = np.random.default_rng(3).integers(0, 256, (*size[::-1], 4), np.uint8)
    programs = Programs(gl)
    mipmaps = Mipmaps(gl, programs)
    expected = gl.texture(size, 4, pixels, alignment=1, internal_format=internal_format)
    expected.build_mipmaps()
    ours = mipmaps.allocate(size, internal_format)
    mipmaps.write(ours, (0, 0, *size), pixels)
    list(mipmaps.pieces(ours, size, internal_format))
    for made, driver in zip(levels(gl, ours, size), levels(gl, expected, size), strict=True):
        np.testing.assert_allclose(made, driver, atol=0.011)  # one step of the brightest sRGB
        if not any(side & (side - 1) for side in size):
            np.testing.assert_array_equal(made, driver)
    for texture in (ours, expected):
        texture.release()
    mipmaps.release()
    programs.release()


def test_no_object_is_left(gl):
    gl.detect_framebuffer(0).use()  # as afterwards
    before = gpu_objects(gl)
    programs = Programs(gl)
    mipmaps = Mipmaps(gl, programs)
    texture = mipmaps.allocate((16, 4), None)
    list(mipmaps.pieces(texture, (16, 4), None))
    mipmaps.release()
    programs.release()
    texture.release()
    assert gpu_objects(gl) == before
