"""Rules about the unit of a character."""

import pytest

from tests.checks.cases_data import scaled
from tests.support.rule_case import messages_of
from tests.support.rule_figure import context, document_change


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (100, "180 m tall: its units are probably centimetres"),
        (1000, "1800 m tall: its units are probably millimetres"),
        (0.01, "0.018 m tall: it was probably scaled down twice"),
        (0.06, None),
    ],
)
def test_units(size, said):
    assert messages_of(context(scaled(size)), "units") == (
        [f"the character is {said}"] if said else []
    )


def test_units_of_files_without_skin_are_not_checked():
    unskinned = document_change(lambda b: (b.json.pop("skins"), b.json["nodes"][7].pop("skin")))
    assert not messages_of(context(scaled(100), unskinned), "units")
