"""Shapes and textures for the files of feature pictures."""

import io

import numpy as np
from PIL import Image as Picture

from tests.support.animated_value_files import FeatureBuilder

NEAREST, LINEAR, MIPMAPPED = 9728, 9729, 9987
REPEAT, MIRROR, CLAMP = 10497, 33648, 33071


class Shapes(FeatureBuilder):
    """A glTF builder for shapes with texture coordinates and tangents."""

    def add_shape(
        self, parts, *, material=None, tangents=False, colors=None, uv1=None, **primitive
    ):
        """Append a mesh of (points, normals, uv, indices[, tangents]); return its index."""
        points, normals, uv, indices = parts[:4]
        attributes = {
            "POSITION": self.accessor(points),
            "NORMAL": self.accessor(normals),
            "TEXCOORD_0": self.accessor(uv),
        }
        if tangents:
            attributes["TANGENT"] = self.accessor(parts[4])
        if colors is not None:
            row = {"normalized": True} if np.asarray(colors).dtype == np.uint8 else {}
            attributes["COLOR_0"] = self.accessor(colors, np.asarray(colors).dtype, **row)
        if uv1 is not None:
            attributes["TEXCOORD_1"] = self.accessor(uv1)
        part = {"attributes": attributes, "indices": self.accessor(np.ravel(indices), "uint16")}
        if material is not None:
            part["material"] = material
        return self.add("meshes", primitives=[part | primitive])

    def node(self, mesh=None, at=(0, 0, 0), **row):
        """Append a node; return its index."""
        given = {} if mesh is None else {"mesh": mesh}
        return self.add("nodes", **given, translation=list(map(float, at)), **row)

    def pbr_material(self, color=(0.8, 0.8, 0.8, 1), metallic=0.0, roughness=0.6, *, pbr=(), **row):
        """Append a metallic-roughness material; return its index."""
        own = {
            "baseColorFactor": list(color),
            "metallicFactor": metallic,
            "roughnessFactor": roughness,
        } | dict(pbr)
        return self.add("materials", pbrMetallicRoughness=own, **row)

    def texture(self, pixels, wrap=(REPEAT, REPEAT), filters=(MIPMAPPED, LINEAR)):
        """Append a texture of [H, W, 3 or 4] pixels; return its index."""
        out = io.BytesIO()
        Picture.fromarray(np.asarray(pixels, np.uint8)).save(out, "PNG")
        source = self.add("images", bufferView=self.view(out.getvalue()), mimeType="image/png")
        sampler = self.add(
            "samplers",
            wrapS=wrap[0],
            wrapT=wrap[1],
            minFilter=filters[0],
            magFilter=filters[1],
        )
        return self.add("textures", source=source, sampler=sampler)

    def add_dark_light(self):
        """Append a light of intensity 0, which replaces the key light of the studio."""
        use = {"KHR_lights_punctual": {"light": self.light(type="point", intensity=0)}}
        self.add("nodes", extensions=use)

    def add_light(self, at, towards=(0, 0, 0), **row):
        """Append a light at a position, pointed towards another; return the index of its node."""
        use = {"KHR_lights_punctual": {"light": self.light(**row)}}
        turn = rotation_towards(np.subtract(towards, at))
        return self.node(at=at, rotation=turn, extensions=use)


def rotation_towards(way):
    """The quaternion xyzw that rotates -Z to a direction; not for +Z."""
    way = np.asarray(way, float) / np.linalg.norm(way)
    turn = np.append(np.cross([0, 0, -1], way), 1 - way[2])
    return (turn / np.linalg.norm(turn)).tolist()


def ball(radius=1.0, rings=20, top=0.0, bottom=np.pi):
    """A sphere, or the part between two angles from +Y; u = 0.5 is in front."""
    theta = np.linspace(top, bottom, rings + 1)
    u = np.linspace(0, 1, 2 * rings + 1)
    t, around = np.meshgrid(theta, u, indexing="ij")
    phi = (around - 0.5) * 2 * np.pi
    normals = np.stack([np.sin(t) * np.sin(phi), np.cos(t), np.sin(t) * np.cos(phi)], -1)
    tangents = np.stack([np.cos(phi), 0 * phi, -np.sin(phi), 0 * phi + 1], -1)
    uv = np.stack([around, t / np.pi], -1)
    return (
        normals.reshape(-1, 3) * radius,
        normals.reshape(-1, 3),
        uv.reshape(-1, 2),
        _faces(rings, 2 * rings),
        tangents.reshape(-1, 4),
    )


