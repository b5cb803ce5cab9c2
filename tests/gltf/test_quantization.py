"""KHR_mesh_quantization: every allowed type, with the equations of the extension."""

from fractions import Fraction

import numpy as np
import pytest

from tests.support.gltf_documents import CODES, Builder

BITS = {"int8": 8, "uint8": 8, "int16": 16, "uint16": 16}
TYPES = [(kind, normalized) for kind in BITS for normalized in (False, True)]
SIGNED = [("int8", True), ("int16", True)]
# From the extension's tables; unsigned normalized texture coordinates are core glTF.
ALLOWED = [
    *[("POSITION", 3, *each) for each in TYPES],
    *[("NORMAL", 3, *each) for each in SIGNED],
    *[("TANGENT", 4, *each) for each in SIGNED],
    *[("TEXCOORD_0", 2, *each) for each in TYPES],
    *[("TEXCOORD_1", 2, *each) for each in TYPES],
]
MORPHED = [
    *[("POSITION", 3, *each) for each in TYPES if each[0].startswith("int")],
    *[("NORMAL", 3, *each) for each in SIGNED],
    *[("TANGENT", 3, *each) for each in SIGNED],
]
FIELDS = {"POSITION": "positions", "NORMAL": "normals", "TANGENT": "tangents"}


def numbers(kind, width):
    """Return integers [3, width], including the minimum and maximum of a type."""
    info = np.iinfo(kind)
    values = [info.min, info.max, 0, 1, info.max // 3, info.min // 3, 7, info.max - 1, -info.max]
    values = [value if info.min <= value <= info.max else 2 for value in values]
    return np.resize(np.array(values, np.int64), (3, width))


def decoded(values, kind, normalized):
    """Return the decoded values: exact fractions, rounded once."""
    if not normalized:
        return values.astype(np.float32)
    most = np.iinfo(kind).max
    exact = [max(Fraction(int(value), int(most)), Fraction(-1)) for value in values.ravel()]
    return np.array([float(each) for each in exact], np.float32).reshape(values.shape)


def aligned(b, values, kind, normalized):
    """Append an accessor whose elements are aligned to four bytes, as glTF requires."""
    size = values.shape[1] * BITS[kind] // 8
    stride = -(-size // 4) * 4
    rows = np.full((len(values), stride), 0xEE, np.uint8)  # padding is not read
    rows[:, :size] = np.ascontiguousarray(values.astype(kind)).view(np.uint8)
    return b.add(
        "accessors",
        bufferView=b.view(rows.tobytes(), byteStride=stride),
        componentType=CODES[kind],
        count=len(values),
        type=f"VEC{values.shape[1]}",
        **({"normalized": True} if normalized else {}),
    )


def quantized():
    b = Builder()
    b.json |= {key: ["KHR_mesh_quantization"] for key in ("extensionsUsed", "extensionsRequired")}
    return b


@pytest.mark.parametrize(("name", "width", "kind", "normalized"), ALLOWED)
def test_attributes_follow_the_equations(name, width, kind, normalized):
    b, values = quantized(), numbers(kind, width)
    attributes = {name: aligned(b, values, kind, normalized)}
    if name == "TEXCOORD_1":
        attributes["TEXCOORD_0"] = b.accessor([[0, 0]] * 3)
    b.mesh(attributes)
    model = b.load()
    (primitive,) = model.meshes[0].primitives
    field = FIELDS.get(name)
    found = getattr(primitive, field) if field else primitive.texcoords[int(name[-1])]
    expected = decoded(values, kind, normalized)
    np.testing.assert_allclose(found, expected, rtol=2e-7, atol=0)
    assert found.dtype == np.float32
    assert model.warnings == []


@pytest.mark.parametrize(("name", "width", "kind", "normalized"), MORPHED)
def test_morph_targets_follow_the_equations(name, width, kind, normalized):
    b, values = quantized(), numbers(kind, width)
    b.mesh(targets=[{name: aligned(b, values, kind, normalized)}])
    morph = b.load().meshes[0].primitives[0].morph
    found = getattr(morph, FIELDS[name])[0]
    np.testing.assert_allclose(found, decoded(values, kind, normalized), rtol=2e-7, atol=0)
