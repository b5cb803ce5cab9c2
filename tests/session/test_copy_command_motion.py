"""A motion edited in the window, saved, read back and copied draws the same picture."""

import shlex
from dataclasses import replace

import numpy as np
import pytest

from rigview.motion import edit
from rigview.motion.document import At, ClipSettings, Fade, LayerSettings, MotionDoc, Root
from rigview.motion.read import read_motion
from rigview.scene.selected import Selected
from rigview.session import character_files, played_motion, posing
from rigview.session.copied_text import copy_command, not_in_command
from tests.support.copied_commands import SIZE, draw_session, open_session, run_command
from tests.support.full_motion_file import CLIPS, DOCUMENT, TIMED_CHANGES
from tests.support.light_mannequin import light_mannequin
from tests.support.looks import set_look
from tests.support.sessions import advance

TURNED = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])


@pytest.fixture
def path(tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    path = folder / "figure.glb"
    path.write_bytes(light_mannequin(CLIPS))
    return path


def edited_by_drags(session):
    """Layers, weights, a mask and a fade, edited as by the panels while the motion runs."""
    editor = session.editor
    editor.edit(MotionDoc(layers=(LayerSettings("base", "Walk"),)), "Create layers")
    editor.edit(edit.with_layer(editor.document, LayerSettings("wave", "Wave")), "Add wave")
    advance(session, 20)
    for weight in (0.9, 0.7, 0.6):
        editor.drag("wave.weight", weight, "Weight of wave")
        advance(session, 2)
    editor.end_drag()
    document = edit.with_entry(editor.document, "masks", "upper", DOCUMENT.masks["upper"])
    document = edit.changed_layer(document, "wave", lambda each: replace(each, mask="upper"))
    editor.edit(edit.with_mask_weight(document, "upper", "LeftArm", 1.0), "Paint upper")
    advance(session, 7)
    fade = Fade("base", "Run", 0.4, in_phase=False)
    editor.edit(edit.with_fade(editor.document, session.transport.time, fade), "Fade")
    advance(session, 13)


def show_traces(session, joint):
    """The path of a joint and onion skins."""
    chosen = Selected(session.model.skeleton.find(joint))
    session.selections.select(session.active, chosen)
    set_look(session.scene, joint_path=True, onion_skins=2)


def all_features(session):
    session.editor.edit(replace(DOCUMENT, at=TIMED_CHANGES), "All at once")
    advance(session, 40)
    session.editor.drag("speed", 3.0, "Value of speed")
    advance(session, 5)
    session.editor.end_drag()
    session.transport.pause_at(2.3)


def root_motion(session):
    root = Root("Hips", mode="accumulate", turn=True)
    walk = replace(DOCUMENT.clips["Walk"], root=root)
    forward = ClipSettings(root=root)
    doc = MotionDoc(
        clips={"Walk": walk, "WalkForward": forward}, layers=(LayerSettings("base", "WalkForward"),)
    )
    session.editor.edit(doc, "In place")
    show_traces(session, "LeftFoot")
    advance(session, 33)


def posed(session):
    """A joint turned, and a hand moved, by the handle; the other side follows."""
    session.editor.edit(MotionDoc(layers=(LayerSettings("base", "Walk"),)), "Create layers")
    advance(session, 20)
    state, find = session.interface.of(posing.Posing), session.model.skeleton.find
    state.mirror = True
    for tool, joint in (("rotate", "LeftUpLeg"), ("move", "LeftHand"), ("scale", "Head")):
        state.tool = tool
        session.selections.select(session.active, Selected(find(joint)))
        placed = session.character.joint_world(find(joint)).astype(np.float64)
        placed[:3, :3] = placed[:3, :3] @ (TURNED if tool == "rotate" else 1.3 * np.eye(3))
        placed[:3, 3] += (0.1, 0.2, 0.1) if tool == "move" else 0.0
        posing.set_joint(session, tool, placed)
        session.editor.end_drag()
        advance(session, 3)
    assert session.history.undo_label == "Pose Head"
    assert {"RightUpLeg", "RightForeArm", "Head"} < {*session.editor.document.poses["Pose"]}


def schedule(session):
    doc = MotionDoc(
        clips={"Run": ClipSettings(loop="once")},
        layers=(LayerSettings("base", "Idle"),),
        at=(At(0.5, Fade("base", "Run", 0.5, kind="frozen")),),
    )
    session.editor.edit(doc, "Moments")
    show_traces(session, "RightHand")
    session.scene.camera.orbit.orbit(0.4, 0.2)
    session.transport.pause_at(0.8)


@pytest.mark.parametrize("set_up", [edited_by_drags, all_features, root_motion, posed, schedule])
def test_saved_motion_draws_the_same_picture(gl, path, tmp_path, monkeypatch, set_up):
    session = open_session(path)
    session.files.read_motions = True
    set_up(session)
    if session.transport.running:
        session.transport.toggle()
    session.update()
    assert "unsaved changes of the motion" in not_in_command(session)
    assert session.editor.save()
    assert not_in_command(session) == []
    document = session.editor.document
    assert read_motion(path.with_name("figure.motion.toml")).document == document

    line = copy_command(session, SIZE, 1)
    shown = draw_session(gl, session, 1)
    words = shlex.split(line)
    assert words[words.index("--motion") + 1] == str(path.with_name("figure.motion.toml"))
    assert float(words[words.index("--time") + 1]) == session.transport.time
    np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), shown)

    now = session.transport.time
    character_files.open_file(session, path)
    assert session.editor.document == document
    session.transport.pause_at(now)
    session.update()
    again = shlex.split(copy_command(session, SIZE, 1))
    assert again[again.index("--time") + 1] == words[words.index("--time") + 1]


