"""All rules, in the order they are told in: a family a module."""

from . import (
    bind,
    budgets,
    clips,
    engines,
    extensions,
    footing,
    ground,
    joints,
    keys,
    meshes,
    motions,
    names,
    oddities,
    pops,
    reach,
    root,
    scale,
    seams,
    textures,
    tracks,
    unused,
    weights,
)
from .rule import Rule

RULES: tuple[Rule, ...] = (
    *weights.RULES,
    *reach.RULES,
    *joints.RULES,
    *bind.RULES,
    *scale.RULES,
    *seams.RULES,
    *root.RULES,
    *footing.RULES,
    *ground.RULES,
    *names.RULES,
    *engines.RULES,
    *meshes.RULES,
    *textures.RULES,
    *budgets.RULES,
    *extensions.RULES,
    *unused.RULES,
    *keys.RULES,
    *tracks.RULES,
    *clips.RULES,
    *pops.RULES,
    *motions.RULES,
    *oddities.RULES,  # the last: other rules may have read what it tells of
)


def rule(identity: str) -> Rule:
    """Return the rule of that id (KeyError: there is none)."""
    return {each.id: each for each in RULES}[identity]
