"""All rules, in the order of their findings."""

from importlib import import_module

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


def rule(identity: str) -> Rule:
    """Return the rule with an id; KeyError if there is none."""
    return {candidate.id: candidate for candidate in RULES}[identity]
