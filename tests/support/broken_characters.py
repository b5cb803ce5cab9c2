"""Twenty broken versions of the bundled character, for the tutorial `docs/diagnose.md`.

`BROKEN` has, by the name of the file, a change of the light mannequin for each of them.
"""

import numpy as np

from rigview.animation import quat
from rigview.gltf.accessor_layout import COMPONENTS
from tests.support.file_version import Version
from tests.support.light_mannequin import light_mannequin

SIDES = ("Left", "Right")
CLIPS = frozenset({"Idle", "Walk", "WalkForward", "Wave", "Talk"})


def broken_character(name):
    """Return a GLB of the light mannequin with one fault."""
    version = Version(light_mannequin(CLIPS))
    BROKEN[name](version)
    return version.glb()


def _node(version, name):
    return next(n for n, row in enumerate(version.json["nodes"]) if row.get("name") == name)


def _joint(version, name):
    """The place of a joint in the skin."""
    return version.json["skins"][0]["joints"].index(_node(version, name))


def _clip(version, name):
    return next(row for row in version.json["animations"] if row["name"] == name)


def _channel(version, clip, joint, path):
    """The channel and the sampler of a track."""
    row, node = _clip(version, clip), _node(version, joint)
    for channel in row["channels"]:
        if channel["target"].get("node") == node and channel["target"]["path"] == path:
            return channel, row["samplers"][channel["sampler"]]
    raise KeyError((clip, joint, path))


def _edit_keys(version, clip, joint, path, change):
    """Replace the keys of a track by `change` of them, float64."""
    _, sampler = _channel(version, clip, joint, path)
    accessor = sampler["output"]
    _store(version, accessor, change(version.array(accessor).astype(float)))


def _store(version, accessor, values):
    """Replace the values [count, width] of an accessor, in the type that they are stored in."""
    row = version.json["accessors"][accessor]
    view = version.json["bufferViews"][row["bufferView"]]
    kind = np.dtype(COMPONENTS[row["componentType"]])
    if row.get("normalized"):
        values = np.rint(np.asarray(values) * np.iinfo(kind).max)
    data = np.ascontiguousarray(values, kind)
    assert len(data) == row["count"]
    start = view.get("byteOffset", 0) + row.get("byteOffset", 0)
    stride = view.get("byteStride") or kind.itemsize * data.shape[1]
    for number, element in enumerate(data):
        at = start + number * stride
        version.blob[at : at + element.nbytes] = element.tobytes()


def _new_array(version, values, kind):
    """The number of a new accessor with values [count, width], and their ranges."""
    number = version.new_array(values, kind)
    ends = np.float32(values).min(axis=0), np.float32(values).max(axis=0)
    version.json["accessors"][number] |= {"min": ends[0].tolist(), "max": ends[1].tolist()}
    return number


def _turn(degrees, axis=(1, 0, 0)):
    half = np.radians(degrees) / 2
    return np.array([*(np.asarray(axis) * np.sin(half)), np.cos(half)])


def _vertices_of(version, name):
    """Joints, weights [V, 4], and the vertices that a joint moves most."""
    attributes = version.primitive["attributes"]
    joints = version.array(attributes["JOINTS_0"])
    weights = version.array(attributes["WEIGHTS_0"])
    most = np.iinfo(weights.dtype).max if weights.dtype.kind == "u" else 1.0
    weights = weights / most
    most = np.take_along_axis(joints, weights.argmax(axis=1)[:, None], 1)[:, 0]
    return joints, weights, np.flatnonzero(most == _joint(version, name))


def _set_influences(version, joints, weights):
    attributes = version.primitive["attributes"]
    _store(version, attributes["JOINTS_0"], joints)
    _store(version, attributes["WEIGHTS_0"], weights)


def spike(version):
    """Some vertices of the left hand belong to the right foot."""
    joints, weights, hand = _vertices_of(version, "LeftHand")
    wrong = hand[::20]
    joints[wrong] = [_joint(version, "RightFoot"), 0, 0, 0]
    weights[wrong] = [1, 0, 0, 0]
    _set_influences(version, joints, weights)


