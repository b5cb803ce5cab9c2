"""`rigview info`: print the contents of a file, or a table of several, as text or JSON."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..model.facing import axis_name
from ..model.model import Model
from ..model.statistics import Facts, camera_words, describe, light_words, material_notes
from ..options.command_options import Names, Options
from ..tasks.file_results import FileResults
from ..tasks.input_file import each_file, load_source, source_name
from ..tasks.output import STANDARD, write
from ..wording import columns, counted, decimal_size, one_line

_SWAY = 0.05  # of the hips' height: shorter distances count as in place
_LISTED = 3  # meshes of a skin that are listed by name
_NAMES: dict[Names, Callable[[Model], list[str]]] = {
    "clips": lambda model: [clip.name for clip in model.clips],
    "joints": lambda model: [model.skeleton.names[joint] for joint in model.skeleton.joint_of_node],
    "meshes": lambda model: [mesh.name for mesh in model.meshes],
    "materials": lambda model: [material.name for material in model.materials],
    "cameras": lambda model: [camera.name for camera in model.cameras],
    "variants": lambda model: list(model.variants),
}


def run(options: Options) -> int:
    """Print the contents of the files; returns the exit code."""
    files, kind = each_file(options), options.output.names
    several = len(options.files) > 1 or any(map(os.path.isdir, options.files))
    results = FileResults(options, file_facts, files)
    rows = [*results.in_order().values()]
    if options.output.json:
        errors = [
            {"file": source_name(files[number]), "error": str(results.errors[number])}
            for number in sorted(results.errors)
        ]
        shown = [*rows, *errors] if several else rows[0] if kind is None else rows[0][kind]
        text = json.dumps(shown, ensure_ascii=False, indent=None if kind else 2)
    elif kind is not None:
        lines = (
            f"{row['file']}: {name}" if several else name for row in rows for name in row[kind]
        )
        text = "\n".join(map(one_line, lines))
    else:
        text = as_table(rows) if several else as_text(rows[0])
    write(STANDARD, f"{text}\n".encode() if text else b"")
    return results.code


def file_facts(options: Options) -> Facts:
    """Return the contents of a file, or the names of --names."""
    model, kind = load_source(options), options.output.names
    facts: Facts = {"file": source_name(options)}
    return facts | (describe(model) if kind is None else {kind: _NAMES[kind](model)})


def as_table(files: Sequence[Facts]) -> str:
    """Return a line for each file."""
    rows = [
        {
            "file": facts["file"],
            "size": decimal_size(facts["bytes"]),
            "clips": len(facts["clips"]),
            "length": f"{sum(clip['end'] for clip in facts['clips']):.4g} s",
            "joints": sum(joint["skinned"] for joint in facts["joints"]),
            "vertices": sum(mesh["vertices"] for mesh in facts["meshes"]),
            "triangles": sum(mesh["triangles"] for mesh in facts["meshes"]),
            "morph targets": sum(len(mesh["morph_targets"]) for mesh in facts["meshes"]),
            "materials": len(facts["materials"]),
            "textures": len(facts["textures"]),
            "GPU memory": decimal_size(facts["gpu_bytes"]["total"]),
            "warnings": len(facts["warnings"]),
        }
        for facts in files
    ]
    return _table(counted(len(rows), "file"), rows)


def as_text(facts: Facts) -> str:
    """Return the contents as lines of text."""
    blocks = [
        _head(facts),
        _clips(facts["clips"]),
        _joints(facts),
        _meshes(facts["meshes"]),
        _materials(facts["materials"]),
        _textures(facts["textures"]),
        _rest(facts),
    ]
    return "\n\n".join(block for block in blocks if block)


def _head(facts: Facts) -> str:
    kind = f"{facts['format']} {facts['version']}".strip()
    lines = [f"{one_line(facts['file'])}: {kind}, {decimal_size(facts['bytes'])}"]
    for key in ("generator", "copyright"):
        if facts[key]:
            lines.append(f"  {key}: {one_line(facts[key])}")
    if facts["facing_found"]:
        lines.append(f"  faces {axis_name(facts['facing'])}")
    return "\n".join(lines)


def _clips(clips: Sequence[Facts]) -> str:
    if not clips:
        return "Animations: none"
    travels = [_travel(clip["root"]) for clip in clips]
    rows = [
        {
            "#": clip["index"],
            "name": clip["name"],
            "range": f"{clip['start']:.4g} to {clip['end']:.4g} s",
            "tracks": clip["tracks"],
            "joints": clip["joints"],
            "keys": clip["keys"],
            "interpolation": " ".join(clip["interpolation"]),
            "size": decimal_size(clip["bytes"]),
            **({"travels": travel} if any(travels) else {}),
        }
        for clip, travel in zip(clips, travels, strict=True)
    ]
    return _table(f"Animations: {len(clips)}", rows)


def _travel(root: Facts | None) -> str:
    """Return the distance and speed of the hips in a pass, ``""`` if in place."""
    if root is None or root["distance"] <= _SWAY * abs(root["height"]):
        return ""
    return f"{root['distance']:.3g} m, {root['speed']:.3g} m/s"


def _joints(facts: Facts) -> str:
    joints = facts["joints"]
    skinned = sum(joint["skinned"] for joint in joints)
    depth = max((joint["depth"] + 1 for joint in joints), default=0)
    lines = [f"Joints: {len(joints)} nodes, {skinned} of them in a skin, {depth} levels deep"]
    names = {mesh["index"]: mesh["name"] for mesh in facts["meshes"]}
    for skin in facts["skins"]:
        moved = ", ".join(one_line(names[mesh]) for mesh in skin["meshes"][:_LISTED]) or "no mesh"
        if len(skin["meshes"]) > _LISTED:
            moved = f"{len(skin['meshes'])} meshes"
        lines.append(f"  {one_line(skin['name'])}: {len(skin['joints'])} joints, moves {moved}")
    if facts["influences"]:
        counted = ", ".join(f"{count} by {n}" for n, count in facts["influences"].items())
        lines.append(f"  Vertices by number of influences: {counted}")
    return "\n".join(lines)


def _meshes(meshes: Sequence[Facts]) -> str:
    if not meshes:
        return "Meshes: none"
    instanced = any(mesh["instances"] > len(mesh["nodes"]) for mesh in meshes)
    rows = [
        {
            "#": mesh["index"],
            "name": mesh["name"],
            "primitives": mesh["primitives"],
            "vertices": mesh["vertices"],
            "triangles": mesh["triangles"],
            "morph targets": len(mesh["morph_targets"]),
            "moved": "skinned" if mesh["skinned"] else "rigid",
            **({"instances": mesh["instances"]} if instanced else {}),
        }
        for mesh in meshes
    ]
    title = f"Meshes: {len(meshes)}"
    if instanced:
        vertices, triangles = (
            sum(mesh[key] * mesh["instances"] for mesh in meshes)
            for key in ("vertices", "triangles")
        )
        title += f"; drawn {vertices} vertices, {triangles} triangles"
    return _table(title, rows)


def _materials(materials: Sequence[Facts]) -> str:
    rows = [
        {
            "#": material["index"],
            "name": material["name"],
            "alpha": material["alpha_mode"],
            "notes": ", ".join(material_notes(material)) or "-",
            "textures": ", ".join(f"{name} {k}" for name, k in material["textures"].items()) or "-",
        }
        for material in materials
    ]
    return _table(f"Materials: {len(materials)}", rows)


def _textures(textures: Sequence[Facts]) -> str:
    rows = [
        {
            "#": texture["index"],
            "name": texture["name"],
            "pixels": f"{texture['width']} x {texture['height']}",
            "size": decimal_size(texture["bytes"]),
        }
        for texture in textures
    ]
    return _table(f"Textures: {len(textures)}", rows)


def _rest(facts: Facts) -> str:
    lines = []
    for camera in facts["cameras"]:
        where = f"on {one_line(camera['joint'])}"
        lines.append(f"Camera: {one_line(camera['name'])}, {camera_words(camera)}, {where}")
    for light in facts["lights"]:
        where = f"on {one_line(light['joint'])}"
        lines.append(f"Light: {one_line(light['name'])}, {light_words(light)}, {where}")
    if facts["variants"]:
        lines.append(f"Variants: {one_line(', '.join(facts['variants']))}")
    for channel in facts["channels"]:
        clips = ", ".join(channel["clips"]) or "nothing"
        lines.append(f"Moves: {one_line(channel['pointer'])}, by {one_line(clips)}")
    extensions = facts["extensions"]
    for key, words in (("used", "Extensions"), ("not_drawn", "Not drawn")):
        if extensions[key]:
            required = extensions["required"]
            names = [f"{name} (required)" if name in required else name for name in extensions[key]]
            lines.append(f"{words}: {one_line(', '.join(names))}")
    for packed in facts["packed"]:
        share = f"{decimal_size(packed['bytes'])}, unpacked {decimal_size(packed['unpacked'])}"
        lines.append(f"Packed by {packed['extension']}: {share}")
    sizes = facts["gpu_bytes"]
    parts = ", ".join(
        f"{kind.replace('_', ' ')} {decimal_size(size)}"
        for kind, size in sizes.items()
        if kind != "total" and size
    )
    lines.append(
        f"GPU memory: about {decimal_size(sizes['total'])}" + (f" ({parts})" if parts else "")
    )
    lines.append(f"Warnings: {len(facts['warnings']) or 'none'}")
    lines += [f"  {one_line(warning)}" for warning in facts["warnings"]]
    return "\n".join(lines)


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table with a title, numbers aligned right and text left; "" without rows."""
    if not rows:
        return ""
    cells = [[*rows[0]], *([one_line(str(value)) for value in row.values()] for row in rows)]
    numeric = [c for c in range(len(rows[0])) if all(row[c].isdigit() for row in cells[1:])]
    return "\n".join([title, *(f"  {line}" for line in columns(cells, numeric))])
