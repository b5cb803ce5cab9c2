"""Test cases of rules: a context with a finding and one without."""

from collections.abc import Callable
from typing import NamedTuple

from rigview.check.check_context import CheckContext
from rigview.check.examine import examine
from rigview.check.rule_settings import Settings


class Case(NamedTuple):
    """A context with a finding and one without; `amount` and `place` are those of the finding."""

    broken: Callable[[], CheckContext]
    sound: Callable[[], CheckContext]
    amount: float | None = None
    place: str = ""


def findings_of(context, identity):
    """The findings of one rule."""
    return examine(context, Settings(only=(identity,)))
