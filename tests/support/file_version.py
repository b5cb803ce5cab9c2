"""A glTF file as JSON and one buffer, of which any part can be changed."""

import copy

import numpy as np

from rigview.errors import GltfError
from rigview.gltf.accessor_layout import COMPONENTS, WIDTHS
from rigview.gltf.document import open_document
from rigview.gltf.unused_accessors import merge_buffers
from rigview.images.png import as_png
from rigview.loading.load import load
from tests.support.gltf_documents import CODES, make_glb


class Version:
    """A glTF file as its JSON and one buffer, both to be changed."""

    def __init__(self, source):
        document = open_document(source)
        self.json = document.copied_json()
        self.blob = merge_buffers(document, self.json) if document.rows("buffers") else bytearray()
        self._embed_images(document)

    def _embed_images(self, document):
        for k, image in enumerate(self.json.get("images", ())):
            if "uri" in image:
                try:
                    data = document.resource(image.pop("uri"), f"/images/{k}")
                except GltfError:  # it is missing
                    data = as_png(np.full((2, 2, 4), 99, np.uint8))
                image["bufferView"] = self.view(data)
                image["mimeType"] = "image/png" if data[1:4] == b"PNG" else "image/jpeg"

    def rows(self, key):
        return self.json.setdefault(key, [])

    def view(self, data):
        """Append bytes as a buffer view; return its index."""
        self.blob += bytes(-len(self.blob) % 4)
        views = self.rows("bufferViews")
        views.append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)})
        self.blob += data
        return len(views) - 1

    def array(self, accessor):
        """The values [count, width] of an accessor, as stored."""
        row = self.json["accessors"][accessor]
        found = self._read(row, row["count"], row["componentType"], WIDTHS[row["type"]])
        if "sparse" in row:
            sparse, indices = row["sparse"], row["sparse"]["indices"]
            places = self._read(indices, sparse["count"], indices["componentType"], 1)[:, 0]
            values = sparse["values"]
            found[places] = self._read(
                values, sparse["count"], row["componentType"], found.shape[1]
            )
        return found

    def _read(self, reference, count, component, width):
        """The values [count, width] in a buffer view; without a view zeros."""
        kind = np.dtype(COMPONENTS[component])
        if "bufferView" not in reference:
            return np.zeros((count, width), kind)
        view = self.json["bufferViews"][reference["bufferView"]]
        start = view.get("byteOffset", 0) + reference.get("byteOffset", 0)
        strides = view.get("byteStride") or kind.itemsize * width, kind.itemsize
        return np.ndarray((count, width), kind, bytes(self.blob), start, strides).copy()

    def add_array(self, values, like):
        """Append values as an accessor with the type of another one; return its index."""
        row = {k: v for k, v in self.json["accessors"][like].items() if k not in _OF_DATA}
        values = np.ascontiguousarray(values, COMPONENTS[row["componentType"]])
        if "min" in self.json["accessors"][like]:
            row |= {"min": values.min(0).tolist(), "max": values.max(0).tolist()}
        return self._add_accessor(row, values)

    def new_array(self, values, kind="VEC3"):
        """Append float32 values as an accessor; return its index."""
        values = np.ascontiguousarray(values, np.float32)
        return self._add_accessor({"componentType": CODES["float32"], "type": kind}, values)

    def _add_accessor(self, row, values):
        row |= {"bufferView": self.view(values.tobytes()), "count": len(values)}
        self.rows("accessors").append(row)
        return len(self.json["accessors"]) - 1

    def copy(self):
        made = copy.copy(self)
        made.json, made.blob = copy.deepcopy(self.json), bytearray(self.blob)
        return made

    def glb(self):
        made = self.json | {"buffers": [{"byteLength": len(self.blob)}]}
        return make_glb({k: v for k, v in made.items() if v != []}, self.blob)

    def load(self):
        return load(self.glb())

    @property
    def primitive(self):
        """The first primitive of the file."""
        return self.json["meshes"][0]["primitives"][0]


_OF_DATA = ("bufferView", "byteOffset", "count", "min", "max", "sparse")
