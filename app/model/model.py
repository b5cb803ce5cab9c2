"""The contents of a file as arrays, without a GPU."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self
from weakref import WeakKeyDictionary, ref

import numpy as np

from ..animation.clip import Clip
from ..animation.morph import MorphTargets
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.skin import Skin
from ..animation.track import Rotation
from ..animation.types import F32, I32, U8, U16, U32
from ..errors import UsageError
from ..notebook import ShownAsPage
from .material import Material
from .named_clips import Clips

if TYPE_CHECKING:
    import pygltflib

Topology = Literal["points", "lines", "triangles"]
MAX_LIGHTS = 16  # per picture; only the first ones are used


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


class Image:
    """An image of the file, decoded on first use.

    Parameters
    ----------
    name
        For messages and panels.
    decode
        Returns [H, W, 4] uint8, straight alpha, top row first; does not raise: for an invalid
        image it returns a neutral one and adds a warning.
    nbytes
        Encoded size, 0 if it is missing.
    read_size
        Returns width and height without decoding, 1 and 1 for an invalid image; None: those of the
        decoded pixels.
    content
        Equal to that of images with the same pixels; None: of no other image.
    read
        Returns the encoded bytes, b"" of an invalid image; None: there are none.
    """

    def __init__(
        self,
        name: str,
        decode: Callable[[], U8],
        nbytes: int = 0,
        read_size: Callable[[], tuple[int, int]] | None = None,
        content: Hashable = None,
        read: Callable[[], bytes] | None = None,
    ) -> None:
        self.name = name
        self._read = read
        self.content = self if content is None else content
        self.nbytes = nbytes
        self._decode = decode
        self._read_size = read_size
        self._pixels: U8 | None = None
        self._lock = Lock()

    @property
    def decoded(self) -> bool:
        """Whether `pixels` is decoded already."""
        return self._pixels is not None

    def __repr__(self) -> str:
        return f"<Image {self.name[:60]!r} {self.nbytes} bytes>"

    def decode(self) -> U8:
        """Return `pixels`; waits if another thread is decoding them."""
        with self._lock:
            if self._pixels is None:
                self._pixels = self._decode()
            return self._pixels

    def encoded(self) -> bytes:
        """Return the bytes of the image in its file, b"" if it has none that can be read."""
        return b"" if self._read is None else self._read()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in the file, pixels; `pixels` is smaller if memory is limited."""
        if self._read_size is not None:
            return self._read_size()
        height, width = self.pixels.shape[:2]
        return width, height

    @property
    def pixels(self) -> U8:
        """[H, W, 4] uint8, straight alpha, top row first; sRGB or data, as the material uses it."""
        return self.decode()


@dataclass(frozen=True, slots=True)
class Primitive:
    """A mesh primitive: one draw call with V vertices in mesh space, metres."""

    topology: Topology  # strips, loops and fans are expanded at load
    positions: F32  # [V, 3]
    normals: F32 | None  # [V, 3]
    tangents: F32 | None  # [V, 4]
    texcoords: tuple[F32, ...]  # each [V, 2]
    colors: F32 | None  # [V, 4] linear
    joints: U16 | None  # [V, 4] or [V, 8] indices into the skin's joints
    weights: F32 | None  # [V, 4] or [V, 8], rows sum to 1
    indices: U32 | None  # [I]
    material: int  # index into Model.materials, -1: glTF's default material
    morph: MorphTargets | None
    number: int = 0  # index in the file's mesh, where some may not be drawable
    variants: Mapping[int, int] = field(default_factory=_nothing)  # variant: material
    weight_sums: F32 | None = None  # [V] of the weights in the file, None: all are 1

    def __repr__(self) -> str:
        return (
            f"<Primitive {len(self.positions)} vertices, {self.triangle_count} triangles, "
            f"material {self.material}>"
        )

    @property
    def is_empty(self) -> bool:
        """Whether it draws nothing; incomplete triangles were removed from its indices."""
        return not len(self.positions) or (self.indices is not None and not len(self.indices))

    @property
    def triangle_count(self) -> int:
        """Number of triangles; 0 of points and lines."""
        corners = self.positions if self.indices is None else self.indices
        return len(corners) // 3 if self.topology == "triangles" else 0


@dataclass(frozen=True, slots=True)
class Mesh:
    """A named group of primitives that share morph weights."""

    name: str
    primitives: tuple[Primitive, ...]

    def __repr__(self) -> str:
        vertices = sum(len(part.positions) for part in self.primitives)
        return f"<Mesh {self.name[:60]!r} {len(self.primitives)} primitives, {vertices} vertices>"


