"""A figure of four boxes that walks in place; the ground would move at 1 m/s."""

import numpy as np

from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from tests.support.gltf_documents import Builder

ROOT, HIPS, LEFT, RIGHT, HEAD, BODY = range(6)
PLACES = ((0, 0, 0), (0, 0.9, 0), (0.1, 0, 0), (-0.1, 0, 0), (0, 1.6, 0))
BOX = np.array([[x, y, z] for x in (-1, 1) for y in (0, 1) for z in (-1, 1)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FPS = 60
CONTACT, CYCLE = 36, 60  # frames with contact, and of a pass


def key_times(count=CYCLE):
    """The key times of a pass."""
    return np.arange(count + 1) / FPS


def foot_path(side, *, shift=0, lift=0.0):
    """The path [61, 3] of a foot: back at 1 m/s for 36 frames, then forward in the air."""
    k = (np.arange(CYCLE + 1) + shift) % CYCLE
    u = np.clip((k - CONTACT) / (CYCLE - CONTACT), 0, 1)
    z = np.where(k <= CONTACT, 0.3 - k / FPS, -0.3 + 0.6 * u * u * (3 - 2 * u))
    y = 0.15 * np.sin(np.pi * u) + lift
    return np.stack([np.full(len(k), PLACES[side][0]), y, z], axis=1)


def walk(left=None, right=None, hips=None):
    """The channels of a correct walk, or with given paths of feet or hips."""
    channels = [
        (LEFT, "translation", key_times(), foot_path(LEFT) if left is None else left),
        (RIGHT, "translation", key_times(), foot_path(RIGHT, shift=30) if right is None else right),
    ]
    return channels if hips is None else [*channels, (HIPS, "translation", key_times(), hips)]


def joint_channel(joint, places):
    """A translation channel of a joint with positions [61, 3]."""
    return [(joint, "translation", key_times(), places)]


def walker(channels, name="Walk", **row):
    """The figure with one clip, as a context of rules."""
    b = Builder()
    children = {ROOT: [HIPS, LEFT, RIGHT], HIPS: [HEAD]}
    for joint, title in enumerate(("Root", "Hips", "LeftFoot", "RightFoot", "Head")):
        place = np.array(PLACES[joint]) - (np.array(PLACES[HIPS]) if joint == HEAD else 0)
        below = {"children": children[joint]} if joint in children else {}
        b.add("nodes", name=title, translation=place.tolist(), **below)
    b.add("nodes", name="Body", mesh=0, skin=0)
    b.add("scenes", nodes=[ROOT, BODY])
    inverse = np.tile(np.eye(4), (5, 1, 1))
    inverse[:, :3, 3] = -np.array(PLACES)
    columns = inverse.swapaxes(1, 2).reshape(-1, 16)
    b.add("skins", joints=list(range(5)), inverseBindMatrices=b.accessor(columns))
    sizes = {HIPS: (0.2, 0.5, 0.1), LEFT: (0.05, 0.08, 0.12), RIGHT: (0.05, 0.08, 0.12)}
    sizes[HEAD] = (0.1, 0.2, 0.1)
    points = [BOX * size + PLACES[joint] for joint, size in sizes.items()]
    joints = np.zeros((8 * len(sizes), 4), np.uint16)
    joints[:, 0] = np.repeat(list(sizes), 8)
    corners = [[q[0], q[1], q[2], q[0], q[2], q[3]] for q in QUADS]
    indices = np.concatenate([np.array(corners).ravel() + 8 * k for k in range(len(sizes))])
    attributes = {
        "JOINTS_0": b.accessor(joints, "uint16"),
        "WEIGHTS_0": b.accessor(np.tile([1.0, 0, 0, 0], (len(joints), 1))),
    }
    b.mesh(attributes, positions=np.concatenate(points), indices=b.accessor(indices, "uint16"))
    b.animation(*channels, name=name, **row)
    return CheckContext(load(b.glb()))
