"""Panels take turns while a clip plays and nothing is touched."""

from rigview.session.panel_turns import SETTLING, PanelTurns

PLACE = ((0.0, 0.0), 100.0)
PANELS = ("Clips", "Right", "edge")


def kept(turns, *, playing=True, touched=False, size=800.0, model="model", place=PLACE):
    """Begin a frame; return the panels that it does not draw."""
    turns.begin(playing=playing, touched=touched, numbers=(size,), of=(model,))
    return [name for name in PANELS if turns.keeps(name, place)]


def settled():
    turns = PanelTurns()
    for _ in range(SETTLING + 1):
        kept(turns)
    return turns


def test_every_panel_is_drawn_in_one_of_two_frames():
    turns = settled()
    frames = [kept(turns) for _ in range(4)]
    assert sorted(frames[:2]) == [["Clips", "edge"], ["Right", "edge"]]
    assert frames[2:] == frames[:2]


def test_all_are_drawn_for_some_frames_after_a_change():
    for change in ({"playing": False}, {"touched": True}, {"size": 900.0}, {"model": "other"}):
        turns = settled()
        assert kept(turns, **change) == []
        after = {key: value for key, value in change.items() if key in ("size", "model")}
        assert [kept(turns, **after) for _ in range(SETTLING - 1)] == [[]] * (SETTLING - 1)
        assert kept(turns, **after)


def test_a_moved_or_forgotten_panel_is_drawn_at_once():
    turns = settled()
    assert kept(turns, place=((1.0, 0.0), 100.0)) == []
    kept(turns)
    turns.forget("edge")
    assert "edge" not in kept(turns)
    assert "edge" in kept(turns)
