"""The mixer by mouse and keys: layers, weights, masks, fades, undo, redo, saved and read back."""

import shutil
from dataclasses import replace

import pytest

from rigview.motion import playable
from rigview.motion.document import Fade, LayerSettings, MotionDoc, Nested, Set, StillPose
from rigview.motion.read import read_motion
from rigview.resources import asset_path
from rigview.session import transport
from tests.support.full_motion_file import DOCUMENT, TIMED_CHANGES
from tests.support.panels import PanelDriver, drawn


@pytest.fixture
def driver(gl, tmp_path):
    driver = PanelDriver(gl, shutil.copy(asset_path("mannequin.glb"), tmp_path / "figure.glb"))
    yield driver
    driver.close()


@pytest.fixture
def mixing(driver):
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    driver.frames(3)
    return driver


def document(driver):
    return driver.session.editor.document


def layer(driver, name):
    return next(each for each in document(driver).layers if each.name == name)


def drag_to(driver, name, share):
    left, top, right, bottom = driver.marks[name]
    middle = (top + bottom) / 2
    driver.drag((left + 2, middle), (left + share * (right - left), middle))
    driver.frames(2)


def choose(driver, name, what):
    """Pick an entry of a list that has to be searched."""
    driver.click(name)
    driver.type(what)
    driver.click(f"{name} {what}")


def test_mixer_is_hidden_by_default(driver):
    assert "make layers" not in driver.marks
    before = driver.picture()
    driver.key("m")
    assert "make layers" in driver.marks
    driver.key("m")
    assert "make layers" not in driver.marks
    assert (drawn(driver.picture()) == drawn(before)).mean() > 0.99
    assert document(driver) == MotionDoc()


def test_creating_layers(driver):
    driver.click("clip Walk")
    driver.key("m")
    driver.click("make layers")
    driver.frames(3)
    assert document(driver).layers == (LayerSettings("base", "Walk"),)
    assert driver.session.editor.shown
    choose(driver, "add layer", "Wave")
    assert document(driver).layers[1] == LayerSettings("Wave", "Wave")
    assert driver.session.interface.mixer_panels.layer == "Wave"


def test_dragging_a_weight_and_undo(mixing):
    drag_to(mixing, "weight wave", 0.25)
    assert layer(mixing, "wave").weight == pytest.approx(0.25, abs=0.02)
    mixing.key("left_ctrl", "z")
    assert document(mixing) == DOCUMENT
    mixing.key("left_ctrl", "left_shift", "z")
    assert layer(mixing, "wave").weight == pytest.approx(0.25, abs=0.02)


def test_mute_and_solo(mixing):
    mixing.click("mute wave")
    assert layer(mixing, "wave").mute
    mixing.click("mute wave")
    mixing.click("solo look")
    assert layer(mixing, "look").solo
    heard = [each.active for each in mixing.session.character.mixer.layers.layers]
    assert heard == [False, False, True]
    mixing.click("undo")
    assert document(mixing) == DOCUMENT
    mixing.click("redo")
    assert layer(mixing, "look").solo


def test_details_of_a_layer(mixing):
    mixing.click("layer wave")
    mixing.frames(3)
    mixing.click("mask wave")
    mixing.click("mask wave arm")
    assert layer(mixing, "wave").mask == "arm"
    choose(mixing, "play wave", "Nod")
    assert layer(mixing, "wave").play == "Nod"
    choose(mixing, "play wave", "Lean")
    assert (layer(mixing, "wave").play, layer(mixing, "wave").mode) == ("Lean", "add")
    drag_to(mixing, "phase wave", 0.5)
    assert layer(mixing, "wave").phase == pytest.approx(0.5, abs=0.08)
    drag_to(mixing, "speed wave", 0.5)
    assert layer(mixing, "wave").speed == pytest.approx(1.5, abs=0.1)


def test_adding_a_mask_to_a_layer(mixing):
    mixing.click("layer look")
    mixing.frames(2)
    mixing.click("mask look")
    mixing.click("mask look \0")
    mixing.frames(3)
    assert layer(mixing, "look").mask == "mask"
    assert "mask weight Root" in mixing.marks


def scroll(driver, name, notches):
    """Turn the wheel over a widget's panel."""
    driver.move(*driver.place(name))
    driver.gui.mouse_wheel(0, -notches)
    driver.frames(8)


