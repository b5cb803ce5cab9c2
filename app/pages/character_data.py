"""A character as a page plays it: hierarchy, clips, skins, meshes, materials and images.

The page evaluates the same four steps as the program: tracks to a pose, the hierarchy to matrices,
a palette for each skin, and the vertex shader.
"""

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from PIL import Image as Pictures

from ..animation.clip import Clip
from ..animation.track import Track
from ..animation.types import F32, U8
from ..gltf.image_decoding import mime_type
from ..model.material import FACTORS, TEXTURES, Material, TextureRef
from ..model.model import Image, MeshInstance, Model, Primitive
from ..model.pointer_values import PointerValues
from ..rendering.geometry import (
    MODES,
    MORPH_DEFINES,
    morph_texels,
    primitive_defines,
    surface_arrays,
)
from ..rendering.gpu_material import material_defines, shown_textures
from ..rendering.material_block import BASE, EXTENDED, EXTENSION, block, glsl_name
from ..rendering.palette import palette_defines
from ..scene.drawn_joints import shown_joints
from .packed_arrays import PackedArrays, Reference

PATHS = ("translation", "scale", "rotation", "values")  # numbers in the table of tracks
INTERPOLATIONS = ("STEP", "LINEAR", "CUBICSPLINE")
MOST_TEXTURES = 14  # of a material: WebGL 2 has 16 at once, one of them the environment
GLASS = 0.8  # opacity that a fully transmissive surface loses
BROWSER_IMAGES = ("image/png", "image/jpeg", "image/webp", "image/avif")
_QUALITY = 92  # of pictures that are encoded again
_TRANSFORM = "/extensions/KHR_texture_transform/"


class PlayedClip(NamedTuple):
    """A clip, and the path of the root [3] that the camera follows while it plays, if any."""

    clip: Clip
    path: Track | None = None


