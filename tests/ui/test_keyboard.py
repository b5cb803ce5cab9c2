"""Keys in the window: actions, typing, pop-ups and keyboard navigation."""

import math

import pytest
from imgui_bundle import imgui

from rigview.motion.document import LayerSettings, MotionDoc
from rigview.session.commands.actions import ACTIONS
from rigview.window.input_queue import Key, Text
from tests.support.clips import sliding_clip
from tests.support.models import make_model, show_model, square
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


def test_chord_within_one_frame(driver):
    driver.gui.add(Key("left_ctrl", True))
    driver.frames()
    driver.gui.add(Key("o", True))
    driver.gui.add(Key("left_ctrl", False))
    driver.gui.add(Key("o", False))
    driver.frames(3)
    assert driver.session.interface.requests == ["open"]


def test_key_repeat(driver):
    driver.session.transport.pause_at(0.0)
    for name in ("right_arrow", "b"):
        driver.gui.add(Key(name, True))
        driver.frames(90)
        driver.gui.add(Key(name, False))
        driver.frames(2)
    assert driver.session.transport.frame > 5
    assert driver.scene.look.overlays.skeleton


def test_pop_up_blocks_keys_and_mouse(driver):
    driver.key("f1")
    assert driver.session.interface.popup == "help"
    driver.key("b")
    assert not driver.scene.look.overlays.skeleton
    azimuth = driver.scene.camera.orbit.azimuth
    driver.drag((300, 600), (500, 600))
    assert driver.scene.camera.orbit.azimuth == azimuth
    driver.key("escape")
    assert driver.session.interface.popup == ""
    driver.key("b")
    assert driver.scene.look.overlays.skeleton
    assert driver.session.interface.requests == []


def test_question_mark_opens_help_once(driver):
    driver.type("?")
    assert driver.session.interface.popup == "help"
    for _ in range(5):
        driver.gui.add(Text("?"))
        driver.frames(2)
    assert driver.session.interface.popup == "help"
    driver.frames(60)
    driver.type("?")
    assert driver.session.interface.popup == ""


def test_brackets_as_typed_characters(driver):
    driver.type("]")
    driver.type("]")
    assert driver.session.transport.speed == 1.5
    driver.type("[")
    assert driver.session.transport.speed == 1.25


@pytest.mark.parametrize("key", ["keypad3", None])
def test_number_3_is_the_right_view(driver, key):
    if key is None:
        driver.type("3")
    else:
        driver.key(key)
    assert abs(driver.scene.camera.orbit.azimuth) == pytest.approx(math.pi / 2)


def test_tab_hides_all_panels(driver):
    driver.key("tab")
    assert not drawn(driver.picture()).any()
    assert driver.session.interface.viewport.box == (0.0, 0.0, 1280.0, 800.0)
    driver.key("tab")
    assert drawn(driver.picture()).any()


def test_keys_are_ignored_while_typing(driver):
    many = tuple(sliding_clip(f"Clip {k}", 0.0, 1.0) for k in range(40))
    show_model(driver.session, make_model([square()], clips=many))
    driver.frames(3)
    driver.click("search clips")
    driver.type("17")
    driver.key("b")
    assert not driver.scene.look.overlays.skeleton
    listed = [name for name in driver.marks if name.startswith("clip ")]
    assert listed == ["clip Clip 17"]
    driver.click("clip Clip 17")
    assert driver.session.character.clip == 17
    driver.key("b")
    assert driver.scene.look.overlays.skeleton


def test_keyboard_navigation_after_ctrl_tab(driver):
    driver.gui.add(Key("left_ctrl", True))
    driver.frames(2)
    for _ in range(2):
        driver.key("tab")
    driver.gui.add(Key("left_ctrl", False))
    driver.frames(3)
    for _ in range(2):  # from the tabs over the camera
        driver.key("down_arrow")
    assert driver.session.transport.running, "arrows do not step"
    driver.key("space")
    assert driver.scene.camera.orbit.ortho
    assert driver.session.transport.running, "Space does not pause"
    driver.key("escape")
    driver.key("space")
    assert not driver.session.transport.running


def test_arrows_and_space_control_playback_after_a_click(driver):
    driver.click("bones")
    driver.key("space")
    assert not driver.session.transport.running
    assert driver.scene.look.overlays.skeleton


def wave_over_walk(session):
    layers = LayerSettings("base", "Walk"), LayerSettings("arm", "Wave")
    session.editor.edit(MotionDoc(layers=layers), "Layers")


def test_keys_in_a_list_of_clips_only_control_the_list(driver):
    session = driver.session
    wave_over_walk(session)
    driver.frames(3)
    driver.key("space")
    driver.key("m")
    driver.frames(3)
    driver.click("layer arm")
    driver.frames(3)
    time = session.transport.time
    driver.click("play arm")
    for key in ("down_arrow", "right_arrow", "page_down", "down_arrow", "down_arrow"):
        driver.key(key)
    assert imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    driver.key("space")
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup), "Space takes an entry"
    assert session.editor.document.layers[1].play != "Wave"
    assert session.transport.time == time
    assert not session.transport.running
    driver.key("space")
    assert session.transport.running, "keys work again when the list is closed"


def test_enter_in_a_searched_list_takes_the_first_match(driver):
    session = driver.session
    wave_over_walk(session)
    driver.frames(3)
    driver.key("m")
    driver.frames(3)
    driver.click("layer arm")
    driver.click("play arm")
    driver.key("enter")
    assert session.editor.document.layers[1].play == "Wave", "nothing was typed"
    driver.key("escape")
    driver.key("escape")
    driver.click("play arm")
    driver.type("lea")
    driver.key("enter")
    assert session.editor.document.layers[1].play == "LeanLeft"
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    driver.key("b")
    assert driver.scene.look.overlays.skeleton


@pytest.mark.parametrize("opener", ["loop", "menu View"])
def test_lists_and_menus_block_shortcuts(driver, opener):
    driver.click(opener)
    assert imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    driver.key("b")
    driver.key("f1")
    driver.type("]")
    assert not driver.scene.look.overlays.skeleton
    assert driver.session.interface.popup == ""
    assert driver.session.transport.speed == 1.0
    driver.key("escape")
    driver.key("b")
    assert driver.scene.look.overlays.skeleton


def test_enter_in_a_search_field_takes_the_first_match(driver):
    many = tuple(sliding_clip(f"Clip {k}", 0.0, 1.0) for k in range(40))
    show_model(driver.session, make_model([square()], clips=many))
    driver.frames(3)
    driver.click("search clips")
    driver.type("17")
    driver.key("keypad_enter")
    assert driver.session.character.clip == 17
    driver.key("b")
    assert driver.scene.look.overlays.skeleton, "the field has lost the keyboard"
