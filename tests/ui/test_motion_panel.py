"""The panel "Motion": entries of the motion file made and edited as forms, and their lines."""

import pytest
from imgui_bundle import imgui

from rigview.motion.document import Drive, Reference, StillPose
from rigview.motion.read import parse_motion
from rigview.resources import asset_path
from rigview.scene.selected import Selected
from rigview.session.commands.actions import undo
from rigview.tomlfile.tables import Union
from rigview.ui.motion_panel import TABLES, written
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    """The mannequin without its motion file; the panel "Motion" is open."""
    driver = PanelDriver(gl, asset_path("mannequin.glb"), size=(1400, 1900))
    driver.session.interface.mixer_panels.shown = True
    driver.session.interface.tabs["right"] = "Motion"
    driver.frames(3)
    yield driver
    driver.close()


def document(driver):
    return driver.session.editor.document


def select(driver, joint):
    joint = driver.session.model.skeleton.names.index(joint)
    driver.session.selections.select(driver.session.active, Selected(joint))
    driver.frames(2)


def choose(driver, name, value):
    driver.click(name)
    driver.frames(2)
    driver.type(value)
    driver.click(f"{name} {value}")
    driver.frames(2)


def new(driver, label):
    driver.click("new entry")
    driver.click(f"new {label}")
    driver.frames(2)


def drag(driver, name, way):
    left, top, right, bottom = driver.marks[name]
    start, y = left + 0.8 * (right - left), (top + bottom) / 2
    driver.drag((start, y), (start + way, y))
    driver.frames(2)


def test_ik_of_the_selected_bone(driver):
    new(driver, "IK")
    assert not document(driver).iks, "no bone is selected"
    assert "Select the end of a limb" in driver.session.interface.notice
    select(driver, "LeftHand")
    new(driver, "IK")
    name = "LeftHand IK"
    ik = document(driver).iks[name]
    assert ik.chain == ("LeftArm", "LeftForeArm", "LeftHand")
    assert ik.target == "LeftHand target"
    assert driver.session.character.mixer.layered, "its layer plays"
    clip = driver.session.model.clips[0].name
    assert [each.play for each in document(driver).layers] == [clip, name], "the clip goes on"
    driver.click(f"set iks.{name}.pole")
    assert document(driver).iks[name].pole == (0.0, 1.0, 0.0)
    driver.click(f"unset iks.{name}.pole")
    assert document(driver).iks[name].pole is None
    driver.click(f"iks.{name}.keep")
    assert not document(driver).iks[name].keep
    choose(driver, f"iks.{name}.target", "Head")
    assert document(driver).iks[name].target == "Head"
    undo(driver.session)
    assert document(driver).iks[name].target == "LeftHand target"


def test_drive_of_the_shown_clip(driver):
    new(driver, "Drive")
    clip = driver.session.model.clips[0]
    by = f"{clip.name} time"
    assert document(driver).clips[clip.name].drive == Drive(by, (0.0, 1.0), (0.0, clip.end))
    drag(driver, f"clips.{clip.name}.drive.to", -60)
    first, last = document(driver).clips[clip.name].drive.to
    assert 0.0 <= first < last < clip.end
    undo(driver.session)
    assert document(driver).clips[clip.name].drive.to == (0.0, clip.end), "one step for the drag"
    choose(driver, f"clips.{clip.name}.drive.unit", "key")
    assert document(driver).clips[clip.name].drive.unit == "seconds", "keys are counted from 1"
    assert "key numbers start at 1" in driver.session.interface.notice


def test_strafe_space_takes_clips_by_their_names(driver):
    new(driver, "Strafe space")
    space = document(driver).spaces["strafe"]
    assert dict(space.clips) == {
        "forward": "Walk",
        "left": "StrafeLeft",
        "right": "StrafeRight",
        "back": "WalkBack",
        "left_back": "StrafeLeftBack",
        "right_back": "StrafeRightBack",
    }
    assert document(driver).parameters["direction"].angle
    choose(driver, "add spaces.strafe.transitions", "left_to_back")
    driver.click("spaces.strafe.transitions left_to_back")
    driver.frames(2)
    driver.type("TurnStep")
    driver.click("spaces.strafe.transitions left_to_back TurnStep")
    assert document(driver).spaces["strafe"].transitions == {"left_to_back": "TurnStep"}
    drag(driver, "spaces.strafe.hysteresis", 40)
    assert 10.0 < document(driver).spaces["strafe"].hysteresis <= 45.0


def test_cone_limit_of_an_additive(driver):
    new(driver, "Additive")
    name = f"{driver.session.model.clips[0].name} added"
    assert document(driver).additives[name].reference == Reference(pose="rest")
    assert [each.play for each in document(driver).layers] == [StillPose("rest"), name]
    assert driver.session.character.mixer.layered, "it plays at once"
    choose(driver, f"add additives.{name}.limits", "Head")
    assert document(driver).additives[name].limits == {"Head": 180.0}
    drag(driver, f"additives.{name}.limits Head", -50)
    assert 0.0 < document(driver).additives[name].limits["Head"] < 180.0
    driver.click(f"remove additives.{name}.limits Head")
    assert not document(driver).additives[name].limits
    new(driver, "Additive")
    second = document(driver).layers[-1].play
    assert document(driver).additives[second].reference.time == 0.0, "they keep their pose"


def test_pivot_and_its_parameter(driver):
    new(driver, "Pivot")
    assert document(driver).pivot.rate == "turn"
    driver.click("pivot.rate by")
    driver.click("pivot.rate by ")
    driver.frames(2)
    assert document(driver).pivot.rate == 0.0, "a constant"
    driver.click("remove pivot")
    assert document(driver).pivot is None


def test_renamed_parameter_keeps_its_references(driver):
    new(driver, "Strafe space")
    driver.click("entry spaces.strafe")
    driver.frames(2)
    driver.click("entry parameters.direction")
    driver.frames(2)
    driver.click("name parameters")
    driver.key("left_ctrl", "a")
    driver.type("heading")
    driver.key("enter")
    driver.frames(2)
    assert list(document(driver).parameters) == ["heading"]
    assert document(driver).spaces["strafe"].x == "heading"
    driver.click("remove parameters")
    assert "heading" in document(driver).parameters, "the space needs it"
    assert "no parameter" in driver.session.interface.notice


def test_lines_are_those_of_the_file(driver):
    select(driver, "RightFoot")
    for label in ("Parameter", "Drive", "Strafe space", "Additive", "Aim", "IK", "Pivot"):
        new(driver, label)
    made, text = document(driver), "version = 1\n"
    driver.click("table parameters")  # folded: the last form is in sight
    for table in TABLES:
        for name, entry in getattr(made, table.name).items():
            kind = table.kind.of_value(entry) if isinstance(table.kind, Union) else table.kind
            lines = written((table.name, name), kind, entry)
            text += lines if table.name != "parameters" else lines.replace("[parameters]\n", "")
    text = text.replace("version = 1\n", "version = 1\n[parameters]\n")
    read = parse_motion(text).document
    for table in TABLES:
        assert getattr(read, table.name) == getattr(made, table.name)
    driver.frames(3)
    driver.click("copy pivot")
    assert imgui.get_clipboard_text() == '[pivot]\nrate = "turn"\n'
