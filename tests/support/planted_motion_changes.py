"""Changes of joints and clips, each with what a comparison should say about it."""

import numpy as np

from rigview.animation import quat
from tests.support.planted_character import DEGREES, SHIFT, Expected, NotPossibleError, need

_TURN = [np.sin(np.radians(DEGREES / 2)), 0, 0, np.cos(np.radians(DEGREES / 2))]


def joint_renamed(c):
    b = c.copy()
    name = c.names[c.joint]
    b.json["nodes"][c.joint]["name"] = f"{name}New"
    return b, Expected((("joint", "renamed", name, f"{name}New", None),))


def joint_moved(c):
    b, node = c.copy(), b_node(c)
    local = SHIFT / c.scale_above(c.joint)
    x, y, z = node.get("translation", [0, 0, 0])
    b.json["nodes"][c.joint]["translation"] = [x + local, y, z]
    expected = ("joint", "changed", c.names[c.joint], "rest position", SHIFT * 1000)
    return b, Expected((expected,), moves=True)


def joint_turned(c):
    b, node = c.copy(), b_node(c)
    before = np.array(node.get("rotation", [0, 0, 0, 1]), float)
    turned = quat.multiply(before / np.linalg.norm(before), np.array(_TURN))
    b.json["nodes"][c.joint]["rotation"] = turned.tolist()
    return b, Expected(
        (("joint", "changed", c.names[c.joint], "rest rotation", DEGREES),), moves=True
    )


def b_node(c):
    """The JSON of the joint, which is not stored as a matrix."""
    node = c.version.json["nodes"][c.joint]
    if "matrix" in node:
        raise NotPossibleError("a joint without a matrix")
    return node


def joint_added(c):
    b = c.copy()
    b.rows("nodes").append({"name": "Socket"})
    b.json["nodes"][c.joint].setdefault("children", []).append(len(b.json["nodes"]) - 1)
    return b, Expected((("joint", "added", "Socket", "", None),))


def joint_reparented(c):
    b, parent = c.copy(), c.parent_of(c.joint)
    above = need(c.parent_of(need(parent, "a parent")), "a parent of the parent")
    b.json["nodes"][parent]["children"].remove(c.joint)
    b.json["nodes"][above]["children"].append(c.joint)
    expected = ("joint", "changed", c.names[c.joint], "parent", c.names[above])
    return b, Expected((expected,), moves=True)


def nodes_reordered(c):
    """The same nodes in another order, which is no difference."""
    b = c.copy()
    rows = b.json["nodes"]
    order = np.random.default_rng(5).permutation(len(rows)).tolist()
    place = {old: new for new, old in enumerate(order)}
    b.json["nodes"] = [rows[old] for old in order]
    for row in rows:
        if "children" in row:
            row["children"] = [place[n] for n in row["children"]]
    for scene in b.json["scenes"]:
        scene["nodes"] = [place[n] for n in scene["nodes"]]
    for skin in b.rows("skins"):
        skin["joints"] = [place[n] for n in skin["joints"]]
        if "skeleton" in skin:
            skin["skeleton"] = place[skin["skeleton"]]
    for clip in b.rows("animations"):
        for channel in clip["channels"]:
            if "node" in channel["target"]:
                channel["target"]["node"] = place[channel["target"]["node"]]
    return b, Expected()


def bind_moved(c):
    b = c.copy()
    skin = need(b.rows("skins"), "a skin")[0]
    row = skin["joints"].index(c.joint)
    values = b.array(skin["inverseBindMatrices"])
    bind = np.linalg.inv(values[row].reshape(4, 4).T.astype(float))
    before = c.matrices[c.joint] @ np.linalg.inv(bind)
    bind[0, 3] += SHIFT / np.linalg.norm(before[:3, 0])
    values[row] = np.linalg.inv(bind).T.reshape(16)
    skin["inverseBindMatrices"] = b.add_array(values, skin["inverseBindMatrices"])
    expected = ("skin", "changed", c.model.skins[0].name, "bind positions", SHIFT * 1000)
    return b, Expected((expected,), moves=True)


def _own_track(c, path, keys=3):
    """A copy of the file, and the channel's own sampler in it, with its times and values."""
    clip, channel, sampler = c.track(path, keys)
    if c.version.json["accessors"][sampler["output"]]["componentType"] != 5126:
        raise NotPossibleError("a track of floats")
    b = c.copy()
    number = c.version.json["animations"].index(clip)
    made = b.json["animations"][number]
    made["channels"][clip["channels"].index(channel)]["sampler"] = len(made["samplers"])
    made["samplers"].append(dict(sampler))
    times, values = (b.array(sampler[key]) for key in ("input", "output"))
    name = c.clip_name(clip)
    return b, name, c.names[channel["target"]["node"]], made["samplers"][-1], times[:, 0], values


