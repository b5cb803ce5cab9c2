"""All rules, in the order of their findings."""

from dataclasses import replace
from functools import cache
from importlib import import_module

from ..errors import RuleError
from .finding import Group, Rule, rules_of

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
    "accessors": "File",
    "units_and_facing": "File",
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
    for rule in rules_of(import_module(f".rules.{name}", __package__))
)

_KNOWN = {rule.id: rule for rule in RULES}  # with those of users that this process has read


@cache
def all_rules(files: tuple[str, ...] = ()) -> tuple[Rule, ...]:
    """Return our rules, those of installed packages, and those in Python files of the user.

    Raises
    ------
    RuleError
        A file or a package has no rule, its code fails, or two rules have one id.
    """
    from .own_rules import rules_in_files, rules_of_packages

    found = {rule.id: rule for rule in RULES}
    for source in (rules_of_packages(), rules_in_files(files)):
        for name, each in source:
            if found.setdefault(each.id, each) is not each:
                raise RuleError(f"there is another rule {each.id!r}", file=name)
    _KNOWN.update(found)
    return tuple(found.values())


def rule(identity: str) -> Rule:
    """Return the rule with an id, one of a user only after `all_rules`; KeyError: there is none."""
    return _KNOWN[identity]
