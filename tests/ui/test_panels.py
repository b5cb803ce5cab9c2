"""Panels without a window: clicks, drags and typing, and their effects."""

from dataclasses import replace
from itertools import combinations, pairwise
from threading import Event

import numpy as np
import pytest

from rigview.batch.jobs import Jobs
from rigview.images.label_layout import overlaps
from rigview.resources import asset_path
from rigview.scene.named_joints import face_boxes, named_joints
from rigview.session import character_files
from rigview.session.commands.actions import ACTIONS, GROUPS, MOUSE_HELP
from rigview.session.session import Session
from rigview.session.settings import Settings
from rigview.ui import overlay_row, popups, scene_names, widgets
from tests.support.clips import sliding_clip
from tests.support.fixed_clock import FixedClock
from tests.support.models import make_model, rod_model, show_model, square
from tests.support.panels import PanelDriver, drawn


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


def bottom(driver):
    """The lower end of the scene, above the timeline."""
    return round(driver.session.interface.viewport.box[3])


def below_overlays(driver):
    """The upper end of the scene below the icons of its overlays."""
    return round(driver.session.interface.viewport.top) + 1


def test_panels_do_not_cover_the_character(driver):
    driver.session.settings.view_cube = False  # it is over the scene
    covered = drawn(driver.picture())
    assert covered.mean() > 0.1
    left, _, right, bottom = (round(x) for x in driver.session.interface.viewport.box)
    assert (left, right) == (0, 1280)
    top = below_overlays(driver)
    assert top < 80
    assert not covered[top:bottom, 310:980].any()
    corners = driver.scene.camera.current.project(
        driver.scene.bounds.swept, (right - left) / (bottom - top)
    )
    assert corners[:, 0].min() * 1280 >= 250
    assert corners[:, 0].max() * 1280 <= 998


def test_wide_model_is_framed_between_the_panels(driver):
    wide = square()
    show_model(
        driver.session,
        make_model([replace(wide, positions=wide.positions * np.array([9, 1, 1], np.float32))]),
    )
    left, top, right, bottom = driver.session.interface.viewport.box
    corners = driver.scene.camera.current.project(
        driver.scene.bounds.swept, (right - left) / (bottom - top)
    )
    assert corners[:, 0].min() * 1280 >= 252
    assert corners[:, 0].max() * 1280 <= 996


def test_click_on_a_clip_plays_it(driver):
    before = driver.picture()
    driver.click("clip Walk")
    assert driver.session.model.clips[driver.session.character.clip].name == "Walk"
    assert driver.session.transport.running
    assert (driver.picture() != before).any()


def test_play_button(driver):
    driver.click("play")
    assert not driver.session.transport.running
    stopped = driver.session.transport.time
    driver.frames(5)
    assert driver.session.transport.time == stopped
    driver.click("play")
    driver.frames(5)
    assert driver.session.transport.time > stopped


def test_dragging_on_the_timeline(driver):
    driver.click("play")
    left, top, right, bottom = driver.marks["scrub"]
    middle = (top + bottom) / 2
    driver.drag((left + 5, middle), ((left + right) / 2, middle))
    begin, end = driver.session.transport.span
    assert driver.session.transport.time == pytest.approx((begin + end) / 2, abs=0.01)
    driver.drag((left + 5, middle), (right + 300, middle))
    assert driver.session.transport.time == end


def test_buttons_for_steps(driver):
    driver.click("last frame")
    assert driver.session.transport.time == driver.session.transport.span[1]
    driver.click("first frame")
    driver.click("next frame")
    driver.click("next frame")
    driver.click("previous frame")
    assert driver.session.transport.frame == 1


def test_speed_by_mouse(driver):
    left, top, right, bottom = driver.marks["speed"]
    middle = (top + bottom) / 2
    driver.drag((left + 10, middle), (right - 5, middle))
    assert driver.session.transport.speed > 3.5
    driver.drag((left + 10, middle), (left + 5, middle))
    assert driver.session.transport.speed < -3.5
    driver.click("speed 1")
    assert driver.session.transport.speed == 1.0


