"""Character files with nodes outside the skin, and files of clips for them."""

import numpy as np

from rigview.animation import quat
from tests.support.gltf_documents import Builder
from tests.support.humanoids import HUMANOID

FINGERS = {  # the last ones bind no vertex
    "LeftIndex1": ("LeftHand", (0.83, 1.45, 0.02)),
    "LeftIndex2": ("LeftIndex1", (0.86, 1.45, 0.02)),
    "LeftIndex3": ("LeftIndex2", (0.88, 1.45, 0.02)),
    "RightIndex1": ("RightHand", (-0.83, 1.45, 0.02)),
    "RightIndex2": ("RightIndex1", (-0.86, 1.45, 0.02)),
    "RightIndex3": ("RightIndex2", (-0.88, 1.45, 0.02)),
}
BODY = HUMANOID | FINGERS
LAST = ("LeftIndex3", "RightIndex3")


def body_file(
    path,
    *,
    places=None,
    plain=LAST,
    rename=str,
    size=1.0,
    reverse=False,
    clips=(),
    animated=None,
    seconds=1.0,
):
    """Write a skinned character with joints at `places`, and return the path.

    Nodes of `plain` are outside the skin. Each of `clips` rotates the joints of `animated`, by
    default all, at random and moves the hips. `reverse` writes the children of a node in the other
    order.
    """
    places = BODY if places is None else places
    names = list(places)
    at = {name: np.array(places[name][1], float) * size for name in names}
    built = Builder()
    for name in names:
        parent = places[name][0]
        offset = at[name] - (at[parent] if parent else 0)
        children = [names.index(each) for each in names if places[each][0] == name]
        row = {"name": rename(name), "translation": offset.tolist()}
        built.add(
            "nodes", **row, **({"children": children[:: -1 if reverse else 1]} if children else {})
        )
    joints = [names.index(name) for name in names if name not in plain]
    inverse = np.tile(np.eye(4), (len(joints), 1, 1))
    for k, joint in enumerate(joints):
        inverse[k, 3, :3] = -at[names[joint]]  # glTF stores columns
    skin = built.add(
        "skins", joints=joints, inverseBindMatrices=built.accessor(inverse.reshape(-1, 16))
    )
    mesh = built.mesh(
        {
            "JOINTS_0": built.accessor([[0, 0, 0, 0]] * 3, "uint8"),
            "WEIGHTS_0": built.accessor([[1, 0, 0, 0]] * 3),
        }
    )
    roots = [names.index(name) for name in names if not places[name][0]]
    body = built.add("nodes", name="Mesh", mesh=mesh, skin=skin)
    built.add("scenes", nodes=[*roots, body])
    built.json["scene"] = 0
    for seed, clip in enumerate(clips):
        built.animation(*_moves(names, animated, size, seed, seconds), name=clip)
    path.write_bytes(built.glb())
    return path


def _moves(names, animated, size, seed, seconds):
    rng = np.random.default_rng(seed)
    times = np.linspace(0, seconds, 4)
    for node, name in enumerate(names):
        if animated is not None and name not in animated:
            continue
        noise = rng.normal(size=(4, 4)) * 0.4 * [1, 1, 1, 0] + [0, 0, 0, 1]
        yield node, "rotation", times, quat.normalize(noise)
        if name == "Hips":
            yield node, "translation", times, ([0, 1, 0] + rng.normal(size=(4, 3)) * 0.1) * size