def test_single_clip_without_motion_settings(gl, path, tmp_path, monkeypatch):
    session = open_session(path)
    session.editor.edit(DOCUMENT, "All at once")
    session.editor.save()
    played_motion.start_clip(session.transport, 1)
    advance(session, 21)
    line = copy_command(session, SIZE, 1)
    assert "--no-motion" in line
    shown = draw_session(gl, session, 1)
    np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), shown)


def _pass_two(session):
    session.transport.seek(0.3)
    advance(session, 90)


def _backwards(session):
    session.transport.set_speed(-1.0)
    advance(session, 40)


@pytest.mark.parametrize(
    "go",
    [
        lambda session: advance(session, 13),
        _pass_two,
        lambda s: s.transport.go_to_end(last=True),
        _backwards,
    ],
    ids=["first pass", "second pass", "end", "backwards"],
)
@pytest.mark.parametrize("loop", [None, "pingpong"])
def test_single_clip_with_motion_settings(gl, path, tmp_path, monkeypatch, go, loop):
    session = open_session(path)
    root = Root("Hips", mode="accumulate", turn=True)
    said = ClipSettings(range=(0.1, 0.8), root=root, loop=loop)
    doc = MotionDoc(clips={"WalkForward": said}, layers=(LayerSettings("base", "Idle"),))
    session.editor.edit(doc, "Said")
    assert session.editor.save()
    names = [clip.name for clip in session.model.clips]
    played_motion.start_clip(session.transport, names.index("WalkForward"))
    go(session)
    if session.transport.running:
        session.transport.toggle()
    session.update()
    line = copy_command(session, SIZE, 1)
    assert not_in_command(session) == []
    shown = draw_session(gl, session, 1)
    np.testing.assert_array_equal(run_command(line, tmp_path, monkeypatch), shown)


def test_unsaved_changes_are_not_in_the_command(path):
    session = open_session(path)
    session.editor.edit(DOCUMENT, "All at once")
    session.editor.save()
    assert not_in_command(session) == []
    session.editor.edit(edit.with_weight(DOCUMENT, "wave", 0.1), "Weight of wave")
    assert not_in_command(session) == ["unsaved changes of the motion"]
    set_look(session.scene, mask=(1.0,) * session.model.skeleton.count)
    assert "the mask shown on the mesh" in not_in_command(session)