class CharacterData:
    """Describes one character to a page.

    Parameters
    ----------
    arrays
        Where its arrays are stored.
    max_texture
        Greatest width and height of textures, pixels; 0: as in the file.

    Attributes
    ----------
    simplified
        What the page draws in a simpler way than the program.
    """

    def __init__(self, arrays: PackedArrays, model: Model, *, max_texture: int = 0) -> None:
        self._arrays = arrays
        self._model = model
        self._max_texture = max_texture
        self._moving = PointerValues(model)
        self._geometries: list[dict[str, Any]] = []
        self._geometry_of: dict[tuple[int, int, int, bool], int] = {}
        self._materials: dict[int, int] = {}
        self._described: list[dict[str, Any]] = []
        self._images: dict[Any, int] = {}
        self._pictures: list[dict[str, Any]] = []
        self.simplified: dict[str, None] = {}

    def described(self, clips: Sequence[PlayedClip]) -> dict[str, Any]:
        """Return the character with clips, as JSON with references of arrays."""
        model, add = self._model, self._arrays.add
        skeleton = model.skeleton
        items = [item for instance in model.instances for item in self._items(instance)]
        if model.billboards:
            self.simplified["billboards keep their direction"] = None
        return {
            "name": model.name,
            "joints": list(skeleton.names),
            "parents": add(skeleton.parents.astype(np.int32)),
            "drawn": np.flatnonzero(shown_joints(model)).tolist(),
            "rest": add(skeleton.rest.data),
            "skins": [
                {
                    "joints": add(skin.joints.astype(np.int32)),
                    "bind": add(skin.inverse_bind[:, :3].astype(np.float32)),
                }
                for skin in model.skins
            ],
            "items": items,
            "geometries": self._geometries,
            "materials": self._described,
            "images": self._pictures,
            "clips": self._clips(clips),
            "lights": self._lights(),
            "cameras": self._cameras(),
            "visibility": self._visibility(),
        }

    # --- clips ---------------------------------------------------------------------------

    def _clips(self, clips: Sequence[PlayedClip]) -> dict[str, Any]:
        """Return all clips: a table of their tracks, and pools of times and values.

        A row of the table: target, path, interpolation, first time, keys, first value, first
        tangent (-1: none), components, first column of other values. Values are stored by
        component, tangents by key: in, then out.
        """
        times, values = _Pool(), _Pool()
        rows: list[tuple[int, ...]] = []
        described = []
        for clip, path in clips:
            first = len(rows)
            for track in clip.tracks:
                tangents = track.tangents
                rows.append(
                    (
                        track.target,
                        PATHS.index(track.path),
                        INTERPOLATIONS.index(track.interpolation),
                        times.add(track.times),
                        len(track.times),
                        values.add(track.values.T),
                        -1 if tangents is None else values.add(tangents),
                        track.values.shape[1],
                        track.start,
                    )
                )
            described.append(
                {
                    "name": clip.name,
                    "start": float(clip.start),
                    "end": float(clip.end),
                    "loop": clip.loop,
                    "nlerp": clip.rotation == "nlerp",
                    "tracks": [first, len(rows)],
                    "path": None
                    if path is None
                    else [times.add(path.times), len(path.times), values.add(path.values.T)],
                }
            )
        table = np.array(rows, np.int32).reshape(-1, 9).T  # by column: numbers of one kind
        return {
            "list": described,
            "count": len(rows),
            "tracks": self._arrays.add(table),
            "times": self._arrays.add(times.joined()),
            "values": self._arrays.add(values.joined()),
        }

    # --- meshes --------------------------------------------------------------------------

    def _items(self, instance: MeshInstance) -> list[dict[str, Any]]:
        """Return what is drawn of a mesh instance."""
        model, items = self._model, []
        primitives = model.drawn_mesh(instance).primitives if instance.in_scene else ()
        for number, primitive in enumerate(primitives):
            if primitive.is_empty:
                continue
            skinned = instance.skin >= 0 and primitive.joints is not None
            owner = -1 if instance.written is None else instance.joint
            key = (instance.mesh, owner, number, skinned)
            if key not in self._geometry_of:
                self._geometry_of[key] = len(self._geometries)
                self._geometries.append(self._geometry(primitive, skinned=skinned))
            channel = model.channels[instance.channel] if instance.channel >= 0 else None
            defines = primitive_defines(primitive, skinned=skinned)
            if skinned:
                defines |= palette_defines(len(model.skins[instance.skin].joints))
            items.append(
                {
                    "geometry": self._geometry_of[key],
                    "material": self._material(primitive.material),
                    "joint": instance.joint,
                    "skin": instance.skin if skinned else -1,
                    "weights": None if channel is None else [channel.start, channel.width],
                    "defines": defines,
                }
            )
        return items

    def _geometry(self, primitive: Primitive, *, skinned: bool) -> dict[str, Any]:
        """Return the vertex attributes of a primitive: reference and components of each."""
        add, count = self._arrays.add, len(primitive.positions)
        attributes: dict[str, tuple[Reference, int]] = {
            name: (add(np.ascontiguousarray(data, np.float32).T), data.shape[1])
            for name, data in surface_arrays(primitive).items()
            if data is not None
        }
        if skinned and primitive.joints is not None and primitive.weights is not None:
            width = primitive.joints.shape[1]
            most = int(primitive.joints.max(initial=0))
            attributes["joints"] = self._arrays.add_indices(primitive.joints.T, most), width
            attributes["weights"] = add(primitive.weights.astype(np.float32).T), width
        found: dict[str, Any] = {
            "mode": MODES[primitive.topology],
            "vertices": count,
            "attributes": attributes,
            "indices": None
            if primitive.indices is None
            else self._arrays.add_indices(_differences(primitive.indices), (1 << 32) - 1),
            "extent": [
                primitive.positions.min(axis=0).tolist(),
                primitive.positions.max(axis=0).tolist(),
            ],
        }
        if primitive.morph is not None:
            texels, layout = morph_texels(primitive.morph)
            found["morph"] = {
                "texels": add(texels),
                "width": MORPH_DEFINES["MORPH_WIDTH"],
                "targets": len(texels),
                "parts": texels.shape[2],
                "layout": layout,
            }
        return found

    # --- materials -----------------------------------------------------------------------

    def _material(self, number: int) -> int:
        """Return the index of a material, -1: the default material of glTF."""
        if number not in self._materials:
            self._materials[number] = len(self._described)
            own = self._model.materials[number] if number >= 0 else Material()
            animated = list(self._moving.materials.get(number, ()))
            self._described.append(self._described_material(own, animated))
        return self._materials[number]

    def _described_material(self, own: Material, animated: Sequence[Any]) -> dict[str, Any]:
        material = self._opaque(own)
        paths = [path for path, _ in animated]
        defines = material_defines(material, paths)
        textures = []
        for field in shown_textures(material, defines)[:MOST_TEXTURES]:
            ref = material.textures[field]
            sampler = ref.sampler
            textures.append(
                {
                    "name": glsl_name(field),
                    "image": self._image(self._model.images[ref.image]),
                    "srgb": TEXTURES[field].srgb,
                    "wrap": [sampler.wrap_s, sampler.wrap_t],
                    "filter": [sampler.min_filter, sampler.mag_filter],
                }
            )
            defines[glsl_name(field).upper()] = 1
        extended = EXTENDED in defines
        material = _unmirrored(material)
        return {
            "name": own.name,
            "blend": material.alpha_mode == "BLEND",
            "sides": 2 if own.double_sided else 1,
            "block": self._arrays.add(block(material, extended=extended)),
            "textures": textures,
            "defines": defines,
            "animated": self._animated(material, animated, extended=extended),
        }

    def _opaque(self, material: Material) -> Material:
        """Return a material without transmission: in its place it is partly transparent."""
        if material.transmission is None or material.unlit or material.transmission.factor <= 0:
            return material
        self.simplified["glass is transparent without refraction"] = None
        kept = 1.0 - GLASS * material.transmission.factor
        red, green, blue, alpha = material.base_color
        return replace(
            material,
            alpha_mode="BLEND",
            base_color=(red, green, blue, alpha * kept),
            transmission=None,
            volume=None,
            dispersion=None,
        )

    def _animated(
        self, material: Material, animated: Sequence[Any], *, extended: bool
    ) -> dict[str, Any] | None:
        """Return how the values of a pose change the block of a material; None: they do not."""
        if not animated:
            return None
        factors = {row.path: row for row in FACTORS.values()}
        textures = {row.path: row for row in TEXTURES.values()}
        uniforms = [
            each for part in ((BASE, EXTENSION) if extended else (BASE,)) for each in part.uniforms
        ]
        places = BASE.textures | (EXTENSION.textures if extended else {})
        copied, emission = [], []
        moved: dict[str, dict[str, Any]] = {}
        for name, channel in animated:
            row = factors.get(name)
            if row is not None and row.name in ("emissive", "emissive_strength"):
                emission.append([row.name, channel.start, channel.width])
            elif row is not None:
                own = [each for each in uniforms if each.fields == (row.name,)]
                if not own or own[0].width != channel.width:
                    self.simplified["some animated materials keep their values at rest"] = None
                for each in own[:1]:
                    limits = [x if math.isfinite(x) else None for x in row.limits]
                    copied.append([channel.start, channel.width, each.start, *limits])
            else:
                owner, _, part = name.partition(_TRANSFORM)
                field = textures[owner].name
                ref = material.value(field)
                if isinstance(ref, TextureRef) and field in places:
                    rest = {
                        "vector": places[field],
                        "offset": list(ref.offset),
                        "rotation": ref.rotation,
                        "scale": list(ref.scale),
                        "parts": [],
                    }
                    moved.setdefault(field, rest)["parts"].append([part, channel.start])
        start = next((each.start for each in uniforms if each.name == "emission"), 0)
        return {
            "copied": copied,
            "moved": list(moved.values()),
            "emission": {
                "start": start,
                "color": list(material.emissive),
                "strength": material.emissive_strength,
                "parts": emission,
            }
            if emission
            else None,
        }

    # --- images --------------------------------------------------------------------------

    def _image(self, image: Image) -> int:
        """Return the index of an image, encoded as browsers read it."""
        if image.content not in self._images:
            self._images[image.content] = len(self._pictures)
            data = image.encoded()
            mime = mime_type(data)
            height, width = image.pixels.shape[:2]
            small = not self._max_texture or max(width, height) <= self._max_texture
            if mime not in BROWSER_IMAGES or not small or image.size != (width, height):
                mime, data = self._encoded_again(image.pixels)
            self._pictures.append({"mime": mime, "data": self._arrays.add_bytes(data)})
        return self._images[image.content]

    def _encoded_again(self, pixels: U8) -> tuple[str, bytes]:
        """Return the MIME type and the bytes of pixels [H, W, 4], scaled to the greatest size."""
        height, width = pixels.shape[:2]
        opaque = bool((pixels[..., 3] == 255).all())
        picture = Pictures.fromarray(np.ascontiguousarray(pixels[..., :3]) if opaque else pixels)
        share = min(1.0, self._max_texture / max(width, height)) if self._max_texture else 1.0
        if share < 1.0:
            size = max(1, round(width * share)), max(1, round(height * share))
            picture = picture.resize(size, Pictures.Resampling.BOX)
        buffer = io.BytesIO()
        if min(picture.size) < 8:
            picture.save(buffer, "PNG")
            return "image/png", buffer.getvalue()
        picture.save(buffer, "WEBP", quality=_QUALITY, method=4, exact=True)
        return "image/webp", buffer.getvalue()

    # --- lights, cameras, visibility -----------------------------------------------------

    def _lights(self) -> list[dict[str, Any]]:
        gain = self._moving.light_level.gain
        return [
            {
                "kind": source.kind,
                "joint": source.joint,
                "color": list(source.color),
                "intensity": source.intensity * gain,
                "gain": gain,
                "range": source.range,
                "inner": source.inner,
                "outer": source.outer,
                "animated": _channels(self._moving.lights.get(source.number, ())),
            }
            for source in self._model.lights
        ]

    def _cameras(self) -> list[dict[str, Any]]:
        return [
            {
                "name": view.name,
                "joint": view.joint,
                "ortho": view.kind == "orthographic",
                "yfov": view.yfov,
                "ymag": view.ymag,
                "near": view.znear,
                "far": view.zfar if math.isfinite(view.zfar) else None,
                "animated": _channels(
                    (name.partition("/")[2], channel)
                    for name, channel in self._moving.cameras.get(view.number, ())
                    if name.startswith(view.kind)
                ),
            }
            for view in self._model.cameras
        ]

    def _visibility(self) -> dict[str, Any]:
        """Return the joints that are hidden by their own node, and the values that switch them."""
        switched = [[channel.joint, channel.start] for channel in self._moving.switches]
        hidden = self._model.hidden_by_node if switched else self._model.hidden
        return {"hidden": sorted(hidden), "switched": switched}


