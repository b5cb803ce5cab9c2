"""The stage: presets, environments that are read in the background, undo with other edits."""

from dataclasses import replace
from pathlib import Path

import pytest

from rigview.errors import UsageError
from rigview.scene.display_settings import BACKGROUND, LIGHT_BACKGROUND
from rigview.session.actions import action
from rigview.session.session import Session
from rigview.session.stage import undo_order
from rigview.session.stage.open_environment import open_environments
from rigview.session.stage.stage_editor import StageEditor
from rigview.session.stage.stage_settings import (
    PRESETS,
    WHITE,
    Stage,
    preset_of,
    stage_of,
    without_environment,
)
from tests.support.fixed_clock import FixedClock
from tests.support.full_motion_file import DOCUMENT

SUN = ("/maps/sun.hdr", 0.0)


def read(path, turn):
    if path.name == "gone.hdr":
        raise UsageError("no such file")
    return f"{path.name} at {turn:g}"


def read_background(path, blur):
    return f"{path.name}, blur {blur:g}"


@pytest.fixture
def session():
    session = Session(FixedClock(60.0), read_motions=False)
    session.tick()
    session.stage = StageEditor(
        lambda: session.scene.display,
        lambda: session.settings.theme,
        session.fail,
        read,
        read_background,
    )
    return session


def finish(session):
    found = False
    while session.stage.reading:
        session.stage._reading[1].wait()
        found = session.stage.poll()
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_shown_and_recognised(session, name):
    session.stage.set(PRESETS[name][1], name)
    assert stage_of(session.scene.display) == PRESETS[name][1]
    assert preset_of(session.stage.stage) == name


@pytest.mark.parametrize(("theme", "colour"), [("dark", BACKGROUND), ("light", LIGHT_BACKGROUND)])
def test_the_background_of_the_theme(session, theme, colour):
    session.settings.theme = theme
    session.stage.set(Stage(background=(WHITE, WHITE)), "White")
    assert session.scene.display.background_below == (WHITE,)
    session.stage.set(Stage(), "Theme")
    assert session.scene.display.background == colour
    assert session.scene.display.background_below == ()


def test_an_environment_is_read_in_the_background(session):
    rest = open_environments(session, [Path(SUN[0]), Path("/models/fox.glb")])
    assert rest == [Path("/models/fox.glb")]
    display = session.scene.display
    assert session.stage.reading
    assert session.stage.stage.environment == SUN
    assert display.environment is None
    assert finish(session)
    assert (display.environment, display.environment_from) == ("sun.hdr at 0", SUN)
    session.stage.undo()
    assert (display.environment, display.environment_from) == (None, None)


def shown(session):
    display = session.scene.display
    return display.environment, display.environment_map, display.environment_blur


def test_the_environment_as_background(session):
    sun = Stage(environment=SUN)
    session.stage.set(sun, "Sun")
    session.stage.set(replace(sun, environment_background=True), "Background")
    assert finish(session)
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0", 0.0)
    assert session.stage.stage == stage_of(session.scene.display)
    assert preset_of(session.stage.stage) == ""
    for blur in (0.1, 0.2, 0.3):
        blurred = replace(sun, environment_background=True, environment_blur=blur)
        session.stage.set(blurred, "Blur", "blur")
    assert finish(session), "the last one, whatever was read meanwhile"
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0.3", 0.3)
    assert session.stage.undo() == "Blur"
    finish(session)
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0", 0.0)
    session.stage.set(without_environment(session.stage.stage), "Remove")
    assert shown(session) == (None, None, 0.0)
    session.stage.undo()
    finish(session)
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0", 0.0)


def test_removed_while_it_is_read(session):
    session.stage.set(Stage(environment=SUN, environment_background=True), "Sun")
    session.stage.set(Stage(), "Remove")
    assert not session.stage.reading
    assert shown(session) == (None, None, 0.0)


def test_an_environment_that_cannot_be_read_changes_nothing(session):
    session.stage.set(Stage(environment=SUN), "Sun")
    finish(session)
    session.stage.set(Stage(environment=("/maps/gone.hdr", 0.0)), "Gone")
    finish(session)
    assert session.interface.error == "no such file"
    assert session.scene.display.environment_from == SUN
    assert session.stage.stage.environment == SUN


def test_a_drag_is_one_step(session):
    for azimuth in (10.0, 20.0, 30.0):
        session.stage.set(Stage(azimuth=azimuth), "Direction", "azimuth")
    session.stage.end_drag()
    session.stage.set(Stage(azimuth=40.0), "Direction", "azimuth")
    assert session.stage.undo() == "Direction"
    assert session.scene.display.light_azimuth == 30.0
    session.stage.undo()
    assert session.scene.display.light_azimuth is None
    assert session.stage.undo() == ""
    session.stage.redo()
    assert session.scene.display.light_azimuth == 30.0


def test_undo_takes_the_last_edit_of_motion_and_stage(session):
    session.stage.set(Stage(light="none"), "Light")
    session.editor.history.put(replace(DOCUMENT), "Layers")
    session.stage.set(Stage(light="key"), "Key")
    assert undo_order.undo_label(session) == "Key"
    action("undo").run(session)
    assert undo_order.undo_label(session) == "Layers"
    session.editor.history.undo()
    assert undo_order.undo_label(session) == "Light"
    action("undo").run(session)
    assert undo_order.undo_label(session) == ""
    assert undo_order.redo_label(session) == "Light"
    action("redo").run(session)
    assert undo_order.redo_label(session) == "Layers"
    session.editor.history.redo()
    action("redo").run(session)
    assert session.scene.display.light == "key"
