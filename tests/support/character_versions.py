"""A small skinned character whose properties can be changed, for tests that compare versions."""

import numpy as np

from tests.support.gltf_documents import Builder

JOINTS = ("Root", "Arm", "Hand")
WAVE_ANGLE = 90.0  # degrees, of the middle key of Wave


def z_rotation(degrees):
    half = np.radians(degrees) / 2
    return [0.0, 0.0, float(np.sin(half)), float(np.cos(half))]


def translation_matrix(x, y, z):
    """The matrix of a translation in the column order of glTF."""
    matrix = np.eye(4)
    matrix[3, :3] = x, y, z
    return matrix.reshape(16)


def character(
    *,
    names=JOINTS,
    order=(0, 1, 2, 3),
    size=1.0,
    wave=(0.0, WAVE_ANGLE, 0.0),
    times=(0.0, 1.0, 2.0),
    clips=("Wave", "Rest"),
    weights=None,
    bind=(0.0, -1.0, -2.0),
    rest=(0.0, 1.0, 1.0),
    points=None,
    triangles=((0, 1, 2), (1, 3, 2), (2, 3, 4)),
    colours=False,
    mesh="Body",
    material=None,
):
    """A strip 3 m high with the joints Root, Arm at 1 m and Hand at 2 m.

    `order` is the order of the four nodes.
    """
    b = Builder()
    place = {old: new for new, old in enumerate(order)}
    rows = [
        {"name": names[0], "children": [place[1]]},
        {"name": names[1], "translation": [0, rest[1] * size, 0], "children": [place[2]]},
        {"name": names[2], "translation": [0, rest[2] * size, 0]},
    ]
    if rest[0]:
        rows[0]["translation"] = [0, rest[0] * size, 0]
    rows = [{k: v for k, v in row.items() if v is not None} for row in rows]
    strip = [[-0.2, 0, 0], [0.2, 1, 0], [-0.2, 1.5, 0], [0.2, 2, 0], [0, 3, 0]]
    positions = np.array(strip if points is None else points, np.float32) * size
    if weights is None:
        weights = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]]
    skin = {
        "JOINTS_0": b.accessor([[0, 1, 2, 0]] * len(positions), "uint16"),
        "WEIGHTS_0": b.accessor(weights),
    }
    if colours:
        skin["COLOR_0"] = b.accessor([[1, 0, 0, 1]] * len(positions))
    fields = {"indices": b.accessor(np.array(triangles).reshape(-1), "uint16")}
    if material is not None:
        fields["material"] = b.add("materials", **material)
    body = b.mesh(skin, positions=positions, **fields)
    b.json["meshes"][body]["name"] = mesh
    inverse = [translation_matrix(0, y * size, 0) for y in bind]
    joints = [place[k] for k in range(3)]
    b.add("skins", joints=joints, inverseBindMatrices=b.accessor(inverse), name="Skin")
    rows.append({"name": "Figure", "mesh": body, "skin": 0})
    for old in order:
        b.add("nodes", **rows[old])
    b.json["scenes"] = [{"nodes": [place[0], place[3]]}]
    b.json["scene"] = 0
    if clips:
        keys = [z_rotation(degrees) for degrees in wave]
        b.animation((place[1], "rotation", times, keys), name=clips[0])
    if len(clips) > 1:
        b.animation((place[0], "translation", [0, 1], [[0, 0, 0], [0, 0, size]]), name=clips[1])
    return b
