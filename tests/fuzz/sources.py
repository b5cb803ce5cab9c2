"""The valid files that are mutated, all made by programs of the tests, and files of a folder."""

import base64
import json
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

from rigview.checks.baseline import Known, as_text
from rigview.gltf.document import open_document
from rigview.motion.read import MotionFile
from rigview.motion.write import write_motion
from rigview.resources import asset_path
from tests.fuzz.animated_file import animated_file
from tests.fuzz.mutated_case import read_as_glb
from tests.support.bvh_text import BVH, body_bvh
from tests.support.command_files import document
from tests.support.full_file import full_file
from tests.support.full_motion_file import DOCUMENT, TIMED_CHANGES
from tests.support.gltf_documents import Builder, make_glb, split_glb, textured_triangle
from tests.support.ktx2_pictures import PICTURES
from tests.support.library_files import body_file
from tests.support.light_mannequin import light_mannequin
from tests.support.material_extension_files import ExtensionBuilder
from tests.support.meshopt_streams import STREAMS, stream
from tests.support.motion_examples import EXAMPLES
from tests.support.motion_texts import EXAMPLE
from tests.support.radiance_files import in_runs, with_repetitions, write_radiance
from tests.support.random_documents import RandomDocument

VERTICES = 1000  # of the meshes with compressed indices
SHARED = 100  # primitives of the same accessors
LARGEST = 3 << 20  # bytes of a file of a folder
MOVED = ("Hips", "Spine", "Head", "LeftArm", "RightArm", "LeftUpLeg", "RightUpLeg")

CONFIG = """samples = 1
background = "#202428"
animation = "Walk"
loop = "pingpong"
speed = 0.5
time = 0.25
[render]
resolution = "32x32"
shadow = false
exposure = 0.5
[pose]
vertices = true
hold = true
"""
RULES = """only = ["weights-*", "loop-*", "file"]
[rules]
file = "info"
[rules.loop-seam]
severity = "error"
mm = 3.0
[[ignore]]
rule = "loop-*"
clip = "Wa*"
reason = "on purpose"
[clips."R*"]
loop = false
"""
SETTINGS = """ui_scale = 1.25
theme = "light"
reload = false
mouse = "blender"
panels = { left = 20.5, curves = 12 }
size = [1280, 720]
place = [10, 20]
recent = ["/a/b.glb", "/c.glb"]
"""
BASELINE = as_text(
    [Known("a.glb", "loop-seam", "Walk", "Hips"), Known("a.glb", "weights-sum", item="Mesh")]
)


@cache
def body(clips=("Walk", "Run")):
    """A skinned figure of a few joints."""
    return _written(clips=clips)


@cache
def mover():
    """A figure with the joints and the names of all clips of the bundled character."""
    document = open_document(asset_path("mannequin.glb"))
    nodes = document.rows("nodes")
    parents = {c: row["name"] for row in nodes for c in row.get("children", ())}
    places = {}
    for joint in document.rows("skins")[0]["joints"]:  # parents first
        name, parent = nodes[joint]["name"], parents.get(joint, "")
        above = places[parent][1] if parent in places else (0, 0, 0)
        offset = nodes[joint].get("translation", (0, 0, 0))
        places[name] = (
            parent if parent in places else "",
            tuple(map(sum, zip(above, offset, strict=True))),
        )
    clips = tuple(row["name"] for row in document.rows("animations"))
    return _written(places=places, plain=(), clips=clips, animated=MOVED)


def _written(**options):
    with TemporaryDirectory() as folder:
        return body_file(Path(folder) / "a.glb", **options).read_bytes()


def small():
    """Skin, morph targets and clips, as a GLB."""
    made = document()
    blob = base64.b64decode(made["buffers"][0].pop("uri").partition(",")[2])
    return make_glb(made, blob)


