"""Names without their common prefix, in lists and beside the joints."""

import pytest
from imgui_bundle import imgui

from rigview.ui import widgets
from tests.support.clips import sliding_clip
from tests.support.models import make_model, show_model, square
from tests.support.panels import PanelDriver

PREFIX = "Armature|mixamo.com|"


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl, size=(1280, 500))
    names = [f"{PREFIX}{side}Shoulder_{k}" for k in range(20) for side in ("Left", "Right")]
    clips = tuple(sliding_clip(name, 0.0, 1.0) for name in names)
    show_model(driver.session, make_model([square()], clips=clips))
    driver.frames(3)
    yield driver
    driver.close()


def test_left_and_right_clips_look_different(driver, monkeypatch):
    shown = []
    cut = widgets.shortened
    monkeypatch.setattr(widgets, "shortened", lambda *given: shown.append(cut(*given)) or shown[-1])
    driver.frames(2)
    assert "LeftShoulder_0" in shown
    assert "RightShoulder_0" in shown


@pytest.mark.parametrize(("name", "side"), [
    ("mixamorig:LeftUpLegTwistHelperOne", "Left"), ("Armature_Bip01 R UpperArmTwist", "R"),
    ("hero_skeleton_upper_arm_twist_joint_L", "L"), ("root_l_upper_arm_twist_joint", "l"),
    ("CharacterSkeletonRightHandMiddleFinger3", "Right"),
])  # fmt: skip
def test_sides_are_never_cut_away(name, side, driver):
    widths = [share * imgui.calc_text_size(name).x for share in (0.3, 0.4, 0.5, 0.7, 0.9)]
    driver.frames()
    for width in widths:
        short = widgets.shortened(name, width)
        assert widgets._SIDE.search(short.replace("…", " ")).group() == side, short
        assert "…" in short
        assert imgui.calc_text_size(short).x <= width, short


def test_tooltip_has_the_full_name(driver, monkeypatch):
    seen = []
    tooltip = widgets.tooltip
    monkeypatch.setattr(widgets, "tooltip", lambda text: seen.append(text) or tooltip(text))
    driver.move(*driver.place(f"clip {PREFIX}LeftShoulder_3"))
    driver.frames(60)
    assert set(seen) == {f"{PREFIX}LeftShoulder_3"}


def test_arrows_in_the_search_field_choose_clips(driver):
    def now():
        return driver.session.model.clips[driver.session.character.clip].name

    driver.click("search clips")
    driver.type("right")
    driver.key("down_arrow")
    assert now() == f"{PREFIX}RightShoulder_0"
    for _ in range(15):
        driver.key("down_arrow")
    assert now() == f"{PREFIX}RightShoulder_15"
    driver.frames(3)
    assert driver.marks[f"clip {now()}"][3] < driver.session.interface.viewport.box[3], "it scrolls"
    driver.key("up_arrow")
    assert now() == f"{PREFIX}RightShoulder_14"
    for _ in range(30):
        driver.key("down_arrow")
    assert now() == f"{PREFIX}RightShoulder_19"
