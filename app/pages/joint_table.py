"""Rows of the joint table: every node of a file with its skins, vertices and tracks."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..model.model import Model
from ..model.skin_joints import moved_vertices


@dataclass(frozen=True, slots=True)
class JointRow:
    """One joint."""

    node: int  # glTF node index
    name: str
    parent: str  # "" for a root
    depth: int
    skins: tuple[str, ...]  # names of its skins
    vertices: int  # with a weight for this joint
    tracks: int  # in all clips
    position: tuple[float, float, float]  # at rest, model space, metres


def joint_rows(model: Model) -> tuple[JointRow, ...]:
    """Return a row per joint, each followed by its descendants."""
    skeleton = model.skeleton
    with np.errstate(all="ignore"):  # NaN and infinity in files propagate
        positions = skeleton.to_model(skeleton.rest)[:, :3, 3]
    vertices = moved_vertices(model)
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
        x, y, z = positions[joint].tolist()
        rows.append(
            JointRow(
                node=int(skeleton.nodes[joint]),
                name=skeleton.names[joint],
                parent=skeleton.names[parent] if parent >= 0 else "",
                depth=int(skeleton.depths[joint]),
                skins=tuple(skins.get(joint, ())),
                vertices=int(vertices[joint]),
                tracks=tracks[joint],
                position=(x, y, z),
            )
        )
    return tuple(rows)


def _in_tree_order(model: Model) -> list[int]:
    """Return the joints in depth-first order."""
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
