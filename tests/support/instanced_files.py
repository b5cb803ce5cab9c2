"""Files with instances of a mesh (EXT_mesh_gpu_instancing), and the same with a node for each."""

import numpy as np

from tests.support.gltf_documents import Builder
from tests.support.solids import cube, sphere

NAME = "EXT_mesh_gpu_instancing"


def transforms(count=12, seed=1, *, mirrored=True):
    """Translations, rotations and scales of `count` instances around the origin."""
    random = np.random.default_rng(seed)
    translations = random.uniform(-1, 1, (count, 3)) * [1.2, 0.8, 1.2]
    rotations = random.normal(size=(count, 4))
    rotations /= np.linalg.norm(rotations, axis=1, keepdims=True)
    scales = random.uniform(0.15, 0.4, (count, 3))
    if mirrored:
        scales[::2, 0] *= -1
        scales[1::4] *= -1
    return [np.float32(each) for each in (translations, rotations, scales)]


def solid(b, *, part=None, **row):
    """Append the mesh of a cube with a coloured side, and of a smooth sphere beside it."""
    primitives = []
    for each in (cube(), sphere(8, 0.4, (0.6, 0.3, 0.0))) if part is None else (part,):
        colors = np.ones((len(each.positions), 4), np.float32)
        colors[each.positions[:, 2] > 0.2, :2] = 0.2
        attributes = {
            "POSITION": b.accessor(each.positions),
            "NORMAL": b.accessor(each.normals),
            "COLOR_0": b.accessor(colors),
        }
        indices = b.accessor(each.indices, "uint32")
        primitives.append({"attributes": attributes, "indices": indices, "material": 0})
    return b.add("meshes", primitives=primitives, **row)


def attributes(b, translations, rotations, scales, rotation_type="float32"):
    """The accessors of instances; rotations of integers are normalised."""
    if rotation_type == "float32":
        turned = b.accessor(rotations)
    else:
        most = np.iinfo(rotation_type).max
        turned = b.accessor(np.rint(rotations * most), rotation_type, normalized=True)
    return {
        "TRANSLATION": b.accessor(translations),
        "ROTATION": turned,
        "SCALE": b.accessor(scales),
    }


def instanced(placed=None, *, as_nodes=False, part=None, material=None, custom=False, **options):
    """A mesh with instances at an animated node, below a turned and stretched one.

    `as_nodes`: with a node for each instance instead. `custom`: with an attribute of its own.
    """
    placed = transforms() if placed is None else placed
    b = Builder()
    b.add("materials", **(material or {"pbrMetallicRoughness": {"roughnessFactor": 0.6}}))
    mesh = solid(b, part=part, name="Tree")
    turned = [0.0, 0.38268343, 0.0, 0.92387953]
    b.add("nodes", name="Root", rotation=turned, scale=[1.0, 1.3, 0.8], children=[1])
    b.add("nodes", name="Forest", translation=[0.1, 0.2, 0.0])
    forest = b.json["nodes"][1]
    if as_nodes:
        rows = zip(*(each.tolist() for each in placed), strict=True)
        forest["children"] = [
            b.add("nodes", mesh=mesh, translation=t, rotation=r, scale=s) for t, r, s in rows
        ]
    else:
        given = attributes(b, *placed, **options)
        if custom:
            given["_ID"] = b.accessor(np.arange(len(placed[0])), "uint16")
        forest |= {"mesh": mesh, "extensions": {NAME: {"attributes": given}}}
        b.json["extensionsUsed"] = b.json["extensionsRequired"] = [NAME]
    b.add("scenes", nodes=[0])
    half = [0.0, 0.0, 0.70710678, 0.70710678]
    b.animation(
        (1, "rotation", [0.0, 1.0], [[0, 0, 0, 1], half]),
        (1, "translation", [0.0, 1.0], [[0.1, 0.2, 0.0], [-0.3, 0.0, 0.2]]),
    )
    return b
