"""The mixer by mouse and keys: layers, weights, masks, fades, undo, redo, saving."""

import shutil
from dataclasses import replace

import pytest

from rigview.motion import edit, layer_content
from rigview.motion.document import (
    At,
    Cut,
    Fade,
    JointPose,
    LayerSettings,
    MotionDoc,
    Reference,
    Seek,
    Set,
    Speed,
    StillPose,
)
from rigview.motion.read import read_motion
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.ui.timeline.playbar import playing_clips
from rigview.window.input_queue import Key, MouseWheel
from tests.support.full_motion_file import DOCUMENT, TIMED_CHANGES
from tests.support.panels import PanelDriver, drawn


@pytest.fixture
def driver(gl, tmp_path):
    driver = PanelDriver(gl, shutil.copy(asset_path("mannequin.glb"), tmp_path / "figure.glb"))
    yield driver
    driver.close()


@pytest.fixture
def mixer_open(driver):
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
    """Choose an entry of a list with a search field."""
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


def test_dragging_a_weight_and_undo(mixer_open):
    drag_to(mixer_open, "weight wave", 0.25)
    assert layer(mixer_open, "wave").weight == pytest.approx(0.25, abs=0.02)
    mixer_open.key("left_ctrl", "z")
    assert document(mixer_open) == DOCUMENT
    mixer_open.key("left_ctrl", "left_shift", "z")
    assert layer(mixer_open, "wave").weight == pytest.approx(0.25, abs=0.02)


def test_mute_and_solo(mixer_open):
    mixer_open.click("mute wave")
    assert layer(mixer_open, "wave").mute
    mixer_open.click("mute wave")
    mixer_open.click("solo look")
    assert layer(mixer_open, "look").solo
    heard = [each.active for each in mixer_open.session.character.mixer.layers.layers]
    assert heard == [False, False, True]
    mixer_open.click("undo")
    assert document(mixer_open) == DOCUMENT
    mixer_open.click("redo")
    assert layer(mixer_open, "look").solo


def test_details_of_a_layer(mixer_open):
    mixer_open.click("layer wave")
    mixer_open.frames(3)
    mixer_open.click("mask wave")
    mixer_open.click("mask wave arm")
    assert layer(mixer_open, "wave").mask == "arm"
    choose(mixer_open, "play wave", "Nod")
    assert layer(mixer_open, "wave").play == "Nod"
    choose(mixer_open, "play wave", "Lean")
    assert (layer(mixer_open, "wave").play, layer(mixer_open, "wave").mode) == ("Lean", "add")
    drag_to(mixer_open, "phase wave", 0.5)
    assert layer(mixer_open, "wave").phase == pytest.approx(0.5, abs=0.08)
    drag_to(mixer_open, "speed wave", 0.5)
    assert layer(mixer_open, "wave").speed == pytest.approx(1.5, abs=0.1)


def test_adding_a_mask_to_a_layer(mixer_open):
    mixer_open.click("layer look")
    mixer_open.frames(2)
    mixer_open.click("mask look")
    mixer_open.click("mask look \0")
    mixer_open.frames(3)
    assert layer(mixer_open, "look").mask == "mask"
    assert "mask weight Root" in mixer_open.marks


def scroll(driver, name, notches):
    """Turn the wheel over a widget's panel."""
    driver.move(*driver.place(name))
    driver.gui.add(MouseWheel(0, -notches))
    driver.frames(8)


def test_renaming_and_moving_layers(mixer_open):
    mixer_open.click("layer look")
    mixer_open.frames(2)
    scroll(mixer_open, "weight look", 2)
    mixer_open.click("rename look")
    mixer_open.key("left_ctrl", "a")
    mixer_open.type("gaze")
    mixer_open.key("enter")
    mixer_open.frames(2)
    assert [each.name for each in document(mixer_open).layers] == ["base", "wave", "gaze"]
    mixer_open.click("up gaze")
    assert [each.name for each in document(mixer_open).layers] == ["base", "gaze", "wave"]
    mixer_open.frames(2)
    scroll(mixer_open, "layer wave", -3)
    mixer_open.click("remove gaze")
    assert [each.name for each in document(mixer_open).layers] == ["base", "wave"]


