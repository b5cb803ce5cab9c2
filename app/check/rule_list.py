"""All rules, in the order of their findings."""

from .rule import Rule
from .rules import (
    bone_length,
    budgets,
    character_facing,
    character_height,
    clip_content,
    engine_names,
    extensions,
    floor_penetration,
    foot_sliding,
    inverse_bind,
    joint_scale,
    key_timing,
    key_validity,
    load_warnings,
    loop_seams,
    mesh_geometry,
    motion_file,
    names,
    noise,
    pops,
    redundant_keys,
    root_drift,
    skin_weights,
    textures,
    unused_data,
    unused_joints,
    weight_reach,
)

RULES: tuple[Rule, ...] = (
    *skin_weights.RULES,
    *weight_reach.RULES,
    *unused_joints.RULES,
    *inverse_bind.RULES,
    *joint_scale.RULES,
    *loop_seams.RULES,
    *root_drift.RULES,
    *foot_sliding.RULES,
    *floor_penetration.RULES,
    *names.RULES,
    *engine_names.RULES,
    *mesh_geometry.RULES,
    *character_height.RULES,
    *character_facing.RULES,
    *textures.RULES,
    *budgets.RULES,
    *extensions.RULES,
    *unused_data.RULES,
    *key_validity.RULES,
    *key_timing.RULES,
    *redundant_keys.RULES,
    *clip_content.RULES,
    *pops.RULES,
    *noise.RULES,
    *bone_length.RULES,
    *motion_file.RULES,
    *load_warnings.RULES,  # last: other rules may replace its findings
)


def rule(identity: str) -> Rule:
    """Return the rule with an id; KeyError if there is none."""
    return {candidate.id: candidate for candidate in RULES}[identity]
