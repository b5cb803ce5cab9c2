"""All rules, in the order they are told in: a family a module."""

from app.check.rule import Rule

RULES: tuple[Rule, ...] = ()


def rule(identity: str) -> Rule:
    """Return the rule of that id (KeyError: there is none)."""
    return {each.id: each for each in RULES}[identity]