def box(size=(1, 1, 1), at=(0, 0, 0)):
    """A box; each face has texture coordinates from 0 to 1."""
    points, normals, tangents = [], [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            normal = np.eye(3)[axis] * side
            up = np.eye(3)[2 if axis == 1 else 1] * (-side if axis == 1 else 1)
            right = np.cross(up, normal)
            points += [normal + a * right + b * up for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            normals += [normal] * 4
            tangents += [[*right, 1]] * 4
    uv = [[0, 1], [1, 1], [1, 0], [0, 0]] * 6
    indices = [4 * k + j for k in range(6) for j in (0, 1, 2, 0, 2, 3)]
    return np.array(points) * np.asarray(size) / 2 + at, normals, uv, indices, tangents


def panel(width=1.0, height=1.0, steps=1, place=((0, 0), (1, 1))):
    """A rectangle that faces +Z; `place`: texture coordinates at the top left and bottom right."""
    (u0, v0), (u1, v1) = place
    x, y = np.meshgrid(np.linspace(0, 1, steps + 1), np.linspace(0, 1, steps + 1))
    x, y = x.ravel(), y.ravel()
    points = np.stack([(x - 0.5) * width, (0.5 - y) * height, 0 * x], -1)
    uv = np.stack([u0 + (u1 - u0) * x, v0 + (v1 - v0) * y], -1)
    normals = np.tile([0.0, 0.0, 1.0], (len(x), 1))
    tangents = np.tile(
        [np.sign(u1 - u0), 0.0, 0.0, np.sign(u1 - u0) * np.sign(v1 - v0)], (len(x), 1)
    )
    return points, normals, uv, _faces(steps, steps), tangents


def floor(size=1.0):
    """A square that faces up."""
    points, normals, uv, indices, tangents = panel(size, size)
    down = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # +Z becomes +Y
    turned = np.asarray(tangents)[:, :3] @ down.T
    return (
        points @ down.T,
        normals @ down.T,
        uv,
        indices,
        np.concatenate([turned, np.ones((len(turned), 1))], 1),
    )


def _faces(rows, columns):
    """Triangle indices of a grid of quads; rows go down and columns to the right."""
    k = np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)
    below = k + columns + 1
    return np.stack([k, below, k + 1, k + 1, below, below + 1], -1).ravel()


def letter(cell=4):
    """An F on corners of four colours [H, W, 4]: it shows rotations and mirroring."""
    rows = (
        "rgggggyy",
        "rgFFFFyy",
        "rgFggggy",
        "rgFFFggg",
        "bbFbbbcc",
        "bbFbbccc",
        "bbFbbccc",
        "bbbbbccc",
    )
    colours = {
        "r": (200, 40, 40),
        "g": (60, 150, 70),
        "b": (50, 80, 190),
        "y": (220, 190, 50),
        "c": (60, 170, 180),
        "F": (245, 245, 245),
    }
    pixels = np.array([[(*colours[c], 255) for c in row] for row in rows], np.uint8)
    return pixels.repeat(cell, 0).repeat(cell, 1)


def checker(count=8, cell=4, colours=((40, 40, 40), (220, 220, 220))):
    """Squares of two colours [H, W, 3]."""
    y, x = np.mgrid[:count, :count]
    return np.asarray(colours, np.uint8)[(x + y) % 2].repeat(cell, 0).repeat(cell, 1)


def arrows(side=32):
    """A tileable texture [H, W, 3] of yellow arrows to the right on dark grey."""
    y, x = np.mgrid[:side, :side] / side
    tip = np.abs(x - 0.35 + np.abs(y - 0.5)) < 0.16
    return np.where(tip[..., None], (240, 190, 40), (50, 52, 58)).astype(np.uint8)


def bumps(count=4, side=64, strength=0.9):
    """A normal map [H, W, 3] of round bumps; +Y is up."""
    y, x = (np.mgrid[:side, :side] + 0.5) / side * count % 1 * 2 - 1
    inside = (x**2 + y**2) < 0.8
    slope = strength * inside
    normals = np.stack([x * slope, -y * slope, 0 * x], -1)
    normals[..., 2] = np.sqrt(np.maximum(1 - (normals[..., :2] ** 2).sum(-1), 0.05))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.round(normals * 127.5 + 127.5).astype(np.uint8)
