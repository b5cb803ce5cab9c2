"""Writing of a .glb file: arrays to accessors, joints to nodes and a skin, surfaces to meshes.

Joints are given in model-aligned axes (`mannequin.bones`); in the file each has the axes of its
bone, `AXES`.
"""

from dataclasses import dataclass, field

import numpy as np
import pygltflib as gltf
from numpy.typing import NDArray

from rigview.animation import quat

from .bones import AXES, F64, INDEX, NAMES, OFFSETS, PARENTS, REST

Array = NDArray[np.generic]
INFLUENCES = 4
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
COMPONENTS = {np.dtype("f4"): 5126, np.dtype("u1"): 5121, np.dtype("u2"): 5123}
STILL = 1e-6  # metres: what a morph target moves less is left where it is


@dataclass(frozen=True)
class Surface:
    """A drawn mesh: vertices on borders of charts are duplicated."""

    points: F64  # [V, 3] metres, model space
    normals: F64  # [V, 3]
    tangents: F64  # [V, 4]
    texcoords: F64  # [V, 2] 0 … 1, v down
    triangles: NDArray[np.int64]  # [T, 3]
    weights: F64 | None = None  # [V, J] rows sum to 1; None: rigid
    morphs: dict[str, tuple[F64, F64]] = field(default_factory=dict)  # displacements [V, 3] of
    # points and normals


class Writer:
    """Collects arrays in one buffer, and the JSON of the file."""

    def __init__(self, name: str) -> None:
        self.file = gltf.GLTF2(asset=gltf.Asset(generator=f"Rigview {name}"))
        self.blob = bytearray()
        self._known: dict[tuple[bytes, tuple[int, ...]], int] = {}

    def view(self, data: bytes, target: int | None = None) -> int:
        """Append bytes at a multiple of four; return the buffer view's index."""
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.file.bufferViews.append(
            gltf.BufferView(
                buffer=0, byteOffset=len(self.blob), byteLength=len(data), target=target
            )
        )
        self.blob += data
        return len(self.file.bufferViews) - 1

    def accessor(
        self,
        array: Array,
        target: int | None = None,
        *,
        normalized: bool = False,
        bounds: bool = False,
    ) -> int:
        """Append an array [N] or [N, width]; return the accessor's index."""
        table = np.ascontiguousarray(array.reshape(len(array), -1))
        view = self.view(table.tobytes(), target)
        return self._describe(table, view, normalized=normalized, bounds=bounds)

    def shared(self, table: Array, *, bounds: bool = False) -> int:
        """Return an accessor of keys or of their times; those that are equal share one."""
        key = table.tobytes(), table.shape
        if key not in self._known:
            self._known[key] = self.accessor(table, bounds=bounds)
        return self._known[key]

    def sparse(self, displacements: F64, *, bounds: bool = False) -> int:
        """Append a mostly zero array [N, 3] as a sparse accessor; return its index."""
        table = displacements.astype(np.float32)
        rows = np.flatnonzero(np.abs(table).max(axis=1) > STILL)
        if not len(rows):
            rows = np.zeros(1, np.int64)
        kept = np.zeros_like(table)
        kept[rows] = table[rows]
        index = self._describe(kept, None, normalized=False, bounds=bounds)
        indices = self.view(rows.astype(np.uint16).tobytes())
        self.file.accessors[index].sparse = gltf.Sparse(
            count=len(rows),
            indices=gltf.AccessorSparseIndices(bufferView=indices, componentType=5123),
            values=gltf.AccessorSparseValues(bufferView=self.view(table[rows].tobytes())),
        )
        return index

    def _describe(self, table: Array, view: int | None, *, normalized: bool, bounds: bool) -> int:
        self.file.accessors.append(
            gltf.Accessor(
                bufferView=view,
                byteOffset=0 if view is not None else None,
                componentType=COMPONENTS[table.dtype],
                count=len(table),
                type=TYPES[table.shape[1] if table.ndim > 1 else 1],
                normalized=normalized or None,
                min=table.reshape(len(table), -1).min(axis=0).tolist() if bounds else None,
                max=table.reshape(len(table), -1).max(axis=0).tolist() if bounds else None,
            )
        )
        return len(self.file.accessors) - 1

    def finish(self) -> bytes:
        """Return the bytes of the file."""
        self.file.buffers.append(gltf.Buffer(byteLength=len(self.blob)))
        self.file.set_binary_blob(bytes(self.blob))
        return b"".join(self.file.save_to_bytes())