def meshopt():
    """Streams of all modes and filters, as the indices and the colours of meshes."""
    b = Builder()
    name, room = "EXT_meshopt_compression", 0
    for mode, kind, count, stride, data, plain in map(stream, STREAMS):
        if mode != "ATTRIBUTES" and max(np.frombuffer(plain, f"<u{stride}")) >= VERTICES:
            continue
        packed = b.view(data)
        row = b.json["bufferViews"].pop(packed)
        row |= {"mode": mode, "count": count, "byteStride": stride, "filter": kind}
        size = {"byteOffset": room, "byteLength": len(plain)}
        view = b.add("bufferViews", buffer=1, **size, extensions={name: row})
        room += len(plain) + -len(plain) % 4
        _mesh_of_stream(b, view, mode, stride, count)
    far = {"byteLength": room, "extensions": {name: {"fallback": True}}}
    b.json["buffers"] = [{"byteLength": len(b.blob)}, far]
    b.json |= {"extensionsUsed": [name], "extensionsRequired": [name]}
    return b.glb()


def _mesh_of_stream(b, view, mode, stride, count):
    vertices = count if mode == "ATTRIBUTES" else VERTICES
    points = b.add("accessors", componentType=5126, count=vertices, type="VEC3")
    part = {"attributes": {"POSITION": points}}
    row = {"bufferView": view, "count": count}
    if mode == "ATTRIBUTES":
        code, kind = {4: (5121, "VEC4"), 8: (5123, "VEC4"), 12: (5126, "VEC3")}.get(
            stride, (5126, "VEC4")
        )
        row |= {"componentType": code, "type": kind, "normalized": code != 5126}
        part["attributes"]["COLOR_0"] = b.add("accessors", **row)
    else:
        code = {2: 5123, 4: 5125}[stride]
        part["indices"] = b.add("accessors", componentType=code, type="SCALAR", **row)
    b.add("meshes", primitives=[part])
    b.add("nodes", mesh=len(b.json["meshes"]) - 1)


def draco():
    """A compressed grid with two attributes; without DracoPy, none."""
    try:
        import DracoPy
    except ImportError:
        return None
    points = np.array([[x, y, x * y / 9] for y in range(4) for x in range(4)], np.float64)
    corners = [[0, 1, 4], [1, 5, 4], [1, 2, 5], [2, 6, 5]]
    joints = np.array([[k % 3, 1, 0, 0] for k in range(16)], np.uint16)
    data = DracoPy.encode(points, np.array(corners, np.uint32), generic_attributes={3: joints})
    number = next(
        row["unique_id"] for row in DracoPy.decode(data).attributes if not row["attribute_type"]
    )
    b = Builder()
    name = "KHR_draco_mesh_compression"
    used = {
        "POSITION": b.add("accessors", componentType=5126, count=16, type="VEC3"),
        "JOINTS_0": b.add("accessors", componentType=5123, count=16, type="VEC4"),
    }
    indices = b.add("accessors", componentType=5123, count=12, type="SCALAR")
    held = {"bufferView": b.view(data), "attributes": {"POSITION": number, "JOINTS_0": 3}}
    primitive = {"attributes": used, "indices": indices, "extensions": {name: held}}
    b.add("meshes", primitives=[primitive])
    b.add("nodes", mesh=0)
    b.json |= {"extensionsUsed": [name], "extensionsRequired": [name]}
    return b.glb()


def ktx(kind):
    """A triangle with a KTX 2 texture."""
    data = base64.b64decode(PICTURES[kind])
    return textured_triangle("KHR_texture_basisu", "image/ktx2", data, plain=True).glb()


def pictures():
    """A triangle with textures of the formats that Pillow writes here."""
    b = Builder()
    colours = np.random.default_rng(5).integers(0, 256, (24, 16, 4), np.uint8)
    colours = Image.fromarray(colours)
    for kind in ("PNG", "JPEG", "WEBP", "AVIF"):
        data = BytesIO()
        try:
            colours.convert("RGB" if kind == "JPEG" else "RGBA").save(data, kind)
        except (KeyError, OSError):  # this Pillow cannot write it
            continue
        row = {"bufferView": b.view(data.getvalue()), "mimeType": f"image/{kind.lower()}"}
        b.add("textures", source=b.add("images", **row))
        texture = {"index": len(b.json["textures"]) - 1}
        b.mesh(material=b.add("materials", pbrMetallicRoughness={"baseColorTexture": texture}))
        b.add("nodes", mesh=len(b.json["meshes"]) - 1)
    return b.glb()


