"""Changes of the builder of the figure for rules, as functions of the builder."""

import numpy as np

from tests.support.gltf_documents import KINDS
from tests.support.rule_figure import HEAD, LEFT_HAND, RIGHT_ARM, RIGHT_HAND

TIMES = [0, 0.5, 1]


def attribute(b, name):
    """Return the accessor of an attribute of the figure's mesh."""
    return b.json["accessors"][b.json["meshes"][0]["primitives"][0]["attributes"][name]]


def sampler(b):
    """Return the sampler of the figure's clip."""
    return b.json["animations"][0]["samplers"][0]


def keys(b, end):
    """Return the accessor of the input or output of the figure's clip."""
    return b.json["accessors"][sampler(b)[end]]


def replaced(name, values, dtype="float32", **row):
    """Return a change: another attribute of the mesh."""

    def change(b):
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        made = b.accessor(values(b) if callable(values) else values, dtype, **row)
        attributes[name] = made

    return change


def array(b, name):
    """Return the values of an attribute."""
    row = attribute(b, name)
    start = b.json["bufferViews"][row["bufferView"]]["byteOffset"]
    dtype = {5126: "<f4", 5123: "<u2"}[row["componentType"]]
    width = {kind: count for count, kind in KINDS.items()}[row["type"]]
    found = np.frombuffer(bytes(b.blob), dtype, row["count"] * width, start)
    return found.reshape(-1, width).copy()


def edited(name, vertex, value):
    """Return a change: one vertex of an attribute has another value."""

    def values(b):
        found = array(b, name)
        found[vertex] = value
        return found

    def change(b):
        found = values(b)
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        attributes[name] = b.accessor(found, found.dtype.name)

    return change


def primitive(**row):
    return lambda b: b.json["meshes"][0]["primitives"][0].update(row)


def node(number, **row):
    return lambda b: b.json["nodes"][number].update(row)


def skin(**row):
    return lambda b: b.json["skins"][0].update(row)


def bounds(end, **row):
    def change(b):
        b.bound()
        own = keys(b, end) if end in ("input", "output") else attribute(b, end)
        own.update(row)

    return change


def unbounded(end):
    """Return a change: an accessor without min and max."""

    def change(b):
        own = keys(b, end) if end == "input" else attribute(b, end)
        b.unbound.append(b.json["accessors"].index(own))

    return change


def strided(data, stride):
    """Return rows [n, bytes] with a stride."""
    out = np.zeros((len(data), stride), np.uint8)
    out[:, : data.shape[1]] = data
    return out.tobytes()


def spread(b, values, stride, **row):
    """Add an accessor whose elements are `stride` bytes apart."""
    values = np.ascontiguousarray(values)
    raw = values.view(np.uint8).reshape(len(values), -1)
    index = b.accessor(values, values.dtype.name, **row)
    accessor = b.json["accessors"][index]
    accessor["bufferView"] = b.view(strided(raw, stride), byteStride=stride)
    return index


def strided_keys(b):
    values = np.array([[0, 0, 0, 1], [0, 0, 0.1, 0.995]], np.float32)
    sampler(b)["output"] = spread(b, values, 20)


def strided_matrices(b):
    row = b.json["accessors"][b.json["skins"][0]["inverseBindMatrices"]]
    view = b.json["bufferViews"][row["bufferView"]]
    data = bytes(b.blob)[view["byteOffset"] :][: view["byteLength"]]
    values = np.frombuffer(data, np.float32).reshape(-1, 16)
    b.json["skins"][0]["inverseBindMatrices"] = spread(b, values, 80)


def strided_indices(b):
    one = b.json["meshes"][0]["primitives"][0]
    row = b.json["accessors"][one["indices"]]
    view = b.json["bufferViews"][row["bufferView"]]
    data = bytes(b.blob)[view["byteOffset"] :][: view["byteLength"]]
    one["indices"] = spread(b, np.frombuffer(data, np.uint16)[:, None], 4)


def odd_stride(b):
    """A stride of texture coordinates that is not a multiple of 4."""
    b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = spread(
        b, array(b, "TEXCOORD_0"), 10
    )


def shared_view(b):
    """Two attributes in one buffer view without a stride."""
    one, two = attribute(b, "POSITION"), attribute(b, "NORMAL")
    data = [array(b, name).tobytes() for name in ("POSITION", "NORMAL")]
    view = b.view(b"".join(data))
    one["bufferView"] = two["bufferView"] = view
    two["byteOffset"] = len(data[0])


