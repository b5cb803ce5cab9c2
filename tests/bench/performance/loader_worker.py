"""pygltflib and trimesh: load files into arrays; runs in an interpreter that has them."""

import numpy as np
from burst_worker import serve

TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def with_pygltflib(path):
    """Parse a file, and read every accessor into an array."""
    import pygltflib

    def work():
        gltf = pygltflib.GLTF2().load(path)
        blob = gltf.binary_blob()
        buffers = [
            blob if buffer.uri is None else gltf.get_data_from_buffer_uri(buffer.uri)
            for buffer in gltf.buffers
        ]
        return [_array(gltf, row, buffers) for row in gltf.accessors]

    return work


def _array(gltf, row, buffers):
    kind, columns = np.dtype(TYPES[row.componentType]), WIDTHS[row.type]
    if row.bufferView is None:  # zeros, or sparse
        return np.zeros((row.count, columns), kind)
    view = gltf.bufferViews[row.bufferView]
    strides = (view.byteStride or kind.itemsize * columns, kind.itemsize)
    start = (view.byteOffset or 0) + (row.byteOffset or 0)
    shape = (row.count, columns)
    return np.ndarray(shape, kind, buffers[view.buffer], start, strides).copy()


def with_trimesh(path):
    """Load a file as a scene, which is without clips."""
    import trimesh

    return lambda: trimesh.load(path)


if __name__ == "__main__":
    serve({"pygltflib": with_pygltflib, "trimesh": with_trimesh})
