"""Keys in the window: actions, typing, and what pop-ups keep to themselves."""

import math

import pytest

from rigview.session import transport
from rigview.session.actions import ACTIONS
from tests.support.clips import sliding_clip
from tests.support.models import make_model, square
from tests.support.panels import PanelDriver, drawn


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


@pytest.mark.parametrize(
    ("keys", "name"), [("b", "bones"), ("n", "names"), ("x", "axes"), ("w", "wireframe")]
)
def test_switches_by_key(driver, keys, name):
    action = next(each for each in ACTIONS if each.name == name)
    driver.key(keys)
    assert action.checked(driver.session)
    driver.key("left_shift", keys)  # another chord
    assert action.checked(driver.session)


def test_chord_struck_within_one_frame(driver):
    driver.gui.key("left_ctrl", down=True)
    driver.frames()
    driver.gui.key("o", down=True)
    driver.gui.key("left_ctrl", down=False)
    driver.gui.key("o", down=False)
    driver.frames(3)
    assert driver.session.requests == ["open"]


def test_held_key_acts_again_only_where_that_helps(driver):
    transport.pause_at(driver.session, 0.0)
    for name in ("right_arrow", "b"):
        driver.gui.key(name, down=True)
        driver.frames(90)
        driver.gui.key(name, down=False)
        driver.frames(2)
    assert transport.frame(driver.session) > 5
    assert driver.scene.display.skeleton


def test_a_pop_up_keeps_keys_and_mouse_from_the_rest(driver):
    driver.key("f1")
    assert driver.session.interface.popup == "help"
    driver.key("b")
    assert not driver.scene.display.skeleton
    azimuth = driver.scene.camera.azimuth
    driver.drag((300, 600), (500, 600))
    assert driver.scene.camera.azimuth == azimuth
    driver.key("escape")
    assert driver.session.interface.popup == ""
    driver.key("b")
    assert driver.scene.display.skeleton
    assert driver.session.requests == []


def test_question_mark_asks_for_help_and_holding_it_does_not_flicker(driver):
    driver.type("?")
    assert driver.session.interface.popup == "help"
    for _ in range(5):
        driver.gui.text("?")
        driver.frames(2)
    assert driver.session.interface.popup == "help"
    driver.frames(60)
    driver.type("?")
    assert driver.session.interface.popup == ""


def test_brackets_change_the_speed_wherever_they_lie_on_the_keyboard(driver):
    driver.type("]")
    driver.type("]")
    assert transport.speed(driver.session) == 1.5
    driver.type("[")
    assert transport.speed(driver.session) == 1.25


@pytest.mark.parametrize("key", ["keypad3", None])
def test_number_3_looks_from_the_right(driver, key):
    if key is None:
        driver.type("3")
    else:
        driver.key(key)
    assert abs(driver.scene.camera.azimuth) == pytest.approx(math.pi / 2)


def test_tab_hides_all_panels(driver):
    driver.key("tab")
    assert not drawn(driver.picture()).any()
    assert driver.session.interface.view == (0.0, 0.0, 1280.0, 800.0)
    driver.key("tab")
    assert drawn(driver.picture()).any()


def test_keys_do_nothing_while_a_name_is_typed(driver):
    many = tuple(sliding_clip(f"Clip {k}", 0.0, 1.0) for k in range(40))
    driver.session.show(make_model([square()], clips=many))
    driver.frames(3)
    driver.click("search clips")
    driver.type("17")
    driver.key("b")
    assert not driver.scene.display.skeleton
    listed = [name for name in driver.marks if name.startswith("clip ")]
    assert listed == ["clip Clip 17"]
    driver.click("clip Clip 17")
    assert driver.session.character.clip == 17
    driver.key("b")
    assert driver.scene.display.skeleton


def test_panels_are_worked_by_key_after_ctrl_tab(driver):
    driver.gui.key("left_ctrl", down=True)
    driver.frames(2)
    for _ in range(2):
        driver.key("tab")
    driver.gui.key("left_ctrl", down=False)
    driver.frames(3)
    driver.key("down_arrow")
    driver.key("down_arrow")
    assert transport.is_running(driver.session), "arrows are not taken for steps"
    driver.key("space")
    assert driver.scene.display.joint_names
    assert transport.is_running(driver.session), "nor Space for a pause"
    driver.key("escape")
    driver.key("space")
    assert not transport.is_running(driver.session)


def test_a_click_into_a_panel_leaves_arrows_and_space_for_playing(driver):
    driver.click("bones")
    driver.key("space")
    assert not transport.is_running(driver.session)
    assert driver.scene.display.skeleton
