"""Where a finding is in a model: its joint or part of a mesh, its clip and its time."""

import re
from typing import NamedTuple

from ..check.finding import Finding
from ..model.model import Model
from ..scene.selected import Selected

_PLACE = re.compile(r"/(nodes|skins|meshes|materials|animations)/(\d+)(?:/(\w+)/(\d+))?")


class FindingTarget(NamedTuple):
    """Where a finding is, by indices of the model."""

    selected: Selected | None  # the joint or the part of a mesh; None: neither is known
    clip: int  # -1: it is about no clip
    time: float | None  # seconds of the clip
    part: Selected | None = None  # of the faulty vertices
    vertices: tuple[int, ...] = ()  # of the part


def target_of(model: Model, finding: Finding) -> FindingTarget:
    """Return where a finding is; names that the model lacks are left out."""
    found = _PLACE.match(finding.place)
    kind, number, inner, part = found.groups() if found else ("", "-1", "", None)
    clip = _clip(model, finding.clip, int(number) if kind == "animations" else -1)
    joint = model.skeleton.find(finding.joint) if finding.joint else -1
    if kind == "nodes" and (joint < 0 or model.skeleton.names[joint] == finding.joint):
        joint = _joint_of_node(model, int(number))
    primitive = int(part) if part is not None and inner == "primitives" else 0
    on = _part(model, kind, int(number), primitive, finding.item)
    chosen = on if joint < 0 else Selected(joint)
    return FindingTarget(chosen, clip, finding.time, on, finding.vertices)


def _clip(model: Model, name: str, number: int) -> int:
    """Return the index of a clip by name and, if several have the name, by number."""
    if 0 <= number < len(model.clips) and name in ("", model.clips[number].name):
        return number
    return next((k for k, clip in enumerate(model.clips) if clip.name == name), -1)


def _joint_of_node(model: Model, node: int) -> int:
    joints = model.skeleton.joint_of_node
    return int(joints[node]) if node < len(joints) else -1


def _part(model: Model, kind: str, number: int, primitive: int, item: str) -> Selected | None:
    """Return the first part of a mesh in the scene that a place or the name of a mesh means."""
    for instance in model.instances:
        mesh = model.meshes[instance.mesh]
        materials = [part.material for part in mesh.primitives]
        if not instance.in_scene or not materials:
            continue
        if kind == "materials" and number in materials:
            return Selected(instance.joint, materials.index(number))
        right = {"meshes": instance.mesh, "skins": instance.skin}.get(kind) == number
        if right or (not kind and item and mesh.name == item):
            return Selected(instance.joint, primitive if primitive < len(materials) else 0)
    return None