def test_loop_by_mouse(driver):
    driver.click("loop")
    driver.click("loop Ping-pong")
    assert driver.session.transport.loop_name == "Ping-pong"
    driver.click("loop")
    driver.click("loop Once")
    assert driver.session.transport.loop_name == "Once"


def test_trim_switch(driver):
    show_model(driver.session, make_model([square()], clips=(sliding_clip("Late", 0.5, 1.0),)))
    driver.frames(2)
    driver.click("trim")
    assert driver.session.transport.span == (0.5, 1.0)
    driver.click("trim")
    assert driver.session.transport.span == (0.0, 1.0)


@pytest.mark.parametrize("name", overlay_row.OVERLAYS)
def test_switches_by_mouse(driver, name):
    action = next(each for each in ACTIONS if each.name == name)
    before = action.checked(driver.session)
    driver.click(name)
    assert action.checked(driver.session) is not before


def test_searching_a_joint(driver):
    driver.click("weights")
    driver.click("overlay settings")
    driver.click("joint")
    driver.type("left hand")
    listed = [name for name in driver.marks if name.startswith("joint ")]
    assert listed
    assert all("left" in name.casefold() and "hand" in name.casefold() for name in listed)
    driver.click(listed[0])
    joint = driver.scene.weights_joint
    assert f"joint {driver.session.model.skeleton.names[joint]}" == listed[0]


@pytest.mark.parametrize(
    ("place", "name", "value", "read"),
    [
        ("tab Stage", "view mode", "base-colour", lambda scene: scene.look.shading.view_mode),
        ("tab Stage", "tone mapping", "aces", lambda scene: scene.look.shading.tone_mapping),
        ("overlay settings", "bone shape", "lines", lambda scene: scene.look.overlays.bones),
        ("pose settings", "pose", "bind", lambda scene: scene.character.show),
        ("pose settings", "ghost", "rest", lambda scene: scene.look.overlays.ghost),
        ("pose settings", "key rotation", "nlerp", lambda scene: scene.key_rotation),
    ],
)
def test_drop_downs_of_the_view(driver, place, name, value, read):
    assert name not in driver.marks
    driver.click(place)
    driver.click(name)
    driver.click(f"{name} {value}")
    assert read(driver.scene) == value


def test_exposure_and_projection(driver):
    driver.click("tab Stage")
    left, top, right, bottom = driver.marks["exposure"]
    driver.drag((left + 5, (top + bottom) / 2), ((left + 3 * right) / 4, (top + bottom) / 2))
    assert driver.scene.look.shading.exposure == pytest.approx(2.0, abs=0.2)
    driver.click("tab View")
    driver.click("orthographic")
    assert driver.scene.camera.orbit.ortho


def test_menu_runs_actions(driver):
    driver.click("menu File")
    driver.click("menu open")
    assert driver.session.interface.requests == ["open"]
    driver.click("menu View")
    driver.click("menu bones")
    assert driver.scene.look.overlays.skeleton


def test_recent_files_are_in_the_menu(driver):
    driver.session.settings = Settings(recent=[str(asset_path("mannequin.glb")), "/gone/away.glb"])
    before = driver.session.model
    driver.click("menu File")
    driver.click("menu recent 0")
    assert driver.session.model is not before
    driver.click("menu File")
    driver.click("menu recent 1")
    assert driver.session.interface.popup == "error"


def test_a_long_name_of_a_recent_file_is_shortened(driver):
    driver.session.settings = Settings(recent=[f"/gone/{'w' * 120}.glb", "/gone/away.glb"])
    driver.click("menu File")
    left, _, right, _ = driver.marks["menu recent 0"]
    assert right - left < 500
    assert driver.marks["menu recent 1"][2] == right


def test_error_shows_and_closes(driver, tmp_path):
    (tmp_path / "broken.glb").write_bytes(b"glTF")
    model = driver.session.model
    character_files.try_open(driver.session, tmp_path / "broken.glb")
    before = driver.picture()
    driver.frames(3)
    assert driver.session.interface.popup == "error"
    assert (driver.picture() != before).any()
    driver.click("Close pop-up")
    assert driver.session.interface.popup == ""
    assert driver.session.model is model
    driver.frames(30)
    driver.click("clip Walk")
    assert driver.session.character.clip == 1


