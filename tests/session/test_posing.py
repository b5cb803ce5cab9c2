"""Poses made by hand: of placed characters, in several layers, and without a joint or a pose."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.motion import edit
from rigview.motion.document import JointPose, LayerSettings, MotionDoc, StillPose
from rigview.scene.selected import Selected
from rigview.session import posing
from rigview.session.commands.actions import redo, undo
from rigview.session.posing import Posing
from tests.support.full_motion_file import DOCUMENT, open_session
from tests.support.sessions import advance


@pytest.fixture
def session(tmp_path):
    session = open_session(tmp_path)
    session.transport.pause_at(0.3)
    session.update()
    return session


def select(session, name):
    joint = session.model.skeleton.find(name)
    session.selections.select(session.active, Selected(joint))
    return joint


def world(session, joint):
    return np.asarray(session.character.joint_world(joint), np.float64).copy()


@pytest.mark.parametrize("tool", ["rotate", "move"])
def test_a_placed_character_is_posed_in_the_world(session, tool):
    placement = np.array([[0, 0, 2, 5.0], [0, 2, 0, 1], [-2, 0, 0, -3], [0, 0, 0, 1]])
    session.character.set_placement(placement)
    session.update()
    joint, state = select(session, "LeftHand"), session.interface.of(Posing)
    state.tool = tool
    wanted = world(session, joint)
    if tool == "move":
        wanted[:3, 3] += (0.2, 0.3, -0.1)
    else:
        wanted[:3, :3] = [[0, 0, 1], [1, 0, 0], [0, 1, 0]] @ wanted[:3, :3]
    posing.set_joint(session, tool, wanted)
    session.update()
    np.testing.assert_allclose(world(session, joint), wanted, atol=1e-5)
    moved = ["LeftArm", "LeftForeArm", "LeftHand"] if tool == "move" else ["LeftHand"]
    assert list(session.editor.document.poses["Pose"]) == moved


def test_without_ik_the_joint_alone_moves(session):
    joint, state = select(session, "LeftHand"), session.interface.of(Posing)
    state.tool, state.ik = "move", False
    wanted = world(session, joint)
    wanted[:3, 3] += (0.2, 0.3, -0.1)
    posing.set_joint(session, "move", wanted)
    session.update()
    np.testing.assert_allclose(world(session, joint), wanted, atol=1e-5)
    assert list(session.editor.document.poses["Pose"]) == ["LeftHand"]


def test_all_layers_of_a_motion_stay(session):
    session.editor.edit(DOCUMENT, "All at once")
    advance(session, 10)
    joint = select(session, "Head")
    wanted = world(session, joint)
    wanted[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]] @ wanted[:3, :3]
    posing.set_joint(session, "rotate", wanted)
    session.update()
    document = session.editor.document
    pose = LayerSettings("Pose", StillPose("Pose"), "touched")
    assert replace(document, poses={}, layers=document.layers[:-1]) == DOCUMENT
    assert document.layers[-1] == pose
    np.testing.assert_allclose(world(session, joint), wanted, atol=1e-5)


@pytest.mark.parametrize("paused", [True, False])
def test_a_drag_binds_the_layers_at_its_start_and_end(session, paused):
    session.editor.edit(DOCUMENT, "All at once")
    if not paused:
        session.transport.toggle()
    joint, mixers = select(session, "Head"), []
    for degrees in (5.0, 20.0, 40.0, 30.0):
        advance(session, 1)
        wanted = world(session, joint)
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        wanted[:3, :3] = [[c, 0, s], [0, 1, 0], [-s, 0, c]] @ wanted[:3, :3]
        posing.set_joint(session, "rotate", wanted)
        mixers.append(session.character.mixer)
        session.update()
        np.testing.assert_allclose(world(session, joint), wanted, atol=1e-5)
    assert mixers[0] is mixers[-1]
    shown, label = session.character.matrices.copy(), session.history.undo_label
    session.editor.end_drag()
    if not paused:
        session.transport.toggle()
        session.update()
        shown = session.character.matrices.copy()
    session.tick()
    session.editor.sync_to_document()
    session.update()
    assert session.character.mixer is not mixers[0]
    np.testing.assert_allclose(session.character.matrices[joint], shown[joint], atol=0.05)
    if paused:
        np.testing.assert_allclose(session.character.matrices, shown, atol=1e-6)
    document = session.editor.document
    undo(session)
    session.update()
    assert (label, session.editor.document) == ("Pose Head", DOCUMENT)
    redo(session)
    session.update()
    assert session.editor.document == document
    if paused:
        np.testing.assert_allclose(session.character.matrices, shown, atol=1e-6)


def test_a_pose_of_the_file_is_edited_further(session):
    made = {"Neck": JointPose((0.0, 30.0, 0.0))}
    document = MotionDoc(
        poses={"bow": made},
        layers=(LayerSettings("base", "Walk"), LayerSettings("bow", StillPose("bow"), "touched")),
    )
    session.editor.edit(document, "Bow")
    joint = select(session, "Head")
    posing.set_joint(session, "rotate", world(session, joint) @ np.diag([-1.0, 1.0, -1.0, 1.0]))
    assert session.editor.document.layers == document.layers
    assert list(session.editor.document.poses["bow"]) == ["Neck", "Head"]
    assert session.editor.document.poses["bow"]["Neck"] == made["Neck"]


def test_resetting_a_joint_with_the_mirror_resets_its_image(session):
    poses = {name: JointPose((10.0, 0.0, 0.0)) for name in ("LeftArm", "RightArm", "Head")}
    session.editor.edit(edit.with_pose_by_hand(MotionDoc(), poses, "Walk"), "Pose")
    select(session, "LeftArm")
    session.interface.of(Posing).mirror = True
    posing.reset(session, joint=True)
    assert list(session.editor.document.poses["Pose"]) == ["Head"]
    posing.reset(session, joint=False)
    assert session.editor.document.poses["Pose"] == {}
    assert session.history.undo_label == "Reset Pose"


def test_a_renamed_pose_has_a_name_of_its_own(session):
    select(session, "LeftHand")
    posing.set_joint(session, "rotate", np.eye(4))
    for wanted, name in ((" wave ", "wave"), ("rest", "rest 2"), ("  ", "rest 2")):
        posing.rename(session, wanted)
        assert list(session.editor.document.poses) == [name]
        assert session.editor.document.layers[-1].play == StillPose(name)


def test_nothing_happens_without_a_joint_or_a_pose(session):
    posing.set_joint(session, "rotate", np.eye(4))
    posing.reset(session, joint=True)
    posing.reset(session, joint=False)
    posing.save_as(session, "wave")
    posing.rename(session, "wave")
    posing.mirror(session)
    assert "There is no pose yet" in session.interface.notice
    assert session.editor.document == MotionDoc()
    posing.next_tool(session)
    assert session.interface.notice == "Pose by hand: rotate: select a joint"


def test_a_pose_that_is_not_finite_is_not_written(session):
    joint = select(session, "LeftHand")
    session.character.matrices[joint] = np.nan
    posing.set_joint(session, "rotate", np.eye(4))
    assert session.editor.document == MotionDoc()
    assert "not finite" in session.interface.notice
