"""Panels without a window: clicked, dragged and typed into, and what that does to the scene."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.track import Track
from rigview.clock import FixedClock
from rigview.model.model import Channel
from rigview.resources import asset_path
from rigview.session import transport
from rigview.session.actions import ACTIONS, GROUPS, MICE
from rigview.session.session import Session
from rigview.settings import Settings
from rigview.ui import popups, widgets
from tests.session.test_transport import clip
from tests.support.models import make_model, rod_model, square
from tests.support.panels import Hands, drawn


@pytest.fixture
def hands(gl):
    hands = Hands(gl)
    yield hands
    hands.close()


def test_panels_leave_the_character_free(hands):
    covered = drawn(hands.picture())
    assert covered.mean() > 0.1
    left, top, right, bottom = (round(x) for x in hands.session.interface.view)
    assert (left, right) == (0, 1280)
    assert not covered[top:bottom, 270:1010].any()
    corners = hands.scene.camera.project(hands.scene.swept, (right - left) / (bottom - top))
    assert corners[:, 0].min() * 1280 >= 250
    assert corners[:, 0].max() * 1280 <= 1030


def test_what_is_wide_is_framed_between_the_panels(hands):
    wide = square()
    hands.session.show(
        make_model([replace(wide, positions=wide.positions * np.array([9, 1, 1], np.float32))])
    )
    left, top, right, bottom = hands.session.interface.view
    corners = hands.scene.camera.project(hands.scene.swept, (right - left) / (bottom - top))
    assert corners[:, 0].min() * 1280 >= 252
    assert corners[:, 0].max() * 1280 <= 1028


def test_click_on_a_clip_plays_it(hands):
    before = hands.picture()
    hands.click("clip Walk")
    assert hands.session.model.clips[hands.session.character.clip].name == "Walk"
    assert transport.is_running(hands.session)
    assert (hands.picture() != before).any()


def test_play_button(hands):
    hands.click("play")
    assert not transport.is_running(hands.session)
    stopped = transport.time(hands.session)
    hands.frames(5)
    assert transport.time(hands.session) == stopped
    hands.click("play")
    hands.frames(5)
    assert transport.time(hands.session) > stopped


def test_scrub_bar_goes_where_it_is_dragged(hands):
    hands.click("play")
    left, top, right, bottom = hands.marks["scrub"]
    middle = (top + bottom) / 2
    hands.drag((left + 5, middle), ((left + right) / 2, middle))
    begin, end = transport.reach(hands.session)
    assert transport.time(hands.session) == pytest.approx((begin + end) / 2, abs=0.01)
    hands.drag((left + 5, middle), (right + 300, middle))
    assert transport.time(hands.session) == end


def test_buttons_for_steps(hands):
    hands.click("last frame")
    assert transport.time(hands.session) == transport.reach(hands.session)[1]
    hands.click("first frame")
    hands.click("next frame")
    hands.click("next frame")
    hands.click("previous frame")
    assert transport.frame(hands.session) == 1


def test_speed_by_mouse(hands):
    left, top, right, bottom = hands.marks["speed"]
    middle = (top + bottom) / 2
    hands.drag((left + 10, middle), (right - 5, middle))
    assert transport.speed(hands.session) > 3.5
    hands.drag((left + 10, middle), (left + 5, middle))
    assert transport.speed(hands.session) < -3.5
    hands.click("speed 1")
    assert transport.speed(hands.session) == 1.0


def test_loop_by_mouse(hands):
    hands.click("loop")
    hands.click("loop Ping-pong")
    assert transport.loop_name(hands.session) == "Ping-pong"
    hands.click("loop")
    hands.click("loop Once")
    assert transport.loop_name(hands.session) == "Once"


def test_trim_switch(hands):
    hands.session.show(make_model([square()], clips=(clip("Late", 0.5, 1.0),)))
    hands.frames(2)
    hands.click("trim")
    assert transport.reach(hands.session) == (0.5, 1.0)
    hands.click("trim")
    assert transport.reach(hands.session) == (0.0, 1.0)


@pytest.mark.parametrize(
    "name", ["bones", "names", "axes", "wireframe", "bounds", "grid", "shadow", "weights"]
)
def test_switches_by_mouse(hands, name):
    action = next(each for each in ACTIONS if each.name == name)
    before = action.checked(hands.session)
    hands.click(name)
    assert action.checked(hands.session) is not before


def test_joint_is_found_by_a_part_of_its_name(hands):
    hands.click("weights")
    hands.click("joint")
    hands.type("left hand")
    listed = [name for name in hands.marks if name.startswith("joint ")]
    assert listed
    assert all("left" in name.casefold() and "hand" in name.casefold() for name in listed)
    hands.click(listed[0])
    joint = hands.scene.display.weights_joint
    assert f"joint {hands.session.model.skeleton.names[joint]}" == listed[0]


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("view mode", "base-colour", lambda hands: hands.scene.display.view_mode),
        ("tone mapping", "aces", lambda hands: hands.scene.display.tone_mapping),
        ("pose", "bind", lambda hands: hands.session.character.show),
    ],
)
def test_lists_of_the_view(hands, name, value, read):
    hands.click(name)
    hands.click(f"{name} {value}")
    assert read(hands) == value


def test_exposure_and_projection(hands):
    left, top, right, bottom = hands.marks["exposure"]
    hands.drag((left + 5, (top + bottom) / 2), ((left + 3 * right) / 4, (top + bottom) / 2))
    assert hands.scene.display.exposure == pytest.approx(2.0, abs=0.2)
    hands.click("ortho")
    assert hands.scene.camera.ortho


def test_menu_runs_actions(hands):
    hands.click("menu File")
    hands.click("menu open")
    assert hands.session.requests == ["open"]
    hands.click("menu View")
    hands.click("menu bones")
    assert hands.scene.display.skeleton


def test_recent_files_are_in_the_menu(hands):
    hands.session.settings = Settings(recent=[str(asset_path("mannequin.glb")), "/gone/away.glb"])
    before = hands.session.model
    hands.click("menu File")
    hands.click("menu recent 0")
    assert hands.session.model is not before
    hands.click("menu File")
    hands.click("menu recent 1")
    assert hands.session.interface.popup == "error"


def test_error_shows_and_closes(hands, tmp_path):
    (tmp_path / "broken.glb").write_bytes(b"glTF")
    model = hands.session.model
    assert not hands.session.try_open(tmp_path / "broken.glb")
    before = hands.picture()
    hands.frames(3)
    assert hands.session.interface.popup == "error"
    assert (hands.picture() != before).any()
    hands.click("Close pop-up")
    assert hands.session.interface.popup == ""
    assert hands.session.model is model
    hands.frames(30)
    hands.click("clip Walk")
    assert hands.session.character.clip == 1


def test_help_shows_every_action():
    rows = [row for group in (*GROUPS, "Mouse") for row in popups.help_rows(group, "blender")]
    assert len(rows) == sum(bool(each.keys) for each in ACTIONS) + len(MICE["blender"])
    assert ("F1 or ?", "Keys and mouse") in rows
    assert ("Shift+←", "First frame") in rows


def test_go_to_frame_by_typing(hands):
    hands.key("left_ctrl", "g")
    assert hands.session.interface.popup == "go to frame"
    hands.key("left_ctrl", "a")
    hands.type("25")
    hands.key("enter")
    assert hands.session.interface.popup == ""
    assert transport.frame(hands.session) == 25
    assert not transport.is_running(hands.session)


def test_path_by_typing(hands, tmp_path):
    hands.session.interface.popup = "open"
    hands.frames(3)
    hands.type(str(tmp_path / "none.glb"))
    hands.key("enter")
    assert hands.session.interface.popup == "error"
    assert "none.glb" in hands.session.interface.error


def test_nothing_found_is_said(hands):
    many = tuple(clip(f"Clip {k}", 0.0, 1.0) for k in range(40))
    hands.session.show(make_model([square()], clips=many))
    hands.frames(2)
    hands.click("search clips")
    hands.type("nonsense")
    assert not [name for name in hands.marks if name.startswith("clip ")]
    assert drawn(hands.picture())[60:160, 20:240].any()


def test_file_without_clips(hands):
    hands.session.show(make_model([square()]))
    hands.frames(3)
    assert not [name for name in hands.marks if name.startswith("clip ")]
    hands.click("play")
    hands.key("space")
    hands.key("right_arrow")
    assert drawn(hands.picture())[40:120, 20:240].any()


def test_long_names_are_cut_in_the_middle(hands):
    name = "Armature|Very_Long_Name_Of_A_Take|" * 3
    hands.session.show(make_model([square()], clips=(clip(name, 0.0, 1.0),)))
    hands.frames(3)
    assert not drawn(hands.picture())[60:700, 256:1020].any()
    hands.gui.begin(hands.size, 1.0, 1 / 60)
    cut = widgets.shortened(name, 120.0)
    short = widgets.shortened("Walk", 120.0)
    hands.gui.end(hands.framebuffer)
    assert cut.startswith("Armature")
    assert "…" in cut
    assert len(cut) < 25
    assert short == "Walk"


def test_warnings_of_the_file_are_shown(hands):
    assert "warnings" not in hands.marks
    hands.session.show(replace(rod_model(), warnings=["/skins/0: weights do not sum to 1"]))
    hands.frames(2)
    before = hands.picture()
    hands.click("warnings")
    assert (hands.picture() != before).sum() > 1000


def test_facts_of_the_file(hands):
    before = hands.picture()
    hands.click("file")
    assert (hands.picture() != before).sum() > 1000


def test_notice_goes_away(hands):
    hands.session.notify("Saved a picture")
    hands.frames(2)
    assert drawn(hands.picture())[640:720, 540:740].any()
    hands.frames(5 * 60)
    assert not drawn(hands.picture())[640:720, 540:740].any()


def test_names_are_written_over_the_picture(hands):
    hands.key("n")
    middle = drawn(hands.picture())[30:720, 270:1010]
    assert middle.sum() > 500
    hands.scene.camera.pan(5.0, 0.0)  # out of the picture
    assert not drawn(hands.picture())[30:720, 270:1010].any()


def test_small_window_still_has_its_bar_and_clips(gl):
    hands = Hands(gl, size=(640, 400))
    hands.click("clip Walk")
    assert hands.session.character.clip == 1
    assert "bones" not in hands.marks
    hands.click("play")
    assert not transport.is_running(hands.session)
    in_bar = ("go to frame", "loop", "speed")
    boxes = [hands.marks[name] for name in in_bar]
    assert all(left[2] <= right[0] for left, right in pairwise(boxes)), "side by side"
    assert boxes[-1][2] <= 640
    hands.close()


def test_size_of_text(gl):
    hands = Hands(gl, scale=1.5)
    left, top, right, bottom = hands.marks["play"]
    hands.click("clip Walk")
    assert hands.session.character.clip == 1
    hands.close()
    plain = Hands(gl)
    small = plain.marks["play"]
    plain.close()
    assert (right - left) == pytest.approx(1.5 * (small[2] - small[0]), abs=1.5)
    assert bottom - top > small[3] - small[1]


def morph_model():
    """A square with two morph weights that a clip moves from 0 to 1."""
    channel = Channel("/nodes/0/weights", 0, 2, "linear", 0, np.zeros(2, np.float32))
    model = make_model([square()], channels=(channel,))
    still = model.skeleton.rest
    rest = Pose(still.translation, still.rotation, still.scale, np.zeros(2, np.float32))
    track = Track(0, "values", "LINEAR", np.array([0, 1], np.float32), np.eye(2, dtype=np.float32))
    return replace(
        model,
        skeleton=replace(model.skeleton, rest=rest),
        instances=(replace(model.instances[0], channel=0),),
        clips=(Clip.of("Morph", [track]),),
    )


def test_morph_slider_holds_a_value_while_the_clip_plays(hands):
    hands.session.show(morph_model())
    hands.frames(3)
    left, top, right, bottom = hands.marks["morph 0"]
    middle = (top + bottom) / 2
    hands.drag((left + 5, middle), (right - 4, middle))
    values = hands.session.character.pose.values
    held = float(values[0])
    assert held > 0.9
    before = float(values[1])
    hands.frames(20)
    assert float(values[0]) == held
    assert float(values[1]) != before
    hands.click("release morphs")
    hands.frames(2)
    assert float(values[0]) == pytest.approx(1.0 - float(values[1]), abs=1e-5)


def test_right_click_gives_a_morph_back(hands):
    hands.session.show(morph_model())
    hands.frames(3)
    hands.click("morph 1")
    assert not math.isnan(hands.session.character.override[1])
    hands.click("morph 1", button=1)
    assert math.isnan(hands.session.character.override[1])


def test_session_without_anything_draws(gl):
    hands = Hands(gl)
    hands.session = Session(FixedClock(60.0))
    hands.session.interface.marks = {}
    hands.frames(3)
    assert drawn(hands.picture()).any()
    hands.close()
