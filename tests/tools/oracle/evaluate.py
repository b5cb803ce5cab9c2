"""Poses and vertices of a glTF file in float64, straight from the glTF 2.0 specification.

This is the independent program: it imports nothing of the viewer.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.tools.oracle.document import F64, Document
from tests.tools.oracle.interpolation import Channel, clips

Ints = NDArray[np.integer]


@dataclass(frozen=True)
class Reading:
    """How what the specification forbids is read: two defensible ways each."""

    unit_rotations: bool = False  # quaternions of the file normalised first, or as they are
    divided_weights: bool = True  # weights of a vertex divided by their sum, or as they are


@dataclass
class Local:
    """Local transforms of all nodes, and morph weights of all meshes, at one time."""

    translation: F64  # [N, 3]
    rotation: F64  # [N, 4] xyzw
    scale: F64  # [N, 3]
    weights: dict[int, F64]  # of each node with morph targets


@dataclass(frozen=True)
class Instance:
    """A primitive where a node shows it."""

    node: int
    mesh: int
    primitive: int
    skin: int  # -1: none
    in_scene: bool
    count: int  # vertices


class Evaluation:
    """A file, and what it looks like at any time."""

    def __init__(self, document: Document, reading: Reading) -> None:
        self.document = document
        self.reading = reading
        self.nodes = document.all("nodes")
        self.clips = clips(document)
        self.parents = np.full(len(self.nodes), -1)
        for n, node in enumerate(self.nodes):
            self.parents[node.get("children", [])] = n

    @cached_property
    def top_down(self) -> list[int]:
        """Nodes, each after its parent."""
        order = [n for n in range(len(self.nodes)) if self.parents[n] < 0]
        for n in order:
            order.extend(self.nodes[n].get("children", []))
        return order

    @cached_property
    def scene_nodes(self) -> list[int]:
        """Nodes of the default scene; the first scene where none is named."""
        scenes = self.document.all("scenes")
        roots = scenes[self.document.json.get("scene", 0)].get("nodes", []) if scenes else []
        found = set(roots)
        for n in self.top_down:
            if self.parents[n] in found:
                found.add(n)
        return sorted(found)

    @cached_property
    def instances(self) -> list[Instance]:
        """Every primitive at every node, in the order of nodes."""
        meshes = self.document.all("meshes")
        scene = set(self.scene_nodes)
        return [
            Instance(n, node["mesh"], p, node.get("skin", -1), n in scene, self._count(primitive))
            for n, node in enumerate(self.nodes)
            if "mesh" in node
            for p, primitive in enumerate(meshes[node["mesh"]]["primitives"])
        ]

    def _count(self, primitive: dict[str, Any]) -> int:
        return int(self.document.json["accessors"][primitive["attributes"]["POSITION"]]["count"])

    @cached_property
    def rest(self) -> Local:
        """The file's own transforms and weights; sections 3.5.3 and 3.7.2.2."""
        count = len(self.nodes)
        rest = Local(np.zeros((count, 3)), np.zeros((count, 4)), np.ones((count, 3)), {})
        rest.rotation[:, 3] = 1
        for n, node in enumerate(self.nodes):
            if "matrix" in node:
                rest.translation[n], rest.rotation[n], rest.scale[n] = decompose(_matrix(node))
            rest.translation[n] = node.get("translation", rest.translation[n])
            rest.rotation[n] = node.get("rotation", rest.rotation[n])
            rest.scale[n] = node.get("scale", rest.scale[n])
            if "mesh" in node:
                mesh = self.document.json["meshes"][node["mesh"]]
                targets = len(mesh["primitives"][0].get("targets", []))
                if targets:
                    given = node.get("weights", mesh.get("weights", [0.0] * targets))
                    rest.weights[n] = np.array(given, np.float64)
        if self.reading.unit_rotations:
            rest.rotation /= np.linalg.norm(rest.rotation, axis=-1, keepdims=True)
        return rest

    def channels(self, clip: int) -> list[Channel]:
        """Return the channels of a clip; of -1, the rest pose, none."""
        return self.clips[clip] if clip >= 0 else []

    def end(self, clip: int) -> float:
        """Return the largest key time of a clip's channels."""
        return max((float(each.times[-1]) for each in self.channels(clip)), default=0.0)

    def local(self, clip: int, t: float) -> Local:
        """Return the pose of a clip; what it does not touch is at rest."""
        rest = self.rest
        local = Local(
            rest.translation.copy(), rest.rotation.copy(), rest.scale.copy(), dict(rest.weights)
        )
        for channel in self.channels(clip):
            value = channel.at(t, unit=self.reading.unit_rotations)
            if channel.path == "weights":
                local.weights[channel.node] = value
            else:
                getattr(local, channel.path)[channel.node] = value
        return local

    def world(self, local: Local) -> F64:
        """Return the global matrices [N, 4, 4]; section 3.5.3."""
        matrices = compose(local.translation, local.rotation, local.scale)
        for n in self.top_down:
            if "matrix" in self.nodes[n]:
                matrices[n] = _matrix(self.nodes[n])
            if self.parents[n] >= 0:
                matrices[n] = matrices[self.parents[n]] @ matrices[n]
        return matrices

    def palette(self, world: F64, skin: int) -> F64:
        """Return global joint x inverse bind [J, 4, 4]; section 3.7.3."""
        entry = self.document.json["skins"][skin]
        matrices = world[entry["joints"]]
        if "inverseBindMatrices" in entry:
            flat = self.document.accessor(entry["inverseBindMatrices"])[: len(matrices)]
            matrices = matrices @ flat.reshape(-1, 4, 4).swapaxes(-1, -2)
        return matrices

    def vertices(self, instance: Instance, local: Local, world: F64, at: Ints | slice) -> F64:
        """Return vertices [V, 3] in world space: morphed (3.7.2.2), then skinned (3.7.3.3)."""
        mesh = self.document.json["meshes"][instance.mesh]
        primitive = mesh["primitives"][instance.primitive]
        points = self.document.accessor(primitive["attributes"]["POSITION"])[at]
        for weight, target in zip(
            local.weights.get(instance.node, ()), primitive.get("targets", ()), strict=True
        ):
            if "POSITION" in target:
                points = points + weight * self.document.accessor(target["POSITION"])[at]
        if instance.skin < 0:
            matrix = world[instance.node]
            return points @ matrix[:3, :3].T + matrix[:3, 3]
        palette = self.palette(world, instance.skin)
        joints, weights = (part[at] for part in self._influences(instance))
        moved = np.zeros_like(points)
        for i in range(joints.shape[1]):  # one influence at a time
            matrices = palette[joints[:, i]]
            turned = np.einsum("vab,vb->va", matrices[:, :3, :3], points)
            moved += weights[:, i, None] * (turned + matrices[:, :3, 3])
        return moved

    def _influences(self, instance: Instance) -> tuple[Ints, F64]:
        """Return joints and weights [V, 4 n] of all sets of a primitive; section 3.7.3.3."""
        mesh = self.document.json["meshes"][instance.mesh]
        attributes = mesh["primitives"][instance.primitive]["attributes"]
        sets = range(sum(name.startswith("JOINTS_") for name in attributes))
        read = self.document.accessor
        joints = np.concatenate([read(attributes[f"JOINTS_{i}"]) for i in sets], axis=1)
        weights = np.concatenate([read(attributes[f"WEIGHTS_{i}"]) for i in sets], axis=1)
        if self.reading.divided_weights:
            weights = weights / weights.sum(axis=1, keepdims=True)
        return joints.astype(np.intp), weights


