"""Model statistics: counts, sizes and names for `info` and its JSON output, and their words."""

from collections import Counter
from typing import Any

import numpy as np

from ..animation.clip import Clip
from ..animation.root_motion import RootMotion
from ..animation.track import Track
from ..animation.types import F32
from ..retargeting.hips import guess_hips
from .facing import DEFAULT_FACING, find_facing
from .material import EXTENSIONS, FACTORS, TEXTURES, Material
from .mesh_parts import carried_mesh
from .model import CameraView, LightSource, Mesh, Model, Primitive

Facts = dict[str, Any]

_PALETTE_ENTRY = 48  # bytes per joint: three rows of four floats
_MIPMAPS = 4 / 3  # size of a texture with its mipmaps


def describe(model: Model) -> Facts:
    """Return the statistics of a model as JSON values; of images only headers are read.

    Times are in seconds, sizes in bytes; joints, skins, meshes and materials are given by index
    into their own lists, nodes by glTF index.
    """
    facts, facing = model.facts, find_facing(model)
    textures = [texture_facts(model, index) for index in range(len(model.images))]
    return {
        "name": model.name,
        "bytes": facts.file_bytes,
        "format": facts.format,
        "version": facts.version,
        "generator": facts.generator,
        "copyright": facts.copyright,
        "scenes": list(facts.scenes),
        "facing": list(facing or DEFAULT_FACING),
        "facing_found": facing is not None,
        "clips": _clips(model),
        "joints": _joints(model),
        "skins": _skins(model),
        "influences": influences(model),
        "meshes": [_mesh(model, index, mesh) for index, mesh in enumerate(model.meshes)],
        "materials": [material_facts(index, item) for index, item in enumerate(model.materials)],
        "textures": textures,
        "cameras": [camera_facts(model, item) for item in model.cameras],
        "lights": [light_facts(model, item) for item in model.lights],
        "variants": list(model.variants),
        "channels": _channels(model),
        "extensions": {
            "used": list(facts.extensions_used),
            "required": list(facts.extensions_required),
            "not_drawn": list(facts.not_drawn),
        },
        "packed": [
            {"extension": item.extension, "bytes": item.nbytes, "unpacked": item.unpacked}
            for item in facts.packed
        ],
        "gpu_bytes": gpu_bytes(model, textures),
        "warnings": list(model.warnings),
    }


def influences(model: Model) -> dict[str, int]:
    """Return the number of skinned vertices with 1, 2, … joint influences."""
    counts: Counter[int] = Counter()
    for mesh in model.meshes:
        for primitive in mesh.primitives:
            if primitive.weights is not None:
                per_vertex = np.count_nonzero(primitive.weights, axis=1)
                found, times = np.unique(per_vertex, return_counts=True)
                counts.update(dict(zip(found.tolist(), times.tolist(), strict=True)))
    return {str(joints): counts[joints] for joints in sorted(counts)}


def gpu_bytes(model: Model, textures: list[Facts]) -> dict[str, int]:
    """Return an estimate of the model's GPU memory, by kind."""
    meshes = (*model.meshes, *(each.written for each in model.instances if each.written))
    primitives = [primitive for mesh in meshes for primitive in mesh.primitives]
    different = {model.images[t["index"]].content: t for t in textures}
    sizes = {
        "vertices": sum(_vertex_bytes(drawn) for drawn in primitives),
        "morph_targets": sum(_morph_bytes(drawn) for drawn in primitives),
        "textures": sum(_texture_bytes(t["width"], t["height"]) for t in different.values()),
        "palettes": sum(len(skin.joints) * _PALETTE_ENTRY for skin in model.skins),
    }
    return {**sizes, "total": sum(sizes.values())}


def texture_bytes(model: Model) -> int:
    """Return an estimate of the GPU memory of the decoded images; decoding is not waited for."""
    shapes = {image.content: image.pixels.shape for image in model.images if image.decoded}
    return sum(_texture_bytes(width, height) for height, width, _ in shapes.values())


def _texture_bytes(width: int, height: int) -> int:
    return round(width * height * 4 * _MIPMAPS)


def _clips(model: Model) -> list[Facts]:
    skeleton = model.skeleton
    joints = np.arange(skeleton.count, dtype=np.int32)
    if any(len(skin.joints) for skin in model.skins):
        joints = np.unique(np.concatenate([skin.joints for skin in model.skins]))
    hips = guess_hips(skeleton, joints, model.clips)
    return [_clip(model, index, clip, hips) for index, clip in enumerate(model.clips)]


