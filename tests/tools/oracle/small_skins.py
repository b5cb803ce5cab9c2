"""The small files of tests/oracle/models that are skinned, or have clips in the plural."""

import numpy as np

from tests.tools.oracle.builder import TETRAHEDRON, Builder, Draw, cubic, unit

BOX = np.array([[x, y, z] for y in range(4) for z in (0, 1) for x in (0, 1)], float)  # 16 points


def skins() -> Builder:
    """Return joints on several levels, one node between that is none, and two skins for one mesh.

    The meshes hang below transformed nodes, which glTF 2.0, section 3.7.3.3, does not apply; the
    joints' inverse bind matrices are not what would leave the mesh as it is.
    """
    made, draw = Builder(), Draw(6)
    quarters = np.array([[1, 1, 2, 0], [3, 1, 0, 0], [0, 2, 1, 1], [4, 0, 0, 0]] * 4)
    used = np.where(quarters > 0, [[0, 2, 3, 1], [1, 3, 0, 0]] * 8, 0)
    joints, weights = made.accessor(used, "u1"), made.accessor(quarters / 4)
    mesh = made.mesh(made.primitive(BOX, JOINTS_0=joints, WEIGHTS_0=weights))
    holder = made.node(
        "Holder", translation=[5, 0, -1], scale=[2, 1, 0.5], rotation=[0, 0.6, 0, 0.8]
    )
    frame = made.node("Frame", translation=[0.5, 0, 0], scale=[1, 1.5, 1])
    hips = made.node("Hips", frame, translation=[0, 1, 0], rotation=unit(1, 0, 0, 7))
    between = made.node("Between", hips, translation=[0, 0.5, 0], rotation=unit(0, 1, 0, 5))
    spine = made.node("Spine", between, translation=[0, 0.75, 0], scale=[1, 1.25, 0.75])
    hand = made.node("Hand", spine, translation=[0.5, 1, 0])
    made.node("Held", hand, mesh=made.mesh(), scale=[0.5, 0.5, 0.5])
    inverse_bind = [
        [[1, 0, 0, -0.5], [0, 1, 0, -3], [0, 0, 1, 0.25], [0, 0, 0, 1]],
        [[0, -1, 0, 1], [1, 0, 0, -0.5], [0, 0, 1, 0], [0, 0, 0, 1]],
        [[0.5, 0, 0, 0], [0, 2, 0, -1], [0, 0, 1, 0.5], [0, 0, 0, 1]],
        [[1, 0.25, 0, 0], [0, 1, 0, -2], [0, -0.5, 1, 0], [0, 0, 0, 1]],
    ]
    first = made.skin([hand, hips, frame, spine], inverse_bind)
    second = made.skin([hips, hand, spine, between])
    made.node("Body", holder, mesh=mesh, skin=first, translation=[0, 2, 0])
    made.node("Double", holder, mesh=mesh, skin=second, rotation=[1, 0, 0, 0])
    times = [0.25, 0.5, 1.5]
    made.clip(
        "Joints",
        made.channel(hips, "rotation", times, draw.rotations(3), "LINEAR"),
        made.channel(hips, "translation", times, draw.floats(3, 3), "LINEAR"),
        made.channel(spine, "scale", times, draw.floats(3, 3, low=0.5, high=1.5), "LINEAR"),
        made.channel(hand, "rotation", times, draw.rotations(3), "STEP"),
    )
    made.clip("Between", made.channel(between, "rotation", times, draw.rotations(3), "LINEAR"))
    made.clip("Mesh node", made.channel(holder, "translation", times, draw.floats(3, 3), "LINEAR"))
    return made


def influences() -> Builder:
    """Return eight influences on a vertex, in two sets, of a mesh that is morphed as well."""
    made, draw = Builder(), Draw(7)
    chain: list[int] = []
    for j in range(9):
        placed = {"translation": [0, 0.375, 0.0625 * j], "rotation": unit(1, j - 4, 2, 12)}
        chain.append(made.node(f"Joint {j}", chain[-1] if chain else None, **placed))
    shift = np.tile(np.eye(4), (9, 1, 1))
    shift[:, 1, 3] = -0.25 * np.arange(9)
    skin = made.skin(chain, shift)
    parts = draw.floats(16, 8, low=1, high=8).astype(int)
    parts[:, 7] = 64 - parts[:, :7].sum(axis=1)  # of 64: sums are exact
    joints = np.array([[(v * 5 + i * 2) % 9 for i in range(8)] for v in range(16)])
    primitive = made.primitive(
        BOX,
        JOINTS_0=made.accessor(joints[:, :4], "u1"),
        JOINTS_1=made.accessor(joints[:, 4:], "u2"),
        WEIGHTS_0=made.accessor(parts[:, :4] / 64),
        WEIGHTS_1=made.accessor(parts[:, 4:] / 64),
    )
    moves = made.accessor(draw.floats(16, 3), bounds=True)
    primitive["targets"] = [{"POSITION": moves}]
    body = made.node("Body", mesh=made.mesh(primitive), skin=skin)
    times = [0, 0.5, 1]
    turned = [
        made.channel(joint, "rotation", times, draw.rotations(3), "LINEAR") for joint in chain[1::2]
    ]
    bent = cubic(*(draw.floats(3, 1) for _ in range(3)))
    made.clip("Bend", *turned, made.channel(body, "weights", times, bent, "CUBICSPLINE"))
    return made


def several() -> Builder:
    """Return clips that share nothing, channels without target, a scene that is not the first."""
    made, draw = Builder(), Draw(8)
    mesh = made.mesh()
    left = made.node("Left", mesh=mesh, translation=[-2, 0, 0], rotation=unit(0, 0, 1, 2))
    right = made.node("Right", mesh=mesh, translation=[2, 0, 0], scale=[1, 3, 1])
    made.node("Untouched", right, mesh=mesh, translation=[0, 0, 2], rotation=unit(1, 0, 0, 1))
    spare = made.node("Spare", hidden=True, mesh=mesh, translation=[50, 0, 0])
    below = made.node("Below", spare, mesh=made.mesh(made.primitive(np.array(TETRAHEDRON) * 3)))
    made.json |= {"scene": 1, "scenes": [{"nodes": [spare]}, *made.json["scenes"]]}
    times = [0, 0.5, 1.25]
    longer = [0, 1, 4]
    made.clip("Left", made.channel(left, "translation", times, draw.floats(3, 3), "LINEAR"))
    made.clip(
        "Right",
        made.channel(None, "rotation", longer, draw.rotations(3), "LINEAR"),
        made.channel(right, "rotation", times, draw.rotations(3), "LINEAR"),
        made.channel(right, "scale", [0.25, 0.5], draw.floats(2, 3, low=0.5), "STEP"),
        made.channel(None, "weights", longer, [0, 1, 0], "STEP"),
    )
    made.clip("Outside", made.channel(below, "rotation", times, draw.rotations(3), "LINEAR"))
    made.clip("Left again", made.channel(left, "rotation", longer, draw.rotations(3), "LINEAR"))
    return made
