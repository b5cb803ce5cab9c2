"""Morphing and skinning on the GPU against numpy, read back by transform feedback."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.morph import MorphTargets, morph_points
from rigview.animation.quat import normalize, to_matrix
from rigview.animation.skin import skin_points
from rigview.model.model import Primitive
from rigview.rendering.geometry import GpuPrimitive
from rigview.rendering.palette import Palette
from rigview.rendering.program import BLOCKS, Programs, bind_slots, define
from rigview.resources import shader_text
from tests.support.skinned_normals import skin_normals, skin_tangents

VERTICES = 500
VARYINGS = ["v_point", "v_normal", "v_tangent"]


def make_palette(rng, joints, *, mirror=False):
    """Return random rotations with non-uniform scales and offsets: [S, 3, 4]."""
    rotation = to_matrix(normalize(rng.normal(size=(joints, 4)).astype(np.float32)))
    scale = rng.uniform(0.5, 2.0, size=(joints, 1, 3))
    if mirror:
        scale[:, :, 0] *= -1.0
    offset = rng.normal(size=(joints, 3, 1))
    return np.concatenate([rotation * scale, offset], axis=-1).astype(np.float32)


def make_primitive(rng, joints, influences, targets=0):
    weights = rng.uniform(size=(VERTICES, influences)).astype(np.float32)
    weights /= weights.sum(axis=1, keepdims=True)
    tangents = rng.normal(size=(VERTICES, 4)).astype(np.float32)
    tangents[:, 3] = 1.0
    morph = None
    if targets:
        moves = rng.normal(size=(3, targets, VERTICES, 3)).astype(np.float32) * 0.1
        morph = MorphTargets(moves[0], moves[1], moves[2], tuple(map(str, range(targets))))
    return Primitive(
        topology="points",
        positions=rng.normal(size=(VERTICES, 3)).astype(np.float32),
        normals=unit(rng.normal(size=(VERTICES, 3))).astype(np.float32),
        tangents=tangents,
        texcoords=(),
        colors=None,
        joints=rng.integers(0, joints, size=(VERTICES, influences)).astype(np.uint16),
        weights=weights,
        indices=None,
        material=-1,
        morph=morph,
    )


def feedback(context, geometry, defines):
    """Return points, normals and tangents computed by mesh.vert."""
    Programs(context)  # registers the includes
    program = context.program(
        vertex_shader=define(shader_text("mesh.vert"), defines), varyings=VARYINGS
    )
    bind_slots(program)
    frame = context.buffer(np.eye(12, 4, dtype=np.float32))
    frame.bind_to_uniform_block(BLOCKS["Frame"])
    instance = np.zeros((16, 4), np.float32)
    instance[:4] = np.eye(4)
    carrier = context.buffer(instance)
    carrier.bind_to_uniform_block(BLOCKS["Instance"])
    if geometry.morph is not None:
        geometry.morph.use(program)
    result = context.buffer(reserve=VERTICES * 40)
    geometry.transform(program, result)
    out = np.frombuffer(result.read(), np.float32).reshape(VERTICES, 10)
    for item in (program, frame, carrier, result):
        item.release()
    return out[:, :3], out[:, 3:6], out[:, 6:]


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("texture", [False, True])
@pytest.mark.parametrize("influences", [4, 8])
@pytest.mark.parametrize("joints", [3, 341, 1200])
def test_skin(gl, rng, joints, influences, texture, mirror):
    rows = make_palette(rng, joints, mirror=mirror)
    primitive = make_primitive(rng, joints, influences)
    palette = Palette(gl, joints, rows=int(texture))
    palette.write(rows)
    palette.use()
    geometry = GpuPrimitive(gl, primitive, skinned=True)
    points, normals, tangents = feedback(gl, geometry, geometry.defines | palette.defines)
    influence = primitive.joints, primitive.weights, rows
    np.testing.assert_allclose(points, skin_points(primitive.positions, *influence), atol=1e-5)
    expected = skin_normals(primitive.normals, *influence)
    np.testing.assert_allclose(unit(normals), expected, atol=1e-5)
    expected = skin_tangents(primitive.tangents, *influence)
    np.testing.assert_allclose(unit(tangents[:, :3]), expected[:, :3], atol=1e-5)
    np.testing.assert_array_equal(tangents[:, 3], expected[:, 3])
    palette.release()
    geometry.release()


@pytest.mark.parametrize("targets", [1, 3, 40])
@pytest.mark.parametrize("parts", ["all", "positions"])
def test_morph_then_skin(gl, rng, targets, parts):
    primitive = make_primitive(rng, 5, 4, targets)
    morph = primitive.morph
    if parts == "positions":
        morph = MorphTargets(morph.positions, None, None, morph.names)
        primitive = replace(primitive, morph=morph)
    weights = rng.uniform(-1, 1, size=targets).astype(np.float32)
    weights[::3] = 0.0
    rows = make_palette(rng, 5)
    palette = Palette(gl, 5)
    palette.write(rows)
    palette.use()
    geometry = GpuPrimitive(gl, primitive, skinned=True)
    geometry.morph.write(weights)
    points, normals, _ = feedback(gl, geometry, geometry.defines | palette.defines)
    morphed = morph_points(primitive.positions, morph.positions, weights)
    influence = primitive.joints, primitive.weights, rows
    np.testing.assert_allclose(points, skin_points(morphed, *influence), atol=1e-5)
    turned = primitive.normals
    if parts == "all":
        turned = morph_points(turned, morph.normals, weights)
    expected = skin_normals(turned.astype(np.float32), *influence)
    np.testing.assert_allclose(unit(normals), expected, atol=1e-5)
    palette.release()
    geometry.release()


def test_zero_scale_keeps_a_normal(gl, rng):
    """At a scale of (1, 1, 0) the inverse transpose does not exist; the normal is the z axis."""
    rows = np.zeros((1, 3, 4), np.float32)
    rows[0, :, :3] = np.diag([1.0, 1.0, 0.0])
    primitive = make_primitive(rng, 1, 4)
    palette = Palette(gl, 1)
    palette.write(rows)
    palette.use()
    geometry = GpuPrimitive(gl, primitive, skinned=True)
    _, normals, _ = feedback(gl, geometry, geometry.defines | palette.defines)
    np.testing.assert_allclose(np.abs(unit(normals)), np.tile([0, 0, 1], (VERTICES, 1)), atol=1e-5)
    palette.release()
    geometry.release()


def test_palettes_larger_than_a_uniform_block_use_a_texture(gl):
    limit = gl.info["GL_MAX_UNIFORM_BLOCK_SIZE"] // 48
    small, large = Palette(gl, 10), Palette(gl, limit + 1)
    assert "PALETTE_TEXTURE" not in small.defines
    assert "PALETTE_TEXTURE" in large.defines
    texels = large.defines["PALETTE_WIDTH"] * large.defines["PALETTE_LINES"]
    assert texels >= 3 * (limit + 1)
    small.release()
    large.release()
