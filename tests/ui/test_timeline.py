"""The timeline, by mouse: ruler, range, keys of the selection, events and the loop seam."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from imgui_bundle import imgui

from rigview.checks.foot_contacts import contacts
from rigview.memo import Memo
from rigview.model.joint_key_times import joint_key_times
from rigview.motion.document import (
    At,
    ClipEvent,
    ClipSettings,
    Fade,
    LayerSettings,
    MotionDoc,
    Set,
)
from rigview.scene.selected import Selected
from rigview.session import played_motion
from rigview.session.commands.actions import action, undo
from rigview.session.timeline.time_axis import TimeAxis
from rigview.session.timeline.timeline_keys import playing_keys
from rigview.session.timeline.timeline_marks import LoopSeams, contact_phases
from rigview.session.timeline.timeline_view import TimelineView
from rigview.ui.timeline import key_row, ruler
from rigview.ui.timeline.key_row import joint_marks
from rigview.window.input_queue import MouseWheel
from tests.checks.cases_motion import CASES
from tests.support.clips import sliding_clip
from tests.support.light_mannequin import light_mannequin
from tests.support.models import make_model, show_model, square
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    """A clip of 2 s with keys at 0, 0.5 and 2 s, and one of 1 s, paused; 30 frames per second."""
    driver = PanelDriver(gl, size=(900, 600))
    clips = sliding_clip("Long", 0.0, 0.5, 2.0), sliding_clip("Short", 0.0, 1.0)
    show_model(driver.session, make_model([square()], clips=clips))
    driver.session.transport.pause_at(0.0)
    driver.frames(3)
    yield driver
    driver.close()


def x_of(driver, seconds, begin=0.0, end=2.0):
    """The place of a time in the window, by the box of the ruler."""
    left, _, right, _ = driver.marks["ruler"]
    inset = 8.0  # half a font height
    return left + inset + (seconds - begin) / (end - begin) * (right - left - 2 * inset)


def drag(driver, begin, end):
    """Drag on the ruler between two times."""
    top, bottom = driver.marks["ruler"][1::2]
    y = (top + 3 * bottom) / 4  # below the head of the playhead
    driver.press(x_of(driver, begin), y)
    driver.move(x_of(driver, (begin + end) / 2), y)
    driver.move(x_of(driver, end), y)
    driver.release()


def now(driver):
    return driver.session.active.transport.play_range


def test_the_strip_of_a_clip_is_its_range(driver):
    assert "clip strip" not in driver.marks
    driver.click("strips")
    driver.frames(2)
    left, top, right, low = driver.marks["clip strip"]
    assert left == pytest.approx(x_of(driver, 0.0))
    assert right == pytest.approx(x_of(driver, 2.0))
    y = (top + low) / 2
    driver.drag((right, y), (x_of(driver, 1.5), y))
    assert now(driver) == pytest.approx((0.0, 1.5))
    driver.drag((left, y), (x_of(driver, 0.5), y))
    driver.drag((x_of(driver, 1.0), y), (x_of(driver, 0.8), y))
    assert now(driver) == pytest.approx((0.3, 1.3), abs=1e-6), "it is moved"
    for _ in range(2):
        driver.press(x_of(driver, 0.8), y)
        driver.release()
    assert now(driver) is None
    driver.click("tab Joints")
    driver.frames(2)
    driver.click("clip strip", 1)
    driver.frames(3)
    name = driver.session.character.mixer.name
    assert f"set clips.{name}.loop" in driver.marks, "the settings of the clip are open"


def test_drag_on_the_ruler_sets_the_range(driver):
    drag(driver, 0.52, 1.48)
    assert now(driver) == pytest.approx((16 / 30, 44 / 30)), "at whole frames"
    assert driver.session.transport.time == 0.0, "the present time stays"
    drag(driver, 44 / 30, 1.8)
    assert now(driver) == pytest.approx((16 / 30, 1.8)), "its end is dragged"
    drag(driver, 1.0, 0.8)
    assert now(driver) == pytest.approx((10 / 30, 1.6)), "its middle is dragged"
    x, y = x_of(driver, 1.0), driver.place("ruler")[1]
    for _ in range(2):
        driver.press(x, y)
        driver.release()
    assert now(driver) is None, "a double click clears it"


def test_click_on_the_ruler_seeks(driver):
    driver.press(x_of(driver, 1.5), driver.place("ruler")[1])
    driver.release()
    assert driver.session.transport.time == pytest.approx(1.5, abs=0.01)
    assert now(driver) is None


def test_drag_of_the_playhead_seeks(driver):
    top = driver.marks["ruler"][1]
    driver.press(x_of(driver, 0.0), top + 3)
    driver.move(x_of(driver, 0.7), top + 3)
    driver.release()
    assert driver.session.transport.time == pytest.approx(0.7, abs=0.01)
    assert now(driver) is None


def test_wheel_zooms_at_the_pointer(driver):
    view = driver.session.interface.of(TimelineView)
    driver.move(x_of(driver, 0.5), driver.place("ruler")[1])
    driver.gui.add(MouseWheel(0.0, 4.0))
    driver.frames(2)
    begin, end = view.visible((0.0, 2.0))
    assert 0.0 < begin < 0.5 < end < 1.5
    assert x_of(driver, 0.5, begin, end) == pytest.approx(x_of(driver, 0.5), abs=1.0)
    drag_to = (begin + end) / 2
    driver.press(x_of(driver, drag_to, begin, end), driver.place("scrub")[1])
    driver.release()
    assert driver.session.transport.time == pytest.approx(drag_to, abs=0.01)
    driver.key("page_down")
    driver.frames(2)
    assert view.zoom == (0.0, 1.0), "another clip is shown as a whole"


def test_every_lane_zooms_and_pans_alike(driver):
    view = driver.session.interface.of(TimelineView)
    driver.click("strips")
    driver.frames(2)
    for shown in (True, False):
        lanes = ("ruler", "scrub", "clip lane") if shown else ("ruler", "scrub")
        found = set()
        for lane in lanes:
            left, top, right, bottom = driver.marks[lane]
            x, y = (left + right) / 2, top + 0.8 * (bottom - top)
            driver.move(x, y)
            driver.gui.add(MouseWheel(0.0, 3.0))
            driver.frames(2)
            driver.press(x, y, 2)
            driver.move(x - 40.0, y)
            driver.release(2)
            found.add(tuple(round(end, 6) for end in view.zoom))
            view.zoom = (0.0, 1.0)
        assert len(found) == 1, found
        assert now(driver) is None, "the middle button changes no range"
        driver.click("strips")
        driver.frames(2)


def test_keys_of_the_selected_joint(driver):
    model = driver.session.model
    track = model.clips[0].tracks[0]
    everything = driver.picture()
    driver.session.selections.select(driver.session.active, Selected(track.target))
    driver.frames(2)
    assert joint_key_times(model, model.clips[0], track.target).tolist() == [0.0, 0.5, 2.0]
    left, top, right, bottom = (round(each) for each in driver.marks["scrub"])
    box = (slice(top, bottom), slice(left, right))
    assert (driver.picture()[box] != everything[box]).any()
    driver.session.selections.clear()
    driver.frames(2)
    assert (driver.picture()[box] == everything[box]).all(), "all keys again"


def test_click_on_a_key_of_the_dope_sheet_goes_to_its_time(driver):
    model = driver.session.model
    joint = model.clips[0].tracks[0].target
    driver.session.selections.select(driver.session.active, Selected(joint))
    driver.frames(2)
    before = driver.session.interface.viewport.box[3]
    driver.click("dope sheet")
    assert driver.session.interface.viewport.box[3] < before, "the timeline is higher"
    _, y = driver.place(f"dope {model.skeleton.names[joint]}")
    driver.press(x_of(driver, 0.5) + 2.0, y)
    driver.release()
    assert driver.session.transport.time == 0.5
    driver.press(x_of(driver, 1.2), y)
    driver.release()
    assert driver.session.transport.time == 0.5, "there is no key"
    driver.session.selections.clear()
    driver.frames(2)
    driver.click(f"dope name {model.skeleton.names[joint]}")
    assert driver.session.selected == Selected(joint)
    driver.click("dope sheet")
    assert driver.session.interface.viewport.box[3] == before


def dope_rows_of(driver):
    return [name for name in driver.marks if name.startswith("dope name ")]


def test_the_height_of_the_dope_sheet_is_dragged_and_remembered(gl):
    driver = PanelDriver(gl)
    assert "dope sheet edge" not in driver.marks
    driver.click("dope sheet")
    driver.frames(2)
    few = len(dope_rows_of(driver))
    x, y = driver.place("dope sheet edge")
    driver.drag((x, y), (x, y - 160.0))
    driver.frames(2)
    assert len(dope_rows_of(driver)) >= few + 8
    assert driver.place("dope sheet edge")[1] == pytest.approx(y - 160.0, abs=2.0)
    kept = driver.session.settings.panels["dope sheet"]
    driver.click("dope sheet")
    driver.click("dope sheet")
    driver.frames(2)
    assert driver.place("dope sheet edge")[1] == pytest.approx(y - 160.0, abs=2.0)
    assert driver.session.settings.panels["dope sheet"] == kept
    driver.drag(driver.place("dope sheet edge"), (x, 40.0))
    driver.frames(2)
    assert driver.place("dope sheet edge")[1] > 0.3 * driver.size[1], "the scene keeps a part"
    driver.close()


def test_a_tick_has_one_label(driver):
    layout = ruler._layout(TimeAxis(0.0, 8.0, 100.0, 900.0), 30.0, 20.0, 16.0)
    texts = [label.text for label in layout.labels]
    assert texts == [f"{frame}" for frame in range(0, 241, int(texts[1]))]
    assert all(a.right < b.left for a, b in pairwise(layout.labels))
    assert ruler.LANE.height(driver.session, False) < 1.5 * imgui.get_font_size()


def test_contacts_of_the_selected_foot(driver):
    sliding = CASES["foot-slide"].broken()
    show_model(driver.session, sliding.model)
    played_motion.start_clip(driver.session.transport, 0)
    driver.session.transport.pause_at(0.0)
    foot, _ = sliding.cached(contacts, 0).feet[0]
    driver.session.selections.select(driver.session.active, Selected(foot.joint))
    driver.frames(30)
    bars = [name for name in driver.marks if name.startswith("contact ")]
    assert len(bars) == sum(len(each.parts) for each in contact_phases(driver.session))
    left, top, right, bottom = driver.marks[bars[0]]
    assert driver.marks["scrub"][1] < top < bottom < driver.marks["scrub"][3] + 1.0
    assert right > left + 5.0


def test_event_labels_do_not_overlap(driver):
    events = tuple(ClipEvent(f"event number {k}", phase=0.5 + 0.012 * k) for k in range(12))
    settings = {"Long": ClipSettings(events=events)}
    driver.session.editor.edit(MotionDoc(clips=settings), "Events")
    driver.frames(3)
    boxes = sorted(box for name, box in driver.marks.items() if name.startswith("event label "))
    assert len(boxes) >= 2
    assert all(a[2] <= b[0] or a[1] != b[1] for a, b in pairwise(boxes))


def test_seam_of_a_loop(gl, tmp_path):
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(("Walk", "Jump")))
    driver = PanelDriver(gl, path, size=(900, 600))
    driver.frames(30)
    seams = driver.session.interface.of(LoopSeams).known
    (walk,) = seams.values()
    assert walk.loops
    assert not walk.faults
    assert "should loop: the file says so" in walk.distance
    assert "seam" in driver.marks
    driver.key("page_down")
    driver.frames(2)
    jump = list(seams.values())[1]
    assert not jump.loops
    assert "should not loop" in jump.distance
    driver.close()


@pytest.fixture
def layers(gl, tmp_path):
    """A base layer that fades to another clip at 1 s, and one whose weight is set; paused."""
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(("Walk", "Wave", "Run")))
    driver = PanelDriver(gl, path, size=(1000, 700))
    document = MotionDoc(
        layers=(
            LayerSettings("base", "Walk"),
            LayerSettings("idle", "Wave", weight=0.0),
            LayerSettings("wave", "Wave", weight=0.0),
        ),
        at=(
            At(1.0, Fade("base", "Run", 0.5)),
            At(0.5, Set("wave.weight", 1.0, 0.25)),
            At(2.0, Set("wave.weight", 0.0, 0.25)),
        ),
    )
    driver.session.editor.start(document)
    driver.session.transport.set_loop("loop", math.inf)
    driver.session.transport.pause_at(0.0)
    driver.frames(3)
    yield driver
    driver.close()


def pull(driver, lane, begin, end):
    """Drag in a lane from a time to another."""
    ruler = driver.session.transport.ruler
    y = driver.place(f"lane {lane}")[1]
    driver.press(x_of(driver, begin, *ruler), y)
    for share in (0.5, 1.0):
        driver.move(x_of(driver, begin + share * (end - begin), *ruler), y)
    driver.release()


def schedule(driver):
    return [(at.time, at.do.seconds) for at in driver.session.document.at]


def test_strips_are_moved_and_stretched(layers):
    session = layers.session
    before = schedule(layers)
    pull(layers, "base", 1.75, 1.95)
    assert schedule(layers)[0] == (pytest.approx(1.2), 0.5), "a fade moves"
    assert session.history.undo_label == "Move Run"
    pull(layers, "wave", 1.0, 1.5)
    assert [time for time, _ in schedule(layers)[1:]] == [1.0, 2.5], "both ends of a weight"
    pull(layers, "wave", 2.75, 3.0)
    assert schedule(layers)[2] == (pytest.approx(2.75, abs=0.02), 0.25), "an end"
    pull(layers, "wave", 1.25, 1.5)
    assert schedule(layers)[1] == (1.0, pytest.approx(0.5, abs=0.02)), "a ramp"
    assert session.history.undo_label == "Stretch Wave"
    for _ in range(4):
        undo(session)
    assert schedule(layers) == before, "every drag is one undo step"


def test_strips_are_added_and_removed(layers):
    session = layers.session
    layers.click("strip Wave", button=1)
    layers.click("remove strip")
    assert len(session.document.at) == 1
    assert session.history.undo_label == "Remove wave.weight = 1"
    pull(layers, "wave", 0.5, 1.5)
    layers.frames(2)
    assert [(at.time, at.do.value) for at in session.document.at[1:]] == [
        (0.5, 1.0),
        (pytest.approx(1.3), 0.0),
    ]
    layers.move(*layers.place("strip Wave"))
    layers.key("delete")
    assert len(session.document.at) == 1
    undo(session)
    assert len(session.document.at) == 3


def test_lanes_stay_where_they_are_during_a_drag(layers):
    session = layers.session
    session.editor.edit(replace(session.document, at=()), "Nothing scheduled")
    session.interface.of(TimelineView).strips = True
    layers.frames(2)
    top = layers.marks["lane wave"][1]
    x, y = x_of(layers, 0.2, *session.transport.ruler), layers.place("lane wave")[1]
    layers.press(x, y)
    layers.move(x + 60, y)
    assert len(session.document.at) == 2
    assert layers.marks["lane wave"][1] == top
    layers.move(x + 90, y)
    length = session.document.at[1].time - session.document.at[0].time
    layers.move(x + 200, y)
    assert session.document.at[1].time - session.document.at[0].time > length
    layers.release()
    assert layers.marks["lane wave"][1] < top, "lanes with strips are above the others"


def test_settings_of_a_fade_in_the_menu(layers):
    x = x_of(layers, 2.0, *layers.session.transport.ruler)
    layers.press(x, layers.place("lane base")[1], 1)
    layers.release(1)
    layers.click("in phase moment 0")
    assert layers.session.document.at[0].do.in_phase


def test_keys_of_the_selection_in_a_layer(layers, monkeypatch):
    session = layers.session
    joint = session.model.skeleton.find("LeftArm")
    session.selections.select(session.active, Selected(joint))
    found = []

    def spied(*given):
        found.append((given, joint_marks(*given)))
        return found[-1][1]

    monkeypatch.setattr(key_row, "joint_marks", Memo(spied))
    layers.frames(4)
    (((_, playing, chosen, _, _), marks),) = found  # they are kept from frame to frame
    assert (playing, chosen) == (playing_keys(session.transport), joint)
    left, _, right, _ = layers.marks["scrub"]
    assert marks
    assert all(left <= first <= last <= right for first, last in marks)


def test_strips_are_hidden(layers):
    layers.click("strips")
    layers.frames(2)
    assert "lane base" not in layers.marks
    layers.click("strips")
    layers.frames(2)
    assert "lane base" in layers.marks
    action("mixer").run(layers.session)
    played_motion.start_clip(layers.session.transport, 0)
    layers.frames(2)
    assert "lane base" not in layers.marks, "a clip plays alone"
