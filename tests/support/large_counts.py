"""Files with many nodes, joints, clips, primitives, vertices or keys, and little else."""

import numpy as np

from tests.support.gltf_documents import Builder

SHARED = 10  # primitives or nodes that share their vertices


def nodes(count):
    """Empty root nodes."""
    return _scene([{"mesh": 0}] + [{}] * count)


def chain(count):
    """A chain of nodes, the mesh at its end."""
    return _scene([{"children": [k + 1]} for k in range(count)] + [{"mesh": 0}], roots=[0])


def joints(count):
    """The joints of one skin, all at the root."""
    made = _scene([{"mesh": 0, "skin": 0}] + [{"name": f"j{k}"} for k in range(count)])
    unit = np.tile(np.eye(4, dtype=np.float32).ravel(), (count, 1))
    made.add("skins", joints=list(range(1, count + 1)), inverseBindMatrices=made.accessor(unit))
    made.json["meshes"][0]["primitives"][0]["attributes"] |= {
        "JOINTS_0": made.accessor(np.zeros((3, 4)), "uint16"),
        "WEIGHTS_0": made.accessor([[1, 0, 0, 0]] * 3),
    }
    return made


def clips(count):
    """Clips with a track of two keys each."""
    made = _scene([{"mesh": 0}])
    sampler = {"input": _times(made, [0, 1]), "output": made.accessor([[0, 0, 0], [1, 0, 0]])}
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    for k in range(count):
        made.add("animations", name=f"c{k}", channels=[channel], samplers=[sampler])
    return made


def instances(count):
    """Nodes with the same mesh."""
    return _scene([{"mesh": 0}] * count)


def primitives(count):
    """Primitives of one mesh."""
    made = _scene([{"mesh": 0}])
    made.json["meshes"][0]["primitives"] *= count
    return made


def vertices(count):
    """Vertices to draw: those of primitives that share an accessor without a buffer view."""
    return _shared(count)


def placed_vertices(count):
    """Vertices to draw: those of one primitive, on many nodes."""
    made = _shared(count // SHARED, primitives=1)
    made.json["nodes"] *= SHARED
    made.json["scenes"][0]["nodes"] = list(range(SHARED))
    return made


def skinned_vertices(count):
    """Skinned vertices to draw: those of primitives that share their accessors."""
    made = _shared(count)
    size = made.json["accessors"][0]["count"]
    made.json["nodes"] = [{"mesh": 0, "skin": 0}, {}]
    made.add("skins", joints=[0, 1])
    made.json["meshes"][0]["primitives"][0]["attributes"] |= {
        "JOINTS_0": made.empty_accessor(size, "uint8", "VEC4"),
        "WEIGHTS_0": made.empty_accessor(size, "uint8", "VEC4", normalized=True),
    }
    return made


def displacements(count):
    """Displacements of morph targets to draw: those of primitives that share an accessor."""
    targets = 20
    made = _shared(count // targets)
    made.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": 0}] * targets
    return made


def indices(count):
    """Indices to draw: those of primitives that share an accessor without a buffer view."""
    made = _scene([{"mesh": 0}])
    row = made.json["meshes"][0]["primitives"]
    row[0]["indices"] = made.empty_accessor(count // SHARED, "uint8", "SCALAR")
    row *= SHARED
    return made


def keys(count):
    """One track, with a key in each millisecond."""
    made = _scene([{"mesh": 0}])
    times = np.unique((np.arange(count) * 0.001).astype(np.float32))
    values = np.random.default_rng(0).random((len(times), 3), np.float32)
    sampler = {"input": _times(made, times), "output": made.accessor(values)}
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    made.add("animations", name="long", channels=[channel], samplers=[sampler])
    return made


def _shared(count, primitives=SHARED):
    """Return a mesh of primitives that share `count` vertices, all at the origin."""
    made = Builder()
    bounds = {"min": [0, 0, 0], "max": [0, 0, 0]}
    points = made.empty_accessor(count // primitives, "float32", "VEC3", **bounds)
    made.add("meshes", primitives=[{"attributes": {"POSITION": points}}] * primitives)
    made.add("nodes", mesh=0)
    made.add("scenes", nodes=[0])
    return made


def _scene(nodes, roots=None):
    made = Builder()
    made.mesh()
    made.json["nodes"] = nodes
    made.add("scenes", nodes=list(range(len(nodes))) if roots is None else roots)
    made.json["scene"] = 0
    return made


def _times(made, times):
    return made.accessor(times, min=[float(times[0])], max=[float(times[-1])])
