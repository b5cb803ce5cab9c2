"""Mipmaps drawn by our shader: the levels of glGenerateMipmap."""

import math

import moderngl
import numpy as np
import pytest

from rigview.rendering.program import Programs
from rigview.rendering.textures.mipmaps import Mask, Mipmaps
from rigview.rendering.textures.texture import SRGB8_ALPHA8
from rigview.resources import shader_text
from tests.support.draw import gpu_objects
from tests.support.mask_pictures import mask_alpha

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
    programs.release()


def test_no_object_is_left(gl):
    gl.detect_framebuffer(0).use()  # as afterwards
    before = gpu_objects(gl)
    programs = Programs(gl)
    mipmaps = Mipmaps(gl, programs)
    texture = mipmaps.allocate((16, 4), None)
    list(mipmaps.pieces(texture, (16, 4), None))
    programs.release()
    texture.release()
    assert gpu_objects(gl) == before


@pytest.mark.parametrize(("kind", "off"), [("leaves", 0.1), ("strands", 0.35)])
@pytest.mark.parametrize("cutoff", [0.3, 0.5, 0.8])
def test_levels_of_masks_keep_their_share(gl, kind, off, cutoff):
    """Down to 16 texels, filtered linearly, and not without a mask."""
    pixels = np.full((128, 128, 4), 120, np.uint8)
    pixels[..., 3] = np.round(255 * mask_alpha(kind))

    def share(alpha):
        """The share of a square alpha [N], filtered linearly at four places of each texel."""
        square = alpha.reshape(math.isqrt(len(alpha)), -1)
        for axis in (0, 1):
            moved = [0.75 * square + 0.25 * np.roll(square, side, axis) for side in (1, -1)]
            square = np.concatenate(moved, axis=1 - axis)
        return (square >= cutoff).mean()

    programs = Programs(gl)
    mipmaps = Mipmaps(gl, programs)
    found = {}
    for mask in (None, Mask.of(pixels, cutoff)):
        texture = mipmaps.allocate((128, 128), SRGB8_ALPHA8)
        mipmaps.write(texture, (0, 0, 128, 128), pixels)
        list(mipmaps.pieces(texture, (128, 128), SRGB8_ALPHA8, mask))
        made = levels(gl, texture, (128, 128))[:3]
        whole = share(pixels[..., 3].ravel() / 255)
        found[mask is None] = np.array([share(level[3::4]) / whole for level in made])
        texture.release()
    np.testing.assert_allclose(found[False], 1.0, atol=off)
    assert np.abs(found[True] - 1.0).max() > np.abs(found[False] - 1.0).max()
    programs.release()