def test_help_shows_every_action():
    session = Session(FixedClock(60.0), settings=Settings(mouse="blender"))
    rows = [row for group in (*GROUPS, "Mouse") for row in popups.help_rows(session, group)]
    assert len(rows) == sum(bool(each.keys) for each in ACTIONS) + len(MOUSE_HELP["blender"])
    assert ("F1 or ?", "Keys and mouse") in rows
    assert ("Shift+←", "First frame") in rows


def test_go_to_frame_by_typing(driver):
    driver.key("left_ctrl", "g")
    assert driver.session.interface.popup == "go to frame"
    driver.key("left_ctrl", "a")
    driver.type("25")
    driver.key("enter")
    assert driver.session.interface.popup == ""
    assert driver.session.transport.frame == 25
    assert not driver.session.transport.running


def test_path_by_typing(driver, tmp_path):
    driver.session.interface.popup = "open"
    driver.frames(3)
    driver.type(str(tmp_path / "none.glb"))
    driver.key("enter")
    assert driver.session.interface.popup == "error"
    assert "none.glb" in driver.session.interface.error


def test_search_without_matches(driver):
    many = tuple(sliding_clip(f"Clip {k}", 0.0, 1.0) for k in range(40))
    show_model(driver.session, make_model([square()], clips=many))
    driver.frames(2)
    driver.click("search clips")
    driver.type("nonsense")
    assert not [name for name in driver.marks if name.startswith("clip ")]
    assert drawn(driver.picture())[60:160, 20:240].any()


def test_file_without_clips(driver):
    show_model(driver.session, make_model([square()]))
    driver.frames(3)
    assert not [name for name in driver.marks if name.startswith("clip ")]
    driver.click("play")
    driver.key("space")
    driver.key("right_arrow")
    assert drawn(driver.picture())[40:120, 20:240].any()


def test_long_names_get_an_ellipsis(driver):
    driver.session.settings.view_cube = False
    name = "Armature|Very_Long_Name_Of_A_Take|" * 3
    show_model(driver.session, make_model([square()], clips=(sliding_clip(name, 0.0, 1.0),)))
    driver.frames(3)
    assert not drawn(driver.picture())[below_overlays(driver) : bottom(driver), 304:980].any()
    driver.gui.begin(driver.size, 1.0, 1 / 60)
    cut = widgets.shortened(name, 120.0)
    short = widgets.shortened("Walk", 120.0)
    driver.gui.end(driver.framebuffer)
    assert cut.startswith("Armature")
    assert "…" in cut
    assert len(cut) < 25
    assert short == "Walk"


def test_warnings_of_the_file_are_shown(driver):
    assert "warnings" not in driver.marks
    show_model(driver.session, replace(rod_model(), warnings=["/skins/0: weights do not sum to 1"]))
    driver.frames(2)
    before = driver.picture()
    driver.click("warnings")
    assert (driver.picture() != before).sum() > 1000


def test_file_panel(driver):
    before = driver.picture()
    driver.click("file")  # closes it
    assert (driver.picture() != before).sum() > 1000


def test_notice_disappears(driver):
    driver.session.notify("Saved a picture")
    driver.frames(2)
    box = slice(bottom(driver) - 80, bottom(driver)), slice(540, 740)
    assert drawn(driver.picture())[box].any()
    driver.frames(5 * 60)
    assert not drawn(driver.picture())[box].any()


def test_joint_names_over_the_scene(driver):
    driver.session.settings.view_cube = False
    driver.key("n")
    box = slice(below_overlays(driver), bottom(driver)), slice(310, 980)
    assert drawn(driver.picture())[box].sum() > 500
    names = [where for name, where in driver.marks.items() if name.startswith("joint name ")]
    left, top, right, low = driver.session.interface.viewport.box
    faces = np.array(face_boxes(driver.scene, (right - left, low - top))) + (left, top) * 2
    assert len(names) > 40
    assert not any(overlaps(a, [b]) for a, b in combinations(names, 2))
    assert not any(overlaps(face, names) for face in faces.round().tolist())
    driver.scene.camera.orbit.pan(5.0, 0.0)  # out of view
    assert not drawn(driver.picture())[box].any()