def test_cross_fade_starts_at_the_current_time(mixer_open):
    mixer_open.session.transport.pause_at(1.25)
    mixer_open.click("layer base")
    mixer_open.frames(2)
    drag_to(mixer_open, "fade seconds base", 0.4)
    for name, value in (("ease", "linear"), ("kind", "frozen")):
        mixer_open.click(f"{name} base")
        mixer_open.click(f"{name} base {value}")
    mixer_open.click("in phase base")
    scroll(mixer_open, "fade seconds base", 1)
    choose(mixer_open, "fade base", "Run")
    (at,) = document(mixer_open).at
    assert at.time == 1.25
    assert replace(at.do, seconds=0.0) == Fade("base", "Run", 0.0, "linear", "frozen", True)
    assert at.do.seconds == pytest.approx(1.2, abs=0.05)
    mixer_open.key("left_ctrl", "z")
    assert document(mixer_open) == DOCUMENT


def test_parameters(mixer_open):
    scroll(mixer_open, "weight look", 10)
    drag_to(mixer_open, "parameter speed", 0.75)
    assert document(mixer_open).parameters["speed"].default == pytest.approx(3.0, abs=0.1)
    assert document(mixer_open).parameters["speed"].damp == 0.2
    mixer_open.session.transport.pause_at(0.5)
    mixer_open.click("set speed")
    (at,) = document(mixer_open).at
    assert (at.time, at.do) == (0.5, Set("speed", document(mixer_open).parameters["speed"].default))


def test_switching_between_clip_and_layers(mixer_open):
    mixer_open.click("clip Walk")
    assert not mixer_open.session.editor.shown
    assert mixer_open.session.transport.loop_name == "Loop"
    mixer_open.click("play layers")
    assert mixer_open.session.editor.shown
    assert document(mixer_open) == DOCUMENT


def test_saving_by_key(mixer_open, tmp_path):
    drag_to(mixer_open, "weight wave", 0.5)
    mixer_open.click("solo look")
    mixer_open.key("left_ctrl", "s")
    assert "figure.motion.toml" in mixer_open.session.interface.notice
    assert read_motion(tmp_path / "figure.motion.toml").document == document(mixer_open)
    kept = document(mixer_open)
    mixer_open.session.files.read_motions = True
    character_files.open_file(mixer_open.session, tmp_path / "figure.glb")
    mixer_open.frames(3)
    assert document(mixer_open) == kept
    assert mixer_open.session.editor.shown


def test_unsaved_changes_pop_up(mixer_open, tmp_path):
    drag_to(mixer_open, "weight wave", 0.3)
    left = []
    for answer, gone, saved in (
        ("Cancel pop-up", 0, False),
        ("Save pop-up", 1, True),
    ):
        mixer_open.session.ask_to_leave(lambda: left.append(1))
        mixer_open.frames(4)
        mixer_open.click(answer)
        assert mixer_open.session.interface.popup == ""
        assert (len(left), not mixer_open.session.editor.dirty) == (gone, saved)
    assert read_motion(tmp_path / "figure.motion.toml").document == document(mixer_open)
    mixer_open.frames(3)
    drag_to(mixer_open, "weight wave", 0.6)
    mixer_open.session.ask_to_leave(lambda: left.append(1))
    mixer_open.frames(4)
    mixer_open.click("Discard pop-up")
    assert len(left) == 2
    assert read_motion(tmp_path / "figure.motion.toml").document != document(mixer_open)


def test_undo_in_the_menu(mixer_open):
    mixer_open.click("menu Edit")
    assert "menu undo" in mixer_open.marks
    mixer_open.click("menu undo")
    assert document(mixer_open) == DOCUMENT
    mixer_open.key("escape")
    mixer_open.click("mute wave")
    mixer_open.click("menu Edit")
    mixer_open.click("menu undo")
    assert document(mixer_open) == DOCUMENT


