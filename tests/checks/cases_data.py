"""Cases of the rules about meshes, textures, extensions and unused data."""

import struct
from io import BytesIO

import numpy as np
from PIL import Image

from tests.support.rule_case import Case
from tests.support.rule_figure import context, document_change, extra_vertices

SOUND = context()
LIGHTS = "KHR_lights_punctual"
PRIMITIVE = "/meshes/0/primitives/0"


def picture(width=64, height=64, kind="PNG", shade=0):
    """Return an image in a single grey; of a large PNG only the header has the size."""
    file = BytesIO()
    large = kind == "PNG" and max(width, height) > 64
    Image.new("L", (1, 1) if large else (width, height), shade).save(file, kind)
    data = file.getvalue()
    return data[:16] + struct.pack(">II", width, height) + data[24:] if large else data


def textured(*pictures, sampler=None, slot="normalTexture", **info):
    """Add images to the file; the material uses the last one."""

    @document_change
    def change(b):
        for data in pictures:
            source = b.add("images", name="Grey", bufferView=b.view(data), mimeType="image/png")
            row = {} if sampler is None else {"sampler": b.add("samplers", **sampler)}
            b.add("textures", source=source, **row)
            b.json["materials"][-1][slot] = {"index": source, **info}
            b.add("materials", name=f"Cloth {source}")
        b.json["materials"].pop()
        primitives = b.json["meshes"][0]["primitives"]
        rest = [primitives[0] | {"material": k} for k in range(1, len(b.json["materials"]))]
        primitives.extend(rest)

    return change


def row(key, index, **more):
    """Change one object of the document."""
    return document_change(lambda b: b.json[key][index].update(more))


def added(key, **more):
    return document_change(lambda b: b.add(key, **more))


def take(name):
    return document_change(lambda b: b.json["meshes"][0]["primitives"][0]["attributes"].pop(name))


def first(name, value):
    """Set an attribute of the first vertex."""

    def change(figure):
        getattr(figure, name)[0] = value

    return change


def triangles(*corners):
    def change(figure):
        figure.indices = np.append(figure.indices, corners)

    return change


def scaled(size):
    """Scale the figure with its skin and nodes."""

    def change(figure):
        figure.positions = figure.positions * size
        figure.inverse[:, :3, 3] *= size
        for node in figure.nodes:
            node["translation"] = [size * x for x in node["translation"]]

    return change


def extra(size):
    """Append bytes to the buffer."""

    @document_change
    def change(b):
        b.blob += b"\0" * size

    return change


@document_change
def lone_texture(b):
    b.add("textures", source=b.add("images", bufferView=b.view(picture())))


@document_change
def lone_mesh(b):
    b.mesh()


@document_change
def lone_skin(b):
    b.add("skins", joints=[0], inverseBindMatrices=b.accessor(np.eye(4).reshape(1, 16)))


@document_change
def camera_shown(b):
    b.add("cameras", type="perspective", perspective={"yfov": 1, "znear": 0.1})
    b.json["nodes"][0]["camera"] = 0


def lit(*names, shown):
    """Add lights to the file, one of them on a node."""

    @document_change
    def change(b):
        lights = [{"type": "point", "name": name} for name in names]
        b.json |= {"extensions": {LIGHTS: {"lights": lights}}, "extensionsUsed": [LIGHTS]}
        b.json["nodes"][0]["extensions"] = {LIGHTS: {"light": shown}}

    return change


@document_change
def lone_accessor(b):
    b.accessor(np.zeros((10, 3)))


def extended(*declared, used=(), required=()):
    """Declare extensions, and add objects of some to the material."""

    @document_change
    def change(b):
        b.json["extensionsUsed"] = list(declared)
        if required:
            b.json["extensionsRequired"] = list(required)
        b.json["materials"][0]["extensions"] = {name: {} for name in used}

    return change


def no_turn(figure):
    """Set a rotation of length 0, which loading repairs."""
    figure.nodes[2]["rotation"] = [0, 0, 0, 0]


TANGENTS = np.tile(np.array([1, 0, 0, 1], np.float32), (72, 1))
CLAMPED = {"wrapS": 33071, "wrapT": 33071, "minFilter": 9729}


