"""Random valid glTF documents, for tests that compare pictures."""

import numpy as np

from tests.support import animated_value_files
from tests.support.animated_value_files import VISIBLE

TIMES = [0, 0.5, 1]
KINDS = ("directional", "point", "spot")


class RandomDocument(animated_value_files.FeatureBuilder):
    """A document of 3 to 8 nodes, all within about 2 m of the origin.

    Parameters
    ----------
    seed
        Determines the document.
    symmetric
        Leave out what a mirror changes: billboards, the key light of the studio, and scales of 0.
    """

    def __init__(self, seed, *, symmetric=False):
        super().__init__()
        self.rng = np.random.default_rng(seed)
        self.symmetric = symmetric
        self.channels = []  # (pointer, times, values)
        self.extension("KHR_node_visibility")
        self.extension("KHR_materials_emissive_strength")
        self.extension("KHR_texture_transform")
        self.textures = [self._texture() for _ in range(2)]
        self.materials = [self._material() for _ in range(self.rng.integers(1, 5))]
        self._nodes(int(self.rng.integers(3, 9)))
        self._move()

    def chance(self, share):
        return bool(self.rng.random() < share)

    def some(self, *shape, low=0.0, high=1.0):
        return self.rng.uniform(low, high, shape).astype(np.float32)

    def _texture(self):
        pixels = self.rng.integers(0, 256, (4, 4, 4), np.uint8)
        if self.chance(0.5):
            pixels[..., 3] = 255
        return self.picture(pixels.repeat(2, 0).repeat(2, 1))

    def _place(self):
        info = {"index": int(self.rng.choice(self.textures))}
        if self.chance(0.3):
            info["texCoord"] = 1
        if self.chance(0.5):
            info["extensions"] = {
                "KHR_texture_transform": {
                    "offset": self.some(2).tolist(),
                    "rotation": float(self.some(high=6.0)),
                    "scale": self.some(2, low=-2, high=2).tolist(),
                }
            }
        return info

    def _material(self):
        mode = str(self.rng.choice(["OPAQUE", "OPAQUE", "MASK", "BLEND"]))
        row = {
            "alphaMode": mode,
            "doubleSided": self.chance(0.5),
            "emissiveFactor": (self.some(3) * self.chance(0.3)).tolist(),
            "pbrMetallicRoughness": {
                "baseColorFactor": self.some(4, low=0.2).tolist(),
                "metallicFactor": float(self.rng.choice([0, 0, 1, self.some()])),
                "roughnessFactor": float(self.rng.choice([0, 1, self.some()])),
            },
        }
        if mode == "MASK":
            row["alphaCutoff"] = float(self.some())
        for name in ("baseColorTexture", "metallicRoughnessTexture"):
            if self.chance(0.3):
                row["pbrMetallicRoughness"][name] = self._place()
        for name in ("normalTexture", "occlusionTexture", "emissiveTexture"):
            if self.chance(0.2):
                row[name] = self._place()
        if self.chance(0.15):
            return self.unlit(**{k: v for k, v in row.items() if k != "doubleSided"})
        row["extensions"] = self._layers()
        if self.chance(0.3):
            extra = {"emissiveStrength": float(self.some(high=4.0))}
            row["extensions"]["KHR_materials_emissive_strength"] = extra
        number = self.add("materials", **row)
        self._move_material(number, row)
        return number

    def _move_material(self, number, row):
        if "KHR_materials_clearcoat" in row["extensions"] and self.chance(0.5):
            pointer = f"/materials/{number}/extensions/KHR_materials_clearcoat/clearcoatFactor"
            self.channels.append((pointer, TIMES, self.some(3, 1)))
        pbr = f"/materials/{number}/pbrMetallicRoughness/"
        if self.chance(0.3):
            self.channels.append((pbr + "baseColorFactor", TIMES, self.some(3, 4)))
        if self.chance(0.3):
            self.channels.append((pbr + "roughnessFactor", TIMES, self.some(3, 1)))

    def _layers(self):
        """Extensions of a material; not transmission, which depends on the background."""
        given = {
            "ior": {"ior": float(self.rng.choice([0, 1, 1.33, 2.4]))},
            "specular": {
                "specularFactor": float(self.some()),
                "specularColorFactor": self.some(3, high=2.0).tolist(),
            },
            "clearcoat": {
                "clearcoatFactor": float(self.some()),
                "clearcoatRoughnessFactor": float(self.some()),
            },
            "sheen": {
                "sheenColorFactor": self.some(3).tolist(),
                "sheenRoughnessFactor": float(self.some()),
            },
            "diffuse_transmission": {
                "diffuseTransmissionFactor": float(self.some()),
                "diffuseTransmissionColorFactor": self.some(3).tolist(),
            },
            "anisotropy": {
                "anisotropyStrength": float(self.some()),
                "anisotropyRotation": float(self.some(high=3.0)),
            },
            "iridescence": {
                "iridescenceFactor": float(self.some()),
                "iridescenceThicknessMaximum": float(self.some(high=900.0)),
            },
        }
        chosen = [name for name in given if self.chance(0.15)]
        for name in chosen:
            self.extension(f"KHR_materials_{name}")
        return {f"KHR_materials_{name}": given[name] for name in chosen}

    def _shape(self):
        """Points [V, 3] and normals of a square, a tetrahedron or random triangles."""
        kind = self.rng.integers(3)
        if kind == 0:
            corners = np.asarray(animated_value_files.SQUARE, np.float32)[
                animated_value_files.CORNERS
            ]
        elif kind == 1:
            tips = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], np.float32) * 0.5
            corners = tips[[0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2]]
        else:
            corners = self.some(3 * int(self.rng.integers(1, 6)), 3, low=-0.6, high=0.6)
        a, b, c = corners[0::3], corners[1::3], corners[2::3]
        normals = np.cross(b - a, c - a)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        return corners, np.repeat(normals / np.maximum(length, 1e-9), 3, axis=0)

    def _primitive(self, targets, joints):
        points, normals = self._shape()
        count = len(points)
        attributes = {"POSITION": self.accessor(points)}
        if self.chance(0.75):
            attributes["NORMAL"] = self.accessor(normals)
            if self.chance(0.4):
                across = np.roll(normals, 1, axis=1)
                across -= normals * (across * normals).sum(axis=1, keepdims=True)
                length = np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
                side = np.full((count, 1), self.rng.choice([-1, 1]))
                attributes["TANGENT"] = self.accessor(np.hstack([across / length, side]))
        for number in range(int(self.rng.integers(0, 3))):
            attributes[f"TEXCOORD_{number}"] = self.accessor(self.some(count, 2))
        if self.chance(0.3):
            attributes["COLOR_0"] = self.accessor(self.some(count, 4))
        if joints:
            bound = self.rng.integers(0, joints, (count, 4))
            weights = self.some(count, 4, low=0.05)
            attributes["JOINTS_0"] = self.accessor(bound, "uint8")
            weights /= weights.sum(axis=1, keepdims=True)
            attributes["WEIGHTS_0"] = self.accessor(weights)
        part = {"attributes": attributes, "mode": int(self.rng.choice([4, 4, 4, 4, 0, 1]))}
        if self.chance(0.9):
            part["material"] = int(self.rng.choice(self.materials))
        if self.chance(0.5):
            order = np.arange(count)
            part["indices"] = self.accessor(order, "uint16" if self.chance(0.5) else "uint32")
        if targets:
            part["targets"] = [
                {"POSITION": self.accessor(self.some(count, 3, low=-0.3, high=0.3))}
                for _ in range(targets)
            ]
        return part

    def _nodes(self, count):
        bare = [self._node(k) for k in range(count)]
        for k in range(1, count):
            if self.chance(0.6):
                parent = self.json["nodes"][int(self.rng.integers(k))]
                parent.setdefault("children", []).append(k)
        if self.chance(0.5):
            joints = sorted(self.rng.choice(bare, int(self.rng.integers(1, count)), replace=False))
            skin = self.add("skins", joints=[int(joint) for joint in joints])
            mesh = self._mesh(len(joints))
            self.add("nodes", mesh=mesh, skin=skin)
        self.json["scenes"] = [{"nodes": self._roots()}]
        self.json["scene"] = 0

    def _roots(self):
        rows = self.json["nodes"]
        below = {child for row in rows for child in row.get("children", [])}
        return [k for k in range(len(rows)) if k not in below]

    def _mesh(self, joints=0):
        targets = int(self.rng.integers(1, 4)) if self.chance(0.3) else 0
        parts = [self._primitive(targets, joints) for _ in range(self.rng.integers(1, 3))]
        row = {"weights": self.some(targets).tolist()} if targets else {}
        return self.add("meshes", primitives=parts, **row)

    def _node(self, number):
        row = {"translation": self.some(3, low=-0.8, high=0.8).tolist()}
        turn = self.rng.normal(size=4)
        row["rotation"] = (turn / np.linalg.norm(turn)).tolist()
        if self.chance(0.5):
            size = self.some(3, low=0.5, high=1.5) * self.rng.choice([-1, 1, 1, 1], 3)
            row["scale"] = size.tolist()
            if self.chance(0.1) and not self.symmetric:
                row["scale"][int(self.rng.integers(3))] = 0.0
        extensions = {}
        if self.chance(0.7):
            row["mesh"] = self._mesh()
        if self.chance(0.25) or (self.symmetric and not number):
            extensions["KHR_lights_punctual"] = {"light": self._light()}
        if self.chance(0.2):
            extensions["KHR_node_visibility"] = {"visible": self.chance(0.7)}
            self.channels.append((VISIBLE.format(number), TIMES, self.rng.integers(0, 2, 3)))
        if self.chance(0.1) and not self.symmetric:
            kind = str(self.rng.choice(["axis", "full"]))
            row["extras"] = {"rigview": {"billboard": kind}}
        if extensions:
            row["extensions"] = extensions
        return self.add("nodes", **row)

    def _light(self):
        row = {
            "type": str(self.rng.choice(KINDS)),
            "color": self.some(3).tolist(),
            "intensity": float(self.some(high=8.0)),
        }
        if self.chance(0.3):
            row["range"] = float(self.some(low=0.1, high=3.0))
        if row["type"] == "spot":
            outer = float(self.some(low=0.05, high=1.57))
            row["spot"] = {"innerConeAngle": outer * self.rng.choice([0, 0.9, 0.999]),
                           "outerConeAngle": outer}  # fmt: skip
        number = self.light(**row)
        if self.chance(0.3):
            pointer = f"/extensions/KHR_lights_punctual/lights/{number}/intensity"
            self.channels.append((pointer, TIMES, self.some(3, 1, high=8.0)))
        return number

    def _move(self):
        """One animation of joints, morph weights and pointers."""
        if self.channels:
            self.pointer(*self.channels, name="Moves")
        joint = int(self.rng.integers(len(self.json["nodes"])))
        tracks = [(joint, "translation", TIMES, self.some(3, 3, low=-0.8, high=0.8))]
        for number, row in enumerate(self.json["nodes"]):
            mesh = self.json["meshes"][row["mesh"]] if "mesh" in row else {}
            if "weights" in mesh and self.chance(0.7):
                tracks.append((number, "weights", TIMES, self.some(3, len(mesh["weights"]))))
        number = self.animation(*tracks)
        made = self.json["animations"][number]
        if self.channels:  # one clip for all channels
            both = self.json["animations"][0]
            first = len(both["samplers"])
            both["samplers"] += made["samplers"]
            both["channels"] += [
                each | {"sampler": each["sampler"] + first} for each in made["channels"]
            ]
            self.json["animations"].pop()

    def mirrored(self):
        """Mirror the document: add a root node with a scale of -1 along x."""
        roots = self._roots()
        top = self.add("nodes", scale=[-1, 1, 1], children=roots)
        self.json["scenes"] = [{"nodes": [top]}]
        return self