def test_timeline_of_a_continuous_motion_is_its_common_loop(mixer_open):
    mixer_open.session.transport.set_continuous()
    begin, length = mixer_open.session.transport.span
    assert begin == 0.0
    mixer_open.session.transport.pause_at(2.5 * length)
    mixer_open.frames(2)
    assert mixer_open.session.transport.span == (0.0, length)
    assert mixer_open.session.transport.time == pytest.approx(0.5 * length)
    mixer_open.click("first frame")
    assert mixer_open.session.transport.time == 0.0


def test_loop_modes_of_a_motion(mixer_open):
    names = []
    for _ in range(4):
        names.append(mixer_open.session.transport.loop_name)
        mixer_open.key("l")
    assert sorted(names) == ["Continuous", "Loop", "Once", "Ping-pong"]


def test_schedule(mixer_open):
    mixer_open.session.editor.edit(replace(DOCUMENT, at=TIMED_CHANGES), "Moments")
    mixer_open.click("tab Events")
    mixer_open.frames(3)
    mixer_open.click("moment 1")
    assert mixer_open.session.transport.time == pytest.approx(2.0, abs=0.1)
    left, top, _, bottom = mixer_open.marks["moment time 0"]
    mixer_open.drag((left + 8, (top + bottom) / 2), (left + 58, (top + bottom) / 2))
    assert 1.3 < document(mixer_open).at[0].time < 1.7
    mixer_open.click("remove moment 0")
    assert document(mixer_open).at == TIMED_CHANGES[1:]


