"""A case of a rule: a character with something that it finds, and one that it leaves alone."""

from collections.abc import Callable
from typing import NamedTuple

from rigview.check.subject import Subject


class Case(NamedTuple):
    """What a rule is tried on; `amount` is the number that the broken one's first finding has."""

    broken: Callable[[], Subject]
    sound: Callable[[], Subject]
    amount: float | None = None
    place: str = ""  # where its first finding is
