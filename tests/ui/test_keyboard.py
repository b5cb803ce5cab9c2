"""Keys in the window: actions, typing, and what pop-ups keep to themselves."""

import math

import pytest

from rigview.session import transport
from rigview.session.actions import ACTIONS
from tests.session.test_transport import clip
from tests.support.models import make_model, square
from tests.support.panels import Hands, drawn


@pytest.fixture
def hands(gl):
    hands = Hands(gl)
    yield hands
    hands.close()


@pytest.mark.parametrize(
    ("keys", "name"), [("b", "bones"), ("n", "names"), ("x", "axes"), ("w", "wireframe")]
)
def test_switches_by_key(hands, keys, name):
    action = next(each for each in ACTIONS if each.name == name)
    hands.key(keys)
    assert action.checked(hands.session)
    hands.key("left_shift", keys)  # another chord
    assert action.checked(hands.session)


def test_chord_struck_within_one_frame(hands):
    hands.gui.key("left_ctrl", down=True)
    hands.frames()
    hands.gui.key("o", down=True)
    hands.gui.key("left_ctrl", down=False)
    hands.gui.key("o", down=False)
    hands.frames(3)
    assert hands.session.requests == ["open"]


def test_held_key_acts_again_only_where_that_helps(hands):
    transport.hold(hands.session, 0.0)
    for name in ("right_arrow", "b"):
        hands.gui.key(name, down=True)
        hands.frames(90)
        hands.gui.key(name, down=False)
        hands.frames(2)
    assert transport.frame(hands.session) > 5
    assert hands.scene.display.skeleton


def test_a_pop_up_keeps_keys_and_mouse_from_the_rest(hands):
    hands.key("f1")
    assert hands.session.interface.popup == "help"
    hands.key("b")
    assert not hands.scene.display.skeleton
    azimuth = hands.scene.camera.azimuth
    hands.drag((300, 600), (500, 600))
    assert hands.scene.camera.azimuth == azimuth
    hands.key("escape")
    assert hands.session.interface.popup == ""
    hands.key("b")
    assert hands.scene.display.skeleton
    assert hands.session.requests == []


def test_question_mark_asks_for_help_and_holding_it_does_not_flicker(hands):
    hands.type("?")
    assert hands.session.interface.popup == "help"
    for _ in range(5):
        hands.gui.text("?")
        hands.frames(2)
    assert hands.session.interface.popup == "help"
    hands.frames(60)
    hands.type("?")
    assert hands.session.interface.popup == ""


def test_brackets_change_the_speed_wherever_they_lie_on_the_keyboard(hands):
    hands.type("]")
    hands.type("]")
    assert transport.speed(hands.session) == 1.5
    hands.type("[")
    assert transport.speed(hands.session) == 1.25


@pytest.mark.parametrize("key", ["keypad3", None])
def test_number_3_looks_from_the_right(hands, key):
    if key is None:
        hands.type("3")
    else:
        hands.key(key)
    assert abs(hands.scene.camera.azimuth) == pytest.approx(math.pi / 2)


def test_tab_hides_all_panels(hands):
    hands.key("tab")
    assert not drawn(hands.picture()).any()
    assert hands.session.interface.view == (0.0, 0.0, 1280.0, 800.0)
    hands.key("tab")
    assert drawn(hands.picture()).any()


def test_keys_do_nothing_while_a_name_is_typed(hands):
    many = tuple(clip(f"Clip {k}", 0.0, 1.0) for k in range(40))
    hands.session.show(make_model([square()], clips=many))
    hands.frames(3)
    hands.click("search clips")
    hands.type("17")
    hands.key("b")
    assert not hands.scene.display.skeleton
    listed = [name for name in hands.marks if name.startswith("clip ")]
    assert listed == ["clip Clip 17"]
    hands.click("clip Clip 17")
    assert hands.session.character.clip == 17
    hands.key("b")
    assert hands.scene.display.skeleton


def test_panels_are_worked_by_key_after_ctrl_tab(hands):
    hands.gui.key("left_ctrl", down=True)
    hands.frames(2)
    for _ in range(2):
        hands.key("tab")
    hands.gui.key("left_ctrl", down=False)
    hands.frames(3)
    hands.key("down_arrow")
    hands.key("down_arrow")
    assert transport.is_running(hands.session), "arrows are not taken for steps"
    hands.key("space")
    assert hands.scene.display.joint_names
    assert transport.is_running(hands.session), "nor Space for a pause"
    hands.key("escape")
    hands.key("space")
    assert not transport.is_running(hands.session)


def test_a_click_into_a_panel_leaves_arrows_and_space_for_playing(hands):
    hands.click("bones")
    hands.key("space")
    assert not transport.is_running(hands.session)
    assert hands.scene.display.skeleton
