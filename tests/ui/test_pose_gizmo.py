"""Posing by hand: the handle in the scene, its drags, and the actions of the inspector."""

import math

import numpy as np
import pytest
from imgui_bundle.imguizmo import im_guizmo

from rigview.motion.document import LayerSettings, StillPose
from rigview.scene.selected import Selected
from rigview.session.posing import Posing
from rigview.window.input_queue import Key
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver


@pytest.fixture(scope="module")
def character(tmp_path_factory):
    path = tmp_path_factory.mktemp("posing") / "character.glb"
    path.write_bytes(light_mannequin(frozenset(("Walk",))))
    return path


@pytest.fixture
def driver(gl, character):
    driver = PanelDriver(gl, character, size=(1280, 1000))
    driver.session.transport.pause_at(0.2)
    yield driver
    driver.close()


def start(driver, joint, tool, space="local"):
    session = driver.session
    session.selections.select(session.active, Selected(session.model.skeleton.find(joint)))
    driver.frames(3)
    driver.click(f"space of {space}")
    driver.click(f"pose tool {tool}")
    driver.frames(3)
    assert "gizmo" in driver.marks


def grip(driver):
    """A place of the window where the handle is under the pointer."""
    x, y = driver.place("gizmo")
    for radius in (40, 60, 80, 100, 120, 140):
        for angle in np.linspace(0, 2 * math.pi, 24, endpoint=False):
            at = x + radius * math.cos(angle), y + radius * math.sin(angle)
            driver.move(*at)
            driver.frames()
            if im_guizmo.is_over():
                return at
    raise AssertionError("the handle is nowhere")


def pull(driver, by=(60, 40)):
    x, y = grip(driver)
    driver.drag((x, y), (x + by[0], y + by[1]))
    driver.frames(3)


def matrices(driver):
    return driver.session.character.matrices.astype(np.float64).copy()


@pytest.mark.parametrize("tool", ["rotate", "move", "scale"])
@pytest.mark.parametrize("space", ["local", "model", "world"])
def test_a_drag_changes_one_part_of_a_joint_in_one_step(driver, tool, space):
    session, camera = driver.session, driver.scene.camera.orbit
    find = session.model.skeleton.find
    start(driver, "LeftArm", tool, space)
    before, seen = matrices(driver), (camera.azimuth, camera.elevation, camera.distance)
    pull(driver)
    document = session.editor.document
    assert document.layers == (
        LayerSettings("base", "Walk"),
        LayerSettings("Pose", StillPose("Pose"), mask="touched"),
    )
    assert list(document.poses["Pose"]) == ["LeftArm"]
    part = {"rotate": "rotation", "move": "translation", "scale": "scale"}[tool]
    assert getattr(document.poses["Pose"]["LeftArm"], part) is not None
    after = matrices(driver)
    assert np.abs(after - before)[find("LeftHand")].max() > 0.02
    np.testing.assert_allclose(after[find("RightHand")], before[find("RightHand")], atol=1e-6)
    if tool != "move":
        arm = find("LeftArm")
        np.testing.assert_allclose(after[arm, :3, 3], before[arm, :3, 3], atol=1e-5)
    assert (camera.azimuth, camera.elevation, camera.distance) == seen
    driver.key("left_ctrl", "z")
    assert not session.editor.document.layers
    driver.key("left_ctrl", "y")
    assert session.editor.document == document


@pytest.mark.parametrize("tool", ["rotate", "move", "scale"])
def test_a_click_on_the_handle_changes_nothing(driver, tool):
    start(driver, "LeftArm", tool)
    driver.press(*grip(driver))
    driver.frames(3)
    driver.release()
    assert not driver.session.history.undo_label
    assert driver.session.selections.current.name == "LeftArm"


def test_the_clip_goes_on_for_other_joints(driver):
    session = driver.session
    start(driver, "LeftArm", "rotate")
    pull(driver)
    arm, leg = (session.model.skeleton.find(name) for name in ("LeftArm", "LeftLeg"))
    before = session.character.pose.rotation.copy()
    session.transport.pause_at(0.5)
    driver.frames(3)
    after = session.character.pose.rotation
    np.testing.assert_array_equal(after[arm], before[arm])
    assert np.abs(after[leg] - before[leg]).max() > 0.02


