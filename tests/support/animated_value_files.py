"""glTF files with animated rigid parts, visibility, textures, lights and cameras."""

import io
import math

import numpy as np
from PIL import Image as Picture

from tests.support.gltf_documents import Builder

SQUARE = [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]]
CORNERS = [0, 1, 2, 0, 2, 3]
UV = [[0, 1], [1, 1], [1, 0], [0, 0]]
OFFSET = (
    "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"
)
LIGHT = "/extensions/KHR_lights_punctual/lights/0"
VISIBLE = "/nodes/{}/extensions/KHR_node_visibility/visible"


class FeatureBuilder(Builder):
    """A glTF builder for squares, textures, lights and animation pointers."""

    def extension(self, name, **content):
        """Declare an extension; `content` is its object at the root of the document."""
        used = self.json.setdefault("extensionsUsed", [])
        used += [name] * (name not in used)
        if content:
            self.json.setdefault("extensions", {})[name] = content

    def square(self, size=1.0, at=(0, 0, 0), turn=None, **primitive):
        """Append a mesh: a square that faces +Z, or is rotated by a matrix."""
        turn = np.eye(3) if turn is None else np.asarray(turn)
        points = np.asarray(SQUARE) * size @ turn.T + at
        normals = np.tile(turn[:, 2], (4, 1))
        attributes = {
            "POSITION": self.accessor(points),
            "NORMAL": self.accessor(normals),
            "TEXCOORD_0": self.accessor(UV),
        }
        part = {"attributes": attributes, "indices": self.accessor(CORNERS, "uint16")}
        return self.add("meshes", primitives=[part | primitive])

    def material(self, color=(1, 1, 1, 1), **row):
        """Append a rough, double-sided material."""
        pbr = {"baseColorFactor": list(color), "metallicFactor": 0, "roughnessFactor": 1}
        return self.add("materials", **({"pbrMetallicRoughness": pbr, "doubleSided": True} | row))

    def picture(self, pixels):
        """Append a texture of [H, W, 4] pixels with nearest filters."""
        out = io.BytesIO()
        Picture.fromarray(np.asarray(pixels, np.uint8)).save(out, "PNG")
        source = self.add("images", bufferView=self.view(out.getvalue()), mimeType="image/png")
        sampler = self.add("samplers", magFilter=9728, minFilter=9728)
        return self.add("textures", source=source, sampler=sampler)

    def unlit(self, **row):
        """Append an unlit material."""
        self.extension("KHR_materials_unlit")
        extensions = {"KHR_materials_unlit": {}} | row.pop("extensions", {})
        return self.add("materials", doubleSided=True, extensions=extensions, **row)

    def light(self, **row):
        """Append a light; return its index."""
        self.extension("KHR_lights_punctual")
        lights = self.json.setdefault("extensions", {}).setdefault(
            "KHR_lights_punctual", {"lights": []}
        )["lights"]
        lights.append(row)
        return len(lights) - 1

    def pointer(self, *channels, **row):
        """Append an animation of (pointer, times, values[, interpolation, type]); return its index.

        Values of visibility are unsigned bytes.
        """
        self.extension("KHR_animation_pointer")
        animation = {"channels": [], "samplers": []} | row
        for pointer, times, values, *more in channels:
            switch = pointer.endswith("/visible")
            kind = more[1] if len(more) > 1 else "uint8" if switch else "float32"
            sampler = {
                "input": self.accessor(times),
                "output": self.accessor(values, kind),
                "interpolation": more[0] if more else "STEP" if switch else "LINEAR",
            }
            target = {
                "path": "pointer",
                "extensions": {"KHR_animation_pointer": {"pointer": pointer}},
            }
            animation["channels"].append({"sampler": len(animation["samplers"]), "target": target})
            animation["samplers"].append(sampler)
        return self.add("animations", **animation)

    def path(self, folder, name="feature.glb"):
        """Write the file into a folder."""
        target = folder / name
        target.write_bytes(self.glb())
        return target


def rotation_about(axis, degrees):
    """The quaternion xyzw of a rotation about a coordinate axis."""
    half = math.radians(degrees) / 2
    return [*(math.sin(half) * np.eye(3)["xyz".index(axis)]).tolist(), math.cos(half)]


def robot_arm():
    """An arm of three rigid squares; two joints rotate by 90 degrees each."""
    b = FeatureBuilder()
    b.material((0.8, 0.3, 0.1, 1))
    mesh = b.square(0.4, at=(0, 0.5, 0), material=0)
    b.add("nodes", name="Base", mesh=mesh, children=[1])
    b.add("nodes", name="Upper", mesh=mesh, translation=[0, 1, 0], children=[2])
    b.add("nodes", name="Lower", mesh=mesh, translation=[0, 1, 0])
    turn = [rotation_about("z", 0), rotation_about("z", -90)]
    b.animation((1, "rotation", [0, 1], turn), (2, "rotation", [0, 1], turn), name="Reach")
    return b


