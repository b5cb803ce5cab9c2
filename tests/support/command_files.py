"""A small glTF file with a skin, morph targets, several clips and unusual names."""

import base64
import json

import numpy as np

FLOAT, USHORT = 5126, 5123


class Binary:
    """One buffer with a view and an accessor for each array."""

    def __init__(self):
        self.data = b""
        self.views = []
        self.accessors = []

    def add(self, values, kind, component=FLOAT):
        array = np.asarray(values, np.float32 if component == FLOAT else np.uint16)
        accessor = {
            "bufferView": len(self.views),
            "componentType": component,
            "count": len(array),
            "type": kind,
        }
        if component == FLOAT:
            flat = array.reshape(len(array), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        raw = array.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)})
        self.data += raw + b"\0" * (-len(raw) % 4)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def turned(degrees):
    half = np.radians(degrees) / 2
    return [0.0, 0.0, float(np.sin(half)), float(np.cos(half))]


def document(**changes):
    """Nodes: 0 Body (skinned), 1 Root, 2 Tip (its child), 3 Face (morphs); `changes` replace keys.

    Clips: "Turn" 0.5 to 2 s, "Turn fast" 0 to 1 s, one called "0", and one without name.
    """
    binary = Binary()
    corners = binary.add([[-1, 0, 0], [1, 0, 0], [0, 2, 0]], "VEC3")
    joints = binary.add([[0, 1, 0, 0]] * 3, "VEC4", USHORT)
    weights = binary.add([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]], "VEC4")
    bind = binary.add([np.eye(4).ravel(), _moved(0, -1, 0).T.ravel()], "MAT4")
    lift = binary.add([[0, 0, 1], [0, 0, 1], [0, 1, 0]], "VEC3")
    slow = binary.add([0.5, 1.0, 2.0], "SCALAR")
    fast = binary.add([0.0, 1.0], "SCALAR")
    turns = binary.add([turned(0), turned(90), turned(45)], "VEC4")
    quick = binary.add([turned(0), turned(90)], "VEC4")
    smile = binary.add([0.0, 1.0], "SCALAR")
    primitive = {"POSITION": corners, "JOINTS_0": joints, "WEIGHTS_0": weights}
    face = {"attributes": {"POSITION": corners}, "targets": [{"POSITION": lift}]}
    made = {
        "asset": {"version": "2.0", "generator": "tests"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1, 3]}],
        "nodes": [
            {"name": "Body", "mesh": 0, "skin": 0},
            {"name": "Root", "children": [2], "translation": [0, 0, 0]},
            {"name": "Tip", "translation": [0, 1, 0]},
            {"name": "Face", "mesh": 1, "translation": [3, 0, 0]},
        ],
        "meshes": [
            {"name": "Triangle", "primitives": [{"attributes": primitive}]},
            {"name": "Mask", "primitives": [face], "weights": [0.25]},
        ],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": bind}],
        "animations": [
            _clip("Turn", slow, turns, 2, "rotation"),
            _clip("Turn fast", fast, quick, 2, "rotation"),
            _clip("0", fast, smile, 3, "weights"),
            _clip(None, fast, quick, 1, "rotation"),
        ],
        "bufferViews": binary.views,
        "accessors": binary.accessors,
        "buffers": [{"byteLength": len(binary.data), "uri": _data_uri(binary.data)}],
    }
    return {key: value for key, value in (made | changes).items() if value is not None}


def write_document(path, **changes):
    path.write_text(json.dumps(document(**changes)), encoding="utf-8")
    return path


def _moved(x, y, z):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def _clip(name, times, values, node, path):
    clip = {
        "samplers": [{"input": times, "output": values}],
        "channels": [{"sampler": 0, "target": {"node": node, "path": path}}],
    }
    return clip if name is None else {"name": name} | clip


def _data_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()
