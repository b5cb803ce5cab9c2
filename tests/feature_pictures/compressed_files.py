"""Feature pictures of compressed files: meshes and textures."""

import base64
import io
from importlib import import_module

import numpy as np
from PIL import Image as Picture

from tests.feature_pictures.picture_grid import Cell, FeaturePicture
from tests.feature_pictures.shapes import CLAMP, NEAREST, Shapes, ball, letter, panel
from tests.support import ktx2_pictures

RINGS = 10
BALL = {  # a ball of ten rings: mode, filter, bytes per element, data of meshoptimizer 1.0
    "position": (
        "ATTRIBUTES",
        "NONE",
        8,
        (
            "oPT//wcAD///cQ2AxCAfw38OcnIOf8MfIMSADXEAfw62oqKhobUNgIANtaGhoqK2Dn8AAEQwlCEiky9DAABD"
            "L5MiIZQwRAAAxCIikxYVlCEhw8MhIZQVFpMiIsQA5KShW4eIXKKj4+OjolyIh1uhpOQAxCIikxYVlCEhw8Mh"
            "IZQVFpMiIsQAAEQwlCEiky9DAABDL5MiIZQwRAAAfw62oqKhobUNgIANtaGhoqK2Dn8AcQ2AxCAfw38OcnIO"
            "f8MfIMSA8AAAAA1x9P//BwAP//8ZFQ8LAwQMEBYaGBYSCgQDCREVFwAvKR8VBwgWICowLiogFggHFR8pLQA/"
            "OS0dCQoeLjpAQDguHgoJHS03PwBLQzUhCwwiNkRMSkQ2IgwLITVDSQBPRzcjCwwkOEhQTkg4JAwLIzdHTQBL"
            "QzUhCwwiNkRMSkQ2IgwLITVDSQA/OS0dCQoeLjpAQDguHgoJHS03PwAvKR8VBwgWICowLiogFggHFR8pLQAZ"
            "FQ8LAwQMEBYaGBYSCgQDCRHwAAAAFRdUVFQEADAAAIcAAAwAWwAAAAOhAMAAAKQAADAA5AAAAAzkAwAAAKQA"
            "AMAAoQAAADBbDAAAAIdUVFQEADAAAAsAAAwAIwAAAAM3AMAAAEcAADAATQAAAAxPAwAAAEcAAMAANwAAADAj"
            "DAAAAAv0//8HAD///+Qfw38OcnIOf8MfIMSADXFxDYDEIKShobUNgIANtaGhoqK2Dn9/DraioqEiky9DAABD"
            "L5MiIZQwRAAARDCUIVsVlCEhw8MhIZQVFpMiIsTEIiKTFoeIXKKj4+OjolyIh1uhpOTkpKFbh4gVlCEhw8Mh"
            "IZQVFpMiIsTEIiKTFlwiky9DAABDL5MiIZQwRAAARDCUIaKhobUNgIANtaGhoqK2Dn9/DraioqMfw38OcnIO"
            "f8MfIMSADXFxDYD8AAAAxCDj9P//BwA///9PBAwQFhoYFhIKBAMJERUXGRUPCwNHCBYgKjAuKiAWCAcVHykt"
            "LykfFQc3Ch4uOkBAOC4eCgkdLTc/PzktHQkjDCI2RExKRDYiDAshNUNJS0M1IQsLDCQ4SFBOSDgkDAsjN0dN"
            "T0c3IwsMDCI2RExKRDYiDAshNUNJS0M1IQskCh4uOkBAOC4eCgkdLTc/PzktHQk4CBYgKjAuKiAWCAcVHykt"
            "LykfFQdIBAwQFhoYFhIKBAMJERUXGRUP/AAAAAsDUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            "AAD/fwAAAAA="
        ),
    ),
    "normal": (
        "ATTRIBUTES",
        "OCTAHEDRAL",
        4,
        (
            "oOhr7wYAAA+1Bsas/z0QEv/KbGBb/1BvEhCnDxAOEhQYHh4YFBIOEAYABQ/9DQUABg4aGhoeKCgeGhoaDmBd"
            "+TBK////rCggIiQyMv//pAOfAAAPJCIgKEI+///ADywqLD4+LCosPkIJAwAECiggIiQyMiQiICgKBAADCawN"
            "BQAGDhoaGh4oKB7//mBd/1Bv7xoaGv0PEBIUGB4eGBQSDhAGAAUPpwsFBsas///KbGAQEhIQ/AAAAAULPeh+"
            "/gYAAAD/uVtQbBEPtQbGrP8P//0QEh0XExEPBQAGEA8FAAYQDhIUGB4A///9UG7VBu8nHRkZGRoaGh4oADEj"
            "IR8nCQMABAoJAwAECiggIiQyAD0rKSs9AAAAP/8+LCosPgQy//+kA5pAOf8kIiAoJx8hIzEAKB4aGhoOBgAF"
            "DQ4GAAUNGRkZHScAHhgUEg4QBgAFDxAGAAUPDRETFx0AEhDKbGBbxgW1m/AAAAAPEQAAAAAAAAAAAAAAAAAA"
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB/fwA="
        ),
    ),
    "uv": (
        "ATTRIBUTES",
        "NONE",
        4,
        (
            "oP///x8AZWVnZWVlZ2VlZWdlZWVnZWVlZ2UCZWVnZWVlZ2VlZWdlZWVnZWVlZ2UCZWVnZWVlZ2VlZWdlZWVn"
            "ZWVlZ2UCZWVnZWVlZ2VlZWdlZWVnZWVlZ2UCZWVnZWVlZ2VlZWdlZWVnZWVlZ2UCZWVnZWVlZ2VlZWdlZWVn"
            "ZWVlZ2UCZWVnZWVlZ2VlZWdlZWVnZWVlZ2UCZWVnZWVlZ2VlZWdlZWVnZWVlZ2UCZWVnZWVlZ2VlZWdlZWVn"
            "ZWVlZ2UCZWVnZWVlZ2VlZWdlZWVnZWVlZ2UCZWVnZWVlZ2VlZWdlZf/8AABlZ2VlZWdl////HwAYGhoaGhga"
            "GhoaGBoaGhgaGhoaGAIYGhoaGhgaGhoaGBoaGhgaGhoaGAIYGhoaGhgaGhoaGBoaGhgaGhoaGAIYGhoaGhga"
            "GhoaGBoaGhgaGhoaGAIYGhoaGhgaGhoaGBoaGhgaGhoaGAIYGhoaGhgaGhoaGBoaGhgaGhoaGAIYGhoaGhga"
            "GhoaGBoaGhgaGhoaGAIYGhoaGhgaGhoaGBoaGhgaGhoaGAIYGhoaGhgaGhoaGBoaGhgaGhoaGAIYGhoaGhga"
            "GhoaGBoaGhgaGhoaGAIYGhoaGhgaGhoaGBoa//wAABoYGhoaGhhUVFQEADAAAMsAAAwAzQAAAAPNAMAAAMsA"
            "ADAAywAAAAzNAwAAAM0AAMAAywAAADDLDAAAAM1UVFQEADAAADIAAAwANAAAAAMyAMAAADQAADAANAAAAAwy"
            "AwAAADQAAMAAMgAAADA0DAAAADIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
        ),
    ),
    "index": (
        "TRIANGLES",
        "NONE",
        2,
        (
            "4f4eAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB7+HgAeAB4AHgAeAB4AHgAeAB4AHgAe"
            "AB4AHgAeAB4AHgAeAB4AHgAe/h4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHv4eAB4A"
            "HgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB7+HgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAe"
            "AB4AHgAeAB4AHgAe/h4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHv4eAB4AHgAeAB4A"
            "HgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB7+HgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAe"
            "AB4AHgAe/h4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHgAeAB4AHv4eAB4AHgAeAB4AHgAeAB4A"
            "HgAeAB4AHgAeAB4AHgAeAB4AHgAeAB7wKvAC8ALwAvAC8ALwAvAC8ALwAgB2h1ZneKmGZYlomAFpAAA="
        ),
    ),
}


