"""Goals of numbers, and the verdict: which of two programs is nearer to a goal."""

import math
from dataclasses import dataclass

VERDICTS = ("better", "level", "worse")


@dataclass(frozen=True)
class Goal:
    """What a number should be: at least `low`, at most `high`, or between both.

    Between two limits all numbers are equally good. With one limit, more than enough is better.

    Attributes
    ----------
    even
        Difference of two numbers that is not seen: they are level.
    """

    low: float = -math.inf
    high: float = math.inf
    even: float = 0.0

    def __post_init__(self):
        assert math.isfinite(self.low) or math.isfinite(self.high)

    def is_met(self, number):
        """Whether a number reaches the threshold."""
        return number is not None and self.low <= number <= self.high

    def merit(self, number):
        """A number that is greater the better it is; between two limits 0."""
        if math.isinf(self.high):
            return number
        if math.isinf(self.low):
            return -number
        return -max(self.low - number, number - self.high, 0.0)

    def verdict(self, number, other):
        """How a number compares with another program's; None if one of them is missing."""
        if number is None or other is None:
            return None
        lead = self.merit(number) - self.merit(other)
        if abs(lead) <= self.even + 1e-9:
            return "level"
        return "better" if lead > 0 else "worse"

    def __str__(self):
        if math.isinf(self.high):
            return f"≥ {self.low:g}"
        return f"≤ {self.high:g}" if math.isinf(self.low) else f"{self.low:g} to {self.high:g}"


def holding(verdicts):
    """How many verdicts are better or level."""
    return sum(each in ("better", "level") for each in verdicts)
