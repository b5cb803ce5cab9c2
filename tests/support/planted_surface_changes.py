"""Changes of meshes, materials, cameras, lights and extras, with what should be said."""

import io

import numpy as np
from PIL import Image

from tests.support.planted_character import Expected, NotPossibleError, need


def morph_changed(c):
    b = c.copy()
    target = need(b.primitive.get("targets"), "morph targets")[0]
    values = b.array(target["POSITION"])
    values[0] += [0.01, 0, 0]
    target["POSITION"] = b.new_array(values)
    moved = c.rest_length(0, c.model.meshes[0].primitives[0], [0.01, 0, 0]) * 1000
    name = c.model.meshes[0].primitives[0].morph.names[0]
    expected = ("mesh", "changed", c.model.meshes[0].name, f"morph target {name}", moved)
    return b, Expected((expected,), moves=True)


def morph_normals(c):
    b = c.copy()
    target = need(b.primitive.get("targets"), "morph targets")[0]
    normals = b.primitive["attributes"].get("NORMAL")
    vectors = b.array(need(normals, "normals")).astype(float)
    target["NORMAL"] = b.new_array(-2 * vectors)
    before = c.model.meshes[0].primitives[0].morph.normals
    if before is not None and before[0].any():
        raise NotPossibleError("a morph target without normals")
    name = c.model.meshes[0].primitives[0].morph.names[0]
    field = f"normals of morph target {name}"
    return b, Expected((("mesh", "changed", _part(c), field, 180.0),))


def morph_renamed(c):
    b = c.copy()
    morph = c.model.meshes[0].primitives[0].morph
    need(b.primitive.get("targets"), "morph targets")
    names = [*morph.names]
    names[0] = "Another"
    b.json["meshes"][0].setdefault("extras", {})["targetNames"] = names
    expected = ("mesh", "changed", c.model.meshes[0].name, "morph targets", ", ".join(names))
    return b, Expected((expected,))


def morph_default(c):
    b = c.copy()
    need(b.primitive.get("targets"), "morph targets")
    node = b.json["nodes"][c.carrier()]
    b.json["meshes"][0].pop("weights", None)
    count = len(b.primitive["targets"])
    before = c.version.json["meshes"][0].get("weights", [0.0] * count)
    before = c.version.json["nodes"][c.carrier()].get("weights", before)
    node["weights"] = [before[0] + 0.25, *before[1:]]
    name = c.model.meshes[0].primitives[0].morph.names[0]
    expected = (
        "joint",
        "changed",
        c.names[c.carrier()],
        f"rest weight of morph target {name}",
        before[0] + 0.25,
    )
    return b, Expected((expected,), moves=True)


def weights_changed(c):
    b = c.copy()
    attributes = b.primitive["attributes"]
    if "WEIGHTS_0" not in attributes or "WEIGHTS_1" in attributes:
        raise NotPossibleError("weights")
    primitive = c.model.meshes[0].primitives[0]
    weights = primitive.weights[:, :4].astype(float)
    vertex = int(np.argmax(weights.max(axis=1) > 0.5))
    joints = b.array(attributes["JOINTS_0"])
    first = int(np.argmax(weights[vertex]))
    count = len(c.version.json["skins"][0]["joints"])
    joint = need([j for j in range(count) if j != joints[vertex, first]], "two joints")[0]
    slots = [k for k in range(4) if joints[vertex, k] == joint and k != first]
    slot = slots[0] if slots else int(np.argmin(weights[vertex]))
    joints[vertex, slot] = joint
    weights[vertex, first] -= 0.25
    weights[vertex, slot] += 0.25
    attributes["JOINTS_0"] = b.add_array(joints, attributes["JOINTS_0"])
    attributes["WEIGHTS_0"] = b.new_array(weights, "VEC4")
    expected = ("mesh", "changed", c.model.meshes[0].name, "weights", 0.25)
    return b, Expected((expected,), moves=True)


