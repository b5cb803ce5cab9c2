"""The stage: presets, environments that are read in the background, undo with other edits."""

from dataclasses import replace
from pathlib import Path

import pytest

from rigview.batch.jobs import Jobs
from rigview.errors import UsageError
from rigview.rendering.frame import Frame
from rigview.scenedoc.look import Background, Lighting, Look
from rigview.session import stage
from rigview.session.commands.actions import action
from rigview.session.stage import PRESETS, WHITE, preset_of, staged
from tests.support.clips import sliding_clip
from tests.support.full_motion_file import DOCUMENT
from tests.support.models import make_model, show_model, square
from tests.support.sessions import new_session

SUN = "/maps/sun.hdr"
SUNNY = Look(lighting=Lighting(environment=SUN))


def read(path, turn):
    if path.name == "gone.hdr":
        raise UsageError("no such file")
    return f"{path.name} at {turn:g}"


def read_background(path, blur):
    return f"{path.name}, blur {blur:g}"


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(stage, "read_environment", read)
    monkeypatch.setattr(stage, "read_background", read_background)
    jobs = Jobs(in_background=True)
    session = new_session(60.0, jobs=jobs)
    session.tick()
    return session


def finish(session):
    found = session.stage.reading
    session.jobs.wait()
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_shown_and_recognised(session, name):
    session.stage.set(staged(session.scene.look, PRESETS[name][1]), name)
    assert staged(session.scene.look, PRESETS[name][1]) == session.scene.look
    assert preset_of(session.scene.look) == name


def test_a_background_is_chosen_and_left_to_the_theme(session):
    session.change(Background, "White", colours=(WHITE, WHITE))
    assert session.scene.look.background.colours == (WHITE, WHITE)
    session.change(Background, "Theme", colours=None)
    assert session.scene.look == Look()


def test_an_environment_is_read_in_the_background(session):
    rest = session.stage.open_environment([Path(SUN), Path("/models/fox.glb")])
    assert rest == [Path("/models/fox.glb")]
    assert session.stage.reading
    assert session.scene.look.lighting.environment == SUN
    assert shown(session) == (None, None, 0.0)
    assert finish(session)
    assert shown(session) == ("sun.hdr at 0", None, 0.0)
    assert session.scene.shown_look == session.scene.look
    action("undo").run(session)
    assert shown(session) == (None, None, 0.0)


def shown(session):
    """The light, the map behind the characters and its blur, as they are drawn."""
    frame = Frame.of(session.scene)
    return frame.environment, frame.environment_map, frame.look.background.blur


def test_the_environment_as_background(session):
    session.stage.set(SUNNY, "Sun")
    session.change(Background, "Background", environment=True)
    assert finish(session)
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0", 0.0)
    assert session.scene.shown_look == session.scene.look
    assert preset_of(session.scene.look) == ""
    for blur in (0.1, 0.2, 0.3):
        session.change(Background, "Blur", "blur", blur=blur)
    assert finish(session), "the last one, whatever was read meanwhile"
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0.3", 0.3)
    assert session.history.undo_label == "Blur"
    action("undo").run(session)
    finish(session)
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0", 0.0)
    session.stage.set(session.scene.look.without_environment(), "Remove")
    assert shown(session) == (None, None, 0.0)
    action("undo").run(session)
    finish(session)
    assert shown(session) == ("sun.hdr at 0", "sun.hdr, blur 0", 0.0)


def test_removed_while_it_is_read(session):
    session.stage.set(SUNNY.changed(Background, environment=True), "Sun")
    session.stage.set(Look(), "Remove")
    assert not session.stage.reading
    assert shown(session) == (None, None, 0.0)


def test_the_last_environment_is_shown_while_another_is_read(session):
    session.stage.set(SUNNY, "Sun")
    finish(session)
    session.change(Lighting, "Turn", rotation=40.0)
    assert session.stage.reading
    assert session.scene.shown_look.lighting.rotation == 0.0
    finish(session)
    assert session.scene.shown_look.lighting.rotation == 40.0
    assert shown(session) == ("sun.hdr at 40", None, 0.0)


def test_an_environment_that_cannot_be_read_changes_nothing(session):
    session.stage.set(SUNNY, "Sun")
    finish(session)
    session.change(Lighting, "Gone", environment="/maps/gone.hdr")
    finish(session)
    assert session.interface.error == "no such file"
    assert session.scene.look == session.scene.shown_look == SUNNY


def test_a_drag_is_one_step(session):
    for azimuth in (10.0, 20.0, 30.0):
        session.change(Lighting, "Direction", "azimuth", azimuth=azimuth)
    session.history.close()
    session.change(Lighting, "Direction", "azimuth", azimuth=40.0)
    assert session.history.undo_label == "Direction"
    action("undo").run(session)
    assert session.scene.look.lighting.azimuth == 30.0
    action("undo").run(session)
    assert session.scene.look.lighting.azimuth is None
    assert session.history.undo_label == ""
    action("redo").run(session)
    assert session.scene.look.lighting.azimuth == 30.0


def test_undo_takes_the_last_edit_of_motion_and_stage(session):
    show_model(session, make_model([square()], clips=(sliding_clip("Slide", 1.0),)))
    session.change(Lighting, "Light", light="none")
    session.editor.put(replace(DOCUMENT), "Layers")
    session.change(Lighting, "Key", light="key")
    assert session.history.undo_label == "Key"
    action("undo").run(session)
    assert session.history.undo_label == "Layers"
    action("undo").run(session)
    assert session.history.undo_label == "Light"
    action("undo").run(session)
    assert session.history.undo_label == ""
    assert session.history.redo_label == "Light"
    action("redo").run(session)
    assert session.history.redo_label == "Layers"
    action("redo").run(session)
    action("redo").run(session)
    assert session.scene.look.lighting.light == "key"
