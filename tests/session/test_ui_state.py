"""The state of the panels."""

from dataclasses import dataclass

from rigview.session.ui_state import Interface


@dataclass
class Search:
    """The state of a panel."""

    text: str = ""


def test_a_panel_has_one_state_in_each_session():
    one, two = Interface(), Interface()
    one.of(Search).text = "foot"
    assert one.of(Search).text == "foot"
    assert two.of(Search).text == ""
