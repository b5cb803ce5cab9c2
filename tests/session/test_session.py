"""A session: opening files, errors and reloading, without a window."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.errors import ContextError, GltfError, MotionError
from rigview.model.skin_joints import heaviest_joint, weighted_joints
from rigview.motion.document import LayerSettings, MotionDoc
from rigview.rendering.frame import Frame
from rigview.resources import asset_path
from rigview.scene.camera import DEFAULT_ANGLES
from rigview.session import character_files, played_motion
from rigview.session.clip_import.mapping_rows import ClipImportView
from rigview.session.file_reading import FileReading
from rigview.session.findings.findings_view import FindingsView
from rigview.session.session import NOTICE_SECONDS, SLOW, Session
from rigview.session.ui_state import CANNOT_SHOW, SEARCHES
from tests.support.fixed_clock import FixedClock
from tests.support.full_file import full_file
from tests.support.looks import set_look
from tests.support.models import make_model, rod_model, show_model, square
from tests.support.sessions import new_session, wait

CHARACTER = asset_path("mannequin.glb")
APP = Path(__file__).resolve().parents[2] / "app"


def test_fields_are_few_and_shared():
    fields = vars(Session(FixedClock(1.0)))
    assert len(fields) <= 12
    assert not [name for name in fields if name.startswith("_")]
    read_as = {"time": "tau|clock"}  # by properties
    texts = [path.read_text(encoding="utf-8") for path in APP.rglob("*.py")]
    for name in fields:
        used = re.compile(rf"session\.({read_as.get(name, name)})\b")
        assert sum(bool(used.search(text)) for text in texts) >= 2, name


@pytest.fixture
def session():
    session = new_session(100.0)
    session.tick()
    return session


@pytest.fixture
def copy(tmp_path):
    return shutil.copy(CHARACTER, tmp_path / "character.glb")


def broken(tmp_path):
    path = tmp_path / "broken.glb"
    path.write_bytes(CHARACTER.read_bytes()[:999])
    return path


def test_open_plays_and_frames_the_first_clip(session):
    character_files.open_file(session, CHARACTER)
    assert session.transport.running
    assert session.character.clip == 0
    corners = session.scene.camera.current.project(session.scene.bounds.swept, session.aspect)[
        :, :2
    ]
    assert corners.min() >= 0.0
    assert corners.max() <= 1.0
    assert (corners.max(axis=0) - corners.min(axis=0)).max() > 0.85


def test_prepare_replaces_the_first_clip(session):
    seen = []
    character_files.open_file(session, CHARACTER, prepare=seen.append)
    assert seen == [session]
    assert session.character.clip == -1


def test_broken_file_keeps_the_old_character(session, tmp_path):
    character_files.open_file(session, CHARACTER)
    before = session.character
    wait(session, 0.5)
    character_files.try_open(session, broken(tmp_path))
    assert session.character is before
    assert session.path == CHARACTER
    assert session.interface.popup == "error"
    assert "broken.glb" in session.interface.error
    assert session.settings.recent == []
    wait(session, 0.1)
    assert session.transport.time == pytest.approx(0.6)


def test_missing_file_is_an_error(session, tmp_path):
    with pytest.raises(GltfError):
        character_files.open_file(session, tmp_path / "none.glb")
    character_files.try_open(session, tmp_path / "none.glb")
    assert "none.glb" in session.interface.error
    assert not session.settings.recent


def test_failed_upload_keeps_the_old_character(session):
    character_files.open_file(session, CHARACTER)
    before = session.character

    def refuse(model, *, beside):
        raise ContextError("a texture is too large")

    session.files.accept = refuse
    character_files.try_open(session, CHARACTER)
    assert session.character is before
    assert session.interface.error == "a texture is too large"


def test_recent_files(session):
    character_files.try_open(session, CHARACTER)
    assert session.settings.recent == [str(CHARACTER)]


def test_new_file_keeps_the_display_settings(session, copy):
    character_files.open_file(session, CHARACTER)
    set_look(session.scene, skeleton=True)
    set_look(session.scene, weights_joint=3)
    session.scene.camera.orbit.orbit(1.0, 0.0)
    session.transport.set_speed(3.0)
    character_files.open_file(session, copy)
    assert session.scene.look.overlays.skeleton
    assert session.scene.weights_joint == -1
    assert session.scene.camera.orbit.azimuth == pytest.approx(np.radians(DEFAULT_ANGLES[0]))
    assert session.transport.speed == 1.0


def test_searches_end_with_another_file(session, copy):
    character_files.open_file(session, CHARACTER)
    interface = session.interface
    views = interface.curves, interface.of(FindingsView), interface.of(ClipImportView)
    searches = [(x, f) for x in (interface.outliner, *views) for f in SEARCHES if hasattr(x, f)]
    assert len(searches) == 6
    for each, name in searches:
        setattr(each, name, "LeftArm")
    assert character_files.reload(session)
    assert {getattr(*each) for each in searches} == {"LeftArm"}
    character_files.open_file(session, copy)
    assert {getattr(*each) for each in searches} == {""}


def test_reload_keeps_the_playback_state(session, copy):
    character_files.open_file(session, copy)
    played_motion.start_clip(session.transport, 1)
    session.transport.set_speed(0.5)
    session.transport.set_loop("loop", 1.0)
    session.scene.camera.orbit.orbit(1.0, 0.1)
    set_look(session.scene, weights_joint=session.model.skeleton.find("Spine"))
    wait(session, 0.4)
    before, camera = session.model, session.scene.camera.orbit.azimuth
    assert character_files.reload(session)
    assert session.model is not before
    assert session.character.clip == 1
    assert session.transport.time == pytest.approx(0.2)
    assert session.transport.speed == 0.5
    assert session.transport.loop_name == "Once"
    assert session.scene.camera.orbit.azimuth == camera
    assert session.scene.weights_joint == session.model.skeleton.find("Spine")
    wait(session, 0.2)
    assert session.transport.time == pytest.approx(0.3)


def test_reload_keeps_file_camera_and_variant(session, tmp_path):
    file = full_file()
    character_files.open_file(session, file.path(tmp_path))
    session.scene.camera.file_camera = 1
    hidden = frozenset([(session.model.instances[0].joint, 0)])
    session.show(variant="#1", **session.active.hidden_names(hidden, frozenset({0, 2})))
    assert character_files.reload(session)
    assert (session.scene.camera.file_camera, session.character.variant) == (1, 1)
    assert session.character.hidden_parts == hidden
    assert session.character.hidden_joints == {0, 2}
    file.json["cameras"][1]["name"] = "Another"
    file.json["extensions"]["KHR_materials_variants"]["variants"].pop()
    file.path(tmp_path)
    assert character_files.reload(session)
    assert (session.scene.camera.file_camera, session.character.variant) == (-1, -1)


def test_new_file_uses_the_orbit_camera(session, tmp_path):
    character_files.open_file(session, full_file().path(tmp_path))
    session.scene.camera.file_camera = 1
    session.show(variant="#1")
    character_files.open_file(session, CHARACTER)
    assert (session.scene.camera.file_camera, session.character.variant) == (-1, -1)


def test_reload_finds_the_weights_joint_by_name(session, copy, monkeypatch):
    character_files.open_file(session, copy)
    names = session.model.skeleton.names
    set_look(session.scene, weights_joint=5)
    turned = replace(session.model.skeleton, names=tuple(reversed(names)))
    other = replace(session.model, skeleton=turned)
    monkeypatch.setattr("rigview.loading.read_character.load", lambda *_, **__: other)
    assert character_files.reload(session)
    assert session.scene.weights_joint == len(names) - 6


def test_reload_keeps_trim(session, copy):
    character_files.open_file(session, copy)
    played_motion.set_trim(session.active, trim=True)
    character_files.reload(session)
    assert session.character.trim


def test_reload_keeps_a_pause(session, copy):
    character_files.open_file(session, copy)
    wait(session, 0.4)
    session.transport.toggle()
    character_files.reload(session)
    wait(session, 1.0)
    assert session.transport.time == pytest.approx(0.4)
    assert not session.transport.running


def test_reload_of_a_broken_file_keeps_the_character(session, copy, tmp_path):
    character_files.open_file(session, copy)
    before = session.character
    shutil.copy(broken(tmp_path), copy)
    assert not character_files.reload(session)
    assert session.character is before
    assert session.interface.popup == "error"


def test_reload_without_a_character(session):
    assert not character_files.reload(session)


def test_reload_keeps_morph_overrides(session):
    old, new = (
        make_model([square()], channels=()),
        make_model([square()], channels=()),
    )
    show_model(session, old)
    first = session.character
    first.override = np.array([0.5, np.nan], np.float32)
    session.scene.show(new)
    second = session.character
    second.override = np.full(2, np.nan, np.float32)
    played_motion.continue_from(second, first, MotionDoc(), 0.0)
    np.testing.assert_array_equal(second.override, first.override)


def test_reload_without_the_playing_clip(session):
    show_model(session, rod_model())
    first = session.character
    other = session.scene.show(make_model([square()]))
    played_motion.continue_from(other, first, MotionDoc(), 0.0)
    assert session.character.clip == -1


def test_reload_finds_the_clip_by_name(session):
    character_files.open_file(session, CHARACTER)
    played_motion.start_clip(session.transport, 2)
    first = session.character
    clips = tuple(reversed(session.model.clips))
    second = session.scene.show(replace(session.model, clips=clips))
    played_motion.continue_from(second, first, MotionDoc(), session.tau)
    assert second.clip == len(clips) - 3


def test_notice_duration(session):
    wait(session, 2.0)
    session.notify("Saved")
    assert session.interface.notice_end == pytest.approx(2.0 + NOTICE_SECONDS)


def test_requests_are_unique(session):
    session.interface.ask("picture")
    session.interface.ask("quit")
    session.interface.ask("picture")
    assert session.interface.requests == ["picture", "quit"]


def test_heaviest_joint_of_a_rod_is_a_bent_one():
    model = rod_model()
    weights = model.meshes[0].primitives[0].weights
    joints = model.meshes[0].primitives[0].joints
    sums = [float(weights[joints == k].sum()) for k in range(3)]
    assert heaviest_joint(model) == 1 + int(np.argmax(sums))
    assert weighted_joints(model) == [1, 2, 3]
    assert heaviest_joint(make_model([square()])) == -1


def test_readable_files_open_beside_an_error(session, copy, tmp_path):
    session.interface.viewport.aspect = 1.3
    wrong = broken(tmp_path)
    paths = [wrong, Path(copy), wrong.with_name("missing.glb")]
    with pytest.raises(GltfError) as first:
        character_files.open_files(session, paths)
    character_files.open_readable(session, paths, first.value)
    assert [each.name for each in session.open_characters] == ["character.glb"]
    assert session.interface.popup == "error"
    assert session.interface.error_title == CANNOT_SHOW
    lines = session.interface.error.splitlines()
    assert lines[0] == str(first.value)
    assert "missing.glb" in lines[1]
    assert len(lines) == 2


def test_a_motion_file_that_cannot_be_read_plays_the_first_clip(session, copy):
    Path(copy).with_suffix(".motion.toml").write_text("version = 2\n")
    session.files.read_motions = True
    error = MotionError("not a version")
    character_files.open_readable(session, [Path(copy)], error)
    assert session.character.clip == 0
    assert session.interface.error_title == character_files.MOTION_NOT_USED
    assert "not a version" in session.interface.error


def test_a_clip_that_leaves_the_picture_is_framed(session, copy):
    character_files.open_file(session, Path(copy))
    names = [clip.name for clip in session.model.clips]
    framed = session.scene.camera.orbit.distance
    played_motion.start_clip(session.transport, names.index("Idle"))
    assert session.scene.camera.orbit.distance == framed, "it fits as it is"
    played_motion.start_clip(session.transport, names.index("Prone"))
    assert session.scene.fits(session.aspect)
    assert session.scene.camera.orbit.distance != framed


def test_a_close_view_stays_when_another_clip_plays(session, copy):
    character_files.open_file(session, Path(copy))
    names = [clip.name for clip in session.model.clips]
    camera = session.scene.camera.orbit
    camera.zoom(8)
    near = camera.distance, camera.target.tolist()
    assert not session.scene.fits(session.aspect)
    played_motion.start_clip(session.transport, names.index("Prone"))
    assert (camera.distance, camera.target.tolist()) == near


def test_a_light_theme_has_a_light_background(session, copy):
    character_files.open_file(session, Path(copy))
    session.settings.theme = "light"
    session.update()
    assert np.min(Frame.of(session.scene).background) > 0.75
    session.settings.theme = "dark"
    session.update()
    assert np.max(np.array(Frame.of(session.scene).background)[:, :3]) < 0.3
    chosen = (0.5, 0.25, 0.0, 1.0)
    set_look(session.scene, background=chosen)
    session.settings.theme = "light"
    session.update()
    assert Frame.of(session.scene).background == (chosen,), "a chosen one stays"


class SlowClock:
    """A clock that a test advances."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return self.seconds


def test_layers_that_take_too_long_slow_time_down(monkeypatch):
    clock = SlowClock()
    session = Session(clock, files=FileReading(read_motions=False))
    session.tick()
    character_files.open_file(session, CHARACTER)

    def frame(seconds):
        """Draw a frame whose evaluation takes some seconds; return how far time goes on."""
        before = session.tau
        session.tick()
        real = type(session.scene).update

        def update(scene, tau):
            clock.seconds += seconds
            real(scene, tau)

        with monkeypatch.context() as patch:
            patch.setattr(type(session.scene), "update", update)
            session.update()
        return session.tau - before

    assert [frame(0.5) for _ in range(3)] == [0.0, 0.5, 0.5], "a clip goes on in real time"
    session.editor.start(MotionDoc(layers=(LayerSettings("base", "Walk"),)))
    assert [frame(0.5) for _ in range(4)] == pytest.approx([0.5, SLOW, SLOW, SLOW])
    assert [frame(0.01) for _ in range(3)] == pytest.approx([SLOW, 0.01, 0.01])
    session.notify("Saved")
    assert session.interface.notice_end == pytest.approx(session.time.now() + NOTICE_SECONDS)
