"""A small file with all animated properties."""

import numpy as np

from rigview.gltf.document import Document
from rigview.gltf.pointers import OBJECT_KINDS, unsupported_reason
from tests.support.animated_value_files import FeatureBuilder, rotation_about

TEXTURES = {  # of material extensions
    "clearcoat": ("clearcoatTexture", "clearcoatRoughnessTexture", "clearcoatNormalTexture"),
    "sheen": ("sheenColorTexture", "sheenRoughnessTexture"),
    "specular": ("specularTexture", "specularColorTexture"),
    "transmission": ("transmissionTexture",),
    "volume": ("thicknessTexture",),
    "dispersion": (),
    "diffuse_transmission": ("diffuseTransmissionTexture", "diffuseTransmissionColorTexture"),
    "anisotropy": ("anisotropyTexture",),
    "iridescence": ("iridescenceTexture", "iridescenceThicknessTexture"),
}


def animated_file():
    """Squares, morph targets, lights, cameras, variants and a billboard, all of them animated."""
    b = FeatureBuilder()
    texture = b.picture(np.full((2, 2, 4), 200))
    info = {"index": texture, "extensions": {"KHR_texture_transform": {"offset": [0.1, 0.2]}}}
    layers = {
        f"KHR_materials_{layer}": {name: dict(info) for name in names}
        for layer, names in TEXTURES.items()
    }
    layers |= {"KHR_materials_ior": {"ior": 1.4}}
    layers |= {"KHR_materials_emissive_strength": {"emissiveStrength": 2}}
    pbr = {"baseColorTexture": dict(info), "metallicRoughnessTexture": dict(info)}
    b.add(
        "materials",
        pbrMetallicRoughness=pbr,
        normalTexture=dict(info),
        occlusionTexture=dict(info),
        emissiveTexture=dict(info),
        alphaMode="MASK",
        extensions=layers,
    )
    b.unlit(pbrMetallicRoughness={"baseColorFactor": [1, 0.5, 0, 1]})
    b.extension("KHR_materials_variants", variants=[{"name": "Day"}, {"name": "Night"}])
    mappings = [{"material": 0, "variants": [0]}, {"material": 1, "variants": [1]}]
    held = {"KHR_materials_variants": {"mappings": mappings}}
    shift = [b.accessor([[k, 0, 0]] * 4) for k in (1, 2)]
    targets = [{"POSITION": each} for each in shift]
    mesh = b.square(material=0, targets=targets, extensions=held)
    b.extension("KHR_node_visibility")
    seen = {"KHR_node_visibility": {"visible": True}}
    board = {"rigview": {"billboard": "axis"}}
    b.add("nodes", mesh=mesh, children=[1, 2], extensions=seen, weights=[0, 0.5])
    other = b.square(0.5, material=1, targets=targets[:1])
    b.add("nodes", mesh=other, extensions=seen, extras=board)
    for kind in ("directional", "point", "spot"):
        spot = {"spot": {"innerConeAngle": 0.2, "outerConeAngle": 0.6}} if kind == "spot" else {}
        light = b.light(type=kind, intensity=3, range=9, color=[1, 0.5, 0], **spot)
        b.add(
            "nodes",
            extensions={"KHR_lights_punctual": {"light": light}},
            rotation=rotation_about("x", -9),
        )
    lens = {"yfov": 1, "znear": 0.1, "zfar": 50, "aspectRatio": 1.5}
    b.add("cameras", type="perspective", perspective=lens)
    flat = {"xmag": 2, "ymag": 2, "znear": 0, "zfar": 50}
    b.add("cameras", type="orthographic", orthographic=flat)
    b.add("nodes", camera=0, translation=[0, 0, 3])
    b.add("nodes", camera=1, translation=[0, 0, 3])
    b.pointer(*(channel(pointer, width) for pointer, width in pointers(b)), name="All")
    return b


def pointers(b):
    """The valid animation pointers of a document, and the number of components of each."""
    yield from (("/nodes/0/weights/1", 1), ("/meshes/1/weights/0", 1), ("/nodes/0/rotation", 4))
    above = {
        "material": "/materials/",
        "light": "/extensions/KHR_lights_punctual/lights/",
        "camera": "/cameras/",
        "node": "/nodes/",
    }
    document = Document(b.json, "x")
    for kind in OBJECT_KINDS:
        for name, default in kind.properties.items():
            for number in range(len(kind.rows(b.json))):
                pointer = f"{above[kind.name]}{number}/{name}"
                if unsupported_reason(document, pointer).startswith("unknown pointer"):
                    yield pointer, len(default)


def channel(pointer, width):
    """A channel with keys from 0 to 1; cubic spline for single numbers."""
    if pointer.endswith("/visible"):
        return pointer, [0, 0.5, 1], [1, 0, 1]
    if width == 1:
        return pointer, [0, 0.5, 1], [0, 0, 1, 1, 1, 0, 0, 1, 0], "CUBICSPLINE"
    return pointer, [0, 0.5, 1], np.linspace(0, 1, 3 * width).reshape(3, width)
