"""Nodes: the node hierarchy as a skeleton, its rest pose, the default scene, cameras, meshes."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.transform import decompose
from ..animation.types import F32, I32
from ..animation.vectors import length
from ..model.model import CameraView, Channel, Mesh, MeshInstance
from ..wording import counted
from .document import Document
from .object_names import unique_names
from .schema import LARGEST

MIN_QUATERNION_LENGTH = 1e-6  # quaternions below this length become the identity
_SHEAR = 1e-4  # cosine of the angle between two axes: 0.006 degrees from a right angle


@dataclass(frozen=True, slots=True)
class NodeOrder:
    """The correspondence of nodes and joints; joints are sorted by depth, parents first."""

    nodes: tuple[int, ...]  # [J] node of each joint
    joints: tuple[int, ...]  # [N] joint of each node
    parents: tuple[int, ...]  # [J] parent joint of each joint, -1 for roots


def sort_nodes(document: Document) -> NodeOrder:
    """Return the nodes sorted breadth first."""
    rows = document.rows("nodes")
    parents = [-1] * len(rows)
    for n, row in enumerate(rows):
        for child in row.get("children") or ():
            parents[child] = n
    nodes = [n for n, parent in enumerate(parents) if parent < 0]
    for n in nodes:  # the list grows during iteration
        nodes.extend(rows[n].get("children") or ())
    joints = [0] * len(rows)
    for joint, n in enumerate(nodes):
        joints[n] = joint
    parent_joints = tuple(joints[parents[n]] if parents[n] >= 0 else -1 for n in nodes)
    return NodeOrder(tuple(nodes), tuple(joints), parent_joints)


def read_skeleton(document: Document, order: NodeOrder, values: F32) -> Skeleton:
    """Return a skeleton in which every node is a joint.

    Parameters
    ----------
    document
        Validated.
    order
        From `sort_nodes`.
    values
        [P] rest values of the value channels.

    Raises
    ------
    GltfError
        A product of transforms exceeds float32.
    """
    rows = document.rows("nodes")
    in_skins = (joint for skin in document.rows("skins") for joint in skin["joints"])
    names = unique_names(rows, "Joint", in_skins)
    skeleton = Skeleton(
        names=tuple(names[n] for n in order.nodes),
        parents=np.array(order.parents, np.int32),
        nodes=np.array(order.nodes, np.int32),
        rest=_rest(document, [rows[n] for n in order.nodes], order.nodes, values),
    )
    _check_reach(document, order, skeleton.rest)
    return skeleton


def _check_reach(document: Document, order: NodeOrder, rest: Pose) -> None:
    """Check that no product of transforms can exceed float32."""
    sizes = np.abs(rest.scale).max(axis=1, initial=0).tolist()
    steps = np.abs(rest.translation).max(axis=1, initial=0).tolist()
    scales, distances = [1.0], [0.0]  # scale and distance; entry 0 is the parent of the roots
    for size, step, parent in zip(sizes, steps, order.parents, strict=True):
        parent_scale = scales[parent + 1]
        scales.append(parent_scale * size)
        distances.append(distances[parent + 1] + parent_scale * 2 * step)
    if max(scales) > LARGEST or max(distances) > LARGEST:
        bad = next(j for j, x in enumerate(zip(scales, distances, strict=True)) if max(x) > LARGEST)
        raise document.error(
            f"/nodes/{order.nodes[bad - 1]}",
            "its transform in model space is too large",
        )


def _rest(
    document: Document, rows: list[dict[str, Any]], nodes: tuple[int, ...], values: F32
) -> Pose:
    """Return the rest pose: the transforms of the nodes, in joint order."""
    zero, identity, one = (0, 0, 0), (0, 0, 0, 1), (1, 1, 1)
    pose = Pose(
        np.array([row.get("translation") or zero for row in rows], np.float32).reshape(-1, 3),
        np.array([row.get("rotation") or identity for row in rows], np.float32).reshape(-1, 4),
        np.array([row.get("scale") or one for row in rows], np.float32).reshape(-1, 3),
        values,
    )
    size = length(pose.rotation)
    flat = size < MIN_QUATERNION_LENGTH
    for joint in np.flatnonzero(flat).tolist():
        document.warn(f"/nodes/{nodes[joint]}/rotation", "zero length; the identity is used")
    pose.rotation[flat] = identity
    pose.rotation /= np.where(flat, 1, size)[:, None]
    given = [joint for joint, row in enumerate(rows) if row.get("matrix") is not None]
    if given:
        _decompose(document, pose, given, rows, nodes)
    return pose


def _decompose(
    document: Document,
    pose: Pose,
    given: list[int],
    rows: list[dict[str, Any]],
    nodes: tuple[int, ...],
) -> None:
    """Decompose the matrices of nodes into the pose, in place; warn about shear."""
    matrices = np.array([rows[joint]["matrix"] for joint in given], np.float64)
    matrices = matrices.reshape(-1, 4, 4).swapaxes(-1, -2)
    translation, rotation, scale, shear = decompose(matrices)
    pose.translation[given], pose.rotation[given], pose.scale[given] = translation, rotation, scale
    for joint, amount in zip(given, shear.tolist(), strict=True):
        if amount > _SHEAR:
            degrees = np.degrees(np.arcsin(min(amount, 1)))
            document.warn(
                f"/nodes/{nodes[joint]}/matrix",
                f"shear of {degrees:.3g}° is lost: translation, rotation and scale have none",
            )


def read_scene(document: Document, order: NodeOrder) -> I32:
    """Return the joints of the default scene, ascending; all joints if there are no scenes."""
    scenes, rows = document.rows("scenes"), document.rows("nodes")
    if not scenes:
        return np.arange(len(rows), dtype=np.int32)
    in_scene = np.zeros(len(rows), bool)
    roots = scenes[document.json.get("scene") or 0].get("nodes") or ()
    in_scene[[order.joints[n] for n in roots]] = True
    for joint, parent in enumerate(order.parents):
        if parent >= 0 and in_scene[parent]:
            in_scene[joint] = True
    return np.flatnonzero(in_scene).astype(np.int32)


def read_billboards(document: Document, order: NodeOrder) -> dict[int, Literal["axis", "full"]]:
    """Return the joints that face the camera: extras ``{"rigview": {"billboard": …}}``."""
    billboards: dict[int, Literal["axis", "full"]] = {}
    for joint, n in enumerate(order.nodes):
        extras = document.rows("nodes")[n].get("extras")
        settings = extras.get("rigview") if isinstance(extras, dict) else None
        kind = settings.get("billboard") if isinstance(settings, dict) else None
        if kind in ("axis", "full"):
            billboards[joint] = kind
        elif kind is not None:
            document.warn(
                f"/nodes/{n}/extras/rigview/billboard", "must be 'axis' or 'full'; it is left out"
            )
    return billboards


def read_hidden(document: Document, order: NodeOrder) -> tuple[frozenset[int], frozenset[int]]:
    """Return the joints hidden by KHR_node_visibility: with their descendants, and without."""
    rows = document.rows("nodes")
    hidden, hidden_nodes = set(), set()
    for joint, (n, parent) in enumerate(zip(order.nodes, order.parents, strict=True)):
        extension = (rows[n].get("extensions") or {}).get("KHR_node_visibility") or {}
        if extension.get("visible") is False:
            hidden_nodes.add(joint)
        if joint in hidden_nodes or parent in hidden:
            hidden.add(joint)
    return frozenset(hidden), frozenset(hidden_nodes)


def _is_valid(properties: dict[str, Any]) -> bool:
    """Return whether a camera's properties are valid (section 3.10)."""
    near, bad, angle = properties["znear"], properties.get("zfar"), properties.get("yfov")
    wide = (
        0 < angle < np.pi and near > 0
        if angle is not None
        else properties["xmag"] * properties["ymag"]
    )
    return bool(wide) and near >= 0 and (bad is None or bad > near)


def read_cameras(document: Document, order: NodeOrder) -> tuple[CameraView, ...]:
    """Return a view for each node with a camera, in joint order."""
    cameras = document.rows("cameras")
    if not cameras:
        return ()
    rows, names = document.rows("nodes"), unique_names(cameras, "Camera")
    views = []
    for joint, n in enumerate(order.nodes):
        if (c := rows[n].get("camera")) is not None:
            kind = cameras[c]["type"]
            properties = cameras[c].get(kind)
            if properties is None or not _is_valid(properties):
                document.warn(f"/cameras/{c}", f"invalid {kind} properties; the camera is left out")
                continue
            views.append(
                CameraView(
                    name=names[c],
                    joint=joint,
                    kind=kind,
                    yfov=float(properties.get("yfov") or 0),
                    xmag=float(properties.get("xmag") or 0),
                    ymag=float(properties.get("ymag") or 0),
                    znear=float(properties["znear"]),
                    zfar=float(properties.get("zfar") or np.inf),
                    number=c,
                    aspect=max(float(properties.get("aspectRatio") or 0), 0.0),
                ).usable()
            )
    return tuple(views)


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
