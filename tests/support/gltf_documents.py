"""A builder of small glTF documents."""

import base64
import json
import struct

import numpy as np

from rigview.images.png import as_png
from rigview.loading.load import load

CODES = {
    "int8": 5120,
    "uint8": 5121,
    "int16": 5122,
    "uint16": 5123,
    "uint32": 5125,
    "float32": 5126,
}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
NAMES = {code: name for name, code in CODES.items()}
WIDTHS = {kind: width for width, kind in KINDS.items()}
HEADER = 20  # bytes before the JSON of a GLB
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def make_glb(document, blob=b"", *, version=2):
    """A GLB file of a document (dict or JSON bytes) and a binary chunk."""
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    blob = bytes(blob) + b"\0" * (-len(blob) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    if blob:
        chunks += struct.pack("<II", len(blob), 0x004E4942) + blob
    return b"glTF" + struct.pack("<II", version, 12 + len(chunks)) + chunks


def split_glb(data):
    """The JSON bytes and the binary chunk of a GLB; of a .gltf only the text."""
    if data[:4] != b"glTF":
        return data, b""
    end = HEADER + struct.unpack_from("<I", data, 12)[0]
    return data[HEADER:end], data[end + 8 :]


class Builder:
    """A glTF document and its buffer; `json` may be changed before it is written."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}}
        self.blob = bytearray()
        self.unbound = []  # accessors that `bound` leaves alone

    def add(self, key, **row):
        """Append an object to a top-level list; return its index."""
        rows = self.json.setdefault(key, [])
        rows.append(row)
        return len(rows) - 1

    def view(self, data, **row):
        """Append bytes as a buffer view; return its index."""
        self.blob += b"\0" * (-len(self.blob) % 4)
        view = {"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)} | row
        self.blob += data
        return self.add("bufferViews", **view)

    def accessor(self, values, dtype="float32", kind=None, **row):
        """Append an array [count, width] or [count] as an accessor; return its index."""
        array = np.asarray(values, dtype)
        array = array.reshape(len(array), -1)
        given = {
            "bufferView": self.view(array.tobytes()),
            "componentType": CODES[array.dtype.name],
            "count": len(array),
            "type": kind or KINDS[array.shape[1]],
        }
        return self.add("accessors", **(given | row))

    def empty_accessor(self, count, dtype, kind, **row):
        """Append an accessor of zeros, without a buffer view; return its index."""
        return self.add("accessors", componentType=CODES[dtype], count=count, type=kind, **row)

    def mesh(self, attributes=None, *, positions=TRIANGLE, **primitive):
        """Append a mesh of one primitive; return its index. `attributes` are accessors."""
        attributes = {"POSITION": self.accessor(positions)} | (attributes or {})
        return self.add("meshes", primitives=[{"attributes": attributes} | primitive])

    def animation(self, *channels, **row):
        """Append an animation of (node, path, times, values[, interpolation]); return its index."""
        animation = {"channels": [], "samplers": []} | row
        for node, path, times, values, *interpolation in channels:
            values = np.asarray(values, np.float32)
            sampler = {
                "input": self.accessor(times),
                "output": self.accessor(values.reshape(-1, 1) if path == "weights" else values),
            }
            if interpolation:
                sampler["interpolation"] = interpolation[0]
            target = {"path": path} if node is None else {"path": path, "node": node}
            animation["channels"].append({"sampler": len(animation["samplers"]), "target": target})
            animation["samplers"].append(sampler)
        return self.add("animations", **animation)

    def bound(self):
        """Declare the bounds of positions and key times that have none, as glTF requires."""
        primitives = [one for mesh in self.json.get("meshes", ()) for one in mesh["primitives"]]
        groups = [g for one in primitives for g in (one["attributes"], *one.get("targets", ()))]
        samplers = [s for each in self.json.get("animations", ()) for s in each["samplers"]]
        indices = [group["POSITION"] for group in groups if "POSITION" in group]
        for index in indices + [sampler["input"] for sampler in samplers]:
            row = self.json["accessors"][index]
            view = self.json["bufferViews"][row["bufferView"]]
            start, dtype = (
                view["byteOffset"] + row.get("byteOffset", 0),
                NAMES[row["componentType"]],
            )
            count = row["count"] * WIDTHS[row["type"]]
            values = np.frombuffer(bytes(self.blob), dtype, count, start)
            values = values.reshape(row["count"], -1)
            if (
                "min" not in row
                and index not in self.unbound
                and len(values)
                and np.isfinite(values).all()
            ):
                row |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}

    @property
    def document(self):
        """The JSON with the buffer that refers to the binary chunk."""
        buffers = [{"byteLength": len(self.blob)}] if self.blob else []
        return {"buffers": buffers} | self.json

    def glb(self):
        return make_glb(self.document, self.blob)

    def gltf(self, uri=None):
        """The text of a .gltf file; its buffer is a data URI, or `uri`."""
        document = self.document
        if self.blob:
            data = base64.b64encode(self.blob).decode()
            uri = uri or f"data:application/octet-stream;base64,{data}"
            document["buffers"] = [{"byteLength": len(self.blob), "uri": uri}]
        return json.dumps(document).encode()

    def load(self, **options):
        return load(self.glb(), **options)


COLOURS = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 0]]
GREY = [99] * 4  # of the PNG fallback of a compressed texture


def textured_triangle(extension, mime, data, *, plain=False, required=True):
    """A triangle with a texture of an extension; `plain`: with a PNG fallback."""
    b = Builder()
    packed = b.add("images", bufferView=b.view(data), mimeType=mime, name="Packed")
    texture = {"extensions": {extension: {"source": packed}}}
    if plain:
        png = b.view(as_png(np.full((2, 2, 4), GREY, np.uint8)))
        texture["source"] = b.add("images", bufferView=png, mimeType="image/png")
    b.add("textures", **texture)
    b.add("materials", pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    b.mesh(material=0)
    b.json |= {"extensionsUsed": [extension], "extensionsRequired": [extension] * required}
    return b
