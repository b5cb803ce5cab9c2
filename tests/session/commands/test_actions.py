"""The actions table: complete, without duplicates, and the effect of every action."""

import numpy as np
import pytest

from rigview.resources import asset_path
from rigview.scene.camera import PRESETS
from rigview.scenedoc.look import Look
from rigview.scenedoc.view_modes import VIEWS
from rigview.session import character_files
from rigview.session.commands.actions import ACTIONS, BY_NAME, GROUPS, action
from tests.support.full_file import full_file
from tests.support.models import rod_model, show_model
from tests.support.sessions import new_session

DOCUMENTED = (  # keys documented in docs/window.md
    "Space Left Right Shift+Left Shift+Right Up Down [ ] Backspace L PageUp PageDown "
    "Ctrl+[ Ctrl+] F 1 3 7 B N X J W H R G C M D K O V Shift+V Ctrl+G Ctrl+O Ctrl+R Ctrl+Tab "
    "F11 Tab F12 F1 ? Esc Ctrl+Q Ctrl+Shift+C "
    "Ctrl+Z Ctrl+Shift+Z Ctrl+Y Ctrl+S Ctrl+Shift+S "
    "Delete A Shift+A T S E Shift+F Ctrl+Shift+O Alt+Left Alt+Right . 5 Ctrl+1 Ctrl+3 Ctrl+7 "
    "Ctrl+P P Shift+R Ctrl+B Ctrl+PageUp Ctrl+PageDown"
)


@pytest.fixture
def session():
    session = new_session(60.0)
    session.tick()
    character_files.open_file(session, asset_path("mannequin.glb"))
    return session


def do(session, name):
    action(name).run(session)
    return session


def test_names_and_keys_are_used_once():
    assert len(BY_NAME) == len(ACTIONS)
    keys = [key for each in ACTIONS for key in each.keys]
    assert len(set(keys)) == len(keys)


def test_every_documented_key_has_an_action():
    keys = {key for each in ACTIONS for key in each.keys}
    assert keys == set(DOCUMENTED.split())


def test_groups_and_labels():
    assert {each.group for each in ACTIONS} == set(GROUPS)
    assert all(each.label for each in ACTIONS)


@pytest.mark.parametrize("each", ACTIONS, ids=[each.name for each in ACTIONS])
def test_actions_without_a_character(each):
    session = new_session(60.0)
    each.run(session)
    if each.checked is not None:
        assert each.checked(session) in (True, False)
    session.update()


@pytest.mark.parametrize("each", [each for each in ACTIONS if each.checked], ids=lambda e: e.name)
def test_toggle_actions(session, each):
    before = each.checked(session)
    each.run(session)
    assert each.checked(session) is not before
    each.run(session)
    assert each.checked(session) is before


@pytest.mark.parametrize(
    ("name", "switch"),
    [
        ("bones", "skeleton"),
        ("names", "joint_names"),
        ("axes", "axes"),
        ("wireframe", "wireframe"),
        ("bounds", "bounds"),
        ("grid", "grid"),
        ("shadow", "shadow"),
    ],
)
def test_switch_of_the_display(session, name, switch):
    read = action(name).checked
    before = read(session)
    do(session, name)
    assert read(session) is not before
    look = session.scene.look
    assert read(session) is {"grid": look.grid, "shadow": look.shading.shadow}.get(
        switch, getattr(look.overlays, switch, None)
    )


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("open", "open"),
        ("picture", "picture"),
        ("copy command", "copy command"),
        ("copy range", "copy range"),
        ("copy python", "copy python"),
        ("copy test", "copy test"),
        ("full screen", "full screen"),
        ("quit", "quit"),
    ],
)
def test_window_requests(session, name, request_):
    assert do(session, name).interface.requests == [request_]


def test_playback_actions(session):
    assert not do(session, "play").transport.running
    assert do(session, "play").transport.running
    do(session, "next frame")
    assert session.transport.frame == 1
    do(session, "previous frame")
    assert session.transport.frame == 0
    do(session, "last frame")
    assert session.transport.time == session.transport.span[1]
    do(session, "first frame")
    assert session.transport.time == 0.0
    do(session, "next key")
    assert session.transport.time > 0.0
    do(session, "previous key")
    assert session.transport.time == 0.0


