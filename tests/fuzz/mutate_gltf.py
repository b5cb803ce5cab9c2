"""Mutations of glTF files that keep most of the structure, so that they reach the code behind it.

Each mutation changes a `Parts` in place, given a random generator, or returns another file.
"""

import json
import struct

from tests.fuzz.mutate_bytes import (
    EXTREME_FLOATS,
    EXTREME_INTEGERS,
    HOSTILE_TEXTS,
    mutate_bytes,
    mutate_text,
)
from tests.fuzz.mutate_values import at_path, mutate_tree, nested, paths_of
from tests.support.gltf_documents import HEADER, make_glb, split_glb

INDEX_KEYS = (
    *("mesh", "skin", "node", "camera", "material", "sampler", "input", "output", "indices"),
    *("bufferView", "buffer", "source", "index", "skeleton", "inverseBindMatrices", "light"),
    *("POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0", "scene", "texCoord"),
    *("children", "joints", "nodes", "variants", "TEXCOORD_2"),
)
COMPONENTS = (5120, 5121, 5122, 5123, 5125, 5126, 5124, 0)
TYPES = ("SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "VEC5", "")
EXTENSIONS = (
    *("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu"),
    *("KHR_mesh_quantization", "KHR_animation_pointer", "KHR_node_visibility", "VRMC_vrm", "VRM"),
    *("KHR_materials_variants", "KHR_lights_punctual", "KHR_texture_transform", "EXT_texture_webp"),
    *("KHR_materials_unlit", "KHR_materials_clearcoat", "KHR_materials_transmission", "EXT_x"),
    *("EXT_mesh_gpu_instancing", "EXT_texture_avif", "KHR_materials_emissive_strength"),
    "KHR_materials_volume",
)
URIS = (
    *(
        "",
        ".",
        "..",
        "../../../etc/passwd",
        "/dev/zero",
        "file:///etc/passwd",
        "http://x.invalid/y",
    ),
    *(
        "data:",
        "data:,",
        "data:;base64,AAAA",
        "data:;base64,!!",
        "data:image/png;base64,iVBORw0KGgo=",
    ),
    *("a.glb", "%00", "%2e%2e/x", "\\\\host\\share", "C:\\x", "a" * 5000, "x\ny"),
)
UNEXPECTED_INTEGERS = (-1, 2**31, 4_000_000_000, 2**63, 10**30, None, "1", 1.5, True, [], {})
LISTS = (
    "nodes",
    "meshes",
    "accessors",
    "bufferViews",
    "animations",
    "skins",
    "materials",
    "images",
)

_OTHER_KIND = (  # what a mutation raises where an earlier one changed the kind of a value
    *(ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError),
    struct.error,
)


class Parts:
    """The JSON and the binary chunk of a file."""

    def __init__(self, data):
        text, blob = split_glb(data)
        self.json, self.blob = json.loads(text), bytearray(blob)
        if not isinstance(self.json, dict):
            raise TypeError

    def data(self):
        return make_glb(self.json, self.blob)

    def rows(self, name):
        """The objects of a top-level list."""
        rows = self.json.get(name)
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def mutate_gltf(rng, data, names=()):
    """Apply one mutation by its share or of `names`, to a .glb or a .gltf that holds its data."""
    try:
        parts = Parts(data)
    except (ValueError, TypeError, struct.error, RecursionError):
        return mutate_bytes(rng, data)
    name = rng.choice(names) if names else rng.choices([*CHANGES], _SHARES)[0]
    try:
        return CHANGES[name][0](rng, parts) or parts.data()
    except _OTHER_KIND:
        return mutate_bytes(rng, data)


def _any_value(rng, parts):
    mutate_tree(rng, parts.json)


def _other_value(rng, parts):
    """Change anything but accessors and buffer views."""
    skipped = ("accessors", "bufferViews", "buffers", "asset")
    mutate_tree(rng, parts.json, [p for p in paths_of(parts.json) if p[0] not in skipped])


def _accessor(rng, parts):
    row = rng.choice(parts.rows("accessors"))
    kind = rng.randrange(8)
    count = row.get("count", 0)
    if kind < 2:
        row["count"] = rng.choice((0, 1, count - 1, count + 1, 2 * count, *EXTREME_INTEGERS, 2**53))
    elif kind == 2:
        row["componentType"] = rng.choice(COMPONENTS)
    elif kind == 3:
        row["type"] = rng.choice(TYPES)
    elif kind == 4:
        row["byteOffset"] = rng.choice((-4, 1, 2, 4, 12, 400, 2**31, 2**63))
    elif kind == 5:
        row["normalized"] = not row.get("normalized")
    elif kind == 6:
        row.pop("bufferView", None)
    else:
        views = max(len(parts.rows("bufferViews")), 1)
        indices = {"bufferView": rng.randrange(views), "componentType": rng.choice(COMPONENTS)}
        count = rng.choice((0, 1, 2, count, 10**9))
        values = {"bufferView": rng.randrange(views), "byteOffset": rng.choice((0, 4, -4, 10**9))}
        row["sparse"] = {"count": count, "indices": indices, "values": values}


def _buffer_view(rng, parts):
    row = rng.choice(parts.rows("bufferViews") + parts.rows("buffers"))
    name = rng.choice(("byteOffset", "byteLength", "byteStride", "buffer", "target"))
    value = row.get(name, 0)
    row[name] = rng.choice((0, 1, 3, 4, 255, 256, value + 1, value - 1, -1, *EXTREME_INTEGERS))


def _index(rng, parts):
    """Refer to another object, or to none."""
    places = [p for p in paths_of(parts.json) if p[-1] in INDEX_KEYS]
    path = rng.choice(places)
    owner, value = at_path(parts.json, path[:-1]), at_path(parts.json, path)
    if isinstance(value, list):
        if not value:
            return
        owner, path = value, (*path, rng.randrange(len(value)))
        value = owner[path[-1]]
    owner[path[-1]] = rng.choice((-1, 0, 1, 2, 3, value + 1, value - 1, 10**6, 2**31, None, "0"))


def _graph(rng, parts):
    """Cycles, several parents, and transforms without an inverse."""
    nodes = parts.rows("nodes")
    node = rng.choice(nodes)
    kind = rng.randrange(5)
    if kind == 0:
        node.setdefault("children", []).append(rng.randrange(len(nodes)))
    elif kind == 1:
        node["scale"] = rng.choice(([0, 0, 0], [1e-30] * 3, [-1, 1, 1], [1e20] * 3, [1, 0, 1]))
    elif kind == 2:
        node["matrix"] = [rng.choice((0, 1, -1, 1e-20, 1e19)) for _ in range(16)]
    elif kind == 3:
        node["rotation"] = [rng.choice((0, 1, -1, 1e-20, 1e19)) for _ in range(4)]
    else:
        node["translation"] = [rng.choice((0, 1e-40, 1e8, -1e18, 3e38)) for _ in range(3)]


def _floats(rng, parts):
    """Put an extreme float in a range of the binary chunk or all over it."""
    value = rng.choice(EXTREME_FLOATS)
    start, end = _range(rng, parts)
    share = rng.choice((0.0, 0.02, 0.3, 1.0))
    some = [at for at in range(start, end - 3, 4) if rng.random() < share]
    for at in some or [start + 4 * rng.randrange(max((end - start) // 4, 1))]:
        if at + 4 <= len(parts.blob):
            struct.pack_into("<f", parts.blob, at, value)


def _range(rng, parts):
    """The bytes of a buffer view in the binary chunk."""
    row = rng.choice(parts.rows("bufferViews"))
    start = row.get("byteOffset", 0)
    return start, min(start + row["byteLength"], len(parts.blob))


def _stream(rng, parts):
    """Change bytes of a picture, of a compressed stream or of numbers; lengths stay."""
    start, end = _range(rng, parts)
    row = rng.choice(parts.rows("bufferViews"))
    for held in row.get("extensions", {}).values():  # a compressed stream in the chunk
        start = held.get("byteOffset", 0)
        end = start + held["byteLength"]
    size = end - start
    data = mutate_bytes(rng, bytes(parts.blob[start:end]))[:size]
    parts.blob[start:end] = data + bytes(size - len(data))


def _keys(rng, parts):
    """Disorder or repeat the times of keys."""
    animation = rng.choice(parts.rows("animations"))
    sampler = rng.choice(animation["samplers"])
    accessor = parts.json["accessors"][sampler["input"]]
    view = parts.json["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    form = f"<{min(accessor['count'], 4096)}f"
    times = list(struct.unpack_from(form, parts.blob, start))
    kind = rng.randrange(6)
    if kind == 0:
        rng.shuffle(times)
    elif kind == 1:
        times = [times[0]] * len(times)
    elif kind == 2:
        times = [-time for time in times]
    elif kind == 3:
        times = [time * rng.choice((1e-38, 1e-20, 1e9, 1e30)) for time in times]
    elif kind == 4:
        times[rng.randrange(len(times))] = rng.choice(EXTREME_FLOATS)
    else:
        sampler["interpolation"] = rng.choice(("STEP", "LINEAR", "CUBICSPLINE", "x"))
    struct.pack_into(form, parts.blob, start, *times)


def _extension(rng, parts):
    """Add an extension with any content, or require an unknown one."""
    if rng.random() < 0.2:
        parts.json.setdefault("extensionsRequired", []).append(rng.choice(EXTENSIONS))
        return
    dictionaries = [()]
    dictionaries += [p for p in paths_of(parts.json) if isinstance(at_path(parts.json, p), dict)]
    owner = at_path(parts.json, rng.choice(dictionaries))
    names = {path[-1] for path in paths_of(parts.json) if isinstance(path[-1], str)}
    content = rng.choice(
        (
            {},
            [],
            None,
            0,
            nested(rng, 3),
            {rng.choice(sorted(names)): rng.choice((0, -1, 1e9, "x", [], {}, [0, 1]))},
        )
    )
    owner.setdefault("extensions", {})[rng.choice(EXTENSIONS)] = content


def _repeat(rng, parts):
    """Many copies of an object, which are references to the same data."""
    name = rng.choice(LISTS)
    rows = parts.json.get(name)
    row = rng.choice(rows)
    inner = [value for value in row.values() if isinstance(value, list)] or [rows]
    target = rng.choice((rows, rng.choice(inner)))
    target.extend([rng.choice(target)] * rng.choice((1, 2, 50, 2000)))


def _name(rng, parts):
    row = rng.choice(parts.rows(rng.choice(("nodes", "animations", "meshes", "materials"))))
    row["name"] = rng.choice(HOSTILE_TEXTS)


def _uri(rng, parts):
    row = rng.choice(parts.rows("images") + parts.rows("buffers"))
    row.pop("bufferView", None)
    row["uri"] = rng.choice(URIS)


def _raw_json(rng, parts):
    """Change the text of the JSON, with correct lengths."""
    return make_glb(mutate_text(rng, json.dumps(parts.json).encode()), parts.blob)


def _container(rng, parts):
    """Change the header or the chunks of the GLB."""
    whole = bytearray(parts.data())
    kind = rng.randrange(6)
    if kind < 2:
        struct.pack_into("<I", whole, rng.choice((0, 4, 8, 12, 16)), rng.choice(EXTREME_INTEGERS))
    elif kind == 2:
        at = rng.choice((8, 12))
        length = struct.unpack_from("<I", whole, at)[0]
        struct.pack_into("<I", whole, at, max(length + rng.choice((-8, -1, 1, 4, 8)), 0))
    elif kind == 3:
        whole += rng.randbytes(rng.choice((1, 4, 8, 100)))
    elif kind == 4:  # the binary chunk first
        length = struct.unpack_from("<I", whole, 12)[0]
        middle = HEADER + length
        whole[12:] = whole[middle:] + whole[12:middle]
    else:  # a .gltf without its binary chunk
        return json.dumps(parts.json).encode()
    return bytes(whole)


def _cut(rng, parts):
    """Cut the file; or its JSON or binary chunk, with correct lengths."""
    text, blob = json.dumps(parts.json).encode(), parts.blob
    kind = rng.randrange(3)
    if kind == 0:
        whole = parts.data()
        return whole[: rng.randrange(len(whole))]
    if kind == 1:
        return make_glb(text[: rng.randrange(len(text))], blob)
    return make_glb(text, blob[: rng.randrange(len(blob) + 1)])


def _byte(rng, parts):
    """Change one byte or bit, half of the times in the JSON."""
    data = bytearray(parts.data())
    text, _ = split_glb(data)
    at = rng.randrange(HEADER + len(text) if rng.random() < 0.5 else len(data))
    data[at] ^= 1 << rng.randrange(8) if rng.random() < 0.5 else rng.randrange(1, 256)
    return bytes(data)


def _integer(rng, parts):
    """Replace an integer of the JSON by another one or by another type."""
    owner, key = rng.choice(list(_integers(parts.json)))
    value = owner[key]
    owner[key] = rng.choice((value + 1, value - 1, rng.randrange(100), 0, *UNEXPECTED_INTEGERS))


def _integers(owner):
    """Yield the dictionary or list and the key of every integer."""
    for key, value in owner.items() if isinstance(owner, dict) else enumerate(owner):
        if type(value) is int:
            yield owner, key
        elif isinstance(value, dict | list):
            yield from _integers(value)


CHANGES = {  # mutations and their shares, by name
    "other value": (_other_value, 6),
    "any value": (_any_value, 2),
    "accessor": (_accessor, 4),
    "buffer view": (_buffer_view, 1),
    "index": (_index, 3),
    "integer": (_integer, 1),
    "graph": (_graph, 5),
    "floats": (_floats, 6),
    "stream": (_stream, 4),
    "keys": (_keys, 5),
    "extension": (_extension, 5),
    "repeat": (_repeat, 3),
    "name": (_name, 3),
    "uri": (_uri, 1),
    "raw JSON": (_raw_json, 1),
    "container": (_container, 1),
    "cut": (_cut, 1),
    "byte": (_byte, 1),
}
_SHARES = [share for _, share in CHANGES.values()]