def moved(name, by):
    """Return a change: the data of an attribute begins `by` bytes later in its view."""

    def change(b):
        row = attribute(b, name)
        data = array(b, name).tobytes()
        row["bufferView"] = b.view(b"\0" * by + data)
        row["byteOffset"] = by

    return change


def moved_view(name, by):
    """Return a change: the view of an attribute begins `by` bytes later in its buffer."""

    def change(b):
        row = attribute(b, name)
        data = array(b, name).tobytes()
        row["bufferView"] = b.view(b"\0" * by + data)
        view = b.json["bufferViews"][row["bufferView"]]
        view["byteOffset"] += by
        view["byteLength"] -= by

    return change


def sparse(indices):
    """Return a change: sparse normals."""

    def change(b):
        values = np.tile(np.array([0, 0, 1], np.float32), (len(indices), 1))
        attribute(b, "NORMAL")["sparse"] = {
            "count": len(indices),
            "indices": {
                "bufferView": b.view(np.array(indices, np.uint16).tobytes()),
                "componentType": 5123,
            },
            "values": {"bufferView": b.view(values.tobytes())},
        }

    return change


def targets(*counts, weights=None, names=("POSITION",), size=None):
    """Return a change: morph targets, `counts` for each primitive."""

    def change(b):
        mesh = b.json["meshes"][0]
        first = mesh["primitives"][0]
        mesh["primitives"] = [dict(first) for _ in counts]
        rows = size or attribute(b, "POSITION")["count"]
        for one, count in zip(mesh["primitives"], counts, strict=True):
            if count:
                one["targets"] = [
                    {
                        name: b.accessor(np.zeros((rows, 3)), min=[0] * 3, max=[0] * 3)
                        for name in names
                    }
                    for _ in range(count)
                ]
        if weights is not None:
            mesh["weights"] = weights

    return change


def animated(
    path, values, times=TIMES, target=HEAD, interpolation="LINEAR", dtype="float32", **row
):
    """Return a change: another channel."""

    def change(b):
        clip = b.json["animations"][0]
        at = np.asarray(times, np.float32)
        given = {"min": [float(at.min())], "max": [float(at.max())]} | row
        clip["samplers"].append(
            {
                "input": b.accessor(at, **given),
                "output": b.accessor(values, dtype),
                "interpolation": interpolation,
            }
        )
        channel = {"sampler": len(clip["samplers"]) - 1, "target": {"node": target, "path": path}}
        clip["channels"].append(channel)

    return change


def two_roots(b):
    """The right hand has no parent."""
    del b.json["nodes"][RIGHT_ARM]["children"]
    b.json["scenes"][0]["nodes"].append(RIGHT_HAND)


def out_of_scene(b):
    b.json["scenes"][0]["nodes"] = [7]


def used_twice(b):
    """The normals of the mesh are the keys of a clip, too."""
    normals = b.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"]
    animated("scale", np.ones((72, 3)), np.arange(72) / 30)(b)
    b.json["animations"][0]["samplers"][-1]["output"] = normals


def typed_key_times(b):
    sampler(b)["input"] = b.accessor([0, 1], "uint16", min=[0], max=[1])


def skinned_without_joints(b):
    for name in ("JOINTS_0", "WEIGHTS_0"):
        del b.json["meshes"][0]["primitives"][0]["attributes"][name]


def target_override(b):
    """The view of the indices has the target of vertices."""
    one = b.json["meshes"][0]["primitives"][0]
    b.json["bufferViews"][b.json["accessors"][one["indices"]]["bufferView"]]["target"] = 34962


def tangents(*row, count=72):
    return replaced("TANGENT", [row] * count)


def bad_matrix_node(b):
    row = b.json["nodes"][LEFT_HAND]
    x, y, z = row.pop("translation")
    row["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]


def animated_matrix(b):
    bad_matrix_node(b)
    animated("translation", np.zeros((3, 3)), target=LEFT_HAND)(b)


def restart(b):
    one = b.json["meshes"][0]["primitives"][0]
    one["indices"] = b.accessor([0, 1, 2, 65535, 3, 4], "uint16")
    one["mode"] = 5