def _root(model: Model, clip: Clip, hips: int) -> Facts:
    """Return distance and speed of the hips over the ground in one pass: metres, metres per second.

    `way` is the length of the path, `distance` that from its start to its end. `height` is the
    greatest height, which distinguishes a sway from a step even if the character gets up.
    """
    path = RootMotion(clip, model.skeleton, hips, begin=min(clip.start, 0.0)).path()
    ground = path.points[:, ::2]
    steps = np.linalg.norm(np.diff(ground, axis=0), axis=1)
    return {
        "joint": model.skeleton.names[hips],
        "way": float(steps.sum()),
        "distance": float(np.linalg.norm(ground[-1] - ground[0])),
        "speed": path.speed,
        "height": float(np.abs(path.points[:, 1]).max()),
    }


def _clip(model: Model, index: int, clip: Clip, hips: int) -> Facts:
    return {
        "index": index,
        "name": clip.name,
        "start": float(clip.start),
        "end": float(clip.end),
        "tracks": len(clip.tracks),
        "joints": len({track.target for track in clip.tracks if track.path != "values"}),
        "keys": clip.key_count,
        "longest_track_keys": max((len(track.times) for track in clip.tracks), default=0),
        "paths": dict(Counter(_path(model, track) for track in clip.tracks)),
        "interpolation": dict(Counter(track.interpolation for track in clip.tracks)),
        "bytes": clip.nbytes,
        "root": _root(model, clip, hips) if hips >= 0 else None,
    }


def _path(model: Model, track: Track) -> str:
    if track.path != "values":
        return track.path
    return "weights" if model.channels[track.target].is_weights else "pointer"


def _joints(model: Model) -> list[Facts]:
    """Return the nodes of the file, in glTF order."""
    skeleton = model.skeleton
    skinned = {int(joint) for skin in model.skins for joint in skin.joints}
    found = []
    for node, joint in enumerate(skeleton.joint_of_node.tolist()):
        parent = int(skeleton.parents[joint])
        found.append(
            {
                "node": node,
                "name": skeleton.names[joint],
                "parent": int(skeleton.nodes[parent]) if parent >= 0 else -1,
                "depth": int(skeleton.depths[joint]),
                "skinned": joint in skinned,
            }
        )
    return found


def _skins(model: Model) -> list[Facts]:
    return [
        {
            "index": index,
            "name": skin.name,
            "joints": model.skeleton.nodes[skin.joints].tolist(),
            "meshes": sorted(
                {instance.mesh for instance in model.instances if instance.skin == index}
            ),
        }
        for index, skin in enumerate(model.skins)
    ]


def _mesh(model: Model, index: int, mesh: Mesh) -> Facts:
    instances = [each for each in model.instances if each.mesh == index]
    targets = [each.morph for each in mesh.primitives if each.morph is not None]
    return {
        "index": index,
        "name": mesh.name,
        "primitives": len(mesh.primitives),
        "vertices": sum(len(each.positions) for each in mesh.primitives),
        "triangles": sum(each.triangle_count for each in mesh.primitives),
        "instances": sum(each.count for each in instances),
        "morph_targets": list(targets[0].names) if targets else [],
        "nodes": [int(model.skeleton.nodes[each.joint]) for each in instances],
        "skinned": any(each.skin >= 0 for each in instances),
        "materials": sorted({each.material for each in mesh.primitives}),
    }


def part_facts(model: Model, node: int, number: int) -> Facts:
    """Return the statistics of a part of the mesh at a node, as JSON values.

    `bounds` are the low and high corner of the stored positions, mesh space, metres.
    """
    instance = carried_mesh(model, node)
    assert instance is not None
    part = model.meshes[instance.mesh].primitives[number]
    return {
        "mesh": model.meshes[instance.mesh].name,
        "topology": part.topology,
        "vertices": len(part.positions),
        "triangles": part.triangle_count,
        "attributes": _attributes(part),
        "skin": model.skins[instance.skin].name if instance.skin >= 0 else None,
        "morph_targets": list(part.morph.names) if part.morph is not None else [],
        "bounds": [part.positions.min(axis=0).tolist(), part.positions.max(axis=0).tolist()],
        "bytes": _vertex_bytes(part) + _morph_bytes(part),
    }