def tangents(figure):
    figure.attributes["TANGENT"] = TANGENTS


CLEAR = "KHR_materials_volume_scatter"
UNLIT = "KHR_materials_unlit"
CASES = {
    "file": Case(context(no_turn), SOUND, None, "/nodes/2/rotation"),
    "mesh-nan": Case(context(first("texcoords", np.nan)), SOUND, 1),
    "mesh-degenerate": Case(
        context(triangles(0, 0, 1, 0, 2, 4)), context(triangles(0, 2, 5)), 100 * 2 / 70
    ),
    "mesh-normals": Case(
        context(take("NORMAL")), context(take("NORMAL"), extended(UNLIT, used=[UNLIT])), 1
    ),
    "mesh-tangents": Case(context(textured(picture())), context(textured(picture()), tangents), 1),
    "mesh-texcoords": Case(
        context(textured(picture(), texCoord=1)), context(textured(picture())), 1
    ),
    "mesh-unused": Case(context(extra_vertices(2)), SOUND, 100 * 2 / 74),
    "units": Case(context(scaled(100)), context(scaled(5)), 180),
    "texture-missing": Case(
        context(textured(picture()[:-40])),
        context(textured(picture(kind="JPEG"))),
        None,
        "/images/0",
    ),
    "texture-size": Case(
        context(textured(picture(4097, 8))), context(textured(picture(4096, 8))), 4097
    ),
    "texture-memory": Case(
        context(*[textured(picture(8192, 8192, shade=k)) for k in range(2)]),
        context(textured(picture(8192, 8192))),
        2 * 256 * 4 / 3,
    ),
    "texture-power": Case(
        context(textured(picture(64, 60))), context(textured(picture(64, 60), sampler=CLAMPED)), 60
    ),
    "texture-twice": Case(
        context(textured(picture(), picture())),
        context(textured(picture(), picture(shade=9))),
        len(picture()),
        "/images/1",
    ),
    "extension-undeclared": Case(
        context(extended(used=[UNLIT])),
        context(extended(UNLIT, used=[UNLIT])),
        place=f"/materials/0/extensions/{UNLIT}",
    ),
    "extension-idle": Case(
        context(extended(UNLIT)),
        context(extended("KHR_mesh_quantization")),
        None,
        "/extensionsUsed/0",
    ),
    "extension-not-drawn": Case(
        context(extended(UNLIT, CLEAR, used=[CLEAR])),
        context(extended(CLEAR)),
        None,
        "/extensionsUsed/1",
    ),
    "extension-vendor": Case(
        context(extended("ACME_fur", used=["ACME_fur"])), context(extended(CLEAR, used=[CLEAR]))
    ),
    "unused-nodes": Case(context(added("nodes", name="Lamp")), SOUND, 1, "/nodes/8"),
    "unused-meshes": Case(context(lone_mesh), SOUND, 36, "/meshes/1"),
    "unused-skins": Case(context(lone_skin), SOUND, 64, "/skins/1"),
    "unused-cameras": Case(
        context(added("cameras", type="perspective", perspective={"yfov": 1, "znear": 0.1})),
        context(camera_shown),
        1,
    ),
    "unused-lights": Case(
        context(lit("Unused", "Key", shown=1)),
        context(lit("Key", shown=0)),
        1,
        f"/extensions/{LIGHTS}/lights/0",
    ),
    "unused-materials": Case(context(added("materials", name="Unused")), SOUND, 1),
    "unused-textures": Case(context(lone_texture), context(textured(picture())), 1),
    "unused-images": Case(
        context(added("images", uri="data:image/png;base64,AAAA")),
        context(textured(picture())),
        3,
    ),
    "unused-samplers": Case(
        context(added("samplers")), context(textured(picture(), sampler=CLAMPED)), 1
    ),
    "unused-accessors": Case(context(lone_accessor), SOUND, 120),
    "unused-views": Case(context(document_change(lambda b: b.view(b"12345678"))), SOUND, 8),
    "unused-attributes": Case(
        context(tangents),
        context(tangents, textured(picture())),
        72 * 16,
        f"{PRIMITIVE}/attributes/TANGENT",
    ),
    "unused-bytes": Case(context(extra(100)), context(extra(64)), 100, "/buffers/0"),
}
