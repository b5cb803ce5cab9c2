"""Writes variants of the bundled character: scaled, with other proportions, without textures,
and a file with a clip of three keys.

Only the accessors that differ are changed or appended.
"""

import json

import numpy as np

from rigview.loading.load import load
from rigview.resources import asset_path
from tests.support.gltf_documents import make_glb, split_glb

MANNEQUIN = asset_path("mannequin.glb")
FLOAT = 5126
LENGTHS = {  # joint: factor of the distance to its parent
    "LeftLeg": 1.25,
    "RightLeg": 1.25,
    "LeftFoot": 1.1,
    "RightFoot": 1.1,
    "LeftForeArm": 0.8,
    "RightForeArm": 0.8,
    "Spine2": 0.85,
}
AIMS = ("AimLeft", "AimCentre", "AimRight")


class Glb:
    """The JSON and the binary chunk of a .glb file."""

    def __init__(self, path=MANNEQUIN):
        text, blob = split_glb(path.read_bytes())
        self.json, self.binary = json.loads(text), bytearray(blob)

    def floats(self, accessor):
        """A writable view [count, n] of an accessor's float32 values."""
        row = self.json["accessors"][accessor]
        view = self.json["bufferViews"][row["bufferView"]]
        start = view.get("byteOffset", 0) + row.get("byteOffset", 0)
        width = {"SCALAR": 1, "VEC3": 3, "MAT4": 16}[row["type"]]
        assert row["componentType"] == FLOAT
        assert "byteStride" not in view
        flat = np.frombuffer(self.binary, np.float32, row["count"] * width, start)
        return flat.reshape(-1, width)

    def add(self, values, kind):
        """Append an accessor; return its index."""
        values = np.asarray(values, np.float32)
        row = {"bufferView": len(self.json["bufferViews"]), "componentType": FLOAT, "type": kind}
        row["count"] = len(values)
        if kind == "SCALAR":
            row |= {"min": [float(values.min())], "max": [float(values.max())]}
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": values.nbytes}
        self.json["bufferViews"].append(view)
        self.json["accessors"].append(row)
        self.binary += values.tobytes()
        return len(self.json["accessors"]) - 1

    def write(self, path):
        self.json["buffers"] = [{"byteLength": len(self.binary)}]
        path.write_bytes(make_glb(self.json, self.binary))
        return path


def write_scaled(path, size):
    """Write the mannequin scaled by `size`, without clips."""
    glb = Glb()
    for node in glb.json["nodes"]:
        node["translation"] = [size * x for x in node.get("translation", (0, 0, 0))]
    glb.floats(glb.json["skins"][0]["inverseBindMatrices"])[:, 12:15] *= np.float32(size)
    for mesh in glb.json["meshes"]:
        for primitive in mesh["primitives"]:
            _write_positions(glb, primitive, np.float32(size) * _positions(glb, primitive))
    del glb.json["animations"]
    return glb.write(path)


def write_other_proportions(path, lengths=LENGTHS, *, clips=()):
    """Write the mannequin with bones of other lengths and a matching mesh, and some clips."""
    glb, model = Glb(), load(MANNEQUIN)
    names, skin, rest = model.skeleton.names, model.skins[0], model.skeleton.rest.copy()
    before = model.skeleton.to_model(rest)[:, :3, 3].astype(np.float64)
    for joint, factor in lengths.items():
        rest.translation[names.index(joint)] *= factor
    toe = names.index("LeftToeEnd")
    sunk = before[toe, 1] - model.skeleton.to_model(rest)[toe, 1, 3]
    rest.translation[names.index("Hips"), 1] += sunk
    after = model.skeleton.to_model(rest).astype(np.float64)
    nodes = {node.get("name"): node for node in glb.json["nodes"]}
    for joint in (*lengths, "Hips"):
        nodes[joint]["translation"] = rest.translation[names.index(joint)].tolist()
    bind = np.linalg.inv(after[skin.joints]).transpose(0, 2, 1).reshape(-1, 16)
    glb.floats(glb.json["skins"][0]["inverseBindMatrices"])[:] = bind
    body, part = glb.json["meshes"][0]["primitives"][0], model.meshes[0].primitives[0]
    moved = after[skin.joints, :3, 3] - before[skin.joints]
    offsets = np.einsum("vk,vkc->vc", part.weights, moved[part.joints])
    _write_positions(glb, body, _positions(glb, body) + offsets)
    glb.json["animations"] = [row for row in glb.json["animations"] if row["name"] in clips]
    if not clips:
        del glb.json["animations"]
    return glb.write(path)