@dataclass(frozen=True, slots=True)
class MeshInstance:
    """A mesh attached to a joint of the skeleton (a glTF node with `mesh`)."""

    joint: int  # skeleton joint of the node
    mesh: int
    skin: int  # -1: rigid, drawn with its joint's model matrix
    channel: int  # index into Model.channels of its morph weights, -1: none
    in_scene: bool  # part of the default scene
    placements: F32 | None = field(default=None, compare=False)  # [I, 4, 4] from mesh to node space
    written: Mesh | None = None  # all of these as one mesh; None: there are none, the mesh is drawn

    @property
    def count(self) -> int:
        """How often the mesh is drawn."""
        return 1 if self.placements is None else len(self.placements)


@dataclass(frozen=True, slots=True)
class Channel:
    """A slice of a pose's `values`: an animated property that is not a joint transform."""

    pointer: str  # JSON pointer of the property, "/nodes/3/weights"
    start: int  # first value in Pose.values
    width: int
    kind: Literal["linear", "rotation", "step"]
    joint: int  # owner, -1: none
    default: F32  # [width]

    @property
    def is_weights(self) -> bool:
        """Whether it is the morph weights of its joint's mesh."""
        return self.pointer.endswith("/weights")

    @property
    def slice(self) -> slice:
        """Its slice of the last axis of `Pose.values`."""
        return slice(self.start, self.start + self.width)


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera of the file, on a joint."""

    name: str
    joint: int
    kind: Literal["perspective", "orthographic"]
    yfov: float  # radians (perspective)
    xmag: float  # half width, metres (orthographic)
    ymag: float
    znear: float
    zfar: float  # infinity if the file has none
    number: int = 0  # index in the file's cameras
    aspect: float = 0.0  # intended width over height, 0: none; the picture's aspect is used

    def usable(self) -> "CameraView":
        """Return the camera with its numbers clamped to valid ranges, as after blending."""
        near = max(self.znear, 1e-6 if self.kind == "perspective" else 0.0)
        return replace(
            self,
            yfov=min(max(self.yfov, 1e-3), 3.14),
            xmag=max(abs(self.xmag), 1e-6),
            ymag=max(abs(self.ymag), 1e-6),
            znear=near,
            zfar=max(self.zfar, near + 1e-6, near * 1.001),
        )


@dataclass(frozen=True, slots=True)
class LightSource:
    """A light of the file, on a joint, directed along -Z (KHR_lights_punctual)."""

    name: str
    number: int  # index in the file's lights
    joint: int
    kind: Literal["directional", "point", "spot"]
    color: tuple[float, float, float]  # linear
    intensity: float  # lux if directional, else candela
    range: float  # metres, 0: infinite
    inner: float  # radians, half angles of a spot light
    outer: float


@dataclass(frozen=True, slots=True)
class Packed:
    """Compressed and uncompressed size of the data of a compression extension."""

    extension: str
    nbytes: int  # in the file
    unpacked: int  # bytes


@dataclass(frozen=True, slots=True)
class Facts:
    """Metadata of the file, as printed by `info`."""

    generator: str = ""
    copyright: str = ""
    version: str = "2.0"
    extensions_used: tuple[str, ...] = ()
    extensions_required: tuple[str, ...] = ()
    not_drawn: tuple[str, ...] = ()  # optional extensions that are not supported
    packed: tuple[Packed, ...] = ()
    scenes: tuple[str, ...] = ()
    file_bytes: int = 0
    format: str = "glTF"
    files: tuple[Path, ...] = ()  # files it refers to; they need not exist


class SourceDocument(Protocol):
    """The file of a model as it was read; implemented by `rigview.gltf.document.Document`."""

    json: dict[str, Any]  # the top-level object of glTF

    def to_pygltflib(self) -> "pygltflib.GLTF2":
        """Return the document as a `pygltflib.GLTF2`; `load` reads it again."""


_MODELS: "WeakKeyDictionary[Pose, list[ref[Model]]]" = WeakKeyDictionary()  # by their rest poses


def model_of(rest: Pose) -> "Model | None":
    """Return the latest model with a rest pose that is left."""
    found = (each() for each in reversed(_MODELS.get(rest, [])))
    return next((model for model in found if model is not None), None)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Model(ShownAsPage):
    """A loaded file. Arrays must not be written to; decoding images may add to `warnings`.

    `document` is the glTF file with all of its JSON, also what rigview does not read; None for
    motion capture.

    Examples
    --------
    >>> model = rigview.load("hero.glb")
    >>> model.skeleton.count, len(model.clips), len(model.meshes)
    (73, 4, 2)
    """

    name: str
    path: Path | None
    skeleton: Skeleton
    channels: tuple[Channel, ...]
    meshes: tuple[Mesh, ...]
    instances: tuple[MeshInstance, ...]
    materials: tuple[Material, ...]
    images: tuple[Image, ...]
    skins: tuple[Skin, ...]
    clips: Clips
    cameras: tuple[CameraView, ...]
    facts: Facts
    scene_joints: I32  # joints of the default scene (all if the file has no scene)
    warnings: list[str] = field(default_factory=list)
    lights: tuple[LightSource, ...] = ()
    variants: tuple[str, ...] = ()  # names of KHR_materials_variants
    billboards: Mapping[int, Literal["axis", "full"]] = field(default_factory=_nothing)
    hidden: frozenset[int] = frozenset()  # joints whose meshes are hidden at rest
    hidden_by_node: frozenset[int] = frozenset()  # those hidden by their own node
    humanoid: Mapping[str, int] = field(default_factory=_nothing)  # VRM bone: joint
    extras: Mapping[tuple[str, int], Mapping[str, str]] = field(default_factory=_nothing)
    document: SourceDocument | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.clips, Clips):
            object.__setattr__(self, "clips", Clips(self.clips))
        rest = self.skeleton.rest
        _MODELS[rest] = [each for each in _MODELS.get(rest, []) if each() is not None] + [ref(self)]

    def __repr__(self) -> str:
        joints, meshes = self.skeleton.count, len(self.meshes)
        return (
            f"<Model {self.name[:60]!r} {len(self.clips)} clips, {joints} joints, {meshes} meshes, "
            f"{len(self.materials)} materials>"
        )

    def drawn_mesh(self, instance: MeshInstance) -> Mesh:
        """Return what a mesh instance draws: its mesh, or all its placements written out."""
        return self.meshes[instance.mesh] if instance.written is None else instance.written

    @property
    def displayed_names(self) -> set[str]:
        """All names that may be displayed."""
        parts = [part for mesh in self.meshes for part in mesh.primitives if part.morph is not None]
        named = (self.clips, self.meshes, self.materials, self.images, self.cameras, self.lights)
        return {
            self.name,
            *self.skeleton.names,
            *self.variants,
            *(item.name for group in named for item in group),
            *(name for part in parts if part.morph is not None for name in part.morph.names),
        }

    def with_clips(self, clips: Iterable[Clip]) -> Self:
        """Return the model with these clips in place of its own.

        Raises
        ------
        UsageError
            A clip is of another skeleton, or has a track whose times do not ascend.

        Examples
        --------
        >>> more = model.with_clips([*model.clips, model.clips["Walk"].reversed("Back")])
        """
        chosen = Clips(clips)
        own = {id(clip) for clip in self.clips}
        for clip in chosen:
            if id(clip) not in own:
                self._check(clip)
        return replace(self, clips=chosen)

    def _check(self, clip: Clip) -> None:
        """Check that a clip, which may be made by hand, fits this model."""
        count = self.skeleton.count
        if clip.rest is not None and clip.rest.count != count:
            raise UsageError(
                f"{clip.name!r} is of another skeleton: {clip.rest.count} joints, not {count}",
                hint="rigview.retarget converts the clips of another character",
            )
        for track in clip.tracks:
            targets = len(self.channels) if track.path == "values" else count
            if not 0 <= track.target < targets:
                raise UsageError(f"{clip.name!r} has a {track!r}, but there are only {targets}")
            if not bool((np.diff(track.times) >= 0).all() and np.isfinite(track.times).all()):
                raise UsageError(f"{clip.name!r} has a {track!r} whose times do not ascend")

    def with_key_rotation(self, rotation: Rotation) -> Self:
        """Return the model with another interpolation of LINEAR rotations in all its clips.

        Meshes, materials and images are shared, so that nothing is uploaded again.
        """
        if all(clip.rotation == rotation for clip in self.clips):
            return self
        turned = (replace(clip, rotation=rotation) for clip in self.clips)
        return replace(self, clips=Clips(turned, self.clips.aliases))

    def camera_named(self, text: str) -> int | None:
        """Return the camera of a name, else that on a joint of the name, else None."""
        names = [camera.name for camera in self.cameras]
        if text not in names:
            names = [self.skeleton.names[camera.joint] for camera in self.cameras]
        return names.index(text) if text in names else None
