"""Generated glTF files of one feature each: materials, textures, alpha, lights."""

import math

import numpy as np
from PIL import Image, ImageDraw

from tests.support import animated_value_files
from tests.support.animated_value_files import FeatureBuilder, rotation_about
from tests.support.solids import sphere

FLOOR = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # +Z becomes +Y
GREY = (0.5, 0.5, 0.5, 1)


def letter(side=64):
    """An image [H, W, 4] without symmetry: F on a checkerboard, red at the bottom."""
    made = Image.new("RGBA", (side, side), (235, 235, 235, 255))
    pen = ImageDraw.Draw(made)
    for k in range(8):
        pen.rectangle((k * 8, (k % 2) * 4, k * 8 + 3, (k % 2) * 4 + 3), (60, 90, 200, 255))
    pen.rectangle((0, side - 8, side, side), (210, 60, 40, 255))
    for box in ((16, 12, 24, 52), (16, 12, 46, 20), (16, 28, 38, 36)):
        pen.rectangle(box, (30, 30, 30, 255))
    return np.asarray(made)


def bumps(side=128, waves=4, steep=0.6):
    """A normal map [H, W, 4] of round bumps; green is up."""
    u, v = np.meshgrid(*[(np.arange(side) + 0.5) / side * waves * 2 * np.pi] * 2)
    slope = np.stack([-steep * np.cos(u) * np.sin(v), steep * np.sin(u) * np.cos(v)], -1)
    normal = np.concatenate([slope, np.ones((side, side, 1))], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    coded = np.round((normal * 0.5 + 0.5) * 255)
    return np.concatenate([coded, np.full((side, side, 1), 255)], -1).astype(np.uint8)


def ball(b, material, at, radius=0.45, rings=32):
    """Append a node with a sphere; return its index."""
    made = sphere(rings)
    around = np.linspace(0, 1, 2 * rings + 1)
    down = np.linspace(0, 1, rings + 1)
    v, u = np.meshgrid(down, around, indexing="ij")
    attributes = {
        "POSITION": b.accessor(made.positions),
        "NORMAL": b.accessor(made.normals),
        "TEXCOORD_0": b.accessor(np.stack([u, v], -1).reshape(-1, 2)),
    }
    part = {"attributes": attributes, "indices": b.accessor(made.indices, "uint16")}
    mesh = b.add("meshes", primitives=[part | {"material": material}])
    return b.add("nodes", mesh=mesh, translation=list(at), scale=[radius] * 3)


def add_node(b, mesh, at=(0, 0, 0), **node):
    """Append a node with a mesh; return its index."""
    return b.add("nodes", mesh=mesh, translation=list(at), **node)


def textured(b, texture, transform=None, sampler=None, **row):
    """Append a rough material with a base colour texture; return its index."""
    info = {"index": texture} | row.pop("info", {})
    if transform is not None:
        b.extension("KHR_texture_transform")
        info["extensions"] = {"KHR_texture_transform": transform}
    if sampler is not None:
        at = b.add("samplers", **sampler)
        source = b.json["textures"][texture]["source"]
        info["index"] = b.add("textures", source=source, sampler=at)
    pbr = {"baseColorTexture": info, "metallicFactor": 0, "roughnessFactor": 1}
    return b.add("materials", pbrMetallicRoughness=pbr, doubleSided=True, **row)


def metallic_roughness():
    """Metallic balls above, dielectric ones below, from smooth to rough."""
    b = FeatureBuilder()
    for row, (color, metallic) in enumerate(
        [
            ((0.95, 0.95, 0.95, 1), 1),
            ((1.0, 0.77, 0.34, 1), 1),
            ((0.5, 0.02, 0.02, 1), 0),
            (GREY, 0),
        ]
    ):
        for k in range(5):
            pbr = {"baseColorFactor": color, "metallicFactor": metallic, "roughnessFactor": k / 4}
            ball(b, b.add("materials", pbrMetallicRoughness=pbr), (k, 3 - row, 0))
    return b


def texture_transforms():
    """KHR_texture_transform: none, offset, scale, rotation, all three, and another set."""
    b = FeatureBuilder()
    picture = b.picture(letter())
    turn = math.radians(30)
    for k, transform in enumerate(
        [
            None,
            {"offset": [0.25, 0.1]},
            {"scale": [2, 0.5]},
            {"rotation": turn},
            {"offset": [0.5, 0.25], "rotation": turn, "scale": [1.5, 2]},
            {"rotation": -turn, "texCoord": 1},
        ]
    ):
        other = b.accessor(np.array(animated_value_files.UV) * [1, 2])
        mesh = b.square(material=textured(b, picture, transform))
        b.json["meshes"][mesh]["primitives"][0]["attributes"]["TEXCOORD_1"] = other
        add_node(b, mesh, (k % 3 * 1.1, -(k // 3) * 1.1, 0))
    return b


def samplers():
    """Wrap modes: repeat, mirrored, clamped, mixed; filters: nearest, linear, undefined."""
    b = FeatureBuilder()
    picture = b.picture(letter())
    wide = {"scale": [2.5, 2.5], "offset": [-0.75, -0.75]}
    wraps = [(10497, 10497), (33648, 33648), (33071, 33071), (33648, 33071)]
    for k, (s, t) in enumerate(wraps):
        kind = {"wrapS": s, "wrapT": t, "magFilter": 9728, "minFilter": 9728}
        add_node(b, b.square(material=textured(b, picture, wide, kind)), (k * 1.1, 0, 0))
    filters = [{"magFilter": 9728}, {"magFilter": 9729}, {"minFilter": 9728}, {"minFilter": 9987}]
    for k, kind in enumerate(filters):
        part = {"scale": [0.3, 0.3], "offset": [0.2, 0.2]} if k < 2 else {"scale": [9, 9]}
        add_node(b, b.square(material=textured(b, picture, part, kind)), (k * 1.1, -1.1, 0))
    slope = b.square(
        4.4, turn=FLOOR, material=textured(b, picture, {"scale": [24, 24]}, filters[3])
    )
    add_node(b, slope, (1.65, -1.7, 2.2))
    return b


def alpha_modes():
    """Alpha mask and cutoff, blended panes, and single- and double-sided blended balls."""
    b = FeatureBuilder()
    fade = np.full((64, 64, 4), (230, 200, 60, 255), np.uint8)
    fade[..., 3] = np.linspace(0, 255, 64).astype(np.uint8)
    fade[::16] = (40, 40, 40, 255)
    picture = b.picture(fade)
    for k, row in enumerate(
        [
            {"alphaMode": "OPAQUE"},
            {"alphaMode": "MASK"},
            {"alphaMode": "MASK", "alphaCutoff": 0.9},
            {"alphaMode": "BLEND"},
        ]
    ):
        add_node(b, b.square(material=textured(b, picture, **row)), (k * 1.1, 0, 0))
    vertex_colors = [(0.9, 0.1, 0.1, 0.5), (0.1, 0.7, 0.1, 0.5), (0.1, 0.2, 0.9, 0.5)]
    for k, color in enumerate(vertex_colors):
        mesh = b.square(0.8, material=b.material(color, alphaMode="BLEND"))
        add_node(b, mesh, (k * 0.25, -1.1 + k * 0.1, -k * 0.3))
    for k, both in enumerate((False, True)):
        clear = b.material((0.3, 0.6, 0.9, 0.4), alphaMode="BLEND", doubleSided=both)
        ball(b, clear, (1.7 + k * 1.1, -1.1, 0))
        ball(b, b.material((0.9, 0.5, 0.1, 1)), (1.7 + k * 1.1, -1.1, 0), 0.15)
    return b


def double_sided():
    """Single- and double-sided, from behind, and with one and two negative scales."""
    b = FeatureBuilder()
    picture = b.picture(letter())
    one = b.square(material=textured(b, picture))
    b.json["materials"][0]["doubleSided"] = False
    both = b.square(material=textured(b, picture))
    behind = rotation_about("y", 150)
    (
        add_node(b, one),
        add_node(b, both, (1.2, 0, 0), rotation=behind),
        add_node(b, one, (2.4, 0, 0), rotation=behind),
    )
    add_node(b, one, (0, -1.2, 0), scale=[-1, 1, 1])
    add_node(b, one, (1.2, -1.2, 0), scale=[-1, -1, 1])
    add_node(b, both, (2.4, -1.2, 0), scale=[1, 1, -1], rotation=rotation_about("y", 30))
    dent = {"normalTexture": {"index": b.picture(bumps())}}
    for k, scale in enumerate(([1, 1, 1], [-1, 1, 1], [1, 1, -1])):
        add_node(b, b.square(material=b.material(GREY, **dent)), (k * 1.2, -2.4, 0), scale=scale)
    return b


def normal_maps():
    """Normal map: scale, mirrored and rotated texture coordinates, without and with tangents."""
    b = FeatureBuilder()
    picture = b.picture(bumps())
    for k, (scale, uv, tangent) in enumerate(
        [
            (1, [[0, 1], [1, 1], [1, 0], [0, 0]], None),
            (2, [[0, 1], [1, 1], [1, 0], [0, 0]], None),
            (1, [[1, 1], [0, 1], [0, 0], [1, 0]], None),
            (1, [[0, 0], [0, 1], [1, 1], [1, 0]], None),
            (1, [[0, 1], [1, 1], [1, 0], [0, 0]], [1, 0, 0, 1]),
            (1, [[1, 1], [0, 1], [0, 0], [1, 0]], [-1, 0, 0, -1]),
        ]
    ):
        info = {"normalTexture": {"index": picture, "scale": scale}}
        pbr = {"baseColorFactor": GREY, "metallicFactor": 0, "roughnessFactor": 0.4}
        mesh = b.square(material=b.add("materials", pbrMetallicRoughness=pbr, **info))
        attributes = b.json["meshes"][mesh]["primitives"][0]["attributes"]
        attributes["TEXCOORD_0"] = b.accessor(uv)
        if tangent:
            attributes["TANGENT"] = b.accessor([tangent] * 4)
        add_node(b, mesh, (k % 3 * 1.1, -(k // 3) * 1.1, 0))
    return b


def vertex_colors():
    """Vertex colours in three formats, with a texture; occlusion by texture coordinate set 1."""
    b = FeatureBuilder()
    picture = b.picture(letter())
    rainbow = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 0.2]])
    formats = [
        (rainbow[:, :3], "float32", {}),
        (rainbow * 255, "uint8", {"normalized": True}),
        (rainbow * 65535, "uint16", {"normalized": True}),
    ]
    for k, (values, kind, row) in enumerate(formats):
        plain = b.material(alphaMode="BLEND" if k == 2 else "OPAQUE")
        mesh = b.square(material=textured(b, picture) if k == 1 else plain)
        attributes = b.json["meshes"][mesh]["primitives"][0]["attributes"]
        attributes["COLOR_0"] = b.accessor(values, kind, **row)
        add_node(b, mesh, (k * 1.1, 0, 0))
    shade = np.full((16, 16, 4), 255, np.uint8)
    shade[4:12, 4:12, 0] = 0
    open_ = {"index": b.picture(shade), "texCoord": 1}
    for k, strength in enumerate((1.0, 0.4)):
        material = textured(b, picture, occlusionTexture=open_ | {"strength": strength})
        mesh = b.square(material=material)
        attributes = b.json["meshes"][mesh]["primitives"][0]["attributes"]
        attributes["TEXCOORD_1"] = b.accessor(np.array(animated_value_files.UV) * 2)
        add_node(b, mesh, (k * 1.1, -1.1, 0))
    return b


def emissive():
    """Emissive factor, strength and texture; unlit."""
    b = FeatureBuilder()
    picture = b.picture(letter())
    b.extension("KHR_materials_emissive_strength")
    dark = {"baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0}
    for k, (factor, strength) in enumerate([((0.2, 0.5, 0.1), 1), ((0.2, 0.5, 0.1), 4)]):
        more = {"KHR_materials_emissive_strength": {"emissiveStrength": strength}}
        row = {"emissiveFactor": factor, "extensions": more, "pbrMetallicRoughness": dark}
        add_node(b, b.square(material=b.add("materials", **row)), (k * 1.1, 0, 0))
    row = {"emissiveFactor": [1, 1, 1], "emissiveTexture": {"index": picture}}
    add_node(
        b, b.square(material=b.add("materials", pbrMetallicRoughness=dark, **row)), (2.2, 0, 0)
    )
    flat = {"baseColorTexture": {"index": picture}, "baseColorFactor": [1, 0.8, 0.6, 1]}
    add_node(b, b.square(material=b.unlit(pbrMetallicRoughness=flat)), (0, -1.1, 0))
    flat = {"baseColorFactor": [0.2, 0.5, 0.1, 1]}
    add_node(b, b.square(material=b.unlit(pbrMetallicRoughness=flat)), (1.1, -1.1, 0))
    add_node(b, b.square(material=b.material((0.2, 0.5, 0.1, 1))), (2.2, -1.1, 0))
    return b


def material_layers():
    """Material layers: clearcoat, sheen, specular."""
    b = FeatureBuilder()
    for k, (name, row) in enumerate(
        [
            ("clearcoat", {"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.1}),
            ("clearcoat", {"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.5}),
            ("sheen", {"sheenColorFactor": [0.9, 0.8, 1.0], "sheenRoughnessFactor": 0.3}),
            ("sheen", {"sheenColorFactor": [0.9, 0.8, 1.0], "sheenRoughnessFactor": 0.9}),
            ("specular", {"specularFactor": 0.0}),
            ("specular", {"specularColorFactor": [1.0, 0.4, 0.1]}),
            ("ior", {"ior": 2.4}),
            ("ior", {"ior": 1.0}),
        ]
    ):
        b.extension(f"KHR_materials_{name}")
        color = (0.15, 0.2, 0.45, 1) if name == "sheen" else (0.5, 0.05, 0.04, 1)
        pbr = {"baseColorFactor": color, "metallicFactor": 0, "roughnessFactor": 0.45}
        more = {f"KHR_materials_{name}": row}
        material = b.add("materials", pbrMetallicRoughness=pbr, extensions=more)
        ball(b, material, (k % 4, -(k // 4), 0))
    return b


def lit_room(*lights):
    """A floor, a wall, two balls, and lights: (fields of the light, fields of its node)."""
    b = FeatureBuilder()
    b.material((0.6, 0.6, 0.6, 1))
    add_node(b, b.square(6.0, turn=FLOOR, material=0))
    add_node(b, b.square(6.0, material=0), (0, 3, -3))
    shiny = {"baseColorFactor": [0.8, 0.25, 0.15, 1], "metallicFactor": 0, "roughnessFactor": 0.35}
    ball(b, b.add("materials", pbrMetallicRoughness=shiny), (-0.8, 0.6, 0), 0.6)
    ball(b, b.material((0.8, 0.8, 0.8, 1)), (0.9, 0.45, 0.4), 0.45)
    for row, node in lights:
        use = {"KHR_lights_punctual": {"light": b.light(**row)}}
        b.add("nodes", extensions=use, **node)
    return b


def pointing_down(x=0.0, tilt=-90.0):
    """The node of a light at a height of 3 m."""
    return {"translation": [x, 3, 0.5], "rotation": rotation_about("x", tilt)}


def feature_files():
    """The builders of all files, by name."""
    cone = {"innerConeAngle": math.radians(15), "outerConeAngle": math.radians(30)}
    found = {
        "metallic-roughness": metallic_roughness(),
        "texture-transforms": texture_transforms(),
        "samplers": samplers(),
        "alpha-modes": alpha_modes(),
        "double-sided": double_sided(),
        "normal-maps": normal_maps(),
        "vertex-colors": vertex_colors(),
        "emissive": emissive(),
        "light-point": lit_room(({"type": "point", "intensity": 30}, pointing_down())),
        "light-range": lit_room(
            ({"type": "point", "intensity": 30, "range": 3.5}, pointing_down())
        ),
        "light-spot": lit_room(({"type": "spot", "intensity": 40, "spot": cone}, pointing_down())),
        "light-sun": lit_room(({"type": "directional", "intensity": 3}, pointing_down(tilt=-50))),
        "light-colors": lit_room(
            ({"type": "point", "intensity": 20, "color": [1, 0.3, 0.2]}, pointing_down(-1.5)),
            ({"type": "point", "intensity": 20, "color": [0.2, 0.4, 1]}, pointing_down(1.5)),
        ),
        "light-lumens": lit_room(({"type": "point", "intensity": 54351.4}, pointing_down(4.1))),
        "material-layers": material_layers(),
        "robot-arm": animated_value_files.robot_arm(),
        "flip-book": animated_value_files.flip_book(),
        "conveyor": animated_value_files.conveyor(offset=[0.25, 0], rotation=0.3),
    }
    return completed(found)


def completed(builders):
    """The builders with what other programs require: a scene, and bounds of accessors."""
    for builder in builders.values():
        _add_scene(builder.json)
        _add_bounds(builder)
    return builders


def _add_scene(document):
    """Add a scene with all roots; other programs require one."""
    below = {child for node in document["nodes"] for child in node.get("children", [])}
    roots = [k for k in range(len(document["nodes"])) if k not in below]
    document.setdefault("scenes", [{"nodes": roots}])
    document.setdefault("scene", 0)


def _add_bounds(builder):
    """Add min and max to float accessors; other programs require them."""
    for row in builder.json["accessors"]:
        if row["componentType"] == 5126:
            at = builder.json["bufferViews"][row["bufferView"]]["byteOffset"]
            width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[row["type"]]
            values = np.frombuffer(builder.blob, "<f4", row["count"] * width, at)
            values = values.reshape(-1, width)
            row |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
