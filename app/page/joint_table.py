"""Rows of the joint table: every node of a file, what it moves and what moves it."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..animation.types import Index
from ..model.model import Model


@dataclass(frozen=True, slots=True)
class JointRow:
    """One joint."""

    node: int  # glTF's number
    name: str
    parent: str  # "" for a root
    depth: int
    skins: tuple[str, ...]  # names of the skins it is part of
    vertices: int  # that it has a weight on
    tracks: int  # of all clips
    place: tuple[float, float, float]  # at rest, model space, metres


def joint_rows(model: Model) -> tuple[JointRow, ...]:
    """Return a row a joint, each followed by what hangs on it."""
    skeleton = model.skeleton
    with np.errstate(all="ignore"):  # absurd numbers of a file show as they are
        places = skeleton.to_model(skeleton.rest)[:, :3, 3]
    vertices = _moved(model)
    tracks = Counter(
        track.target for clip in model.clips for track in clip.tracks if track.path != "values"
    )
    skins: dict[int, list[str]] = {}
    for skin in model.skins:
        for joint in dict.fromkeys(skin.joints.tolist()):
            skins.setdefault(joint, []).append(skin.name)
    rows = []
    for joint in _in_tree_order(model):
        parent = int(skeleton.parents[joint])
        x, y, z = places[joint].tolist()
        rows.append(
            JointRow(
                node=int(skeleton.nodes[joint]),
                name=skeleton.names[joint],
                parent=skeleton.names[parent] if parent >= 0 else "",
                depth=int(skeleton.depths[joint]),
                skins=tuple(skins.get(joint, ())),
                vertices=int(vertices[joint]),
                tracks=tracks[joint],
                place=(x, y, z),
            )
        )
    return tuple(rows)


def _in_tree_order(model: Model) -> list[int]:
    """Return the joints so that each stands before what hangs on it, and that before the next."""
    skeleton = model.skeleton
    below: dict[int, list[int]] = {}
    order = np.argsort(skeleton.nodes, kind="stable")
    for joint in order.tolist():
        below.setdefault(int(skeleton.parents[joint]), []).append(joint)
    found = []
    waiting = below.get(-1, [])[::-1]
    while waiting:
        joint = waiting.pop()
        found.append(joint)
        waiting += below.get(joint, [])[::-1]
    return found


def _moved(model: Model) -> Index:
    """Return for each joint [J] how many vertices it has a weight on, of what is drawn."""
    counts = np.zeros(model.skeleton.count, np.intp)
    for instance in model.instances:
        for primitive in model.meshes[instance.mesh].primitives:
            if primitive.joints is None or primitive.weights is None or instance.skin < 0:
                counts[instance.joint] += len(primitive.positions)
                continue
            joints = model.skins[instance.skin].joints
            vertex, column = np.nonzero(primitive.weights)
            entries = joints[np.minimum(primitive.joints[vertex, column], len(joints) - 1)]
            pairs = np.unique(np.stack([vertex, entries], axis=1), axis=0)
            counts += np.bincount(pairs[:, 1], minlength=len(counts))
    return counts
