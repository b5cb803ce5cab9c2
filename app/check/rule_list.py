"""All rules, in the order of their findings."""

from .finding import Rule
from .rules import (
    accessor_bounds,
    accessor_format,
    bone_length,
    budgets,
    clip_content,
    extensions,
    floor_penetration,
    foot_sliding,
    inverse_bind,
    key_timing,
    key_validity,
    load_warnings,
    loop_seams,
    mesh_geometry,
    motion_file,
    names,
    node_transforms,
    pops,
    redundant_keys,
    skin_roots,
    skin_weights,
    textures,
    units_and_facing,
    unused_data,
    weight_reach,
)

RULES: tuple[Rule, ...] = (
    *skin_weights.RULES,
    *weight_reach.RULES,
    *inverse_bind.RULES,
    *skin_roots.RULES,
    *node_transforms.RULES,
    *loop_seams.RULES,
    *foot_sliding.RULES,
    *floor_penetration.RULES,
    *names.RULES,
    *mesh_geometry.RULES,
    *accessor_bounds.RULES,
    *accessor_format.RULES,
    *units_and_facing.RULES,
    *textures.RULES,
    *budgets.RULES,
    *extensions.RULES,
    *unused_data.RULES,
    *key_validity.RULES,
    *key_timing.RULES,
    *redundant_keys.RULES,
    *clip_content.RULES,
    *pops.RULES,
    *bone_length.RULES,
    *motion_file.RULES,
    *load_warnings.RULES,  # last: other rules may replace its findings
)


def rule(identity: str) -> Rule:
    """Return the rule with an id; KeyError if there is none."""
    return {candidate.id: candidate for candidate in RULES}[identity]
