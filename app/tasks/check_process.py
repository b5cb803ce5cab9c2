"""The work of a background check.

This module does not import the rules: the process of a window does not need them.
"""

from collections.abc import Callable

from .check_report import CheckReport


def check_file(arguments: tuple[str, ...], report: Callable[[float], object]) -> CheckReport:
    """Examine the file that arguments of `rigview check` name; see `examine_alone`."""
    from .check_in_background import examine_alone  # imported late: only in the other process

    return examine_alone(arguments, report)
