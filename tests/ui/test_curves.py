"""The curves panel without a window: selection, zoom, scrubbing and clicks on keys."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.model.model import Channel
from rigview.resources import asset_path
from rigview.session import character_files, played_motion
from rigview.session.commands.actions import action
from rigview.ui.shown_clip import clip_time, go_to, shown_clip
from rigview.window.input_queue import Key, MouseWheel
from tests.support.animated_value_files import robot_arm
from tests.support.clips import rest_pose
from tests.support.full_motion_file import DOCUMENT
from tests.support.models import make_model, morph_model, show_model, square
from tests.support.panels import PanelDriver, drawn


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


def play(driver, name):
    names = [clip.name for clip in driver.session.model.clips]
    played_motion.start_clip(driver.session.transport, names.index(name))
    driver.frames(2)


@pytest.fixture
def curves(driver):
    """A driver with the panel open on the left arm of the cubic clip "Wave", paused at 0 s."""
    play(driver, "Wave")
    driver.key("c")
    driver.session.transport.pause_at(0.0)
    driver.session.interface.curves.subject = "LeftArm"
    driver.frames(2)
    return driver


def view(driver):
    return driver.session.interface.curves


def middle(driver, name):
    left, top, right, bottom = driver.marks[name]
    return (left + right) / 2, (top + bottom) / 2


def test_key_toggles_the_panel(driver):
    bottom = driver.session.interface.viewport.box[3]
    assert "curves" not in driver.marks
    driver.key("c")
    assert "curves" in driver.marks
    assert driver.session.interface.viewport.box[3] < bottom - 100
    assert action("curves").checked(driver.session)
    driver.key("c")
    assert "curves" not in driver.marks
    assert driver.session.interface.viewport.box[3] == bottom


@pytest.mark.parametrize(("high", "scale"), [(797, 1.0), (798, 1.1), (799, 1.25)])
def test_no_line_is_free_between_the_panel_and_the_playback_bar(gl, high, scale):
    driver = PanelDriver(gl, size=(1280, high), scale=scale)
    try:
        driver.session.settings.theme = "light"
        driver.key("c")
        driver.frames(3)
        low = round(driver.session.interface.viewport.box[3])
        assert (drawn(driver.picture())[low:].mean(axis=1) > 0.5).all()
    finally:
        driver.close()


def test_opening_shows_hidden_panels(driver):
    driver.key("tab")
    driver.key("c")
    assert not driver.session.interface.hidden


def test_an_animated_joint_is_selected_first(driver):
    play(driver, "Walk")
    driver.key("c")
    assert view(driver).subject == "Hips"
    driver.click("curves of LeftUpLeg")
    assert view(driver).subject == "LeftUpLeg"
    assert view(driver).curves.charts[0].lines[0].label == "X"
    play(driver, "Run")
    assert view(driver).subject == "LeftUpLeg"
    assert view(driver).curves.clip == "Run"


def test_search(curves):
    curves.click("search curves")
    curves.type("left arm")
    assert "curves of LeftArm" in curves.marks
    assert "curves of Hips" not in curves.marks


def test_curves_keys_and_current_time_are_drawn(curves):
    before = curves.picture()
    left, top, right, bottom = (round(x) for x in curves.marks["curves"])
    part = before[top:bottom, left:right].astype(int)
    for color in ((245, 115, 102), (122, 204, 115), (115, 168, 255)):
        near = np.abs(part - color).max(axis=-1) < 30
        assert near.sum() > 300, color
    time = float(view(curves).curves.charts[0].lines[0].keys[15, 0])
    curves.session.transport.pause_at(time)
    after = curves.picture()[top:bottom, left:right]
    moved = (np.abs(after.astype(int) - part).max(axis=-1) > 40).any(axis=0)
    assert moved.any()
    x = middle(curves, "key Rotation X 15")[0] - left
    assert set(np.flatnonzero(moved)) & set(range(round(x) - 3, round(x) + 4))


def test_click_on_a_key_seeks_and_pauses(curves):
    curves.session.transport.toggle()
    curves.press(*middle(curves, "key Rotation Y 6"))
    curves.move(middle(curves, "key Rotation Y 6")[0] + 40, middle(curves, "key Rotation Y 6")[1])
    curves.release()
    assert not curves.session.transport.running
    key = view(curves).curves.charts[0].lines[1].keys[6, 0]
    assert curves.session.transport.time == pytest.approx(key, abs=1e-9)


def test_drag_beside_the_keys_scrubs(curves):
    right, bottom = curves.marks["curves"][2:]
    x0, x1 = middle(curves, "key Rotation X 0")[0], middle(curves, "key Rotation X 30")[0]
    curves.drag((x0 + 5, bottom - 4), (x0 + 0.25 * (x1 - x0), bottom - 4))
    last = float(view(curves).curves.charts[0].lines[0].keys[30, 0])
    assert curves.session.transport.time == pytest.approx(0.25 * last, abs=0.01)
    curves.drag((x0 + 5, bottom - 4), (right + 400, bottom - 4))
    assert curves.session.transport.time == pytest.approx(curves.session.transport.span[1])


def test_wheel_zooms_at_the_mouse(curves):
    key = "key Rotation X 15"
    at = middle(curves, key)
    curves.move(*at)
    curves.gui.add(MouseWheel(0, 3))
    curves.frames(2)
    begin, end = view(curves).span
    assert end - begin == pytest.approx(3 / 1.25**3)
    assert middle(curves, key)[0] == pytest.approx(at[0], abs=2)
    curves.gui.add(MouseWheel(0, -9))
    curves.frames(2)
    assert view(curves).span is None


def test_middle_drag_pans_within_the_clip(curves):
    at = middle(curves, "key Rotation X 15")
    curves.move(*at)
    curves.gui.add(MouseWheel(0, 4))
    curves.frames(2)
    begin, end = view(curves).span
    curves.drag(at, (at[0] - 100, at[1]), button=2)
    moved = view(curves).span
    assert moved[0] > begin
    assert moved[1] - moved[0] == pytest.approx(end - begin)
    curves.drag(at, (at[0] - 5000, at[1]), button=2)
    assert view(curves).span[1] == pytest.approx(3.0)
    curves.click("curves all")
    assert view(curves).span is None


def test_another_clip_resets_the_zoom(curves):
    view(curves).span = (0.5, 1.0)
    curves.frames(2)
    character_files.reload(curves.session)
    curves.frames(2)
    assert view(curves).span == (0.5, 1.0)
    play(curves, "Nod")
    assert view(curves).span is None


def test_panel_input_does_not_move_the_camera(curves):
    before = curves.scene.camera.current.view()
    curves.move(*middle(curves, "curves"))
    curves.gui.add(MouseWheel(0, 3))
    curves.frames(2)
    curves.drag(middle(curves, "curves"), (600, 600), button=2)
    np.testing.assert_array_equal(curves.scene.camera.current.view(), before)


def test_dragging_the_upper_edge_resizes(curves):
    _, top, _, bottom = curves.marks["curves edge"]
    curves.drag((600, (top + bottom) / 2), (600, top - 90))
    assert curves.marks["curves edge"][1] == pytest.approx(top - 90, abs=5)
    curves.drag((600, curves.marks["curves edge"][1] + 2), (600, 790))
    assert curves.marks["curves edge"][1] < 720


def test_choosing_quaternions_and_a_track(curves):
    curves.click("curves angles")
    curves.click("curves angles quaternion")
    assert [line.label for line in view(curves).curves.charts[0].lines] == ["X", "Y", "Z", "W"]
    play(curves, "Walk")
    view(curves).subject = "Hips"
    curves.frames(2)
    assert "key Translation Y 3" in curves.marks
    curves.click("curves track")
    curves.click("curves track Rotation")
    assert "key Translation Y 3" not in curves.marks
    assert "key Rotation Y 3" in curves.marks


def test_chosen_track_survives_a_joint_without_it(curves):
    play(curves, "Walk")
    view(curves).subject, view(curves).chart = "Hips", "Translation"
    curves.frames(2)
    assert "key Rotation Y 3" not in curves.marks
    view(curves).subject = "LeftUpLeg"
    curves.frames(2)
    assert "key Rotation Y 3" in curves.marks
    assert "curves track" not in curves.marks
    view(curves).subject = "Hips"
    curves.frames(2)
    assert "key Rotation Y 3" not in curves.marks


@pytest.mark.parametrize("size", [(320, 240), (700, 500)])
def test_small_window(gl, size):
    driver = PanelDriver(gl, size=size)
    play(driver, "Walk")
    driver.key("c")
    left, _, right, _ = driver.marks["curves"]
    assert right <= size[0]
    assert right - left > 0.4 * size[0]
    for name in ("curves track", "curves space", "curves angles", "curves all", "curves close"):
        assert driver.marks[name][2] <= size[0], "reachable"
    driver.close()


def test_joint_without_tracks(curves):
    view(curves).subject = "Sword"
    curves.frames(2)
    assert view(curves).curves.charts == ()
    assert "curves" not in curves.marks
    view(curves).subject = "no such joint"
    curves.frames(2)
    assert view(curves).subject in view(curves).changing_subjects


def test_channel_without_a_joint(driver):
    lamp = Channel("/materials/0/emissiveFactor", 0, 3, "linear", -1, np.zeros(3, np.float32))
    times, rows = np.array([0, 1], np.float32), np.eye(3, dtype=np.float32)[:2]
    glow = Clip.of("Glow", [Track(0, "values", "LINEAR", times, rows)])
    model = make_model([square()], channels=(lamp,), clips=(glow,))
    rest = rest_pose(1, values=3)
    model = replace(model, skeleton=replace(model.skeleton, rest=rest))
    show_model(driver.session, model)
    driver.key("c")
    assert view(driver).subject == "/materials/0/emissiveFactor"
    assert "key emissiveFactor X 1" in driver.marks


def test_without_a_clip(driver):
    show_model(driver.session, make_model([square()]))
    driver.key("c")
    assert drawn(driver.picture()).any()
    assert "curves" not in driver.marks


@pytest.fixture
def mixed(driver):
    """A driver with the panel open while layers play, on a page after the first."""
    driver.session.editor.start(DOCUMENT)
    driver.key("c")
    driver.session.transport.seek(100.0)
    driver.frames(2)
    return driver


def test_motion_shows_the_clip_with_most_weight(mixed):
    curves = view(mixed).curves
    shown = shown_clip(mixed.session)
    assert curves.clip == shown.name
    assert (curves.begin, curves.end) == (0.0, pytest.approx(shown.end))
    assert 0.0 <= clip_time(mixed.session, shown) <= shown.end
    assert curves.charts


def test_clip_stays_while_it_has_weight(mixed):
    first = view(mixed).listed_clip
    editor = mixed.session.editor
    mixed.session.transport.toggle()
    seen = {first.name}
    for speed in (0.0, 0.7, 2.0, 4.0):
        editor.drag("speed", speed, "Value of speed")
        editor.end_drag()
        mixed.session.transport.seek(mixed.session.transport.time + 5.0)  # it is damped
        mixed.frames(2)
        seen.add(view(mixed).curves.clip)
    assert seen == {"Walk", "Run"}


def test_scrubbing_moves_a_motion_by_the_clip_time_difference(mixed):
    mixed.session.transport.toggle()
    mixed.frames(2)
    clip = shown_clip(mixed.session, view(mixed).listed_clip)
    now, there = mixed.session.transport.time, clip_time(mixed.session, clip)
    go_to(mixed.session, clip, there + 0.1)
    assert mixed.session.transport.time == pytest.approx(now + 0.1)


def test_chosen_joint_returns_with_the_file(driver, tmp_path):
    """The file is replaced by one without the joint, and put back."""
    path = shutil.copy(driver.session.path, tmp_path / "figure.glb")
    character_files.open_file(driver.session, path)
    driver.key("c")
    driver.frames(2)
    driver.session.interface.curves.subject = "LeftArm"
    driver.frames(2)
    robot_arm().path(tmp_path, "other.glb").replace(path)
    character_files.refresh(driver.session)
    driver.frames(2)
    assert driver.session.interface.curves.subject != "LeftArm"
    shutil.copy(asset_path("mannequin.glb"), path)
    character_files.refresh(driver.session)
    driver.frames(2)
    assert driver.session.interface.curves.subject == "LeftArm"


def test_all_tracks_of_a_low_panel_scroll(gl):
    driver = PanelDriver(gl, size=(1280, 400))
    play(driver, "Walk")
    driver.key("c")
    view(driver).subject = "Hips"
    driver.frames(3)
    charts = [lane for chart in view(driver).curves.charts for lane in chart.lanes]
    keys = [middle(driver, f"key {each.name} {each.lines[0].label} 0")[1] for each in charts]
    assert np.diff(keys).min() > 20, "each chart has its own height"
    x, y = middle(driver, "curves")
    driver.move(x, 250)
    driver.gui.add(Key("left_shift", True))
    driver.gui.add(MouseWheel(0, -4))
    driver.frames(4)
    driver.gui.add(Key("left_shift", False))
    assert middle(driver, "curves")[1] < y - 40
    assert view(driver).span is None
    driver.close()


def test_model_space(curves):
    curves.click("curves space")
    curves.click("curves space model")
    found = view(curves).curves
    assert [chart.heading for chart in found.charts] == [
        "Translation (model, m)", "Rotation (model, °)"
    ]  # fmt: skip
    character = curves.session.character
    for seconds in (0.0, 1.0):
        curves.session.transport.pause_at(seconds)
        curves.frames(2)
        joint = character.model.skeleton.find("LeftArm")
        drawn = [
            np.interp(seconds, line.points[:, 0], line.points[:, 1])
            for line in found.charts[0].lines
        ]
        np.testing.assert_allclose(drawn, character.matrices[joint][:3, 3], atol=2e-3)
    curves.move(*middle(curves, "curves"))
    curves.frames(2)


def test_search_finds_tracks(driver):
    show_model(driver.session, morph_model(52))
    driver.key("c")
    for text, count in (("target 51", 1), ("target 52", 0), ("joint", 1)):
        view(driver).filter = text
        driver.frames(2)
        assert sum(name.startswith("curves of ") for name in driver.marks) == count, text


def test_legend_of_many_curves_scrolls_and_isolates(driver):
    show_model(driver.session, morph_model(52))
    driver.key("c")
    driver.frames(2)
    marks = driver.marks
    last, name = "legend Morph weights Target 51", "legend Morph weights Target 3"
    assert marks[last][1] > marks["curves"][3], "the legend is longer than the chart"
    assert marks[name][2] <= 1280
    driver.move(*middle(driver, name))
    driver.gui.add(MouseWheel(0, -40))
    driver.frames(4)
    assert marks[last][3] <= 800 - 60, "it scrolled"
    driver.gui.add(MouseWheel(0, 40))
    driver.frames(4)
    driver.click(name)
    assert "key Morph weights Target 3 1" in driver.marks
    assert "key Morph weights Target 4 1" not in driver.marks
    driver.click(name)
    assert "key Morph weights Target 4 1" in driver.marks


def test_isolating_a_component(curves):
    curves.click("legend Rotation Y")
    assert "key Rotation Y 3" in curves.marks
    assert "key Rotation X 3" not in curves.marks
    curves.click("legend Rotation X")
    assert "key Rotation X 3" in curves.marks
    curves.click("legend Rotation X")
    assert "key Rotation Z 3" in curves.marks


def test_constant_tracks_are_lines(curves):
    model = curves.session.model
    arm = model.skeleton.find("LeftArm")
    clip = next(each for each in model.clips if each.name == "Wave")
    rest = model.skeleton.rest.translation[arm]
    still = Track(arm, "translation", "LINEAR", np.float32([0, 1]), np.tile(rest, (2, 1)))
    wave = replace(clip, tracks=(*clip.tracks, still))
    clips = tuple(wave if each is clip else each for each in model.clips)
    show_model(curves.session, replace(model, clips=clips))
    play(curves, "Wave")
    view(curves).subject = "LeftArm"
    curves.frames(3)
    assert [chart.still for chart in view(curves).curves.charts] == [True, False]
    assert "key Rotation X 3" in curves.marks
    assert "key Translation X 0" not in curves.marks
    top, bottom = curves.marks["constant Translation"][1::2]
    assert bottom - top < 25
    curves.click("constant Translation")
    assert view(curves).chart == "Translation"
    assert "key Translation X 0" in curves.marks