def test_a_drag_while_time_runs(driver):
    session = driver.session
    session.transport.toggle()
    session.transport.set_speed(0.02)  # so that the handle is still where it was found
    start(driver, "Spine", "rotate", "world")
    spine, leg = (session.model.skeleton.find(name) for name in ("Spine", "LeftLeg"))
    pull(driver, (30, 50))
    assert session.transport.running
    assert list(session.editor.document.poses["Pose"]) == ["Spine"]
    session.transport.set_speed(1.0)
    before = session.character.pose.rotation.copy()
    driver.frames(10)
    after = session.character.pose.rotation
    np.testing.assert_array_equal(after[spine], before[spine])
    assert np.abs(after[leg] - before[leg]).max() > 0.02
    driver.key("left_ctrl", "z")
    assert not session.editor.document.layers


def test_ctrl_moves_by_steps(driver):
    session = driver.session
    start(driver, "LeftLeg", "rotate", "model")
    joint = session.model.skeleton.find("LeftLeg")
    before = matrices(driver)[joint, :3, :3]
    x, y = grip(driver)
    driver.press(x, y)
    driver.gui.add(Key("left_ctrl", True))
    driver.move(x + 50, y + 40)
    driver.release()
    driver.gui.add(Key("left_ctrl", False))
    driver.frames(2)
    turn = matrices(driver)[joint, :3, :3] @ np.linalg.inv(before)
    degrees = math.degrees(math.acos((np.trace(turn) - 1) / 2))
    assert degrees > 1.0
    assert abs(degrees / 5.0 - round(degrees / 5.0)) < 1e-3


def test_moving_a_foot_bends_the_leg(driver):
    session = driver.session
    start(driver, "LeftFoot", "move", "world")
    before = matrices(driver)
    pull(driver, (90, -90))
    document = session.editor.document
    assert set(document.poses["Pose"]) == {"LeftUpLeg", "LeftLeg", "LeftFoot"}
    after = matrices(driver)
    upper, middle, end = (
        session.model.skeleton.find(name) for name in ("LeftUpLeg", "LeftLeg", "LeftFoot")
    )
    for one, two in ((upper, middle), (middle, end)):
        lengths = [np.linalg.norm(m[one, :3, 3] - m[two, :3, 3]) for m in (before, after)]
        assert abs(lengths[0] - lengths[1]) < 1e-5
    assert np.linalg.norm(after[end, :3, 3] - before[end, :3, 3]) > 0.05
    np.testing.assert_allclose(after[end, :3, :3], before[end, :3, :3], atol=1e-4)
    np.testing.assert_allclose(after[upper, :3, 3], before[upper, :3, 3], atol=1e-6)


def test_the_other_side_follows(driver):
    session = driver.session
    driver.session.character.show = "rest"
    start(driver, "LeftArm", "rotate")
    driver.click("pose mirror")
    pull(driver)
    assert set(session.editor.document.poses["Pose"]) == {"LeftArm", "RightArm"}
    assert session.editor.document.layers[0].play == StillPose("rest")
    hands = [session.model.skeleton.find(f"{side}Hand") for side in ("Left", "Right")]
    left, right = matrices(driver)[hands, :3, 3]
    np.testing.assert_allclose(left * [-1, 1, 1], right, atol=1e-5)


def test_the_buttons_of_a_pose(driver):
    session = driver.session
    start(driver, "LeftArm", "rotate")
    pull(driver)
    made = session.editor.document.poses["Pose"]
    driver.click("mirror pose")
    assert list(session.editor.document.poses["Pose"]) == ["RightArm"]
    driver.click("mirror pose")
    again = session.editor.document.poses["Pose"]["LeftArm"].rotation
    np.testing.assert_allclose(again, made["LeftArm"].rotation, atol=1e-4)
    driver.click("pose name")
    driver.key("left_ctrl", "a")
    driver.type("wave")
    driver.click("save pose")
    assert set(session.editor.document.poses) == {"Pose", "wave"}
    driver.click("pose name")
    driver.key("left_ctrl", "a")
    driver.type("lift")
    driver.click("rename pose")
    assert set(session.editor.document.poses) == {"lift", "wave"}
    assert session.editor.document.layers[1].play == StillPose("lift")
    driver.key("left_ctrl", "z")
    driver.click("reset joint")
    assert session.editor.document.poses["Pose"] == {}
    driver.key("left_ctrl", "z")
    driver.click("reset pose")
    assert session.editor.document.poses["Pose"] == {}
    assert list(session.editor.document.poses["wave"]) == ["LeftArm"]


def test_the_key_chooses_the_next_tool(driver):
    state = driver.session.interface.of(Posing)
    start(driver, "LeftArm", "rotate")
    for expected in ("move", "scale", ""):
        driver.key("p")
        assert state.tool == expected
    driver.frames(2)
    assert "gizmo" not in driver.marks