def rotation_key(c):
    b, clip, joint, sampler, times, values = _own_track(c, "rotation")
    k = len(times) // 2
    values[k] = quat.multiply(values[k].astype(float), np.array(_TURN))
    sampler["output"] = b.add_array(values, sampler["output"])
    return b, Expected(motion=clip, track=(joint, "rotation", DEGREES, float(times[k])))


def translation_key(c):
    b, clip, joint, sampler, times, values = _own_track(c, "translation")
    node = next(n for n, name in c.names.items() if name == joint)
    k = len(times) // 2
    values[k, 0] += SHIFT / c.scale_above(node)
    sampler["output"] = b.add_array(values, sampler["output"])
    return b, Expected(motion=clip, track=(joint, "translation", SHIFT * 1000, float(times[k])))


def weight_key(c):
    b, clip, joint, sampler, times, values = _own_track(c, "weights")
    k = len(values) // len(times)
    values[(len(times) // 2) * k] += 0.25
    sampler["output"] = b.add_array(values, sampler["output"])
    morph = f"morph weight {c.model.meshes[0].primitives[0].morph.names[0]}"
    return b, Expected(motion=clip, track=(joint, morph, 0.25, float(times[len(times) // 2])))


def key_removed(c):
    b, clip, joint, sampler, times, values = _own_track(c, "rotation", keys=4)
    # the key that its neighbours interpolate worst
    before, middle, after = values[:-2].astype(float), values[1:-1].astype(float), values[2:]
    share = (times[1:-1] - times[:-2]) / (times[2:] - times[:-2])
    made = quat.slerp(before, after.astype(float), share)
    angle = _angles(made, middle)
    k = 1 + int(np.argmax(angle))
    if angle[k - 1] < 0.1:
        raise NotPossibleError("a key that the others do not interpolate")
    sampler["input"] = b.add_array(np.delete(times, k)[:, None], sampler["input"])
    sampler["output"] = b.add_array(np.delete(values, k, axis=0), sampler["output"])
    return b, Expected(motion=clip, track=(joint, "rotation", float(angle[k - 1]), float(times[k])))


def track_removed(c):
    clip, channel, _ = c.track("rotation")
    b = c.copy()
    number = c.version.json["animations"].index(clip)
    own = b.json["animations"][number]["channels"]
    if len(own) < 2:
        raise NotPossibleError("a second track")
    del own[clip["channels"].index(channel)]
    joint = c.names[channel["target"]["node"]]
    return b, Expected(motion=c.clip_name(clip), track=(joint, "rotation", None, None))


def interpolation(c):
    b, clip, joint, sampler, _, values = _own_track(c, "rotation")
    sampler["interpolation"] = "STEP"
    angle = _angles(values[1:], values[:-1]).max()
    if angle < 0.2:
        raise NotPossibleError("a track that moves")
    return b, Expected(motion=clip, track=(joint, "rotation", float(angle) / 2, None))


def _angles(p, q):
    """The angles [n] between rotations [n, 4] in degrees."""
    one, two = (v / np.linalg.norm(v, axis=1)[:, None] for v in (p.astype(float), q.astype(float)))
    chord = np.minimum(np.linalg.norm(two - one, axis=1), np.linalg.norm(two + one, axis=1))
    return 4 * np.degrees(np.arcsin(chord / 2))


def clip_renamed(c):
    b, clip = c.copy(), need(c.version.rows("animations"), "a clip")[0]
    b.json["animations"][0]["name"] = "Another"
    return b, Expected((("clip", "renamed", c.clip_name(clip), "Another", None),))


def clip_longer(c):
    b, clip = c.copy(), need(c.version.rows("animations"), "a clip")[0]
    made = {}
    for sampler in b.json["animations"][0]["samplers"]:
        at = sampler["input"]
        made[at] = made.get(at) or b.add_array(b.array(at) * np.float32(1.25), at)
        sampler["input"] = made[at]
    name, own = c.clip_name(clip), c.model.clips[0]
    expected = [
        ("clip", "changed", name, key, 1.25 * getattr(own, key)) for key in ("start", "end")
    ]
    return b, Expected(tuple(each for each in expected if each[-1] > 0), motion=name)


def clip_removed(c):
    b, clip = c.copy(), need(c.version.rows("animations"), "a clip")[0]
    del b.json["animations"][0]
    return b, Expected((("clip", "removed", c.clip_name(clip), "", None),))


MOTION_CHANGES = (
    joint_renamed,
    joint_moved,
    joint_turned,
    joint_added,
    joint_reparented,
    nodes_reordered,
    bind_moved,
    rotation_key,
    translation_key,
    weight_key,
    key_removed,
    track_removed,
    interpolation,
    clip_renamed,
    clip_longer,
    clip_removed,
)
