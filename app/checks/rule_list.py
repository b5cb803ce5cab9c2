"""All rules, in the order of their findings."""

from dataclasses import replace
from importlib import import_module

from .finding import Group, Rule

_MODULES: dict[str, Group] = {  # what most of its rules are about
    "skin_weights": "Rig",
    "surface": "Rig",
    "unused_joints": "Rig",
    "inverse_bind": "Rig",
    "skin_roots": "Rig",
    "node_transforms": "Rig",
    "loop_seams": "Motion",
    "foot_sliding": "Motion",
    "floor_penetration": "Motion",
    "names": "File",
    "mesh_geometry": "Mesh",
    "face_orientation": "Mesh",
    "accessor_bounds": "File",
    "accessor_format": "File",
    "units_and_facing": "File",
    "textures": "Material",
    "materials": "Material",
    "budgets": "File",
    "extensions": "File",
    "unused_data": "File",
    "key_validity": "File",
    "key_timing": "Motion",
    "redundant_keys": "File",
    "clip_content": "Motion",
    "pops": "Motion",
    "bone_length": "Motion",
    "track_siblings": "Motion",
    "exchanged_sides": "Motion",
    "motion_file": "Motion",
    "load_warnings": "Motion",  # last: other rules may replace its findings
}
RULES: tuple[Rule, ...] = tuple(
    replace(rule, group=rule.group or group)
    for name, group in _MODULES.items()
    for rule in import_module(f".rules.{name}", __package__).RULES
)


def rule(identity: str) -> Rule:
    """Return the rule with an id; KeyError if there is none."""
    return {candidate.id: candidate for candidate in RULES}[identity]