def test_renaming_and_moving_layers(mixing):
    mixing.click("layer look")
    mixing.frames(2)
    scroll(mixing, "weight look", 2)
    mixing.click("rename look")
    mixing.key("left_ctrl", "a")
    mixing.type("gaze")
    mixing.key("enter")
    mixing.frames(2)
    assert [each.name for each in document(mixing).layers] == ["base", "wave", "gaze"]
    mixing.click("up gaze")
    assert [each.name for each in document(mixing).layers] == ["base", "gaze", "wave"]
    mixing.frames(2)
    mixing.click("remove gaze")
    assert [each.name for each in document(mixing).layers] == ["base", "wave"]


def test_cross_fade_starts_at_the_current_time(mixing):
    transport.pause_at(mixing.session, 1.25)
    mixing.click("layer base")
    mixing.frames(2)
    drag_to(mixing, "fade seconds base", 0.4)
    for name, value in (("ease", "linear"), ("kind", "frozen")):
        mixing.click(f"{name} base")
        mixing.click(f"{name} base {value}")
    mixing.click("in phase base")
    scroll(mixing, "fade seconds base", 1)
    choose(mixing, "fade base", "Run")
    (at,) = document(mixing).at
    assert at.time == 1.25
    assert replace(at.do, seconds=0.0) == Fade("base", "Run", 0.0, "linear", "frozen", True)
    assert at.do.seconds == pytest.approx(1.2, abs=0.05)
    mixing.key("left_ctrl", "z")
    assert document(mixing) == DOCUMENT


def test_parameters(mixing):
    scroll(mixing, "weight look", 10)
    drag_to(mixing, "parameter speed", 0.75)
    assert document(mixing).parameters["speed"].default == pytest.approx(3.0, abs=0.1)
    assert document(mixing).parameters["speed"].damp == 0.2
    transport.pause_at(mixing.session, 0.5)
    mixing.click("set speed")
    (at,) = document(mixing).at
    assert (at.time, at.do) == (0.5, Set("speed", document(mixing).parameters["speed"].default))


def test_switching_between_clip_and_layers(mixing):
    mixing.click("clip Walk")
    assert not mixing.session.editor.shown
    assert transport.loop_name(mixing.session) == "Loop"
    mixing.click("play layers")
    assert mixing.session.editor.shown
    assert document(mixing) == DOCUMENT


def test_saving_by_key(mixing, tmp_path):
    drag_to(mixing, "weight wave", 0.5)
    mixing.click("solo look")
    mixing.key("left_ctrl", "s")
    assert "figure.motion.toml" in mixing.session.interface.notice
    assert read_motion(tmp_path / "figure.motion.toml").document == document(mixing)
    kept = document(mixing)
    mixing.session.read_motions = True
    mixing.session.open(tmp_path / "figure.glb")
    mixing.frames(3)
    assert document(mixing) == kept
    assert mixing.session.editor.shown


def test_unsaved_changes_pop_up(mixing, tmp_path):
    mixing.click("mute wave")
    left = []
    for answer, gone, saved in (
        ("Cancel pop-up", 0, False),
        ("Save pop-up", 1, True),
    ):
        mixing.session.ask_to_leave(lambda: left.append(1))
        mixing.frames(4)
        mixing.click(answer)
        assert mixing.session.interface.popup == ""
        assert (len(left), not mixing.session.editor.dirty) == (gone, saved)
    assert read_motion(tmp_path / "figure.motion.toml").document == document(mixing)
    mixing.frames(3)
    mixing.click("mute wave")
    mixing.session.ask_to_leave(lambda: left.append(1))
    mixing.frames(4)
    mixing.click("Discard pop-up")
    assert len(left) == 2
    assert read_motion(tmp_path / "figure.motion.toml").document != document(mixing)


def test_undo_in_the_menu(mixing):
    mixing.click("menu Edit")
    assert "menu undo" in mixing.marks
    mixing.click("menu undo")
    assert document(mixing) == DOCUMENT
    mixing.key("escape")
    mixing.click("mute wave")
    mixing.click("menu Edit")
    mixing.click("menu undo")
    assert document(mixing) == DOCUMENT


def test_timeline_pages_of_a_continuous_motion(mixing):
    transport.set_continuous(mixing.session)
    begin, length = transport.time_range(mixing.session)
    assert begin == 0.0
    transport.pause_at(mixing.session, 2.5 * length)
    mixing.frames(2)
    assert transport.time_range(mixing.session) == pytest.approx((2 * length, 3 * length))
    mixing.click("first frame")
    assert transport.time(mixing.session) == 0.0


