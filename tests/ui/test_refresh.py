"""Panels that are drawn in turns while only the scene, the pointer and the camera move."""

from collections import Counter

import numpy as np
import pytest

from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.clip_import.mapping_rows import ClipImportView
from rigview.session.commands.actions import action
from rigview.ui import character_list, curves, side_panels, view_cube
from rigview.ui.refresh import Refresh
from rigview.ui.timeline import key_row, playbar
from tests.support.panels import PanelDriver

SLOW = {"Left", "Mixer", "Right"}
ALL = {"Playback", "Curves"} | SLOW


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl, size=(1600, 1000))
    for name in ("mixer", "curves"):
        action(name).run(driver.session)
    driver.frames(5)
    driver.session.interface.widget_boxes = None
    driver.in_turns = True
    yield driver
    driver.close()


@pytest.fixture
def drawn(monkeypatch):
    """The panels that were drawn since the list was last emptied."""
    names = []

    def watch(module, function, name):
        draw = getattr(module, function)
        monkeypatch.setattr(module, function, lambda *args: names.append(name) or draw(*args))

    watch(playbar, "draw", "Playback")
    watch(curves, "draw", "Curves")
    watch(character_list, "draw", "Left")
    watch(side_panels, "_right_tabs", "Right")
    label, draw = side_panels.MIXER
    mixer = label, lambda session: names.append("Mixer") or draw(session)
    monkeypatch.setattr(side_panels, "MIXER", mixer)
    return names


def passes(driver, drawn, count):
    """The panels that each of the next passes draws."""
    found = []
    for _ in range(count):
        drawn.clear()
        driver.frames()
        found.append(list(drawn))
    return found


def test_without_input_panels_are_drawn_in_turns(driver, drawn):
    found = passes(driver, drawn, 120)[30:]
    counts = Counter(name for each in found for name in each)
    assert set(counts) == ALL
    assert all(27 <= counts[name] <= 31 for name in ("Playback", "Curves"))
    assert all(6 <= counts[name] <= 9 for name in SLOW)
    assert all(len(each) <= 1 for each in found)


def test_the_view_cube_is_drawn_often_only_while_the_camera_turns(driver, drawn, monkeypatch):
    cube = view_cube._cube
    monkeypatch.setattr(view_cube, "_cube", lambda *args: drawn.append("cube") or cube(*args))
    driver.frames(30)
    assert sum(each.count("cube") for each in passes(driver, drawn, 60)) <= 2
    driver.press(600.0, 300.0)
    drawn.clear()
    for x in range(60):
        driver.move(600.0 + x, 300.0)
    assert 12 <= drawn.count("cube") <= 20
    driver.release()


def test_any_other_change_draws_all_panels(driver, drawn):
    driver.frames(30)
    driver.in_turns = False
    assert all(set(each) == ALL for each in passes(driver, drawn, 5))


def test_at_a_low_rate_of_frames_each_frame_draws_all_panels(driver, drawn):
    driver.clock.fps = 2.0
    driver.frames(3)
    assert all(set(each) == ALL for each in passes(driver, drawn, 5))


def test_a_panel_under_the_pointer_is_always_drawn(driver, drawn):
    driver.move(1500.0, 200.0)
    driver.frames(30)
    assert all("Right" in each for each in passes(driver, drawn, 20))


def test_a_panel_that_the_pointer_has_left_is_drawn_once_more(driver, drawn):
    driver.move(1500.0, 200.0)
    driver.frames(30)
    drawn.clear()
    driver.move(800.0, 300.0)
    assert "Right" in drawn
    counts = Counter(name for each in passes(driver, drawn, 60) for name in each)
    assert counts["Right"] <= 12


def test_moves_over_the_scene_and_orbits_draw_panels_in_turns(driver, drawn):
    driver.frames(30)
    camera = driver.scene.camera.orbit
    for held in (False, True):
        if held:
            driver.press(600.0, 300.0)
            before = camera.azimuth
        drawn.clear()
        for x in range(60):
            driver.move(600.0 + x, 300.0)
        counts = Counter(drawn)
        assert all(13 <= counts[name] <= 22 for name in ("Playback", "Curves"))
        assert all(counts[name] <= 6 for name in SLOW)
    assert camera.azimuth != before
    driver.release()


def test_a_button_that_is_held_in_a_panel_draws_all(driver, drawn):
    driver.press(1500.0, 200.0)
    assert all(set(each) == ALL for each in passes(driver, drawn, 5))
    driver.release()
    driver.move(800.0, 300.0)
    assert any(set(each) != ALL for each in passes(driver, drawn, 20))


def test_an_open_pop_up_draws_all_panels(driver, drawn):
    driver.session.interface.popup = "help"
    driver.frames(10)
    assert all(set(each) == ALL for each in passes(driver, drawn, 5))


def test_keys_that_control_the_panels_draw_all_of_them(driver, drawn):
    driver.session.interface.keyboard_navigation = True
    assert all(set(each) == ALL for each in passes(driver, drawn, 5))
    driver.session.interface.keyboard_navigation = False
    driver.frames(10)
    assert any(set(each) != ALL for each in passes(driver, drawn, 20))


def test_kept_panels_look_as_before(driver):
    driver.session.transport.pause_at(0.5)
    driver.in_turns = False
    before = driver.picture()
    driver.in_turns = True
    drawn = driver.session.interface.of(Refresh)
    for _ in range(12):
        kept = driver.picture()
        assert not drawn.full
        np.testing.assert_array_equal(kept, before)


def test_the_playhead_moves_while_the_lists_stay(driver):
    first = driver.picture()
    second = driver.picture()
    third = driver.picture()
    height = first.shape[0]
    low, high = height - 150, 300
    assert (second != third).any() or (first != second).any()
    np.testing.assert_array_equal(first[100:high, :60], third[100:high, :60])
    assert (first[low:] != third[low:]).any()


def test_events_flash_in_each_frame(driver, drawn, monkeypatch):
    flash = key_row.flash_events
    watched = lambda *args, **named: drawn.append("flash") or flash(*args, **named)  # noqa: E731
    monkeypatch.setattr(key_row, "flash_events", watched)
    found = passes(driver, drawn, 12)
    assert all(each.count("flash") == 1 for each in found)
    assert not all("Playback" in each for each in found)


def test_what_a_kept_panel_asked_for_stays(driver):
    driver.in_turns = False
    driver.session.interface.tabs["right"] = "Compare"
    character_files.try_add(driver.session, asset_path("mannequin.glb"))
    driver.frames(5)
    comparison, clips = driver.session.comparison, driver.session.interface.of(ClipImportView)
    assert comparison.wanted
    assert clips.clips_box is not None
    driver.in_turns = True
    for _ in range(12):
        driver.frames()
        assert comparison.wanted
        assert clips.clips_box is not None
    driver.in_turns = False
    driver.session.interface.tabs["right"] = "View"
    driver.frames(2)
    assert not comparison.wanted


def test_parts_of_a_panel_that_was_kept_are_not_new(driver):
    driver.frames(30)
    assert driver.session.interface.unmeasured == 0
    assert not driver.session.interface.of(Refresh).full
