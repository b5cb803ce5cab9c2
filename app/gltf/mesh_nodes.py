"""Nodes with meshes: mesh instances and their morph weights."""

import numpy as np

from ..model.model import Channel, Mesh, MeshInstance
from ..wording import counted
from .document import Document
from .nodes import NodeOrder


def read_channels(document: Document, meshes: tuple[Mesh, ...], order: NodeOrder) -> list[Channel]:
    """Return a morph weight channel for each node whose mesh has targets, in joint order.

    Defaults are the node's weights, else those of the mesh, else 0 (section 3.7.2.2).
    """
    channels: list[Channel] = []
    start = 0
    rows = document.rows("nodes")
    for joint, n in enumerate(order.nodes):
        if (m := rows[n].get("mesh")) is None:
            continue
        width = max((len(p.morph.names) for p in meshes[m].primitives if p.morph), default=0)
        if not width:
            continue
        place, given = f"/nodes/{n}/weights", rows[n].get("weights")
        if given is None:
            place, given = f"/meshes/{m}/weights", document.rows("meshes")[m].get("weights") or []
        if given and len(given) != width:
            document.warn(
                place, f"{counted(len(given), 'weight')} for {counted(width, 'morph target')}"
            )
        default = np.zeros(width, np.float32)
        default[: len(given)] = given[:width]
        channels.append(Channel(f"/nodes/{n}/weights", start, width, "linear", joint, default))
        start += width
    return channels


def read_instances(
    document: Document,
    meshes: tuple[Mesh, ...],
    channels: list[Channel],
    order: NodeOrder,
    in_scene: frozenset[int],
) -> tuple[MeshInstance, ...]:
    """Return a mesh instance for each node with a mesh, in node order."""
    channel_of = {channel.joint: c for c, channel in enumerate(channels) if channel.is_weights}
    instances = []
    for n, row in enumerate(document.rows("nodes")):
        mesh, skin = row.get("mesh"), row.get("skin")
        if mesh is None:
            continue
        if skin is not None and any(p.joints is None for p in meshes[mesh].primitives):
            document.warn(
                f"/nodes/{n}/skin", "a primitive of its mesh has no JOINTS_0 and stays rigid"
            )
            if all(p.joints is None for p in meshes[mesh].primitives):
                skin = None
        joint = order.joints[n]
        instances.append(
            MeshInstance(
                joint=joint,
                mesh=mesh,
                skin=-1 if skin is None else skin,
                channel=channel_of.get(joint, -1),
                in_scene=joint in in_scene,
            )
        )
    return tuple(instances)
