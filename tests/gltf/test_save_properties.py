"""Saving keeps what it does not understand: extras, unknown extensions, unknown properties."""

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.errors import AppError
from rigview.gltf.document import open_document
from rigview.gltf.read_model import read_model
from rigview.gltf.save import save
from rigview.loading.load import load
from rigview.model.model import Model
from tests.support.gltf_documents import Builder, make_glb

TIMES, MOVED = [0, 1], [[0, 0, 0], [1, 0, 0]]
NAMES = st.text(max_size=6).map("x".__add__)  # none that glTF defines
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
PLACES = (  # objects of a document, by the path to them
    (),
    ("asset",),
    ("scenes", 0),
    ("nodes", 0),
    ("nodes", 1),
    ("meshes", 0),
    ("meshes", 0, "primitives", 0),
    ("materials", 0),
    ("materials", 0, "pbrMetallicRoughness"),
    ("skins", 0),
    ("animations", 0),
    ("animations", 0, "samplers", 0),
    ("animations", 0, "channels", 0),
    ("animations", 0, "channels", 0, "target"),
    ("accessors", 0),
    ("bufferViews", 0),
    ("buffers", 0),
    ("cameras", 0),
)
KINDS = ("extras", "extension", "known extension", "property")


def character():
    b = Builder()
    mesh = b.mesh(material=b.add("materials", pbrMetallicRoughness={"metallicFactor": 0.5}))
    b.add("nodes", name="A", mesh=mesh, children=[1])
    b.add("nodes", name="B", camera=0)
    b.add("cameras", type="perspective", perspective={"yfov": 1, "znear": 0.1})
    b.add("skins", joints=[1])
    b.add("scenes", nodes=[0])
    b.animation((0, "translation", TIMES, MOVED), (1, "translation", TIMES, MOVED), name="Walk")
    return b


def at(document, path):
    for part in path:
        document = document[part]
    return document


def put(owner, kind, name, value):
    """Add a value that the loader does not know; return the path to it from its owner."""
    if kind == "extras":
        path = ("extras",)
    elif kind == "property":
        path = (name,)
    else:
        known = kind == "known extension"
        path = ("extensions", "KHR_materials_of_ours" if known else f"EXT_{name}")
    for part in path[:-1]:
        owner = owner.setdefault(part, {})
    owner[path[-1]] = value
    return path


ADDED = st.lists(
    st.tuples(st.sampled_from(PLACES), st.sampled_from(KINDS), NAMES, VALUES),
    min_size=1,
    max_size=5,
)


@given(added=ADDED, listed=st.booleans())
@settings(max_examples=40)
def test_unknown_values_are_kept(added, listed):
    built = character()
    document = built.document
    used = set()
    for path, kind, name, value in added:
        place = put(at(document, path), kind, name, value)
        used |= {place[1]} if len(place) > 1 else set()
    if listed and used:
        document["extensionsUsed"] = sorted(used)
    expected = json.loads(json.dumps(document))
    read = open_document(make_glb(document, built.blob))
    read_model(read)
    saved = open_document(save(read, {}).data)
    read_model(saved)
    for path, kind, name, _ in added:
        where = (*path, *put({}, kind, name, None))
        assert at(saved.json, where) == at(expected, where), where
    assert saved.json.get("extensionsUsed") == expected.get("extensionsUsed")


@given(data=st.binary(max_size=200))
@settings(max_examples=40)
def test_any_bytes_after_any_header(data):
    """A Model or an AppError."""
    size = (12 + len(data)).to_bytes(4, "little")
    for start in (
        b"",
        b"glTF\2\0\0\0" + size,
        b'{"asset": {"version": "2.0"}, "nodes": [',
        b"HIERARCHY\n",
    ):
        with suppress(AppError):
            assert isinstance(load(start + data), Model)
