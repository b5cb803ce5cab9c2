"""A case of a rule: a character with something that it finds, and one that it leaves alone."""

from collections.abc import Callable
from typing import NamedTuple

from rigview.check.examine import examine
from rigview.check.rule_settings import Settings
from rigview.check.subject import Subject


class Case(NamedTuple):
    """What a rule is tried on; `amount` is the number that the broken one's first finding has."""

    broken: Callable[[], Subject]
    sound: Callable[[], Subject]
    amount: float | None = None
    place: str = ""  # where its first finding is


def findings_of(subject, identity):
    """The findings of one rule."""
    return examine(subject, Settings(only=(identity,)))
