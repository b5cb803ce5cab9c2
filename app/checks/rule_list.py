"""All rules, in the order of their findings."""

from functools import cache
from importlib import import_module

from ..errors import RuleError
from .finding import Rule

_MODULES = (
    "skin_weights",
    "surface",
    "surface_bind",
    "unused_joints",
    "inverse_bind",
    "skin_roots",
    "node_transforms",
    "loop_seams",
    "foot_sliding",
    "floor_penetration",
    "names",
    "mesh_geometry",
    "face_orientation",
    "accessor_bounds",
    "accessor_format",
    "units_and_facing",
    "textures",
    "materials",
    "budgets",
    "extensions",
    "unused_data",
    "key_validity",
    "key_timing",
    "redundant_keys",
    "clip_content",
    "pops",
    "bone_length",
    "track_siblings",
    "exchanged_sides",
    "motion_file",
    "load_warnings",  # last: other rules may replace its findings
)
RULES: tuple[Rule, ...] = tuple(
    rule for name in _MODULES for rule in import_module(f".rules.{name}", __package__).RULES
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