def _attributes(part: Primitive) -> list[str]:
    """Return the names of the vertex attributes that are read from a file."""
    influences = 0 if part.weights is None else part.weights.shape[1] // 4
    found = {
        "POSITION": True,
        "NORMAL": part.normals is not None,
        "TANGENT": part.tangents is not None,
        **{f"TEXCOORD_{n}": True for n in range(len(part.texcoords))},
        "COLOR_0": part.colors is not None,
        **{f"{name}_{n}": True for n in range(influences) for name in ("JOINTS", "WEIGHTS")},
    }
    return [name for name, there in found.items() if there]


def material_facts(index: int, material: Material) -> Facts:
    """Return what the statistics list of a material, as JSON values."""
    return {
        "index": index,
        "name": material.name,
        "alpha_mode": material.alpha_mode,
        "double_sided": material.double_sided,
        "unlit": material.unlit,
        "layers": [row.label for row in EXTENSIONS.values() if material.value(row.name)],
        "ior": material.ior,
        "textures": {TEXTURES[key].label: ref.image for key, ref in material.textures.items()},
    }


def camera_facts(model: Model, camera: CameraView) -> Facts:
    """Return a camera; `aspect` is its intended aspect ratio, or None."""
    return {
        "name": camera.name,
        "kind": camera.kind,
        "joint": model.skeleton.names[camera.joint],
        "aspect": camera.aspect or None,
    }


def light_facts(model: Model, light: LightSource) -> Facts:
    """Return a light; lux if directional, else candela; `range` in metres, or None."""
    return {
        "name": light.name,
        "kind": light.kind,
        "joint": model.skeleton.names[light.joint],
        "color": list(light.color),
        "intensity": light.intensity,
        "range": light.range or None,
    }


def _channels(model: Model) -> list[Facts]:
    """Return the value channels besides morph weights, and the clips that animate them."""
    movers: dict[int, list[str]] = {}
    for clip in model.clips:
        for track in clip.tracks:
            if track.path == "values":
                movers.setdefault(track.target, []).append(clip.name)
    return [
        {
            "pointer": channel.pointer,
            "width": channel.width,
            "kind": channel.kind,
            "clips": movers.get(number, []),
        }
        for number, channel in enumerate(model.channels)
        if not channel.is_weights
    ]


def texture_facts(model: Model, index: int) -> Facts:
    """Return an image with its size in pixels and in bytes; only its header is read."""
    image = model.images[index]
    width, height = image.size
    return {
        "index": index,
        "name": image.name,
        "width": width,
        "height": height,
        "bytes": image.nbytes,
    }


def _vertex_bytes(primitive: Primitive) -> int:
    arrays: list[F32 | None] = [
        primitive.positions,
        primitive.normals,
        primitive.tangents,
        primitive.colors,
        primitive.weights,
        *primitive.texcoords,
    ]
    size = sum(array.nbytes for array in arrays if array is not None)
    size += 0 if primitive.joints is None else primitive.joints.size * 2
    return size + (0 if primitive.indices is None else primitive.indices.nbytes)


def _morph_bytes(primitive: Primitive) -> int:
    morph = primitive.morph
    if morph is None:
        return 0
    arrays = (morph.positions, morph.normals, morph.tangents)
    return sum(array.nbytes for array in arrays if array is not None)


def material_notes(material: Facts) -> list[str]:
    """Return the switches and extensions of a material of the statistics, as words."""
    switches = ["double-sided"] * material["double_sided"] + ["unlit"] * material["unlit"]
    index = [f"ior {material['ior']:.4g}"] * (material["ior"] != FACTORS["ior"].default[0])
    return [*switches, *material["layers"], *index]


def camera_words(camera: Facts) -> str:
    """Return kind and aspect ratio of a camera of the statistics."""
    made = f", made for {camera['aspect']:.4g}:1" if camera["aspect"] else ""
    return f"{camera['kind']}{made}"


def light_words(light: Facts) -> str:
    """Return kind, power and range of a light of the statistics."""
    reach = f", up to {light['range']:.4g} m" if light["range"] else ""
    return f"{light['kind']}, {light_power(light)}{reach}"


def light_power(light: Facts) -> str:
    """Return the power of a light of the statistics: lux if directional, else candela."""
    unit = "lx" if light["kind"] == "directional" else "cd"
    return f"{light['intensity']:.4g} {unit}"
