"""Write a document as a .glb with changed or added animations; everything else is preserved."""

import json as text
import struct
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.clip import Clip
from ..animation.resample import can_quantize, quantized
from ..animation.track import Track
from ..animation.types import F32
from ..errors import GltfError, UnsupportedError
from ..model.model import Model
from ..model.named_clips import Clips
from .accessor_references import Json, unknown_extensions
from .document import Document, property_at
from .image_decoding import mime_type
from .images import read_image_file
from .meshopt import compression
from .meshopt_documents import ByteRange, decompress_keys, restore_streams
from .pointers import EXTENSION as POINTER
from .read_model import read_model
from .stored_values import (
    Attribute,
    StoredValues,
    append_view,
    key_elements,
    replace_attributes,
)
from .unused_accessors import merge_buffers
from .uri import is_data

_COMPONENTS = {"|u1": 5121, "<i2": 5122, "<f4": 5126}
_KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
_HEADER, _CHUNK = struct.Struct("<4sIII4s"), struct.Struct("<I4s")

ChannelKey = tuple[int, int]  # indices of an animation and of a channel in it


class NewAnimation(NamedTuple):
    """An animation to add."""

    name: str
    channels: Sequence[tuple[Json, Track]]  # target, track


class Saved(NamedTuple):
    """The bytes of a .glb, and the size of the original."""

    data: bytes
    before: int  # bytes, external files included


def channel_tracks(document: Document, model: Model) -> dict[ChannelKey, Track]:
    """Return the tracks of a loaded document by channel; ignored channels are left out."""
    joints = model.skeleton.joint_of_node
    owners = {channel.pointer: c for c, channel in enumerate(model.channels)}
    found = {}
    for a, (row, clip) in enumerate(zip(document.rows("animations"), model.clips, strict=False)):
        tracks = {(track.path, track.target): track for track in clip.tracks}
        last: dict[tuple[str, int], tuple[int, Track]] = {}
        for c, channel in enumerate(row["channels"]):
            node, path = channel["target"].get("node"), channel["target"]["path"]
            if node is None:
                continue
            target = int(joints[node])
            if path == "weights":
                path, target = "values", owners.get(f"/nodes/{node}/weights", -1)
            if (path, target) in tracks:
                last[path, target] = c, tracks[path, target]
        found.update({(a, c): track for c, track in last.values()})
    return found


def new_animation(model: Model, name: str, tracks: Sequence[Track]) -> NewAnimation:
    """Return an animation to add from tracks of a model's joints and channels."""
    channels: list[tuple[Json, Track]] = []
    for track in tracks:
        if track.path != "values":
            node = int(model.skeleton.nodes[track.target])
            channels.append(({"node": node, "path": track.path}, track))
            continue
        pointer = model.channels[track.target].pointer
        _, top, number, *rest = pointer.split("/")
        if top == "nodes" and rest == ["weights"]:
            channels.append(({"node": int(number), "path": "weights"}, track))
        else:
            extension = {POINTER: {"pointer": pointer}}
            channels.append(({"path": "pointer", "extensions": extension}, track))
    return NewAnimation(name, channels)


def model_bytes(model: Model) -> bytes:
    """Return a model as a .glb: the file it was read from, with the clips that it has now.

    Clips are matched with those of the file by name, else by their motion, so that a renamed clip
    keeps its data. A clip without match is added after the others; clips that are gone are left
    out. Changed joints and weights of vertices and changed factors and options of materials are
    written, and JSON that was edited in `model.document`; other changes are not. Values are
    overwritten where they are stored, if that can hold them; nothing else changes.

    Raises
    ------
    UnsupportedError
        The model has no glTF file: it is motion capture.
    GltfError
        The edited JSON is invalid, or a buffer cannot be read.
    """
    document = model.document
    if not isinstance(document, Document):
        raise UnsupportedError(
            "motion capture is not saved as glTF",
            file=str(model.path or model.name),
            hint="retarget its clips to a character, and save that",
        )
    own = read_model(replace(document, json=document.copied_json()))
    numbers = _matches(own.clips, model.clips)
    kept = [(a, clip) for a, clip in zip(numbers, model.clips, strict=True) if a >= 0]
    json = document.copied_json()
    rows = json.get("animations") or []
    written = [
        row
        if row.get("name", "") == clip.name or own.clips[a].name == clip.name
        else {**row, "name": clip.name}
        for a, clip in kept
        for row in [rows[a]]
    ]
    json["animations"] = written
    values = StoredValues(document, json)
    values.put_materials(own.materials, model.materials)
    attributes = values.put_weights(own.meshes, model.meshes)
    changed = _changed_tracks(values, own, model, kept)
    added = [clip for a, clip in zip(numbers, model.clips, strict=True) if a < 0]
    new = [new_animation(model, c.name, c.tracks) for c in added]
    return save(values.document, changed, new, attributes=attributes).data