def flip_book(frames=4):
    """A square per frame, of which one at a time is visible; the first one at rest."""
    b = FeatureBuilder()
    b.extension("KHR_node_visibility")
    b.add("nodes", name="Flag", children=list(range(1, frames + 1)))
    for k in range(frames):
        color = [k / frames, 1 - k / frames, 0.5, 1]
        material = b.unlit(pbrMetallicRoughness={"baseColorFactor": color})
        shown = {"KHR_node_visibility": {"visible": k == 0}}
        mesh = b.square(1.0 + 0.5 * k, material=material)
        b.add("nodes", name=f"Frame {k}", mesh=mesh, extensions=shown)
    times = np.arange(frames + 1) / frames
    b.pointer(
        *[
            (VISIBLE.format(k + 1), times, [*(np.arange(frames) == k), k == 0])
            for k in range(frames)
        ],
        name="Flip",
    )
    return b


def conveyor(interpolation="LINEAR", **transform):
    """A square with four stripes whose texture offset moves by 1 in a second."""
    b = FeatureBuilder()
    stripes = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]], np.uint8)
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[..., :3] = stripes
    b.extension("KHR_texture_transform")
    info = {
        "index": b.picture(pixels.repeat(8, 0).repeat(8, 1)),
        "extensions": {"KHR_texture_transform": transform},
    }
    b.unlit(pbrMetallicRoughness={"baseColorTexture": info})
    b.add("nodes", name="Belt", mesh=b.square(material=0))
    times = [0, 1] if interpolation == "LINEAR" else [0, 0.25, 0.5, 0.75, 1]
    offsets = [[t, 0] for t in times]
    b.pointer((OFFSET, times, offsets, interpolation), name="Run")
    return b


def lit_floor(kind="point", height=1.0, **row):
    """A light above a floor, pointing down."""
    b = FeatureBuilder()
    b.material((0.5, 0.5, 0.5, 1))
    floor = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # +Z becomes +Y
    b.add("nodes", name="Floor", mesh=b.square(4.0, turn=floor, material=0))
    light = b.light(type=kind, name="Bulb", **row)
    use = {"KHR_lights_punctual": {"light": light}}
    b.add(
        "nodes",
        name="Lamp",
        translation=[0, height, 0],
        rotation=rotation_about("x", -90),
        extensions=use,
    )
    return b


def two_cameras():
    """A square, a perspective and an orthographic camera with animated properties."""
    b = FeatureBuilder()
    b.unlit(pbrMetallicRoughness={"baseColorFactor": [1, 1, 1, 1]})
    b.add("nodes", name="Sign", mesh=b.square(material=0))
    lens = {"yfov": math.radians(90), "znear": 0.01}
    b.add("cameras", name="Wide", type="perspective", perspective=lens)
    b.add(
        "cameras",
        name="Plan",
        type="orthographic",
        orthographic={"xmag": 2, "ymag": 2, "znear": 0, "zfar": 10},
    )
    b.add("nodes", name="Dolly", camera=0, translation=[0, 0, 1])
    b.add("nodes", name="Crane", camera=1, translation=[0, 0, 5])
    b.animation((1, "translation", [0, 1], [[0, 0, 1], [0, 0, 2]]), name="Back")
    widths = math.radians(90), 2 * math.atan(0.5)
    b.pointer(
        ("/cameras/0/perspective/yfov", [0, 1], widths),
        ("/cameras/1/orthographic/ymag", [0, 1], [2, 1]),
        name="Zoom",
    )
    return b


def billboard(kind, parent=None, **node):
    """A billboard with a parent, and a small square as its child."""
    b = FeatureBuilder()
    b.unlit(pbrMetallicRoughness={"baseColorFactor": [1, 1, 1, 1]})
    b.add("nodes", name="Post", children=[1], **(parent or {}))
    extras = {"rigview": {"billboard": kind}}
    b.add("nodes", name="Sprite", mesh=b.square(material=0), extras=extras, children=[2], **node)
    b.add("nodes", name="Mark", mesh=b.square(0.2, material=0), translation=[1, 0, 0])
    return b


def morphed_nodes():
    """Three nodes with one mesh with two morph targets; the last node has its own weights."""
    b = FeatureBuilder()
    shift = [b.accessor([[1, 0, 0]] * 3), b.accessor([[0, 1, 0]] * 3)]
    mesh = b.mesh(targets=[{"POSITION": each} for each in shift])
    b.json["meshes"][mesh]["weights"] = [0.25, 0]
    b.add("nodes", mesh=mesh)
    b.add("nodes", mesh=mesh)
    b.add("nodes", mesh=mesh, weights=[0, 0.5])
    return b