def texture_coordinates():
    """Squares with five sets of texture coordinates, all of them used; the fifth is not drawn."""
    b = ExtensionBuilder()
    b.extension("KHR_texture_transform")
    uses = [b.shade(200, 120, 40, 200) | {"texCoord": k} for k in range(5)]
    uses[3] |= {"texCoord": 1, "extensions": {"KHR_texture_transform": {"texCoord": 3}}}
    for k in range(len(uses)):
        base, rough, normal, occlusion, coat = uses[k:] + uses[:k]
        material = b.extended(clearcoat={"clearcoatFactor": 1, "clearcoatTexture": coat})
        row = b.json["materials"][material] | {"normalTexture": normal, "alphaMode": "MASK"}
        row["pbrMetallicRoughness"] |= {"baseColorTexture": base, "metallicRoughnessTexture": rough}
        b.json["materials"][material] = row | {"occlusionTexture": occlusion}
        mesh = b.square(material=material)
        attributes = b.json["meshes"][mesh]["primitives"][0]["attributes"]
        attributes |= {f"TEXCOORD_{n}": attributes["TEXCOORD_0"] for n in range(1, len(uses))}
        b.add("nodes", mesh=mesh, translation=[k, 0, 0])
    return b.glb()


def shared_accessors():
    """Many primitives of a few accessors without data, which are zeros."""
    b = Builder()
    kinds = {"POSITION": "VEC3", "NORMAL": "VEC3", "TEXCOORD_0": "VEC2", "TEXCOORD_2": "VEC2"}
    kinds |= {"TANGENT": "VEC4", "COLOR_0": "VEC3", "JOINTS_0": "VEC4", "WEIGHTS_0": "VEC4"}
    attributes = {
        name: b.add(
            "accessors",
            componentType=5121 if name == "JOINTS_0" else 5126,
            count=3 * VERTICES,
            type=kind,
        )
        for name, kind in kinds.items()
    }
    attributes["TEXCOORD_1"] = attributes["TEXCOORD_0"]
    indices = b.add("accessors", componentType=5125, count=3 * VERTICES, type="SCALAR")
    targets = [dict.fromkeys(("POSITION", "NORMAL"), attributes["POSITION"])] * 2
    part = {"attributes": attributes, "indices": indices, "targets": targets}
    b.add("skins", joints=[1])
    b.add("nodes", mesh=b.add("meshes", primitives=[part] * SHARED), skin=0)
    b.add("nodes")
    return b.glb()


def many_scans():
    """A triangle with a progressive JPEG whose last scan is repeated."""
    data = BytesIO()
    Image.new("RGB", (64, 64), (90, 40, 20)).save(data, "JPEG", progressive=True)
    data = data.getvalue()
    last = data.rindex(b"\xff\xda")
    data = data[:last] + data[last:-2] * 400 + data[-2:]
    return _with_images("jpeg", [data])


def equal_images():
    """Many textures of one image, of equal ones, and of overlapping buffer views."""
    data = BytesIO()
    Image.new("RGBA", (64, 48), (90, 40, 20, 200)).save(data, "PNG")
    return _with_images("png", [data.getvalue()] * 6, uses=10)


def _with_images(kind, pictures, uses=1):
    """Triangles with a material for each use of each picture."""
    b = Builder()
    for data in pictures:
        view = b.view(data)
        for k in range(uses):
            if k % 3 == 2:
                view = b.add("bufferViews", **b.json["bufferViews"][view])
            row = {"bufferView": view, "mimeType": f"image/{kind}"}
            texture = b.add("textures", source=b.add("images", **row))
            used = {"baseColorTexture": {"index": texture}}
            b.mesh(material=b.add("materials", pbrMetallicRoughness=used))
            b.add("nodes", mesh=len(b.json["meshes"]) - 1)
    return b.glb()