def _changed_tracks(
    values: StoredValues, own: Model, model: Model, kept: Sequence[tuple[int, Clip]]
) -> dict[ChannelKey, Track]:
    """Overwrite changed keys of clips; return the tracks that must be replaced instead.

    `kept` are the clips that the file has, with their indices in it.
    """
    document, changed = values.document, dict[ChannelKey, Track]()
    before = channel_tracks(document, replace(own, clips=Clips(own.clips[a] for a, _ in kept)))
    after = channel_tracks(document, replace(model, clips=Clips(clip for _, clip in kept)))
    for (b, c), track in after.items():
        one = before.get((b, c))
        if one is None or not (one.equals(track) or values.put_track(b, c, one, track)):
            changed[b, c] = track
    return changed


def _matches(own: Sequence[Clip], clips: Sequence[Clip]) -> list[int]:
    """Return for each clip the clip of the file that it replaces, -1: it is new."""
    left = dict(enumerate(own))
    found = [-1] * len(clips)
    for same in (lambda one, two: one.name == two.name, Clip.has_motion_of):
        for k, clip in enumerate(clips):
            if found[k] < 0:
                near = (
                    a for a, each in left.items() if same(each, clip) and _same_targets(each, clip)
                )
                found[k] = next(near, -1)
                left.pop(found[k], None)
    return found


def _same_targets(one: Clip, two: Clip) -> bool:
    """Return whether two clips have tracks of the same joints and values."""
    a, b = ({(t.path, t.target, t.start) for t in clip.tracks} for clip in (one, two))
    return a == b


def save(
    document: Document,
    changed: Mapping[ChannelKey, Track],
    new_animations: Sequence[NewAnimation] = (),
    node_weights: Mapping[int, Sequence[float]] = MappingProxyType({}),
    quantized_rotations: Collection[int] = (),
    attributes: Mapping[Attribute, NDArray[Any] | None] = MappingProxyType({}),
) -> Saved:
    """Return a document as a .glb in which the keys of some channels are replaced.

    Accessors, buffer views and images that replaced channels did not use keep their bytes, and
    all properties keep their values; only indices and offsets may change. External buffers and
    images, and those in data URIs, are embedded. Compressed meshes stay compressed; keys in
    compressed views are written uncompressed, and the fallbacks of such views are removed.

    Parameters
    ----------
    document
        Validated, by `read_model`.
    changed
        New tracks by channel; keys are written as float32, unless they are quantized.
    new_animations
        Animations to add.
    node_weights
        Morph weights of nodes.
    quantized_rotations
        Animations, added ones after the others, whose new rotations are normalized 16-bit integers,
        unless they have tangents.
    attributes
        New attributes [V, 4] of primitives; None removes one.

    Raises
    ------
    GltfError
        A buffer cannot be read, or the file would exceed 4 GiB.
    """
    unknown = unknown_extensions(document.json)
    unused_ranges: list[ByteRange] = []
    if not unknown:
        document, unused_ranges = decompress_keys(document)
    json = document.copied_json()
    for node, weights in node_weights.items():
        json["nodes"][node]["weights"] = list(weights)
    keys = _KeyWriter(json)
    animations = json.setdefault("animations", [])
    for a, row in enumerate(animations):
        keys.quantizes = a in quantized_rotations
        _replace(row, {c: track for (b, c), track in changed.items() if b == a}, keys)
    for animation in new_animations:
        keys.quantizes = len(animations) in quantized_rotations
        animations.append(_animation(animation, keys))
        if any(target["path"] == "pointer" for target, _ in animation.channels):
            used = json.setdefault("extensionsUsed", [])
            used += [POINTER] if POINTER not in used else []
    before = document.file_bytes + _external_bytes(document, json.get("buffers", []))
    rest: list[Json] = []
    if unknown:
        document.warn(
            "/extensionsUsed",
            f"{unknown[0]} is unknown and may refer to accessors by index; old keys are kept",
        )
        blob, rest = _embed_buffers(document, json)
    else:
        blob = merge_buffers(document, json, unused_ranges)
        if any(map(compression, document.rows("bufferViews"))) or unused_ranges:
            rest = restore_streams(json)
    keys.store(json, blob)
    replace_attributes(json, blob, attributes)
    before += _embed_images(document, json, blob)
    first_buffer = {k: v for k, v in (document.rows("buffers") or [{}])[0].items() if k != "uri"}
    json["buffers"] = [first_buffer | {"byteLength": len(blob)}, *rest] if blob else rest
    for name in ("animations", "accessors", "bufferViews", "buffers"):
        if not json.get(name):
            json.pop(name, None)
    return Saved(_write_glb(document, json, bytes(blob)), before)


