"""Makes the bundled character: mannequin.glb, or the file that is named.

`python assets/make_mannequin.py [FILE]` writes the same bytes every time.
"""

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pygltflib as gltf
from mannequin_body import Body, build
from mannequin_bones import NAMES, OFFSETS, PARENTS, REST
from mannequin_motion import Motion, clips
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
INFLUENCES = 4
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
COMPONENTS = {np.dtype("f4"): 5126, np.dtype("u1"): 5121, np.dtype("u2"): 5123}

# The texture is a strip: from its left, what lies within a ball, the seam, what lies on a limb.
STRIP = 256  # pixels, over 2 * TONE_REACH metres
SEAM = 3.2  # pixels to either side of the middle
BALL, GROOVE, LIMB = (0x7A, 0x4A, 0x2B), (0x2E, 0x1A, 0x10), (0xE3, 0xBC, 0x8A)  # sRGB


class Writer:
    """Collects arrays into one buffer, and what glTF says of each."""

    def __init__(self) -> None:
        self.file = gltf.GLTF2(asset=gltf.Asset(generator="Rigview make_mannequin"))
        self.blob = b""

    def view(self, data: bytes, target: int | None = None) -> int:
        """Append bytes at a multiple of four; return the buffer view's index."""
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.file.bufferViews.append(
            gltf.BufferView(
                buffer=0, byteOffset=len(self.blob), byteLength=len(data), target=target
            )
        )
        self.blob += data
        return len(self.file.bufferViews) - 1

    def accessor(
        self,
        array: NDArray[np.generic],
        target: int | None = None,
        *,
        normalized: bool = False,
        bounds: bool = False,
    ) -> int:
        """Append an array [N] or [N, width]; return the accessor's index."""
        table = np.ascontiguousarray(array.reshape(len(array), -1))
        self.file.accessors.append(
            gltf.Accessor(
                bufferView=self.view(table.tobytes(), target),
                componentType=COMPONENTS[table.dtype],
                count=len(table),
                type=TYPES[table.shape[1]],
                normalized=normalized or None,
                min=table.min(axis=0).tolist() if bounds else None,
                max=table.max(axis=0).tolist() if bounds else None,
            )
        )
        return len(self.file.accessors) - 1


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return [H, W, 3] as a PNG whose bytes do not depend on the compressor: nothing is packed."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(rows), 0xFFFF - len(rows)) + rows
    stored += struct.pack(">I", zlib.adler32(rows))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", stored) + chunk(b"IEND", b"")
    )


def strip() -> NDArray[np.uint8]:
    """Return the texture [4, STRIP, 3]: ball, seam, limb, with edges a pixel wide."""
    place = np.arange(STRIP) + 0.5 - STRIP / 2
    on_limb = np.clip(place + 0.5, 0.0, 1.0)[:, None]
    in_seam = np.clip(SEAM + 0.5 - np.abs(place), 0.0, 1.0)[:, None]
    colour = np.array(BALL) * (1.0 - on_limb) + np.array(LIMB) * on_limb
    colour = colour * (1.0 - in_seam) + np.array(GROOVE) * in_seam
    return np.tile(np.rint(colour).astype(np.uint8), (4, 1, 1))


