"""One change at a time is reported exactly: one change, with the right name and amount."""

import io

import numpy as np
import pytest
from PIL import Image

from rigview.differences.compare import compare
from tests.support.character_versions import character, z_rotation
from tests.support.planted_character import Character
from tests.support.planted_motion_changes import MOTION_CHANGES
from tests.support.planted_surface_changes import SURFACE_CHANGES

SEAM = np.array([[-0.2, 0, 0], [0.2, 1, 0], [-0.2, 1.5, 0], [0.2, 2, 0], [0, 3, 0], [0, 3, 0]])
TIMES = (0, 0.5, 1, 1.5)


def png():
    out = io.BytesIO()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def figure():
    """A character in centimetres with everything that the changes need."""
    material = {"name": "Cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    weights = [[1, 0, 0, 0]] * 2 + [[0, 1, 0, 0], [0, 0.5, 0.5, 0]] + [[0, 0, 1, 0]] * 2
    b = character(
        size=100,
        clips=(),
        points=SEAM,
        triangles=((0, 1, 2), (1, 3, 2), (2, 3, 4), (2, 3, 5)),
        weights=weights,
        material=material,
    )
    primitive = b.json["meshes"][0]["primitives"][0]
    uv = np.concatenate([SEAM[:5, :2], [[0.9, 0.9]]])
    primitive["attributes"] |= {
        "NORMAL": b.accessor([[0, 0, 1]] * 6),
        "TEXCOORD_0": b.accessor(uv),
    }
    smile = [[0, 0, 0]] * 5 + [[0, 2, 0]]
    primitive["targets"] = [{"POSITION": b.accessor(smile)}]
    b.json["meshes"][0]["extras"] = {"targetNames": ["Smile"]}
    b.add("images", bufferView=b.view(png()), mimeType="image/png", name="Cloth")
    b.add("textures", source=0)
    top = b.add("nodes", name="Armature", scale=[0.01] * 3, children=[0, 3])
    b.json["scenes"] = [{"nodes": [top]}]
    turns = [z_rotation(angle) for angle in (0, 40, 20, 0)]
    b.animation(
        (1, "rotation", TIMES, turns),
        (2, "rotation", TIMES, turns),
        (0, "translation", TIMES, [[0, 0, 0], [0, 5, 0], [0, 3, 0], [0, 0, 0]]),
        (3, "weights", TIMES, [0, 1, 0.5, 0]),
        name="Wave",
    )
    b.animation((2, "rotation", TIMES, turns[::-1]), name="Nod")
    return Character(b.glb())


@pytest.mark.parametrize(
    "change", MOTION_CHANGES + SURFACE_CHANGES, ids=lambda change: change.__name__
)
def test_one_change(figure, change):
    made, expected = change(figure)
    assert expected.faults(compare(figure.model, made.load())) == ""