class _KeyWriter:
    """Creates accessors for keys; equal ones are shared.

    Attributes
    ----------
    quantizes
        Whether rotations become normalized 16-bit integers.
    """

    def __init__(self, json: Json) -> None:
        self.quantizes = False
        self._rows: list[Json] = json.setdefault("accessors", [])
        self._new: list[Json] = []
        self._data = bytearray()
        self._known: dict[tuple[str, str, bytes], int] = {}

    def times(self, seconds: F32) -> int:
        """Return the accessor of key times, with the min and max that glTF requires."""
        bounds = {"min": [float(seconds[0])], "max": [float(seconds[-1])]}
        return self._accessor(np.asarray(seconds, "<f4"), "SCALAR", bounds)

    def outputs(self, track: Track, target: Json) -> int:
        """Return the accessor of a track's values, for CUBICSPLINE with tangents."""
        kind = "SCALAR" if target["path"] == "weights" else _KINDS[track.values.shape[1]]
        if self.quantizes and can_quantize(track):
            return self._accessor(quantized(track.values), kind, {"normalized": True})
        if str(property_at(target, f"extensions/{POINTER}/pointer")).endswith("/visible"):
            return self._accessor(track.values.astype("|u1"), kind, {})
        return self._accessor(key_elements(track), kind, {})

    def _accessor(self, array: NDArray[Any], kind: str, more: Json) -> int:
        form, data = array.dtype.newbyteorder("<").str, array.astype(array.dtype.newbyteorder("<"))
        known = kind, form, data.tobytes()
        if known not in self._known:
            width = {name: size for size, name in _KINDS.items()}[kind]
            row = {"componentType": _COMPONENTS[form], "count": array.size // width, "type": kind}
            self._data += b"\0" * (-len(self._data) % 4)
            self._new.append(row | more | {"byteOffset": len(self._data)})
            self._known[known] = len(self._rows)
            self._rows.append(self._new[-1])
            self._data += known[2]
        return self._known[known]

    def store(self, json: Json, blob: bytearray) -> None:
        """Append the data as a buffer view and set it in the new accessors."""
        if not self._new:
            return
        view = append_view(json, blob, bytes(self._data))
        for row in self._new:
            row["bufferView"] = view
            if not row["byteOffset"]:
                del row["byteOffset"]


def _replace(row: Json, tracks: Mapping[int, Track], keys: _KeyWriter) -> None:
    """Replace the keys of channels of an animation, in place; other samplers are kept."""
    if not tracks:
        return
    old = row["samplers"]
    used = {channel["sampler"] for channel in row["channels"]}
    kept = {c["sampler"] for k, c in enumerate(row["channels"]) if k not in tracks}
    kept |= set(range(len(old))) - used
    samplers = [old[s] for s in sorted(kept)]
    numbers = {s: k for k, s in enumerate(sorted(kept))}
    known: dict[str, int] = {}
    for c, channel in enumerate(row["channels"]):
        if c not in tracks:
            channel["sampler"] = numbers[channel["sampler"]]
            continue
        kept_properties = {k: v for k, v in old[channel["sampler"]].items() if k != "interpolation"}
        channel["sampler"] = _add_sampler(
            samplers, known, kept_properties | _sampler(tracks[c], channel["target"], keys)
        )
    row["samplers"] = samplers


def _animation(animation: NewAnimation, keys: _KeyWriter) -> Json:
    samplers: list[Json] = []
    known: dict[str, int] = {}
    channels = [
        {
            "sampler": _add_sampler(samplers, known, _sampler(track, target, keys)),
            "target": target,
        }
        for target, track in animation.channels
    ]
    return {"name": animation.name, "channels": channels, "samplers": samplers}


def _sampler(track: Track, target: Json, keys: _KeyWriter) -> Json:
    sampler: Json = {"input": keys.times(track.times), "output": keys.outputs(track, target)}
    if track.interpolation != "LINEAR":
        sampler["interpolation"] = track.interpolation
    return sampler


def _add_sampler(samplers: list[Json], known: dict[str, int], sampler: Json) -> int:
    """Return the index of a sampler; equal ones are shared."""
    place = known.setdefault(text.dumps(sampler, sort_keys=True), len(samplers))
    if place == len(samplers):
        samplers.append(sampler)
    return place


def _external_bytes(document: Document, rows: list[Json]) -> int:
    """Return the total size in bytes of external buffers."""
    far = (b for b, row in enumerate(rows) if row.get("uri") and not is_data(row["uri"]))
    return sum(len(document.buffer(b)) for b in far)


def _embed_buffers(document: Document, json: Json) -> tuple[bytearray, list[Json]]:
    """Return the first buffer unchanged, and the others as JSON with files as data URIs."""
    rows = json.get("buffers") or []
    for b, row in enumerate(rows[1:], 1):
        if row.get("uri") and not is_data(row["uri"]):
            data = b64encode(document.buffer(b)).decode()
            row["uri"] = f"data:application/octet-stream;base64,{data}"
    return bytearray(document.buffer(0) if rows else b""), rows[1:]


def _embed_images(document: Document, json: Json, blob: bytearray) -> int:
    """Embed images given as URIs, in place; return the size in bytes of external images."""
    taken = 0
    for i, row in enumerate(json.get("images") or ()):
        if row.get("uri") is None:
            continue
        try:
            data = read_image_file(document, row["uri"], f"/images/{i}/uri")
        except GltfError as error:
            document.warn(f"/images/{i}/uri", f"{error.message}; the URI is kept")
            continue
        kind = mime_type(data)
        if not kind or not data:
            continue
        taken += 0 if is_data(row.pop("uri")) else len(data)
        row |= {"mimeType": kind, "bufferView": append_view(json, blob, data)}
    return taken


def _encoded(json: Json) -> bytes:
    """Return JSON as UTF-8; if a name has half a surrogate pair, everything else is escaped too."""
    try:
        return text.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return text.dumps(json, separators=(",", ":")).encode()


def _write_glb(document: Document, json: Json, blob: bytes) -> bytes:
    """Return a GLB (glTF 2.0, section 4.4)."""
    json_chunk = _encoded(json)
    json_chunk += b" " * (-len(json_chunk) % 4)
    chunk = b""
    if blob:
        blob += b"\0" * (-len(blob) % 4)
        chunk = _CHUNK.pack(len(blob), b"BIN\0") + blob
    size = _HEADER.size + len(json_chunk) + len(chunk)
    if size >= 2**32:
        raise document.error("", f"the .glb would have {size} bytes; the maximum is 4 GiB")
    return _HEADER.pack(b"glTF", 2, size, len(json_chunk), b"JSON") + json_chunk + chunk
