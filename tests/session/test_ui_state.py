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


def test_more_frames_while_a_panel_waits():
    interface = Interface()
    interface.wait("curves", awaited=True)
    interface.wait("seam", awaited=False)
    assert interface.waiting == {"curves"}
    interface.wait("curves", awaited=False)
    assert not interface.waiting
