"""Writes large characters, on which the time of commands is measured.

    python -m tests.tools.large_files FOLDER [NAME...]

    small      7,000 vertices, 50 joints, textures of 1024 x 1024, one clip
    medium     25,000 vertices, the same otherwise
    face       12,000 vertices, 52 morph targets with normals, four clips of 10 s at 60 Hz
    clips      the bundled character with 76 clips
    keys       two versions of a clip of a million keys, `keys-a` and `keys-b`
    heavy      100,000 vertices and three textures of 8192 x 8192, 340 MB

All of it is computed from a seed: the same bytes on every machine with the same numpy and Pillow.
"""

import io
import sys
from copy import deepcopy
from pathlib import Path

import numpy as np
from PIL import Image

from tests.support.gltf_documents import Builder
from tests.support.mannequin_variants import Glb

JOINTS = 50
FACE = ("brow", "eye", "cheek", "nose", "jaw", "mouth", "tongue")
MORPHS = 52
CLIPS = 76
KEYS = 1_000_000


def small(folder):
    """A textured character of 7,000 vertices."""
    return [_character(folder / "small.glb", 7_000, 1024)]


def medium(folder):
    """A textured character of 25,000 vertices."""
    return [_character(folder / "medium.glb", 25_000, 1024)]


def heavy(folder):
    """A character with textures of 8192 x 8192 pixels."""
    return [_character(folder / "heavy.glb", 100_000, 8192)]


def face(folder):
    """A head of 12,000 vertices with 52 morph targets."""
    rng, made = np.random.default_rng(52), Builder()
    positions, normals, texcoords, indices = _tube(12_000, 0.3, 0.1)
    targets, names = [], []
    for k in range(MORPHS):
        middle = positions[rng.integers(len(positions))]
        near = np.exp(-((positions - middle) ** 2).sum(axis=1) / 0.0008)[:, None]
        moved = near * rng.normal(0, 0.01, 3)
        turned = near * rng.normal(0, 0.1, 3)
        targets.append({"POSITION": made.accessor(moved), "NORMAL": made.accessor(turned)})
        names.append(f"{FACE[k % len(FACE)]}{k}")
    joints = np.zeros((len(positions), 4))
    weights = np.tile(np.float32([1, 0, 0, 0]), (len(positions), 1))
    attributes = {
        "NORMAL": made.accessor(normals),
        "TEXCOORD_0": made.accessor(texcoords),
        "JOINTS_0": made.accessor(joints, "uint8"),
        "WEIGHTS_0": made.accessor(weights),
    }
    mesh = made.mesh(attributes, positions=positions, indices=made.accessor(indices, "uint32"))
    made.json["meshes"][mesh]["primitives"][0]["targets"] = targets
    made.json["meshes"][mesh]["extras"] = {"targetNames": names}
    made.add("nodes", name="Head")
    made.add("nodes", name="Face", mesh=mesh, skin=0)
    made.add("skins", joints=[0], inverseBindMatrices=made.accessor([np.eye(4).ravel()]))
    made.add("scenes", nodes=[0, 1])
    times = np.arange(601) / 60
    for k in range(4):
        phases, speeds = rng.random(MORPHS) * 2 * np.pi, rng.uniform(0.2, 1.5, MORPHS)
        values = np.maximum(np.sin(times[:, None] * speeds * 4 + phases), 0) * 0.7
        turn = 0.2 * np.sin(times * 0.2 * np.pi * (k + 1))
        rotation = np.stack([0 * turn, np.sin(turn / 2), 0 * turn, np.cos(turn / 2)], axis=1)
        made.animation(
            (1, "weights", times, values), (0, "rotation", times, rotation), name=f"Speech{k}"
        )
    made.bound()
    return [_written(made, folder / "face.glb")]


def clips(folder):
    """The bundled character with 76 clips: copies are slower, and named by a number."""
    glb = Glb()
    rows, slower = glb.json["animations"], {}
    for k in range(CLIPS - len(rows)):
        clip = deepcopy(rows[k])
        clip["name"] += "2"
        for sampler in clip["samplers"]:
            times = sampler["input"]
            if times not in slower:
                slower[times] = glb.add(glb.floats(times) * np.float32(1.1), "SCALAR")
            sampler["input"] = slower[times]
        rows.append(clip)
    return [glb.write(folder / "clips.glb")]


def keys(folder):
    """Two versions of a clip of a million keys on 50 joints."""
    return [_long_clip(folder / f"keys-{name}.glb", moved) for name, moved in (("a", 0), ("b", 1))]


def _long_clip(path, moved):
    """Write joints with a clip of a million keys; `moved` adds to each tenth key of some joints."""
    rng, made, count = np.random.default_rng(7), Builder(), KEYS // JOINTS
    times = np.arange(count) * np.float32(1 / 60)
    for joint in range(JOINTS):
        _joint(made, joint)
    channels = []
    for joint in range(JOINTS):
        angles = np.cumsum(rng.normal(0, 0.01, count))
        angles[::10] += 0.05 * moved * (joint % 10 == 3)
        zero = np.zeros(count)
        rotations = np.stack([np.sin(angles), zero, zero, np.cos(angles)], axis=1)
        channels.append((joint, "rotation", times, rotations))
    made.animation(*channels, name="Long")
    made.add("scenes", nodes=[0])
    _declare_bounds(made)
    return _written(made, path)