@pytest.mark.parametrize(("size", "scale"), [((700, 600), 1.0), ((1920, 1200), 3.0)])
def test_narrow_window_shows_a_single_panel(gl, size, scale):
    driver = PanelDriver(gl, size=size, scale=scale)
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    driver.frames(3)
    assert "weight base" in driver.marks
    for panel, widget in (
        ("Clips", "play layers"),
        ("View", "orthographic"),
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


def test_the_mode_of_a_layer(mixer_open):
    mixer_open.click("layer wave")
    mixer_open.frames(3)
    mixer_open.click("mode wave")
    mixer_open.click("mode wave add")
    assert layer(mixer_open, "wave").mode == "add"
    name = layer(mixer_open, "wave").play
    assert document(mixer_open).additives[name].source == "Wave"
    mixer_open.frames(3)
    mixer_open.click(f"space {name}")
    mixer_open.click(f"space {name} model")
    assert document(mixer_open).additives[name].space == "model"
    mixer_open.click(f"reference {name}")
    mixer_open.click(f"reference {name} first frame")
    assert document(mixer_open).additives[name].reference.time == 0.0
    mixer_open.click("mode wave")
    mixer_open.click("mode wave replace")
    assert layer(mixer_open, "wave") == DOCUMENT.layers[1]


def test_a_saved_pose_is_a_source_and_a_reference(mixer_open):
    made = edit.with_pose(document(mixer_open), "crouch", {"Spine": JointPose((40.0, 0.0, 0.0))})
    mixer_open.session.editor.edit(made, "Save crouch")
    choose(mixer_open, "add layer", "crouch")
    assert layer(mixer_open, "crouch").play == StillPose("crouch")
    mixer_open.click("layer crouch")
    mixer_open.click("layer wave")
    mixer_open.frames(3)
    mixer_open.click("mode wave")
    mixer_open.click("mode wave add")
    name = layer(mixer_open, "wave").play
    mixer_open.frames(3)
    mixer_open.click(f"reference {name}")
    mixer_open.click(f"reference {name} pose crouch")
    assert document(mixer_open).additives[name].reference == Reference(pose="crouch")


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


def test_mixer_by_keyboard(mixer_open):
    mixer_open.session.transport.toggle()
    mixer_open.gui.add(Key("left_ctrl", True))
    mixer_open.frames(2)
    mixer_open.key("tab")
    mixer_open.gui.add(Key("left_ctrl", False))
    mixer_open.frames(3)
    mixer_open.key("down_arrow")  # from the first layer's name to its weight
    mixer_open.key("space")
    for _ in range(3):
        mixer_open.key("left_arrow")
    mixer_open.key("space")
    mixer_open.frames(3)
    assert layer(mixer_open, "base").weight < 1.0
    assert mixer_open.session.history.undo_label == "Weight of base"
    mixer_open.key("down_arrow")
    mixer_open.key("space")
    mixer_open.frames(2)
    assert mixer_open.session.interface.mixer_panels.layer == "wave"
    mixer_open.key("left_ctrl", "z")
    assert document(mixer_open) == DOCUMENT


def test_scheduled_fade_is_changed(mixer_open):
    mixer_open.session.editor.edit(replace(DOCUMENT, at=TIMED_CHANGES), "Moments")
    mixer_open.session.transport.pause_at(1.1)
    mixer_open.click("tab Events")
    mixer_open.frames(2)
    assert "edit moment 1" not in mixer_open.marks, "a value has no settings"
    mixer_open.click("edit moment 0")
    mixer_open.frames(2)
    drag_to(mixer_open, "fade seconds moment 0", 0.5)
    fade = document(mixer_open).at[0].do
    assert fade.seconds == pytest.approx(1.5, abs=0.1)
    mixer_open.click("ease moment 0")
    mixer_open.click("ease moment 0 linear")
    mixer_open.click("kind moment 0")
    mixer_open.click("kind moment 0 frozen")
    mixer_open.click("in phase moment 0")
    choose(mixer_open, "moment to 0", "Walk")
    assert document(mixer_open).at[0].do == Fade(
        "base", "Walk", fade.seconds, "linear", "frozen", in_phase=True
    )
    assert document(mixer_open).at[1:] == TIMED_CHANGES[1:]
    mixer_open.key("escape")
    mixer_open.click("edit moment 0")
    assert "ease moment 0" not in mixer_open.marks


def test_speeds_jumps_and_cuts_are_scheduled_by_hand(mixer_open):
    session = mixer_open.session
    session.transport.pause_at(0.5)
    mixer_open.click("tab Events")
    mixer_open.frames(2)
    for words in ("Speed of base", "Jump in base", "Cut to HeadCamera view"):
        mixer_open.click("new moment")
        mixer_open.click(f"new moment {words}")
        mixer_open.frames(3)
    assert document(mixer_open).at == tuple(
        At(0.5, do) for do in (Speed("base", 1.0), Seek("base", 0.0), Cut("HeadCamera view"))
    )
    mixer_open.click("edit moment 0")
    mixer_open.frames(3)
    x, y = mixer_open.place("moment 0.value")
    mixer_open.drag((x, y), (x + 60, y))
    mixer_open.frames(2)
    speed = document(mixer_open).at[0].do
    assert speed.value > 1.0
    assert session.history.undo_label == "Change base × 1"
    mixer_open.key("left_ctrl", "z")
    assert document(mixer_open).at[0].do == Speed("base", 1.0), "one step for the drag"
    mixer_open.click("edit moment 1")
    mixer_open.frames(3)
    mixer_open.click("moment 1.layer")
    mixer_open.click("moment 1.layer wave")
    assert document(mixer_open).at[1].do == Seek("wave", 0.0)


def test_bar_names_what_plays(mixer_open):
    session = mixer_open.session
    assert list(playing_clips(session)) == ["Walk", "Wave"]
    session.editor.edit(replace(DOCUMENT, at=TIMED_CHANGES), "Moments")
    base, labels = DOCUMENT.layers[0], []
    for seconds in (0.5, 1.1, 1.5):
        session.transport.pause_at(seconds)
        mixer_open.frames(2)
        labels.append(layer_content.labels_at(document(mixer_open), base, seconds))
    assert labels == [["gait"], ["gait", "Run"], ["Run"]]
    assert "playing" in mixer_open.marks
    session.transport.pause_at(1.15)
    mixer_open.frames(2)
    weights = playing_clips(session)
    assert list(weights) == ["Walk", "Run", "Wave"]
    assert weights["Walk"] + weights["Run"] == pytest.approx(1.0)