def _matrix(node: dict[str, Any]) -> F64:
    """Return a node's `matrix`, which the file has column after column."""
    return np.array(node["matrix"], np.float64).reshape(4, 4).T


def compose(translation: F64, rotation: F64, scale: F64) -> F64:
    """Return T x R x S [N, 4, 4]; section 3.5.3."""
    x, y, z, w = np.moveaxis(rotation, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrices = np.zeros((len(rotation), 4, 4))
    matrices[:, :3, :3] = np.moveaxis(np.array(rows), -1, 0) * scale[:, None, :]
    matrices[:, :3, 3] = translation
    matrices[:, 3, 3] = 1
    return matrices


def decompose(matrix: F64) -> tuple[F64, F64, F64]:
    """Return translation, rotation and scale; a mirrored matrix has a negative x scale."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if np.linalg.det(matrix[:3, :3]) < 0:
        scale[0] = -scale[0]
    m = matrix[:3, :3] / scale
    # The row of 4 q qT with the largest diagonal, of which any gives q.
    xyz = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    squares = np.zeros((4, 4))
    squares[:3, :3] = m + m.T + (1 - np.trace(m)) * np.eye(3)
    squares[:3, 3] = squares[3, :3] = xyz
    squares[3, 3] = 1 + np.trace(m)
    row = squares[np.argmax(np.diag(squares))]
    return matrix[:3, 3], row / np.linalg.norm(row), scale