def uncompressed():
    """A ball with a letter as floats, to compare with the compressed ones."""
    b = Shapes()
    b.node(b.add_shape(ball(1, RINGS), material=letter_material(b)))
    return b


def letter_material(b):
    """Append a material with a letter."""
    pbr = {"baseColorTexture": {"index": b.texture(letter(), (CLAMP, CLAMP))}}
    return b.pbr_material((1, 1, 1, 1), pbr=pbr)


def add_ball(b, accessors, indices, **primitive):
    """Append a node with a mesh of these accessors."""
    part = {"attributes": accessors, "indices": indices, "material": letter_material(b)} | primitive
    b.node(b.add("meshes", primitives=[part]))
    return b


def integer_accessor(b, view, count, code, kind):
    """Append an accessor of normalized integers; return its index."""
    return b.add(
        "accessors", bufferView=view, componentType=code, normalized=True, count=count, type=kind
    )


def quantized():
    """The ball with 16-bit positions, 8-bit normals and 16-bit texture coordinates."""
    b = Shapes()
    points, normals, uv, indices, _ = ball(1, RINGS)

    def rows(values, dtype, most, width):
        out = np.zeros((len(values), width), dtype)
        out[:, : values.shape[1]] = np.round(values * most)
        return b.view(out.tobytes(), byteStride=out.strides[0])

    count = len(points)
    accessors = {
        "POSITION": integer_accessor(b, rows(points, np.int16, 32767, 4), count, 5122, "VEC3"),
        "NORMAL": integer_accessor(b, rows(normals, np.int8, 127, 4), count, 5120, "VEC3"),
        "TEXCOORD_0": integer_accessor(b, rows(uv, np.uint16, 65535, 2), count, 5123, "VEC2"),
    }
    b.json |= {"extensionsRequired": ["KHR_mesh_quantization"]}
    b.extension("KHR_mesh_quantization")
    return add_ball(b, accessors, b.accessor(indices, "uint16"))