def _character(path, vertices, side):
    """Write a skinned, textured character with a clip of two seconds."""
    rng, made = np.random.default_rng(vertices), Builder()
    positions, normals, texcoords, indices = _tube(vertices, 1.8, 0.25)
    at = np.clip(positions[:, 1] / 1.8 * JOINTS - 0.5, 0, JOINTS - 1)
    lower = np.minimum(at.astype(int), JOINTS - 2)
    share = at - lower
    zero = np.zeros(len(at))
    attributes = {
        "NORMAL": made.accessor(normals),
        "TEXCOORD_0": made.accessor(texcoords),
        "JOINTS_0": made.accessor(np.stack([lower, lower + 1, zero, zero], axis=1), "uint8"),
        "WEIGHTS_0": made.accessor(np.stack([1 - share, share, zero, zero], axis=1)),
    }
    for joint in range(JOINTS):
        _joint(made, joint)
    bind = np.tile(np.eye(4), (JOINTS, 1, 1))
    bind[:, 3, 1] = -1.8 / JOINTS * np.arange(JOINTS)
    made.add("skins", joints=list(range(JOINTS)), inverseBindMatrices=made.accessor(bind))
    mesh = made.mesh(attributes, positions=positions, indices=made.accessor(indices, "uint32"))
    made.json["meshes"][mesh]["primitives"][0]["material"] = 0
    made.add("scenes", nodes=[0, made.add("nodes", name="Body", mesh=mesh, skin=0)])
    times = np.arange(61) / 30
    channels = []
    for joint in range(JOINTS):
        half = 0.03 * np.sin(times * np.pi + rng.uniform(0, 2 * np.pi))
        zero = np.zeros(len(times))
        values = np.stack([half, zero, half, np.sqrt(1 - 2 * half**2)], axis=1)
        channels.append((joint, "rotation", times, values))
    made.animation(*channels, name="Sway")
    made.bound()
    _textures(made, rng, side)
    return _written(made, path)


def _joint(made, joint):
    children = {"children": [joint + 1]} if joint + 1 < JOINTS else {}
    made.add(
        "nodes", name=f"joint{joint}", translation=[0, 1.8 / JOINTS * (joint > 0), 0], **children
    )


def _tube(vertices, height, radius):
    """Return positions, normals, texture coordinates and indices of a spindle along +Y."""
    around = round((vertices / 2) ** 0.5)
    rings = round(vertices / around)
    u, v = np.meshgrid(np.linspace(0, 1, around), np.linspace(0, 1, rings))
    angle, wide = 2 * np.pi * u, radius * (0.1 + np.sin(np.pi * v))
    outward = np.stack([np.cos(angle), 0 * u, np.sin(angle)], axis=-1).reshape(-1, 3)
    positions = outward * wide.reshape(-1, 1)
    positions[:, 1] = height * v.ravel()
    first = (np.arange(rings - 1)[:, None] * around + np.arange(around - 1)).ravel()
    quads = first[:, None] + np.array([0, around, 1, 1, around, around + 1])
    return positions, outward, np.stack([u, v], axis=-1).reshape(-1, 2), quads.ravel()


def _textures(made, rng, side):
    """Add a material with base colour, metallic-roughness and normal textures."""
    for middle, spread in (((150, 110, 90), 12), ((255, 160, 20), 12), ((128, 128, 250), 4)):
        pixels = rng.integers(0, spread, (side, side, 3), np.uint8)
        pixels += np.uint8(np.clip(np.array(middle) - spread / 2, 0, 255 - spread))
        data = io.BytesIO()
        Image.fromarray(pixels).save(data, "PNG", compress_level=1)
        image = made.add("images", bufferView=made.view(data.getvalue()), mimeType="image/png")
        made.add("textures", source=image)
    made.add(
        "materials",
        name="Skin",
        pbrMetallicRoughness={
            "baseColorTexture": {"index": 0},
            "metallicRoughnessTexture": {"index": 1},
            "metallicFactor": 0.0,
        },
        normalTexture={"index": 2},
    )


def _declare_bounds(made):
    """Declare the bounds of the key times; `Builder.bound` copies the buffer for each."""
    for animation in made.json["animations"]:
        for sampler in animation["samplers"]:
            row = made.json["accessors"][sampler["input"]]
            row |= {"min": [0.0], "max": [float((row["count"] - 1) * np.float32(1 / 60))]}


def _written(made, path):
    path.write_bytes(made.glb())
    return path


FILES = {made.__name__: made for made in (small, medium, face, clips, keys, heavy)}


def main(folder, names):
    """Write some files, by name, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or FILES:
        for path in FILES[name](folder):
            sys.stdout.write(f"{path}  {path.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(FILES):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