def drawn_names(driver):
    return {mark[len("joint name ") :] for mark in driver.marks if mark.startswith("joint name ")}


def test_crowded_joint_names_fade_and_the_hovered_branch_is_full(driver):
    driver.key("n")
    near = drawn_names(driver)
    driver.scene.camera.orbit.distance *= 3.0
    driver.frames(2)
    far = drawn_names(driver)
    assert len(far) < 0.7 * len(near)
    left, top, right, low = driver.session.interface.viewport.box
    joints, places = named_joints(driver.scene, (right - left, low - top))
    names = [each.name for each in joints]
    x, y = places[names.index("LeftHand")]
    driver.move(left + x, top + y)
    opacities, full = scene_names._opacities(driver.session, joints, places)
    branch = {name for name, own in zip(names, full, strict=True) if own}
    assert {"LeftForeArm", "LeftArm", "Spine", "Hips"} <= branch & drawn_names(driver)
    assert "RightHand" not in branch
    assert (opacities[full] == 1.0).all()
    assert opacities[~full].max() <= scene_names.BESIDE_BRANCH


def test_small_window_has_playback_bar_and_clips(gl):
    driver = PanelDriver(gl, size=(640, 400))
    driver.click("clip Walk")
    assert driver.session.character.clip == 1
    assert "bones" not in driver.marks
    driver.click("play")
    assert not driver.session.transport.running
    in_bar = ("go to frame", "loop", "speed")
    boxes = [driver.marks[name] for name in in_bar]
    after = [left[2] <= right[0] or left[3] <= right[1] for left, right in pairwise(boxes)]
    assert all(after), "side by side, or below"
    assert boxes[-1][2] <= 640
    driver.close()


def test_text_scale(gl):
    driver = PanelDriver(gl, scale=1.5)
    left, top, right, bottom = driver.marks["play"]
    driver.click("clip Walk")
    assert driver.session.character.clip == 1
    driver.close()
    plain = PanelDriver(gl)
    small = plain.marks["play"]
    plain.close()
    assert (right - left) == pytest.approx(1.5 * (small[2] - small[0]), abs=1.5)
    assert bottom - top > small[3] - small[1]


def test_empty_session(gl):
    driver = PanelDriver(gl)
    driver.session = Session(FixedClock(60.0))
    driver.session.interface.widget_boxes = {}
    driver.frames(3)
    assert drawn(driver.picture()).any()
    driver.close()


def test_progress_of_a_file_that_is_being_read(driver):
    goes_on = Event()

    def late(_):
        goes_on.wait(60.0)
        return character_files.reader(driver.session, [asset_path("mannequin.glb")])(0)

    files, jobs = driver.session.files, Jobs(in_background=True)
    job = files.begin(jobs, [asset_path("mannequin.glb")], late)
    loading = files.loading
    driver.frames(2)
    assert "loading" in driver.marks
    assert not loading.seen
    goes_on.set()
    assert job.wait(60.0)
    jobs.poll()
    assert files.loading is loading
    driver.frames()
    assert loading.seen
    jobs.poll()
    assert files.loading is None
    driver.frames()
    assert "loading" not in driver.marks


def test_a_conversion_can_be_cancelled(driver):
    goes_on, files = Event(), driver.session.files
    jobs = Jobs(in_background=True)
    mannequin = asset_path("mannequin.glb")
    files.begin(jobs, [mannequin], lambda _: goes_on.wait(60.0))
    loading = files.loading
    driver.frames(2)
    assert "cancel conversion" not in driver.marks, "Blender does not run"
    loading.set(("Blender 4.5 is reading: hero.blend", 0.0, True))
    driver.frames(2)
    driver.click("cancel conversion")
    assert loading.cancelled
    goes_on.set()
    jobs.end()
