"""Test cases of rules: a context with a finding and one without."""

from collections.abc import Callable
from typing import NamedTuple

from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.rule_settings import Settings


class Case(NamedTuple):
    """A context with a finding and one without; `amount` and `place` are those of the finding."""

    broken: Callable[[], CheckContext]
    sound: Callable[[], CheckContext]
    amount: float | None = None
    place: str = ""


def findings_of(context, identity):
    """The findings of one rule."""
    return examine(context, Settings(only=(identity,)))


def found(make, *rules):
    """The findings of some rules, or of patterns of rules, in a context that `make` returns."""
    return examine(make(), Settings(only=rules))


def one(make, rule):
    """The only finding of a rule."""
    (finding,) = found(make, rule)
    return finding


def messages_of(make, *rules):
    """The messages of the findings of some rules."""
    return [finding.message for finding in found(make, *rules)]