def influences(weights: F64) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Return the four heaviest joints [V, 4] and their weights, which sum to 65535 exactly."""
    joints = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    heaviest = np.take_along_axis(weights, joints, axis=1)
    whole = np.rint(heaviest / heaviest.sum(axis=1, keepdims=True) * 65535).astype(np.int64)
    whole[:, 0] += 65535 - whole.sum(axis=1)
    joints[whole == 0] = 0
    return joints.astype(np.uint8), whole.astype(np.uint16)


def add_material(out: Writer, name: str, pictures: dict[str, bytes]) -> None:
    """Add a material of three pictures: "Colour", "Normal" and "Surface" (R occlusion, G, B)."""
    out.file.samplers.append(gltf.Sampler(magFilter=9729, minFilter=9987, wrapS=33071, wrapT=33071))
    for kind, data in pictures.items():
        form = "image/png" if data[:4] == b"\x89PNG" else "image/jpeg"
        image = gltf.Image(name=f"{name}{kind}", mimeType=form, bufferView=out.view(data))
        out.file.textures.append(gltf.Texture(sampler=0, source=len(out.file.images)))
        out.file.images.append(image)
    place = {kind: i for i, kind in enumerate(pictures)}
    out.file.materials.append(
        gltf.Material(
            name=name,
            pbrMetallicRoughness=gltf.PbrMetallicRoughness(
                baseColorTexture=gltf.TextureInfo(index=place["Colour"]),
                metallicRoughnessTexture=gltf.TextureInfo(index=place["Surface"]),
            ),
            normalTexture=gltf.NormalMaterialTexture(index=place["Normal"]),
            occlusionTexture=gltf.OcclusionTextureInfo(index=place["Surface"]),
            alphaCutoff=None,
        )
    )


def add_mesh(out: Writer, name: str, surface: Surface, origin: F64 | None = None) -> int:
    """Add a mesh of one primitive, its points counted from `origin`; return its index."""
    vertices = gltf.ARRAY_BUFFER
    points = surface.points if origin is None else surface.points - origin
    table = np.rint(surface.texcoords * 65535).astype(np.uint16)
    attributes = gltf.Attributes(
        POSITION=out.accessor(points.astype(np.float32), vertices, bounds=True),
        NORMAL=out.accessor(surface.normals.astype(np.float32), vertices),
        TANGENT=out.accessor(surface.tangents.astype(np.float32), vertices),
        TEXCOORD_0=out.accessor(table, vertices, normalized=True),
    )
    if surface.weights is not None:
        joints, weights = influences(surface.weights)
        attributes.JOINTS_0 = out.accessor(joints, vertices)
        attributes.WEIGHTS_0 = out.accessor(weights, vertices, normalized=True)
    corners = surface.triangles.astype(np.uint16).ravel()
    primitive = gltf.Primitive(
        attributes=attributes,
        indices=out.accessor(corners, gltf.ELEMENT_ARRAY_BUFFER),
        material=0,
        mode=None,
    )
    mesh = gltf.Mesh(name=name, primitives=[primitive])
    if surface.morphs:
        primitive.targets = [
            {"POSITION": out.sparse(moved, bounds=True), "NORMAL": out.sparse(turned)}
            for moved, turned in surface.morphs.values()
        ]
        mesh.weights = [0.0] * len(surface.morphs)
        mesh.extras = {"targetNames": list(surface.morphs)}
    out.file.meshes.append(mesh)
    return len(out.file.meshes) - 1


def local_rest() -> tuple[F64, F64]:
    """Return the translations [J, 3] and rotations [J, 4] of the joints at rest, in the file."""
    above = np.stack([AXES[parent] if parent >= 0 else np.eye(3) for parent in PARENTS])
    places = np.einsum("jba,jb->ja", above, OFFSETS)
    turns = quat.from_matrix(np.einsum("jba,jbc->jac", above, AXES))
    turns[turns[:, 3] < 0.0] *= -1.0
    return places, turns


def add_skeleton(out: Writer, name: str) -> int:
    """Add the joints as nodes 0 … J - 1 and the skin that binds them; return the skin's index."""
    places, turns = local_rest()
    turned = np.abs(turns - (0.0, 0.0, 0.0, 1.0)).max(axis=1) > 1e-7
    for j, joint in enumerate(NAMES):
        children = [child for child, parent in enumerate(PARENTS) if parent == j]
        out.file.nodes.append(
            gltf.Node(
                name=joint,
                translation=places[j].astype(np.float32).tolist(),
                rotation=turns[j].astype(np.float32).tolist() if turned[j] else None,
                children=children or None,
            )
        )
    inverse = np.tile(np.eye(4), (len(NAMES), 1, 1))
    inverse[:, :3, :3] = np.swapaxes(AXES, 1, 2)
    inverse[:, :3, 3] = -np.einsum("jba,jb->ja", AXES, REST)
    columns = inverse.swapaxes(1, 2).reshape(len(NAMES), 16)  # glTF stores column after column
    out.file.skins.append(
        gltf.Skin(
            name=name,
            skeleton=0,
            joints=list(range(len(NAMES))),
            inverseBindMatrices=out.accessor(columns.astype(np.float32)),
        )
    )
    return len(out.file.skins) - 1


def add_node(out: Writer, node: gltf.Node, parent: str | None = None) -> int:
    """Add a node below a joint, at its rest position, or to the roots of the scene."""
    index = len(out.file.nodes)
    out.file.nodes.append(node)
    if parent is not None:
        above = out.file.nodes[INDEX[parent]]
        above.children = [*(above.children or []), index]
    elif out.file.scenes:
        out.file.scenes[0].nodes.append(index)
    return index


def add_camera(out: Writer, name: str, joint: str) -> None:
    """Add a camera that looks along +Z of a joint: a glTF camera looks along its own -Z."""
    out.file.cameras.append(
        gltf.Camera(
            name=name,
            type="perspective",
            perspective=gltf.Perspective(yfov=float(np.radians(60.0)), znear=0.02, zfar=100.0),
        )
    )
    node = gltf.Node(name=name, camera=len(out.file.cameras) - 1, rotation=[0.0, 1.0, 0.0, 0.0])
    add_node(out, node, joint)
