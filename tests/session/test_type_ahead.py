"""Type-ahead: typed letters find the next name that begins with them."""

import pytest

from rigview.session.outliner import PAUSE, TypeAhead

NAMES = ("Hips", "Spine", "LeftLeg", "LeftFoot", "Head", "LeftHand", "レッグ")


def found(text, current=-1, now=0.0):
    """Indices found after each letter."""
    typed, places = TypeAhead(), []
    for letter in text:
        typed.type(letter, now)
        found_now = typed.find(NAMES, current)
        current = current if found_now is None else found_now
        places.append(found_now)
    return places


@pytest.mark.parametrize(
    ("text", "current", "places"),
    [
        ("s", -1, [1]),
        ("h", 0, [4]),
        ("h", 4, [0]),
        ("hh", -1, [0, 4]),
        ("hhh", -1, [0, 4, 0]),
        ("he", -1, [0, 4]),
        ("LEFTH", 1, [2, 2, 2, 2, 5]),
        ("leftf", 5, [2, 2, 2, 2, 3]),
        ("x", 2, [None]),
        ("レ", 0, [6]),
    ],
)
def test_names_are_found(text, current, places):
    assert found(text, current) == places


def test_a_pause_begins_a_new_name():
    typed = TypeAhead()
    typed.type("h", 0.0)
    typed.type("e", 0.5)
    assert typed.text == "he"
    typed.type("s", 0.5 + PAUSE)
    assert typed.text == "s"
    assert typed.find((), -1) is None
    assert TypeAhead().find(NAMES, 0) is None


def test_characters_of_names():
    typed = TypeAhead()
    assert all(typed.takes(each, 0.0) for each in "aB7é骨")
    assert not any(typed.takes(each, 0.0) for each in "_-.:[]? "), "shortcuts before a letter"
    typed.type("a", 0.0)
    assert all(typed.takes(each, 0.5 * PAUSE) for each in "a_-.:")
    assert not any(typed.takes(each, 0.5 * PAUSE) for each in "[]? ")
    assert not typed.takes(".", 2.0 * PAUSE)
