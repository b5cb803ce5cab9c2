"""Several characters in a session, each with its file, clip and editor; one is active."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from rigview.cli.view import set_up_scene
from rigview.errors import GltfError
from rigview.motion import edit
from rigview.motion.document import ClipSettings, LayerSettings, MotionDoc, Root
from rigview.options.parser import parse
from rigview.resources import asset_path
from rigview.scenedoc.scene_doc import Crowd
from rigview.session import character_files, picking, played_motion
from rigview.session.character_files import RELOAD_FAILED
from rigview.session.commands.actions import action, redo, undo
from rigview.session.copied_text import copy_command
from rigview.session.export.export_command import export_text, open_dialog
from rigview.session.export.export_view import ExportView
from rigview.session.session import Leaving
from rigview.tasks import several_characters as together
from rigview.tasks.build_scene import playing_scene
from tests.support.full_file import full_file
from tests.support.looks import set_look
from tests.support.models import make_model, square
from tests.support.sessions import new_session, wait

CHARACTER = asset_path("mannequin.glb")
WALKS = MotionDoc(
    clips={"WalkForward": ClipSettings(root=Root("Hips", mode="accumulate"))},
    layers=(LayerSettings("base", "WalkForward"),),
)


@pytest.fixture
def paths(tmp_path):
    return [shutil.copy(CHARACTER, tmp_path / f"{name}.glb") for name in ("one", "two")]


@pytest.fixture
def session(paths):
    session = new_session(100.0)
    session.tick()
    character_files.open_files(session, paths)
    session.update()
    return session


def clip(opened_character, name):
    names = [each.name for each in opened_character.model.clips]
    played_motion.choose_clip(opened_character, names.index(name))


def world_matrices(session):
    return np.array([each.character.world for each in session.open_characters])


def times(session):
    return [each.transport.time for each in session.open_characters]


def staged(*words):
    options = parse("render", [*words, "-o", "x.png"])
    return playing_scene(options, together.load_characters(options), 1.5)


def broken(tmp_path):
    path = tmp_path / "broken.glb"
    path.write_bytes(CHARACTER.read_bytes()[:999])
    return path


# -- open and close --------------------------------------------------------------------------------


def test_side_by_side_placement(session, paths):
    assert [each.path for each in session.open_characters] == paths
    assert session.path == paths[0]
    left, right = (each.extent for each in session.open_characters)
    assert right[0, 0] > left[1, 0]
    corners = session.scene.camera.current.project(session.scene.bounds.swept, session.aspect)[
        :, :2
    ]
    assert (corners.min(), corners.max()) == (
        pytest.approx(0.0, abs=0.1),
        pytest.approx(1, abs=0.1),
    )
    assert all(each.transport.running for each in session.open_characters)


def test_activating_another_character_moves_nothing(session):
    first, second = session.open_characters
    clip(second, "Run")
    wait(session, 0.2)
    before = (
        world_matrices(session),
        session.scene.camera.current.view(),
        session.scene.bounds.extent,
        times(session),
    )
    action("next character").run(session)
    session.update()
    assert session.active is second
    assert session.character.model is second.model
    after = (
        world_matrices(session),
        session.scene.camera.current.view(),
        session.scene.bounds.extent,
        times(session),
    )
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)
    assert session.interface.notice == "two.glb"
    action("previous character").run(session)
    assert session.active is first


def test_one_undo_history_and_separate_motion_files(session, paths):
    first, second = session.open_characters
    session.editor.edit(WALKS, "Walk on")
    session.activate(second)
    assert session.editor.document == MotionDoc()
    session.editor.edit(edit.with_layer(WALKS, LayerSettings("wave", "Wave")), "Add wave")
    session.activate(first)
    undo(session)
    assert session.active is second, "the character of the edit becomes active"
    assert session.interface.notice == "Undo: Add wave (two.glb)"
    assert second.editor.document == MotionDoc()
    assert first.editor.document == WALKS
    undo(session)
    assert session.active is first
    assert first.editor.document == MotionDoc()
    redo(session)
    redo(session)
    assert session.active is second
    assert session.active.save()
    assert paths[1].with_name("two.motion.toml").is_file()
    assert not paths[0].with_name("one.motion.toml").exists()
    assert session.dirty, "the first one has unsaved changes"


def test_leaving_asks_about_all_unsaved_changes(session, tmp_path):
    first, second = session.open_characters
    second.editor.edit(WALKS, "Walk on")
    character_files.try_open(session, CHARACTER)
    assert session.interface.of(Leaving).unsaved == [second]
    session.interface.popup = ""
    session.remove(first)
    assert session.open_characters == [second], "the first one has no unsaved changes"
    np.testing.assert_array_equal(second.character.placement, np.eye(4))


def test_the_last_character_cannot_be_removed(session):
    first, second = session.open_characters
    session.activate(second)
    session.remove(second)
    session.remove(first)
    assert session.open_characters == [first]
    assert session.active is first
    action("next character").run(session)
    assert "only one" in session.interface.notice


def test_added_characters_join_playback(session, paths):
    first, second = session.open_characters
    session.transport.set_speed(0.5)
    wait(session, 0.6)
    session.transport.toggle()
    character_files.try_add(session, CHARACTER)
    third = session.open_characters[2]
    assert session.active is third
    assert third.transport.time == pytest.approx(first.transport.time)
    assert third.character.playback.paused
    assert float(third.character.playback.rate) == 0.5
    assert third.extent[0, 0] > second.extent[1, 0]


def test_adding_a_broken_file_changes_nothing(session, paths, tmp_path):
    before = session.open_characters
    for take in (character_files.try_add, character_files.try_open):
        take(session, CHARACTER, broken(tmp_path))
        assert session.open_characters == before
        assert "broken.glb" in session.interface.error
        assert not session.settings.recent
        session.interface.error = ""
    with pytest.raises(GltfError):
        character_files.open_files(session, [broken(tmp_path), CHARACTER])


def test_adding_to_an_empty_scene():
    session = new_session(100.0)
    character_files.add_files(session, [CHARACTER])
    assert session.path == CHARACTER
    assert session.transport.running


# -- changed files --------------------------------------------------------------------------------


def test_reload_keeps_the_placements(session, paths):
    first, second = session.open_characters
    clip(second, "Run")
    wait(session, 0.3)
    places, before = world_matrices(session), times(session)
    characters = [each.character for each in session.open_characters]
    assert character_files.reload(session)
    session.update()
    assert not {first.character, second.character} & set(characters)
    np.testing.assert_array_equal(world_matrices(session), places)
    assert times(session) == pytest.approx(before)
    assert "and 1 more" in session.interface.notice


def test_only_changed_files_are_reloaded(session, paths):
    first, second = session.open_characters
    kept, gone = first.character, second.character
    paths[1].write_bytes(CHARACTER.read_bytes() + b"    ")
    character_files.refresh(session)
    assert first.character is kept
    assert second.character is not gone
    paths[0].write_bytes(CHARACTER.read_bytes()[:999])
    character_files.refresh(session)
    assert first.character is kept
    assert session.interface.error_title == RELOAD_FAILED
    assert character_files.watched_files(session) == [
        file for path in paths for file in (path, path.with_name(f"{path.stem}.motion.toml"))
    ]


# -- linked playback ------------------------------------------------------------------------------


def test_linked_playback(session):
    first, second = session.open_characters
    clip(first, "Idle")
    clip(second, "Walk")  # one second long
    wait(session, 0.25)
    action("play").run(session)
    assert not session.moving
    action("next frame").run(session)
    assert times(session) == pytest.approx([8 / 30, 8 / 30])
    session.transport.seek(2.25)
    assert times(session) == pytest.approx([2.25, 0.25]), "a shorter clip wraps"
    action("last frame").run(session)
    assert times(session) == pytest.approx([8.0, 1.0])
    action("faster").run(session)
    assert [float(each.character.playback.rate) for each in session.open_characters] == [1.25, 1.25]
    action("play").run(session)
    assert all(each.transport.running for each in session.open_characters)


def test_unlinked_playback(session):
    first, second = session.open_characters
    action("together").run(session)
    session.activate(second)
    wait(session, 0.25)
    action("play").run(session)
    session.transport.seek(0.9)
    wait(session, 0.1)
    assert times(session) == pytest.approx([0.35, 0.9])
    assert first.transport.running


def test_poses_are_not_linked(session):
    first, second = session.open_characters
    second.character.show = "rest"
    action("play").run(session)
    session.transport.seek(0.3)
    assert second.character.show == "rest"
    assert first.character.playback.paused


def test_toggle_by_an_active_character_without_clips(session):
    first, _ = session.open_characters
    character_files.add_files(session, [CHARACTER])
    played_motion.choose_clip(session.active, -1)
    action("play").run(session)
    assert not first.transport.running


# -- display --------------------------------------------------------------------------------------


def test_root_motion_starts_at_the_placement(session):
    _, second = session.open_characters
    second.editor.edit(WALKS, "Walk on")
    session.update()
    place, target = second.character.placement.copy(), session.scene.camera.current.target.copy()
    wait(session, 1.5)
    assert second.root_offset[2] > 0.5
    np.testing.assert_allclose(
        second.character.world[:3, 3], place[:3, 3] + second.root_offset, atol=1e-6
    )
    (
        np.testing.assert_array_equal(session.scene.camera.current.target, target),
        "it follows the active one",
    )
    assert session.scene.bounds.extent[1, 2] == pytest.approx(
        second.extent[1, 2] + second.root_offset[2]
    )
    session.activate(second)
    session.update()
    np.testing.assert_array_equal(session.scene.camera.current.target, target)
    way = second.root_offset.copy()
    wait(session, 0.3)
    np.testing.assert_allclose(
        session.scene.camera.current.target, target + second.root_offset - way, atol=1e-5
    )


def test_wider_pose_gets_more_room(session):
    first, second = session.open_characters
    before = second.character.placement[0, 3]
    action("pose").run(session)
    session.update()
    session.update()
    assert second.character.placement[0, 3] > before
    assert second.extent[0, 0] > first.extent[1, 0]


def test_weights_and_variants_per_character(session, tmp_path):
    character_files.add_files(session, [full_file().path(tmp_path)])
    third = session.active
    session.show(third, variant="#1")
    session.activate(session.open_characters[0])
    action("weights").run(session)
    joint = session.scene.weights_joint
    session.active.joint = joint + 1
    session.scene.show_weights(joint + 1)
    session.activate(session.open_characters[1])
    assert session.scene.weights_joint == joint, "shown, and its own"
    session.activate(session.open_characters[0])
    assert session.scene.weights_joint == joint + 1
    assert [each.character.variant for each in session.open_characters] == [-1, -1, 1]


def test_file_camera_stays_when_activating_another_character(session, tmp_path):
    character_files.add_files(session, [full_file().path(tmp_path)])
    action("camera").run(session)
    wait(session, 0.1)
    eye = session.scene.camera.used.position()
    session.activate(session.open_characters[0])
    assert session.scene.camera.file_camera == -1
    np.testing.assert_allclose(session.scene.camera.used.position(), eye, atol=1e-5)


def test_hidden_characters_keep_their_place(session):
    first, second = session.open_characters
    places = world_matrices(session)
    session.show(first, hidden=True)
    assert session.scene.characters == [second.character]
    np.testing.assert_array_equal(world_matrices(session), places)
    np.testing.assert_array_equal(session.scene.bounds.extent, second.extent)
    session.show(second, hidden=True)
    assert session.scene.characters == []


def test_size_difference_and_same_size(session, monkeypatch):
    small = make_model([square(0.1)])
    assert session.interface.notice == ""
    monkeypatch.setattr("rigview.loading.read_character.load", lambda *_, **__: small)
    character_files.add_files(session, [Path("small.glb")])
    words = "two.glb is 17 times as tall as small.glb"
    assert session.interface.notice.startswith(words)
    other = session.active
    assert float(np.ptp(other.extent[:, 1])) == pytest.approx(0.1)
    action("same size").run(session)
    assert float(np.ptp(other.extent[:, 1])) == pytest.approx(
        session.open_characters[0].size, rel=1e-5
    )
    assert other.extent[0, 0] > session.open_characters[1].extent[1, 0]
    action("same size").run(session)
    assert float(np.ptp(other.extent[:, 1])) == pytest.approx(0.1)


def test_picking(session):
    set_look(session.scene, skeleton=True)
    camera, size = session.scene.camera.used, (640.0, 480.0)
    for each in reversed(session.open_characters):
        point = each.character.joint_world(each.model.skeleton.find("Head"))[:3, 3]
        place = camera.project(point, size[0] / size[1])[:2] * size
        picking.click(session, tuple(place.tolist()), size)
        assert session.active is each
        assert session.selections.current.name == "Head"


def test_framing_the_active_character(session):
    action("frame").run(session)
    far = session.scene.camera.orbit.distance
    session.activate(session.open_characters[1])
    action("frame active").run(session)
    assert session.scene.camera.orbit.distance < far
    corners = session.scene.camera.current.project(session.active.swept_in_place, session.aspect)[
        :, :2
    ]
    assert corners.min() >= 0.0
    assert corners.max() <= 1.0


def test_choosing_a_clip_while_paused_resumes_all(session):
    action("play").run(session)
    assert not session.moving
    action("next clip").run(session)
    assert all(each.transport.running for each in session.open_characters)
    action("play").run(session)
    assert not session.moving
    session.together = False
    action("next clip").run(session)
    assert [each.transport.running for each in session.open_characters] == [True, False]


# -- start offsets ---------------------------------------------------------------------------------


def test_start_offset_shifts_one_character(session):
    two = session.open_characters[1]
    session.show(two, offset=0.25)
    session.tick()
    session.update()
    length = float(two.character.playback.duration)
    assert times(session)[1] == pytest.approx((times(session)[0] + 0.25) % length, abs=1e-6)
    session.transport.pause_at(0.5)
    assert times(session) == pytest.approx([0.5, 0.75], abs=1e-6), "it is kept by a seek"
    session.show(two, offset=-0.1)
    assert times(session) == pytest.approx([0.5, 0.4], abs=1e-6), "also while paused"
    undo(session)
    assert times(session) == pytest.approx([0.5, 0.75], abs=1e-6)
    session.activate(two)
    session.transport.pause_at(1.0)
    assert times(session) == pytest.approx([0.75, 1.0], abs=1e-6)
    clip(two, "Walk")
    assert two.transport.time == pytest.approx(0.25, abs=1e-6), "a new clip starts with it"


def test_start_offset_of_a_command_and_in_the_window(paths):
    words = [*map(str, paths), "--no-motion", "--offset", "0", "--offset", "0.3"]
    scene = staged(*words)
    scene.update(0.2)
    found = [float(each.character.playback.time(0.2)) for each in scene.instances]
    assert found == pytest.approx([0.2, 0.5])
    session = new_session(100.0)
    session.tick()
    character_files.open_files(session, paths)
    options = parse("view", [*words, "--time", "0.2", "--time", "0.2"])
    set_up_scene(options, session, [None, None])
    assert times(session) == pytest.approx([0.2, 0.5])
    open_dialog(session)
    session.interface.of(ExportView).kind = "video"
    text = export_text(session, (640, 480), 1)
    assert "--offset 0.0 --offset 0.3" in text, "a video keeps it"
    assert "--offset" not in copy_command(session, (640, 480), 1), "each has its own time"


def test_crowd_of_all_clips(session):
    session.remove(session.open_characters[1])
    count = len(session.model.clips)
    session.set_crowd(Crowd(size=(6, 10, 60), clips=tuple(f"#{k}" for k in range(count))))
    session.update()
    assert session.scene.crowd.count == 60
    assert session.crowd.clips[:2] == ("#0", "#1")
    undo(session)
    assert session.scene.crowd is None
    assert session.crowd == Crowd()
    redo(session)
    assert session.scene.crowd.count == 60