def test_speed_and_loop(session):
    assert do(session, "faster").transport.speed == 1.25
    assert do(session, "slower").transport.speed == 1.0
    session.transport.set_speed(-3.0)
    assert do(session, "speed 1").transport.speed == 1.0
    assert do(session, "loop").transport.loop_name == "Ping-pong"


def test_clips(session):
    assert do(session, "next clip").character.clip == 1
    assert do(session, "previous clip").character.clip == 0


@pytest.mark.parametrize("name", ["front", "right", "top"])
def test_view_presets(session, name):
    do(session, name)
    azimuth, elevation = np.radians(PRESETS[name])
    assert session.scene.camera.orbit.azimuth == pytest.approx(azimuth)
    assert session.scene.camera.orbit.elevation == pytest.approx(elevation)


def test_framing_resets_the_orbit_camera(session):
    distance = session.scene.camera.orbit.distance
    session.scene.camera.orbit.zoom(-20.0)
    session.scene.camera.orbit.pan(3.0, 1.0)
    do(session, "frame")
    assert session.scene.camera.orbit.distance == pytest.approx(distance)


def test_cycling_poses(session):
    seen = [do(session, "pose").character.show for _ in range(3)]
    assert seen == ["rest", "bind", "clip"]


def test_resetting_the_view(session):
    for name in ("bones", "names", "axes", "wireframe", "grid", "shadow", "next view", "pose"):
        do(session, name)
    do(session, "hide")
    do(session, "reset view")
    assert session.scene.look == Look()
    assert session.character.show == "clip"
    assert not session.interface.hidden


def test_weights_show_a_joint_and_hide_it(session):
    do(session, "weights")
    joint = session.scene.weights_joint
    assert joint >= 0
    do(session, "weights")
    assert session.scene.weights_joint == -1
    session.active.joint = 5
    do(session, "weights")
    assert session.scene.weights_joint == 5


def test_opening_and_closing_pop_ups(session):
    assert do(session, "help").interface.popup == "help"
    assert do(session, "help").interface.popup == ""
    assert do(session, "go to frame").interface.popup == "go to frame"
    assert do(session, "close").interface.popup == ""
    assert session.interface.requests == []


def test_go_to_frame_starts_at_the_current_frame(session):
    session.transport.go_to_frame(17)
    assert do(session, "go to frame").interface.frame == 17


def test_reload_action(session):
    before = session.model
    assert do(session, "reload").model is not before


def test_cycling_view_modes(session):
    names = list(VIEWS)
    seen = [do(session, "next view").scene.look.shading.view_mode for _ in names]
    assert seen == [*names[1:], names[0]]
    do(session, "next view")
    do(session, "previous view")
    do(session, "previous view")
    assert session.scene.look.shading.view_mode == names[-1]


def test_a_view_mode_hides_joint_weights(session):
    do(session, "weights")
    do(session, "next view")
    assert session.scene.weights_joint == -1


def test_cycling_file_cameras(session, tmp_path):
    character_files.open_file(session, full_file().path(tmp_path))
    seen = [do(session, "camera").scene.camera.file_camera for _ in range(4)]
    assert seen == [0, 1, 2, -1]
    do(session, "camera")
    assert session.interface.notice == "Wide"
    do(session, "camera")
    assert session.interface.notice == "Plan on Crane"  # two cameras have this name


def test_notice_without_file_cameras(session):
    show_model(session, rod_model())
    assert do(session, "camera").scene.camera.file_camera == -1
    assert "no camera" in session.interface.notice


@pytest.mark.parametrize("name", ["frame", "front", "right", "top"])
def test_view_actions_return_to_the_orbit_camera(session, tmp_path, name):
    character_files.open_file(session, full_file().path(tmp_path))
    do(session, "camera")
    do(session, name)
    assert session.scene.camera.uses_orbit


def test_onion_skins(session):
    assert do(session, "onion skins").scene.look.overlays.onion_skins == 3
    assert do(session, "onion skins").scene.look.overlays.onion_skins == 0
