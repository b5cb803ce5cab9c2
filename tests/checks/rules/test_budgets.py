"""Rules about budgets."""

from tests.checks.cases_names import chain
from tests.support.rule_case import messages_of
from tests.support.rule_figure import context


def test_palette_of_342_joints():
    assert messages_of(context(chain(335)), "budget-palette") == [
        "the palette of skin “Figure” needs 16 KiB with 3 × 4 matrices and 21.4 KiB with 4 × 4 "
        "(1368 vec4); 16 KiB hold 341 of its 342 joints"
    ]
