"""The pop-up of dropped files, and the tab Mapping."""

import json

import pytest

from rigview.motion.document import Attachment
from rigview.scene.selected import Selected
from rigview.scenedoc.look import Overlays
from rigview.session.attaching import attach
from rigview.session.clip_import import add_clips, dropped_files
from rigview.session.clip_import.mapping_rows import ClipImportView
from rigview.session.commands.actions import undo
from rigview.session.copied_text import copy_command
from rigview.ui import widgets
from tests.support.animated_value_files import robot_arm
from tests.support.bvh_text import body_bvh
from tests.support.gltf_documents import make_glb, split_glb
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver


@pytest.fixture
def capture(tmp_path):
    path = tmp_path / "capture.bvh"
    path.write_text(body_bvh())
    return path


@pytest.fixture
def driver(gl, tmp_path):
    path = tmp_path / "hero.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    driver = PanelDriver(gl, path)
    yield driver
    driver.close()


@pytest.fixture
def mapped(driver, capture):
    add_clips.add_clips(driver.session, capture)
    driver.frames(4)
    return driver


def chosen(driver, joint, partner):
    driver.click(f"partner {joint}")
    driver.frames(3)
    driver.click(f"partner {joint} {partner}")
    add_clips.poll(driver.session)
    driver.frames(3)


@pytest.mark.parametrize(
    ("button", "names", "clips"),
    [
        ("drop open", ["capture.bvh"], 1),
        ("drop add", ["hero.glb", "capture.bvh"], 1),
        ("drop clips", ["hero.glb"], 2),
    ],
)
def test_what_to_do_with_a_dropped_file(driver, capture, button, names, clips):
    dropped_files.take(driver.session, (capture,), (640.0, 400.0), beside=False)
    driver.frames(3)
    driver.click(button)
    driver.frames(3)
    assert driver.session.interface.popup == ""
    assert [each.name for each in driver.session.open_characters] == names
    assert len(driver.session.model.clips) == clips


def test_a_drop_on_the_list_of_clips_adds_them(driver, capture):
    left, top, right, bottom = driver.session.interface.of(ClipImportView).clips_box
    place = (left + right) / 2, (top + bottom) / 2
    dropped_files.take(driver.session, (capture,), place, beside=False)
    driver.frames(3)
    assert "clip capture" in driver.marks
    assert "mapping LeftUpLeg" in driver.marks, "its mapping is shown"
    driver.click("tab Joints")
    driver.frames(2)
    assert driver.session.interface.of(ClipImportView).clips_box is None


def test_the_common_prefix_of_joints_is_not_shown(gl, tmp_path, monkeypatch):
    for name, prefix, outlier in (
        ("a.glb", "mixamorig:", "Hips"),
        ("b.glb", "mixamorig5:", "Root"),
    ):
        text, blob = split_glb(light_mannequin(frozenset(("Idle",))))
        document = json.loads(text)
        for node in document["nodes"]:
            if "mesh" not in node:
                node["name"] = outlier if node["name"] == "Prop" else prefix + node["name"]
        (tmp_path / name).write_bytes(make_glb(document, blob))
    driver = PanelDriver(gl, tmp_path / "a.glb")
    add_clips.add_clips(driver.session, tmp_path / "b.glb")
    driver.session.interface.mixer_panels.tab = "Mapping"
    shown = []
    cut = widgets.shortened
    monkeypatch.setattr(widgets, "shortened", lambda *given: shown.append(cut(*given)) or shown[-1])
    driver.frames(4)
    assert shown.count("LeftUpLeg") >= 2, "the joint and its partner"
    assert shown.count("RightUpLeg") >= 2
    assert not any("mixam" in each for each in shown)
    driver.click("partner mixamorig:LeftUpLeg")
    driver.frames(3)
    driver.type("spine2")
    driver.frames(2)
    assert "partner mixamorig:LeftUpLeg mixamorig5:Spine2" in driver.marks
    driver.close()


def test_joints_are_mapped_and_reset_by_hand(mapped):
    session = mapped.session
    before = session.active.imports[0]
    assert ("LeftUpLeg", "LeftUpLeg") in before.matched
    chosen(mapped, "LeftUpLeg", "none")
    assert "LeftUpLeg" in session.active.imports[0].unmatched
    assert session.history.undo_label == "Joint mapping of LeftUpLeg"
    mapped.click("only unmatched")
    mapped.frames(2)
    assert "mapping LeftUpLeg" in mapped.marks
    assert "mapping Hips" not in mapped.marks
    mapped.click("reset mapping")
    add_clips.poll(session)
    mapped.frames(2)
    assert session.active.imports[0].matched == before.matched


def test_a_click_selects_the_joint(mapped):
    mapped.click("mapping LeftUpLeg")
    joint = mapped.session.model.skeleton.find("LeftUpLeg")
    assert mapped.session.selected.joint == joint


def test_removed_clips_close_the_tab(mapped):
    mapped.click("remove clips")
    add_clips.poll(mapped.session)
    mapped.frames(2)
    assert "tab Mapping" not in mapped.marks
    assert len(mapped.session.model.clips) == 1


@pytest.fixture
def prop(tmp_path):
    path = tmp_path / "arm.glb"
    path.write_bytes(robot_arm().glb())
    return path


def imported(driver):
    """Wait for what the document names in the background."""
    add_clips.poll(driver.session)
    driver.session.jobs.wait()
    driver.frames(4)


def test_a_file_dropped_on_a_joint_is_attached(driver, prop):
    session = driver.session
    session.change(Overlays, skeleton=True)
    driver.frames(3, scene=True)
    own = session.active
    joint = session.model.skeleton.find("LeftHand")
    left, top, right, bottom = session.interface.viewport.box
    size = right - left, bottom - top
    point = own.character.joint_world(joint)[:3, 3]
    seen = session.scene.camera.used.project(point[None], size[0] / size[1])[0, :2] * size
    dropped_files.take(session, (prop,), (left + seen[0], top + seen[1]), beside=False)
    driver.frames(3)
    driver.click("drop attach")
    imported(driver)
    assert "Base" in session.model.skeleton.names
    attachment = own.document.attachments["arm"]
    assert attachment == Attachment("arm.glb", "LeftHand")
    assert "Attached arm.glb to LeftHand" in session.interface.notice
    assert session.dirty
    command = copy_command(session, (320, 240), 1)
    assert "rigview render" in command
    undo(session)
    imported(driver)
    assert "Base" not in session.model.skeleton.names


def test_attaching_needs_a_bone(driver, prop):
    session = driver.session
    attach(session, prop)
    assert session.interface.notice == "Select the joint that carries the file first"
    joint = session.model.skeleton.find("Head")
    session.selections.select(session.active, Selected(joint))
    attach(session, prop)
    imported(driver)
    assert "Base" in session.model.skeleton.names
    assert not session.interface.popup
    session.editor.save(driver.session.path.with_name("hero.motion.toml"))
    text = driver.session.path.with_name("hero.motion.toml").read_text()
    assert '[attachments.arm]\nfile = "arm.glb"\njoint = "Head"' in text