def test_loop_modes_of_a_motion(mixing):
    names = []
    for _ in range(4):
        names.append(transport.loop_name(mixing.session))
        mixing.key("l")
    assert sorted(names) == ["Continuous", "Loop", "Once", "Ping-pong"]


def test_schedule(mixing):
    mixing.session.editor.edit(replace(DOCUMENT, at=TIMED_CHANGES), "Moments")
    mixing.click("tab Events")
    mixing.frames(3)
    mixing.click("moment 1")
    assert transport.time(mixing.session) == pytest.approx(2.0, abs=0.1)
    left, top, _, bottom = mixing.marks["moment time 0"]
    mixing.drag((left + 8, (top + bottom) / 2), (left + 58, (top + bottom) / 2))
    assert 1.3 < document(mixing).at[0].time < 1.7
    mixing.click("remove moment 0")
    assert document(mixing).at == TIMED_CHANGES[1:]


@pytest.mark.parametrize(("size", "scale"), [((700, 600), 1.0), ((1920, 1200), 3.0)])
def test_narrow_window_shows_a_single_panel(gl, size, scale):
    driver = PanelDriver(gl, size=size, scale=scale)
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    driver.frames(3)
    assert "weight base" in driver.marks
    for panel, widget in (
        ("Clips", "play layers"),
        ("View", "bones"),
        ("Space", "space line"),
        ("Mask", "mask"),
        ("Events", "event left"),
        ("Mixer", "weight base"),
    ):
        driver.click("panel")
        driver.click(f"panel {panel}")
        driver.frames(3)
        assert widget in driver.marks
    driver.close()


def test_labels_of_sources():
    assert playable.label(StillPose("rest")) == "Rest pose"
    assert playable.label(Nested((DOCUMENT.layers[0],))) == "1 layers"
    assert playable.layer_name("Walk.001") == "Walk 001"
    kinds = [
        playable.kind(DOCUMENT, play)
        for play in ("gait", "Lean", "head", "Walk", StillPose("rest"))
    ]
    assert kinds == ["space", "additive", "aim", "clip", "still"]


def test_the_mode_of_a_layer(mixing):
    mixing.click("layer wave")
    mixing.frames(3)
    mixing.click("mode wave")
    mixing.click("mode wave add")
    assert layer(mixing, "wave").mode == "add"
    name = layer(mixing, "wave").play
    assert document(mixing).additives[name].source == "Wave"
    mixing.frames(3)
    mixing.click(f"space {name}")
    mixing.click(f"space {name} model")
    assert document(mixing).additives[name].space == "model"
    mixing.click(f"reference {name}")
    mixing.click(f"reference {name} first frame")
    assert document(mixing).additives[name].reference.time == 0.0
    mixing.click("mode wave")
    mixing.click("mode wave replace")
    assert layer(mixing, "wave") == DOCUMENT.layers[1]


def test_adding_a_look_at_layer(driver):
    driver.key("m")
    driver.click("make layers")
    driver.frames(3)
    driver.click("add look")
    driver.frames(5)
    (aim,) = document(driver).aims.values()
    assert list(aim.chain.items()) == [("Spine2", 0.2), ("Neck", 0.5), ("Head", 1.0)]
    assert aim.forward == pytest.approx((0.0, 0.0, 1.0), abs=1e-3)
    assert driver.session.interface.mixer_panels.handle_drawn
    x, y, z = document(driver).parameters[aim.target].default
    assert (abs(x), z > 0.5) == (0.0, True)
    assert 1.2 < y < 1.9


def test_mixer_by_keyboard(mixing):
    transport.toggle(mixing.session)
    mixing.gui.key("left_ctrl", down=True)
    mixing.frames(2)
    mixing.key("tab")
    mixing.gui.key("left_ctrl", down=False)
    mixing.frames(3)
    mixing.key("down_arrow")  # from the first layer's name to its weight
    mixing.key("space")
    for _ in range(3):
        mixing.key("left_arrow")
    mixing.key("space")
    mixing.frames(3)
    assert layer(mixing, "base").weight < 1.0
    assert mixing.session.editor.history.undo_label == "Weight of base"
    mixing.key("down_arrow")
    mixing.key("space")
    mixing.frames(2)
    assert mixing.session.interface.mixer_panels.layer == "wave"
    mixing.key("left_ctrl", "z")
    assert document(mixing) == DOCUMENT
