"""Amounts of the changes of surfaces: metres at rest, degrees, parts of a texture."""

import numpy as np
import pytest

from rigview.cli.diff_text import as_text
from rigview.differences.compare import compare
from tests.support.character_versions import character

POINTS = np.array([[-0.2, 0, 0], [0.2, 1, 0], [-0.2, 1.5, 0], [0.2, 2, 0], [0, 3, 0]])
SHIFTS = np.array([[0, 0, 0]] * 4 + [[0, 0, 0.002]])  # metres


def changes_of(a, b):
    return [c for c in compare(a.load(), b.load()).changes if not c.stored]


def with_attribute(name, values, b=None):
    b = b or character()
    b.json["meshes"][0]["primitives"][0]["attributes"][name] = b.accessor(values)
    return b


def below_armature(b, scale=0.01):
    """A character in centimetres below a node that scales it to metres."""
    top = b.add("nodes", name="Armature", scale=[scale] * 3, children=[0, 3])
    b.json["scenes"] = [{"nodes": [top]}]
    return b


def with_morph(deltas, **settings):
    b = character(**settings)
    primitive = b.json["meshes"][0]["primitives"][0]
    primitive["targets"] = [{"POSITION": b.accessor(deltas)}]
    b.json["meshes"][0]["weights"] = [0.0]
    return b


def test_positions_below_a_scaled_armature():
    a = below_armature(character(size=100))
    b = below_armature(character(size=100, points=POINTS + SHIFTS))
    (change,) = [c for c in changes_of(a, b) if c.kind == "mesh"]
    assert (change.field, change.unit) == ("positions", "mm")
    assert change.after == pytest.approx(2, rel=1e-3)


def test_bind_below_a_scaled_armature():
    a, b = (below_armature(character(size=100, bind=(0, -y, -2))) for y in (1, 1.25))
    (change,) = [c for c in changes_of(a, b) if c.kind == "skin"]
    assert change.after == pytest.approx(250, rel=1e-4)


def test_morph_target_below_a_scaled_armature():
    a, b = (below_armature(with_morph(100 * k * np.array(SHIFTS), size=100)) for k in (1.0, 31.5))
    (change,) = changes_of(a, b)
    assert change.field.startswith("morph target")
    assert change.after == pytest.approx(61, rel=1e-4)
    assert change.note == "1 of 5 vertices, at most"


def test_morph_targets_of_another_scale_are_equal():
    a, b = (with_morph(size * SHIFTS, size=size) for size in (1, 100))
    assert [c.kind for c in changes_of(a, b)] == ["scale"]


def test_normals_by_angle():
    turned = np.tile([0.0, 0.0, 1.0], (5, 1))
    a = with_attribute("NORMAL", turned)
    turned[2] = 0, np.sin(np.radians(30)), np.cos(np.radians(30))
    (change,) = changes_of(a, with_attribute("NORMAL", turned))
    assert (change.field, change.unit) == ("normals", "°")
    assert change.after == pytest.approx(30, rel=1e-4)
    assert change.note == "1 of 5 vertices, at most"


def test_tangents_of_another_handedness():
    values = np.tile([1.0, 0.0, 0.0, 1.0], (5, 1))
    a = with_attribute("TANGENT", values)
    values[:2, 3] = -1
    (change,) = changes_of(a, with_attribute("TANGENT", values))
    assert (change.field, change.note) == ("handedness of tangents", "2 of 5 vertices")


def test_texture_coordinates_and_colours():
    uv = POINTS[:, :2] / 3
    a = with_attribute("TEXCOORD_0", uv, character(colours=True))
    b = with_attribute("TEXCOORD_0", uv + np.array([0.25, 0]), character())
    b = with_attribute("COLOR_0", [[1, 0.5, 0, 1]] + [[1, 0, 0, 1]] * 4, b)
    found = {c.field: (round(c.after, 4), c.unit, c.note) for c in changes_of(a, b)}
    assert found == {
        "colours": (0.5, "of 1", "1 of 5 vertices, at most"),
        "texture coordinates 0": (0.25, "of the texture", "5 of 5 vertices, at most"),
    }
    text = as_text(compare(a.load(), b.load()), ("a", "b"))
    assert "Body: texture coordinates 0 by 0.25 of the texture (5 of 5 vertices" in text


def test_reordered_vertices_at_texture_seams_are_equal(rng):
    """Vertices that share a position differ in their texture coordinates only."""
    points = np.repeat(POINTS, 2, axis=0)
    uv = rng.random((10, 2))
    weights = np.repeat(np.eye(4)[[0, 0, 1, 2, 2]], 2, axis=0)
    triangles = np.array(((0, 2, 4), (3, 6, 5), (5, 7, 8), (1, 2, 9)))
    settings = {"points": points, "weights": weights}
    a = with_attribute("TEXCOORD_0", uv, character(triangles=triangles, **settings))
    for _ in range(5):
        order = rng.permutation(10)
        settings = {"points": points[order], "weights": weights[order]}
        b = character(triangles=np.argsort(order)[triangles], **settings)
        assert changes_of(a, with_attribute("TEXCOORD_0", uv[order], b)) == []


def test_sampler_in_words():
    a, b = (textured(wrapS=wrap) for wrap in (10497, 33071))
    (change,) = changes_of(a, b)
    assert change.field == "base colour texture, horizontal wrapping"
    assert (change.before, change.after) == ("repeat", "clamp to edge")


def test_texture_transform():
    a, b = textured(), textured(offset=[0.25, 0.5])
    (change,) = changes_of(a, b)
    assert (change.field, change.before, change.after) == (
        "base colour texture, offset",
        (0.0, 0.0),
        (0.25, 0.5),
    )


def test_lengths_from_ten_metres_are_in_metres():
    text = as_text(compare(character().load(), character(rest=(0, 1, 250.25)).load()), ("a", "b"))
    assert "Hand: rest position by 249 m" in text
    assert "Rest pose: 249 m at Hand" in text
    assert "e+" not in text


def test_rotation_of_a_texture_in_degrees():
    (change,) = changes_of(textured(), textured(rotation=np.pi / 6))
    assert change.field == "base colour texture, rotation"
    assert (round(change.after, 4), change.unit) == (30, "°")


def textured(offset=None, rotation=0.0, **sampler):
    """The character with a texture of one pixel."""
    reference = {"index": 0}
    if offset or rotation:
        transform = {"offset": offset or [0, 0], "rotation": rotation}
        reference["extensions"] = {"KHR_texture_transform": transform}
    material = {"name": "Skin", "pbrMetallicRoughness": {"baseColorTexture": reference}}
    b = with_attribute("TEXCOORD_0", POINTS[:, :2], character(material=material))
    pixel = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9"
        "QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    b.add("images", uri=pixel)
    b.add("samplers", **sampler)
    b.add("textures", source=0, sampler=0)
    return b