def vertex_moved(c):
    b = c.copy()
    attributes = b.primitive["attributes"]
    values = b.array(attributes["POSITION"])
    delta = 0.1 * float(np.ptp(values, axis=0).max()) * np.array([1.0, 0, 0])
    values[len(values) // 2] += delta
    attributes["POSITION"] = b.add_array(values, attributes["POSITION"])
    moved = c.rest_length(len(values) // 2, c.model.meshes[0].primitives[0], delta) * 1000
    expected = ("mesh", "changed", _part(c), "positions", moved)
    return b, Expected((expected,), moves=True)


def _part(c):
    several = len(c.model.meshes[0].primitives) > 1
    return c.model.meshes[0].name + (", primitive 0" if several else "")


def vertices_reordered(c):
    """The same triangles with their vertices in another order, which is no difference."""
    b, rng = c.copy(), np.random.default_rng(5)
    for mesh in b.json["meshes"]:
        for primitive in mesh["primitives"]:
            count = b.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
            order = rng.permutation(count)
            for group in (primitive["attributes"], *primitive.get("targets", ())):
                for name, number in group.items():
                    group[name] = b.add_array(b.array(number)[order], number)
            corners = np.arange(count)[:, None]
            if "indices" in primitive:
                corners = b.array(primitive["indices"])
            made = np.argsort(order)[corners[:, 0]].astype(np.uint32)[:, None]
            row = {"componentType": 5125, "type": "SCALAR"}
            primitive["indices"] = b._add_accessor(row, made)
    return b, Expected()


def triangles_flipped(c):
    b = c.copy()
    if "indices" not in b.primitive or b.primitive.get("mode", 4) != 4:
        raise NotPossibleError("indices")
    corners = b.array(b.primitive["indices"]).reshape(-1, 3)[:, ::-1].reshape(-1, 1)
    b.primitive["indices"] = b.add_array(corners, b.primitive["indices"])
    return b, Expected((("mesh", "changed", _part(c), "triangles", None),))


def normals_flipped(c):
    return _attribute(c, "NORMAL", lambda v: -v, "normals", 180.0)


def uv_shifted(c):
    return _attribute(
        c, "TEXCOORD_0", lambda v: v + np.array([0.125, 0]), "texture coordinates 0", 0.125
    )


def _attribute(c, name, change, field, amount):
    b = c.copy()
    attributes = b.primitive["attributes"]
    if name not in attributes or b.json["accessors"][attributes[name]]["componentType"] != 5126:
        raise NotPossibleError(name)
    attributes[name] = b.add_array(
        change(b.array(attributes[name]).astype(float)), attributes[name]
    )
    return b, Expected((("mesh", "changed", _part(c), field, amount),))


def material_factor(c):
    b = c.copy()
    row = need(b.rows("materials"), "a material")[0].setdefault("pbrMetallicRoughness", {})
    row["roughnessFactor"] = 0.25
    return b, Expected((("material", "changed", c.model.materials[0].name, "roughness", 0.25),))


def material_renamed(c):
    b = c.copy()
    need(b.rows("materials"), "a material")[0]["name"] = "Another"
    expected = ("material", "renamed", c.model.materials[0].name, "Another", None)
    return b, Expected((expected,))


def texture_pixel(c):
    b = c.copy()
    need(b.rows("images"), "an image")
    pixels = c.model.images[0].pixels.copy()
    pixels[0, 0, :3] ^= 255
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    b.json["images"][0] = {
        k: v for k, v in b.json["images"][0].items() if k not in ("uri", "mimeType")
    } | {"bufferView": b.view(out.getvalue()), "mimeType": "image/png"}
    most = np.abs(pixels.astype(int) - c.model.images[0].pixels).max()
    return b, Expected((("texture", "changed", c.model.images[0].name, "pixels", float(most)),))


def sampler_changed(c):
    b = c.copy()
    texture = need(b.rows("textures"), "a texture")[0]
    rows = b.rows("samplers")
    rows.append((rows[texture["sampler"]] if "sampler" in texture else {}) | {"wrapS": 33648})
    texture["sampler"] = len(rows) - 1
    users = [k for k, row in enumerate(c.version.json["materials"]) if _base_texture(row) == 0]
    name = c.model.materials[need(users, "a material with the texture")[0]].name
    field = "base colour texture, horizontal wrapping"
    return b, Expected((("material", "changed", name, field, "mirrored repeat"),))


def _base_texture(material):
    return material.get("pbrMetallicRoughness", {}).get("baseColorTexture", {}).get("index")


def camera_changed(c):
    b = c.copy()
    kind = b.json["cameras"][0]["type"]
    key = {"perspective": "yfov", "orthographic": "ymag"}[kind]
    b.json["cameras"][0][kind][key] *= 1.25
    values = b.json["cameras"][0][kind]
    amount = np.degrees(values["yfov"]) if key == "yfov" else values["ymag"]
    field = {"yfov": "vertical field of view", "ymag": "half height"}[key]
    return b, Expected((("camera", "changed", c.model.cameras[0].name, field, float(amount)),))


def light_changed(c):
    b = c.copy()
    b.json["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"] = 3.5
    return b, Expected((("light", "changed", c.model.lights[0].name, "intensity", 3.5),))


def extras_changed(c):
    b, clip = c.copy(), need(c.version.rows("animations"), "a clip")[0]
    b.json["animations"][0]["extras"] = {"speed": [0, 2]}
    return b, Expected((("clip", "changed", c.clip_name(clip), "extras, speed", "[0, 2]"),))


def node_extras_changed(c):
    b = c.copy()
    b.json["nodes"][c.joint]["extras"] = {"socket": "sword"}
    return b, Expected((("joint", "changed", c.names[c.joint], "extras, socket", '"sword"'),))


def node_hidden(c):
    b = c.copy()
    b.json["nodes"][c.carrier()].setdefault("extensions", {})["KHR_node_visibility"] = {
        "visible": False
    }
    b.rows("extensionsUsed").append("KHR_node_visibility")
    expected = ("joint", "changed", c.names[c.carrier()], "visible", "no")
    return b, Expected((expected, ("extension", "added", "KHR_node_visibility", "", None)))


SURFACE_CHANGES = (
    morph_changed,
    morph_normals,
    morph_renamed,
    morph_default,
    weights_changed,
    vertex_moved,
    vertices_reordered,
    triangles_flipped,
    normals_flipped,
    uv_shifted,
    material_factor,
    material_renamed,
    texture_pixel,
    sampler_changed,
    camera_changed,
    light_changed,
    extras_changed,
    node_extras_changed,
    node_hidden,
)
