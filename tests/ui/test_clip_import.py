"""The pop-up of dropped files, and the tab Mapping."""

import pytest

from rigview.session.clip_import import add_clips, dropped_files
from rigview.session.clip_import.mapping_rows import ClipImportView
from tests.support.bvh_text import body_bvh
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