def swollen_hand(version):
    """Wave scales the left hand by 1.8."""
    clip, hand = _clip(version, "Wave"), _node(version, "LeftHand")
    _, sampler = _channel(version, "Wave", "LeftHand", "rotation")
    keys = version.json["accessors"][sampler["input"]]["count"]
    scale = version.new_array(np.full((keys, 3), 1.8))
    clip["samplers"].append({"input": sampler["input"], "output": scale})
    target = {"node": hand, "path": "scale"}
    clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": target})


def bent_bind(version):
    """The inverse bind matrix of the left leg is turned by 25°."""
    skin = version.json["skins"][0]
    matrices = version.array(skin["inverseBindMatrices"]).astype(float).reshape(-1, 4, 4)
    row = _joint(version, "LeftLeg")
    turn = np.eye(4)
    turn[:3, :3] = quat.to_matrix(_turn(25.0)[None])[0]
    matrices[row] = matrices[row] @ turn.T  # columns first: the turn is applied last
    _store(version, skin["inverseBindMatrices"], matrices.reshape(-1, 16))


def pop(version):
    """One key of the right upper leg is 20° off."""

    def change(keys):
        keys[len(keys) // 2] = quat.multiply(keys[len(keys) // 2], _turn(20.0))
        return keys

    _edit_keys(version, "Walk", "RightUpLeg", "rotation", change)


def seam(version):
    """The last pose of Walk differs from its first."""

    def change(keys):
        share = np.linspace(0.0, 1.0, len(keys)) ** 2
        turns = np.stack([_turn(15.0 * part, (0, 0, 1)) for part in share])
        return quat.multiply(keys, turns)

    _edit_keys(version, "Walk", "Spine", "rotation", change)


def slide(version):
    """The character walks 25 % faster than its feet."""

    def change(keys):
        keys[:, 2] = keys[0, 2] + (keys[:, 2] - keys[0, 2]) * 1.25
        return keys

    _edit_keys(version, "WalkForward", "Hips", "translation", change)


def spin(version):
    """The head makes a full turn within four frames of Walk, as baked Euler angles do."""

    def change(keys):
        first = len(keys) // 2
        turns = np.stack([_turn(angle, (0, 1, 0)) for angle in np.linspace(0.0, 360.0, 5)])
        keys[first : first + 5] = quat.multiply(keys[first : first + 5], turns)
        return keys

    _edit_keys(version, "Walk", "Head", "rotation", change)


def wide_jaw(version):
    """Talk opens the jaw to 300 %."""

    def change(keys):
        return keys * 3.0

    _edit_keys(version, "Talk", "Body", "weights", change)


def lost_sword(version):
    """The sword hangs on the hips instead of the right hand."""
    nodes = version.json["nodes"]
    hand, hips = _node(version, "RightHandLocator"), _node(version, "Hips")
    prop = _node(version, "Prop")
    nodes[hand]["children"].remove(prop)
    nodes[hips]["children"].append(prop)


def still_arm(version):
    """The track of the left forearm animates a node without effect, "LeftForeArm.001"."""
    nodes = version.json["nodes"]
    nodes.append({"name": "LeftForeArm.001"})
    version.json["scenes"][0]["nodes"].append(len(nodes) - 1)
    arm = _node(version, "LeftForeArm")
    for channel in _clip(version, "Wave")["channels"]:
        if channel["target"].get("node") == arm:
            channel["target"]["node"] = len(nodes) - 1


def morph_spike(version):
    """Three vertices at the mouth are displaced by 60 mm in the morph target "jawOpen"."""
    target = version.primitive["targets"][4]
    moves = version.array(target["POSITION"]).astype(float)
    corner = int(np.linalg.norm(moves, axis=1).argmax())
    points = version.array(version.primitive["attributes"]["POSITION"]).astype(float)
    near = np.linalg.norm(points - points[corner], axis=1).argsort()[:3]
    moves[near] += (0.05, -0.02, 0.03)
    target["POSITION"] = _new_array(version, moves, "VEC3")


def stiff_leg(version):
    """WalkForward has no track of the right thigh, as other clips have."""
    channel, _ = _channel(version, "WalkForward", "RightUpLeg", "rotation")
    _clip(version, "WalkForward")["channels"].remove(channel)


def jerky_arm(version):
    """The keys of the left forearm are held in Wave, whose other tracks are curves."""
    _, sampler = _channel(version, "Wave", "LeftForeArm", "rotation")
    keys = version.array(sampler["output"]).astype(float)[1::3]  # without their tangents
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    sampler |= {"output": version.new_array(keys, "VEC4"), "interpolation": "STEP"}


def crossed_arms(version):
    """Walk moves the right arm by the track of the left one, and the left by that of the right."""
    channels = [_channel(version, "Walk", f"{side}Arm", "rotation")[0] for side in SIDES]
    nodes = [channel["target"]["node"] for channel in channels]
    for channel, node in zip(channels, reversed(nodes), strict=True):
        channel["target"]["node"] = node


def long_arm(version):
    """Wave displaces the left forearm: the upper arm is 40 % too long."""
    clip, node = _clip(version, "Wave"), _node(version, "LeftForeArm")
    _, sampler = _channel(version, "Wave", "LeftForeArm", "rotation")
    keys = version.json["accessors"][sampler["input"]]["count"]
    place = 1.4 * np.array(version.json["nodes"][node]["translation"])
    output = version.new_array(np.tile(place, (keys, 1)))
    clip["samplers"].append({"input": sampler["input"], "output": output})
    target = {"node": node, "path": "translation"}
    clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": target})


def shifted_bind(version):
    """The inverse bind matrix of the right hand is displaced by 60 mm."""
    skin = version.json["skins"][0]
    matrices = version.array(skin["inverseBindMatrices"]).astype(float).reshape(-1, 4, 4)
    matrices[_joint(version, "RightHand"), 3, 0] += 0.06  # columns first
    _store(version, skin["inverseBindMatrices"], matrices.reshape(-1, 16))


def _sword(version):
    """The only part of the sword."""
    (part,) = next(mesh for mesh in version.json["meshes"] if mesh["name"] == "Sword")["primitives"]
    return part


def inside_out(version):
    """The faces of the sword, and with them its normals, are turned to its inside."""
    part = _sword(version)
    corners = version.array(part["indices"]).reshape(-1, 3)
    _store(version, part["indices"], corners[:, ::-1].reshape(-1, 1))
    _turn_normals(version, part, slice(None))


def _turn_normals(version, part, vertices):
    """Negate the normals of some vertices of a part."""
    accessor = part["attributes"]["NORMAL"]
    row = version.json["accessors"][accessor]
    normals = version.array(accessor).astype(float)
    if row.get("normalized"):
        normals /= np.iinfo(COMPONENTS[row["componentType"]]).max
    normals[vertices] *= -1.0
    _store(version, accessor, normals)


def dark_hand(version):
    """The normals of the left hand and the left forearm are negated."""
    for name in ("LeftHand", "LeftForeArm", "LeftForeArmTwist1", "LeftForeArmTwist2"):
        _turn_normals(version, version.primitive, _vertices_of(version, name)[2])


def open_body(version):
    """The material is blended, although nothing of it is translucent."""
    version.json["materials"][0]["alphaMode"] = "BLEND"


def black_sword(version):
    """The sword has a material without a metallic factor, which means 1; the body is no metal."""
    materials = version.json["materials"]
    materials.append(
        {"name": "Grip", "pbrMetallicRoughness": {"baseColorFactor": [0.6, 0.4, 0.2, 1.0]}}
    )
    _sword(version)["material"] = len(materials) - 1
    materials[0]["pbrMetallicRoughness"]["metallicFactor"] = 0.0


BROKEN = {
    "spike": spike,
    "swollen-hand": swollen_hand,
    "bent-bind": bent_bind,
    "pop": pop,
    "seam": seam,
    "slide": slide,
    "spin": spin,
    "wide-jaw": wide_jaw,
    "lost-sword": lost_sword,
    "still-arm": still_arm,
    "morph-spike": morph_spike,
    "stiff-leg": stiff_leg,
    "jerky-arm": jerky_arm,
    "crossed-arms": crossed_arms,
    "long-arm": long_arm,
    "shifted-bind": shifted_bind,
    "inside-out": inside_out,
    "dark-hand": dark_hand,
    "open-body": open_body,
    "black-sword": black_sword,
}