def misnamed():
    """The beginnings of files that are not what they are called, by what they are."""
    picture = BytesIO()
    Image.new("RGB", (8, 8)).save(picture, "PNG")
    return {
        "nothing": b"",
        "zeros": bytes(64),
        "blanks": b" " * 200,
        "JSON": b'{"asset": {"version": "2.0"}, "nodes": [{}]}',
        "a list": b"[1, 2, 3]",
        "PNG": picture.getvalue(),
        "text": b"not what it is called\n",
        "GLB": body(),
        "a GLB header": body()[:20],
        "FBX": b"Kaydara FBX Binary  \0",
        "npz": b"PK\3\4" + bytes(40),
        **bvh_files(),
        **environments(),
    }


def characters():
    """GLB files by name."""
    found = {
        "empty": make_glb({"asset": {"version": "2.0"}}),
        "small": small(),
        "animated": animated_file().glb(),
        "full": full_file().glb(),
        "body": body(),
        "meshopt": meshopt(),
        "draco": draco(),
        "pictures": pictures(),
        "many scans": many_scans(),
        "equal images": equal_images(),
        "mannequin": light_mannequin(frozenset(("Walk", "Blink"))),
        "third to fifth texture coordinates": texture_coordinates(),
        "shared accessors": shared_accessors(),
    }
    found |= {f"random {seed}": RandomDocument(seed).glb() for seed in range(4)}
    found |= {f"ktx {kind}": ktx(kind) for kind in PICTURES}
    return {name: data for name, data in found.items() if data}


def parts(data):
    """A GLB as files: a.gltf, a.bin, and its pictures."""
    text, blob = split_glb(data)
    made = json.loads(text)
    found = {"a.bin": blob} if blob else {}
    for buffer in made.get("buffers", ())[:1] if blob else ():
        buffer["uri"] = "a.bin"
    for number, row in enumerate(made.get("images", ())):
        if "bufferView" in row:
            view = made["bufferViews"][row.pop("bufferView")]
            start = view.get("byteOffset", 0)
            row["uri"] = f"a{number}.{row.pop('mimeType').partition('/')[2]}"
            found[row["uri"]] = blob[start : start + view["byteLength"]]
    return found | {"a.gltf": json.dumps(made).encode()}


def motions():
    """Motion files for `mover()` by name."""
    timed = replace(DOCUMENT, at=TIMED_CHANGES)
    without_files = EXAMPLE.partition("[parameters]")[2]
    found = {"example": "version = 1\n[parameters]" + without_files.replace("sync = true", "")}
    for name, made in (("full", DOCUMENT), ("timed", timed)):
        found[name] = write_motion(MotionFile(made, "", ""), made)
    for path in sorted(EXAMPLES.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if "shared" not in text and "driven" not in path.stem:  # these need other files
            found[path.stem] = text
    return {name: text.encode() for name, text in found.items()}


def environments():
    """Environment maps by name."""
    light = np.random.default_rng(3).uniform(0, 9, (16, 32, 3)).astype(np.float32)
    light[4:9] = 1.5
    found = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sky.hdr"
        for name, how in (("flat", None), ("runs", in_runs), ("old", with_repetitions)):
            encode = {"encode": how} if how else {}
            found[name] = write_radiance(path, light, **encode).read_bytes()
    found["OpenEXR"] = exr()
    return {name: data for name, data in found.items() if data}


def exr():
    """A picture of one colour; without PyAV, none."""
    try:
        import av
    except ImportError:
        return None
    data = BytesIO()
    with av.open(data, "w", format="image2pipe") as container:
        stream = container.add_stream("exr", rate=1)
        stream.width, stream.height, stream.pix_fmt = 32, 16, "gbrpf32le"
        frame = av.VideoFrame(32, 16, "gbrpf32le")
        for plane in frame.planes:
            plane.update(np.ones(16 * plane.line_size // 4, np.float32).tobytes())
        for packet in (*stream.encode(frame), *stream.encode(None)):
            container.mux(packet)
    return data.getvalue()


def bvh_files():
    """BVH files by name."""
    return {"figure": BVH.encode(), "body": body_bvh().encode()}


def files_in(folder):
    """Files of a folder by name, as GLB files."""
    found = {}
    for path in sorted(Path(folder).rglob("*.gl*")):
        if path.suffix in (".glb", ".gltf") and path.stat().st_size <= LARGEST:
            data = read_as_glb(path)
            if len(data) <= LARGEST:
                found[path.stem] = data
    return found
