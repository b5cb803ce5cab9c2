"""All rules, in the order they are told in: a family a module."""

from app.check import oddities, root, seams
from app.check.rule import Rule

RULES: tuple[Rule, ...] = (
    *seams.RULES,
    *root.RULES,
    *oddities.RULES,  # the last: other rules may have read what it tells of
)


def rule(identity: str) -> Rule:
    """Return the rule of that id (KeyError: there is none)."""
    return {each.id: each for each in RULES}[identity]