class _Pool:
    """Floats that tracks share: equal ones are stored once."""

    def __init__(self) -> None:
        self._parts: list[F32] = []
        self._size = 0
        self._known: dict[bytes, int] = {}

    def add(self, values: F32) -> int:
        """Return the place of the first of some values."""
        row = np.ascontiguousarray(values, np.float32).reshape(-1)
        key = row.tobytes()
        if key not in self._known:
            self._known[key] = self._size
            self._parts.append(row)
            self._size += row.size
        return self._known[key]

    def joined(self) -> F32:
        """Return all values."""
        return np.concatenate([np.zeros(0, np.float32), *self._parts])


def _differences(indices: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """Return the differences of neighbours, folded to 0, 1, 2 for 0, -1, 1: small numbers."""
    steps = np.diff(indices.astype(np.int64), prepend=0)
    return np.where(steps < 0, -2 * steps - 1, 2 * steps).astype(np.uint32)


def _channels(animated: Iterable[Any]) -> list[list[Any]]:
    return [[name, channel.start, channel.width] for name, channel in animated]


def _unmirrored(material: Material) -> Material:
    """Return a material whose textures are not doubled: WebGL repeats them mirrored by itself."""
    changes = {
        name: replace(ref, sampler=replace(ref.sampler, wrap_s=10497, wrap_t=10497))
        for name, ref in material.textures.items()
    }
    return material.changed(changes)