def influences(weights: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Return the four heaviest joints [V, 4] and their weights, which sum to 65535 exactly."""
    joints = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    heaviest = np.take_along_axis(weights, joints, axis=1)
    whole = np.rint(heaviest / heaviest.sum(axis=1, keepdims=True) * 65535).astype(np.int64)
    whole[:, 0] += 65535 - whole.sum(axis=1)
    joints[whole == 0] = 0
    return joints.astype(np.uint8), whole.astype(np.uint16)


def add_material(out: Writer) -> None:
    """Two kinds of wood, told apart by a strip of texture."""
    out.file.images.append(
        gltf.Image(name="Wood", mimeType="image/png", bufferView=out.view(png(strip())))
    )
    out.file.samplers.append(
        gltf.Sampler(magFilter=9729, minFilter=9729, wrapS=33071, wrapT=33071)
    )  # LINEAR, LINEAR, CLAMP_TO_EDGE
    out.file.textures.append(gltf.Texture(sampler=0, source=0))
    out.file.materials.append(
        gltf.Material(
            name="Wood",
            pbrMetallicRoughness=gltf.PbrMetallicRoughness(
                baseColorTexture=gltf.TextureInfo(index=0),
                metallicFactor=0.0,
                roughnessFactor=0.5,
            ),
            alphaCutoff=None,
        )
    )


def add_mesh(out: Writer, body: Body) -> None:
    """Add the body as one mesh of one primitive."""
    joints, weights = influences(body.weights)
    tone = np.stack((body.tone, np.full_like(body.tone, 0.5)), axis=1)
    vertices = gltf.ARRAY_BUFFER
    attributes = gltf.Attributes(
        POSITION=out.accessor(body.points.astype(np.float32), vertices, bounds=True),
        NORMAL=out.accessor(body.normals.astype(np.float32), vertices),
        TEXCOORD_0=out.accessor(np.rint(tone * 65535).astype(np.uint16), vertices, normalized=True),
        JOINTS_0=out.accessor(joints, vertices),
        WEIGHTS_0=out.accessor(weights, vertices, normalized=True),
    )
    indices = out.accessor(body.triangles.astype(np.uint16).ravel(), gltf.ELEMENT_ARRAY_BUFFER)
    primitive = gltf.Primitive(attributes=attributes, indices=indices, material=0, mode=None)
    out.file.meshes.append(gltf.Mesh(name="Body", primitives=[primitive]))


def add_skeleton(out: Writer) -> None:
    """Add the joints as nodes 0 … J - 1, the skin that binds them, and the body's own node."""
    for j, name in enumerate(NAMES):
        children = [child for child, parent in enumerate(PARENTS) if parent == j]
        out.file.nodes.append(
            gltf.Node(
                name=name,
                translation=np.round(OFFSETS[j], 6).tolist(),
                children=children or None,
            )
        )
    inverse = np.tile(np.eye(4), (len(NAMES), 1, 1))
    inverse[:, :3, 3] = -REST
    columns = inverse.swapaxes(1, 2).reshape(len(NAMES), 16)  # glTF stores column after column
    out.file.skins.append(
        gltf.Skin(
            name="Mannequin",
            skeleton=0,
            joints=list(range(len(NAMES))),
            inverseBindMatrices=out.accessor(columns.astype(np.float32)),
        )
    )
    out.file.nodes.append(gltf.Node(name="Body", mesh=0, skin=0))
    out.file.scenes.append(gltf.Scene(name="Mannequin", nodes=[0, len(NAMES)]))
    out.file.scene = 0


def add_clip(out: Writer, motion: Motion) -> None:
    """Add a clip with a LINEAR track for what moves away from rest, and for nothing else."""
    clip = gltf.Animation(name=motion.name, samplers=[], channels=[])
    times = out.accessor(motion.times.astype(np.float32), bounds=True)

    def add(node: int, path: str, values: NDArray[np.float32]) -> None:
        sampler = gltf.AnimationSampler(
            input=times, output=out.accessor(values), interpolation=None
        )
        target = gltf.AnimationChannelTarget(node=node, path=path)
        clip.channels.append(gltf.AnimationChannel(sampler=len(clip.samplers), target=target))
        clip.samplers.append(sampler)

    add(0, "translation", motion.hips.astype(np.float32))
    still = np.array((0.0, 0.0, 0.0, 1.0))
    for j in range(len(NAMES)):
        turns = motion.rotations[:, j]
        if np.abs(turns - still).max() > 1e-6:
            turns[-1] = turns[0]
            add(j, "rotation", turns.astype(np.float32))
    out.file.animations.append(clip)


def make() -> bytes:
    """Return the character as the bytes of a .glb file."""
    out = Writer()
    add_material(out)
    add_mesh(out, build())
    add_skeleton(out)
    for motion in clips():
        add_clip(out, motion)
    out.file.buffers.append(gltf.Buffer(byteLength=len(out.blob)))
    out.file.set_binary_blob(out.blob)
    return b"".join(out.file.save_to_bytes())


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "mannequin.glb"
    path.write_bytes(make())
    print(f"{path}: {path.stat().st_size:,} bytes")
