"""All rules, in the order they are told in: a family a module."""

from app.check import bind, footing, ground, joints, oddities, reach, root, seams, weights
from app.check.rule import Rule

RULES: tuple[Rule, ...] = (
    *weights.RULES,
    *bind.RULES,
    *reach.RULES,
    *joints.RULES,
    *seams.RULES,
    *root.RULES,
    *footing.RULES,
    *ground.RULES,
    *oddities.RULES,  # the last: other rules may have read what it tells of
)


def rule(identity: str) -> Rule:
    """Return the rule of that id (KeyError: there is none)."""
    return {each.id: each for each in RULES}[identity]
