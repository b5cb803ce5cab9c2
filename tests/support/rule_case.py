"""Test cases of rules: a subject with a finding and one without."""

from collections.abc import Callable
from typing import NamedTuple

from rigview.check.examine import examine
from rigview.check.rule_settings import Settings
from rigview.check.subject import Subject


class Case(NamedTuple):
    """A subject with a finding and one without; `amount` and `place` are those of the finding."""

    broken: Callable[[], Subject]
    sound: Callable[[], Subject]
    amount: float | None = None
    place: str = ""


def findings_of(subject, identity):
    """The findings of one rule."""
    return examine(subject, Settings(only=(identity,)))