def meshopt():
    """The quantized ball, compressed by meshoptimizer."""
    b = Shapes()
    name, room = "EXT_meshopt_compression", 0
    count, corners = (RINGS + 1) * (2 * RINGS + 1), RINGS * 2 * RINGS * 6
    views = {}
    for key, (mode, step, stride, text) in BALL.items():
        data = base64.b64decode(text)
        plain_view = b.view(data)
        place = b.json["bufferViews"].pop(plain_view)["byteOffset"]
        number = corners if key == "index" else count
        row = {"buffer": 0, "byteOffset": place, "byteLength": len(data), "byteStride": stride}
        row |= {"mode": mode, "filter": step, "count": number}
        size = {} if key == "index" else {"byteStride": stride}
        views[key] = b.add(
            "bufferViews",
            buffer=1,
            byteOffset=room,
            byteLength=number * stride,
            extensions={name: row},
            **size,
        )
        room += -(-number * stride // 4) * 4
    accessors = {
        "POSITION": integer_accessor(b, views["position"], count, 5122, "VEC3"),
        "NORMAL": integer_accessor(b, views["normal"], count, 5120, "VEC3"),
        "TEXCOORD_0": integer_accessor(b, views["uv"], count, 5123, "VEC2"),
    }
    indices = b.add(
        "accessors", bufferView=views["index"], componentType=5123, count=corners, type="SCALAR"
    )
    add_ball(b, accessors, indices)
    b.json |= {"extensionsRequired": ["KHR_mesh_quantization", name]}
    for each in ("KHR_mesh_quantization", name):
        b.extension(each)
    b.add("buffers", byteLength=len(b.blob))
    b.add("buffers", byteLength=room, extensions={name: {"fallback": True}})
    return b


def draco():
    """The ball, compressed by Draco."""
    coder = import_module("DracoPy")
    b, name = Shapes(), "KHR_draco_mesh_compression"
    points, normals, uv, indices, _ = ball(1, RINGS)
    data = coder.encode(
        points.astype(np.float32),
        indices.reshape(-1, 3).astype(np.uint32),
        quantization_bits=14,
        normals=normals.astype(np.float64),
        tex_coord=uv.astype(np.float64),
        normal_quantization_bits=10,
        tex_coord_quantization_bits=12,
        preserve_order=True,
    )
    kinds = {"POSITION": (0, "VEC3"), "NORMAL": (1, "VEC3"), "TEXCOORD_0": (3, "VEC2")}
    numbers = {each["attribute_type"]: each for each in coder.decode(data).attributes}
    within = {key: numbers[code]["unique_id"] for key, (code, _) in kinds.items()}
    packed = {name: {"bufferView": b.view(data), "attributes": within}}
    accessors = {
        key: b.add("accessors", componentType=5126, count=len(points), type=kind)
        for key, (_, kind) in kinds.items()
    }
    corners = b.add("accessors", componentType=5123, count=len(indices), type="SCALAR")
    b.json |= {"extensionsRequired": [name]}
    b.extension(name)
    return add_ball(b, accessors, corners, extensions=packed)


SEEN = {
    "no_background": True,
    "shadow": False,
    "camera_position": (1.4, 1.8, 5.6),
    "camera_target": (0, 0, 0),
    "camera_fov": 21,
}
MESHES = FeaturePicture(
    "compressed-meshes",
    "a ball as floats, by KHR_mesh_quantization, and by EXT_meshopt_compression with filter",
    (
        Cell("float", uncompressed),
        Cell("quantized", quantized),
        Cell("meshopt", meshopt),
    ),
    columns=3,
    options=SEEN,
)
DRACO = FeaturePicture(
    "compressed-draco",
    "the same ball by KHR_draco_mesh_compression",
    (Cell("Draco", draco),),
    options=SEEN,
    needs=("DracoPy",),
)


def compressed_picture(data, mime, extension):
    """A panel with a compressed texture."""

    def make():
        b = Shapes()
        b.extension(extension)
        b.json["extensionsRequired"] = [extension]
        source = b.add("images", bufferView=b.view(data()), mimeType=mime)
        sampler = b.add("samplers", magFilter=NEAREST, minFilter=NEAREST)
        b.add("textures", sampler=sampler, extensions={extension: {"source": source}})
        info = {"baseColorTexture": {"index": 0}}
        b.node(
            b.add_shape(panel(2, 2), material=b.unlit(pbrMetallicRoughness=info, alphaMode="BLEND"))
        )
        return b

    return make


def webp():
    """A letter as lossless WebP."""
    out = io.BytesIO()
    Picture.fromarray(letter(1)).save(out, "WEBP", lossless=True)
    return out.getvalue()


FRONT = {"no_background": True, "view": "front", "ortho": True, "shadow": False}
WEBP = FeaturePicture(
    "compressed-webp",
    "a letter by EXT_texture_webp",
    (Cell("WebP", compressed_picture(webp, "image/webp", "EXT_texture_webp")),),
    size=(48, 48),
    options=FRONT,
)
BASISU = FeaturePicture(
    "compressed-basisu",
    "red, green, blue and transparent white by KHR_texture_basisu, ETC1S and UASTC",
    tuple(
        Cell(
            kind,
            compressed_picture(
                lambda t=text: base64.b64decode(t), "image/ktx2", "KHR_texture_basisu"
            ),
        )
        for kind, text in ((kind, ktx2_pictures.PICTURES[kind]) for kind in ("etc1s", "uastc"))
    ),
    size=(48, 48),
    options=FRONT,
    needs=("opengl_basisu",),
)

PICTURES = (MESHES, DRACO, WEBP, BASISU)