def write_turned(path, *, clips=("Idle",)):
    """Write the mannequin without textures, turned by half a turn: it faces -Z."""
    glb = Glb()
    _strip_materials(glb)
    scene = glb.json["scenes"][0]
    glb.json["nodes"].append({"name": "Turn", "rotation": [0, 1, 0, 0], "children": scene["nodes"]})
    scene["nodes"] = [len(glb.json["nodes"]) - 1]
    glb.json["animations"] = [row for row in glb.json["animations"] if row["name"] in clips]
    return glb.write(path)


def write_three_keys(path):
    """Write the joints with one clip, `Sides`, of three keys: aiming left, ahead and right."""
    glb = Glb()
    clips = {row["name"]: row for row in glb.json["animations"]}
    aims = [_first_rotations(glb, clips[name]) for name in AIMS]
    times = glb.add([0, 1, 2], "SCALAR")
    clip = {"name": "Sides", "samplers": [], "channels": []}
    for node in sorted(set().union(*aims)):
        own = glb.json["nodes"][node].get("rotation", (0, 0, 0, 1))
        keys = np.array([aim.get(node, own) for aim in aims])
        keys[1:] *= np.sign(np.sum(keys[1:] * keys[:1], axis=1, keepdims=True))
        clip["channels"].append(
            {"sampler": len(clip["samplers"]), "target": {"node": node, "path": "rotation"}}
        )
        clip["samplers"].append({"input": times, "output": glb.add(keys, "VEC4")})
    glb.json["animations"] = [clip]
    for key in ("meshes", "materials", "textures", "images", "samplers"):
        del glb.json[key]
    for node in glb.json["nodes"]:
        node.pop("mesh", None)
        node.pop("weights", None)
        if "skin" in node:
            del node["skin"]
    return glb.write(path)


def write_untextured(path):
    """Write the mannequin without materials and textures, which is drawn faster."""
    glb = Glb()
    _strip_materials(glb)
    return glb.write(path)


def _strip_materials(glb):
    for key in ("materials", "textures", "images", "samplers"):
        del glb.json[key]
    for mesh in glb.json["meshes"]:
        for primitive in mesh["primitives"]:
            primitive.pop("material", None)


def _first_rotations(glb, clip):
    found = {}
    for channel in clip["channels"]:
        if channel["target"].get("path") == "rotation":
            sampler = clip["samplers"][channel["sampler"]]
            row = glb.json["accessors"][sampler["output"]]
            view = glb.json["bufferViews"][row["bufferView"]]
            start = view.get("byteOffset", 0) + row.get("byteOffset", 0)
            raw, scale = {5126: (np.float32, 1), 5122: (np.int16, 32767)}[row["componentType"]]
            of_key = 4 if sampler.get("interpolation") == "CUBICSPLINE" else 0  # after its slope
            value = np.frombuffer(glb.binary, raw, 8, start)[of_key:][:4] / scale
            found[channel["target"]["node"]] = value / np.linalg.norm(value)
    return found


def _positions(glb, primitive):
    return np.array(glb.floats(primitive["attributes"]["POSITION"]))


def _write_positions(glb, primitive, values):
    accessor = primitive["attributes"]["POSITION"]
    glb.floats(accessor)[:] = values
    row = glb.json["accessors"][accessor]
    kept = glb.floats(accessor)
    row |= {"min": kept.min(axis=0).tolist(), "max": kept.max(axis=0).tolist()}
