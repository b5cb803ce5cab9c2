"""Two open characters compared: how they are shown, one clock, what is picked and painted."""

from threading import Event

import numpy as np
import pytest

from rigview.differences.compare import compare
from rigview.motion.document import At, LayerSettings, MotionDoc, Set
from rigview.scene.selected import Hit, MeshPart
from rigview.session import (
    character_files,
    comparison,
    picking,
    played_motion,
)
from rigview.session.comparison import COMPARING, DIFFERENCE, ERRORS, matching_clips
from rigview.wording import millimetres
from tests.support.character_versions import character
from tests.support.compared_session import compared, know_the_difference, session_of, write
from tests.support.looks import set_look
from tests.support.sessions import wait

SIZE = (640.0, 480.0)
MODES = ("side-by-side", "overlaid", "wipe", "error")


def times(session):
    return [each.transport.time for each in session.open_characters]


def clips(session):
    return [each.character.clip for each in session.open_characters]


@pytest.mark.parametrize("mode", MODES)
def test_both_versions_are_at_the_same_place(tmp_path, mode):
    session = session_of(tmp_path, character(), character(wave=(0, 60, 0)))
    row = [each.character.world.copy() for each in session.open_characters]
    assert row[1][0, 3] > 0.1
    session.compare(mode)
    session.update()
    for each in session.open_characters:
        np.testing.assert_array_equal(each.character.world, np.eye(4))
    assert session.together
    session.compare(None)
    session.update()
    np.testing.assert_array_equal([each.character.world for each in session.open_characters], row)


def test_a_version_of_another_scale_is_as_large_as_the_old_one(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(size=100.0))
    know_the_difference(session)
    world = session.open_characters[1].character.world
    np.testing.assert_allclose(world, np.diag([0.01, 0.01, 0.01, 1.0]), rtol=1e-4)


def test_half_a_view_is_framed_side_by_side(tmp_path):
    session = session_of(tmp_path, character(), character())
    orbit = session.scene.camera.orbit
    session.compare("wipe")
    whole, aspect = orbit.distance, session.aspect
    session.interface.viewport.aspect = 0.5
    session.compare("side-by-side")
    assert session.aspect == 0.25
    assert orbit.distance > whole
    session.compare("wipe")
    assert session.aspect == 0.5
    assert aspect == 1.5


def test_one_clock(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 60, 0)))
    wait(session, 0.5)
    assert times(session)[0] == times(session)[1]
    session.transport.pause_at(1.25)
    session.update()
    assert times(session) == [1.25, 1.25]
    session.transport.toggle()
    session.transport.set_speed(0.5)
    wait(session, 0.5)
    assert times(session) == pytest.approx([1.5, 1.5])
    session.activate(session.open_characters[1])
    session.transport.pause_at(0.25)  # of the active one only
    session.update()
    assert times(session) == [0.25, 0.25]


def test_the_other_version_plays_the_clip_of_the_same_name(tmp_path):
    old, new = character(clips=("Wave", "Rest")), character(clips=("Rest", "Wave"))
    session = compared(tmp_path, "overlaid", old, new)
    played_motion.choose_clip(session.active, 0)
    session.update()
    assert clips(session) == [0, 1]
    assert session.comparison.missing is None
    session.active.character.show = "rest"
    session.update()
    assert [each.character.show for each in session.open_characters] == ["rest", "rest"]


def test_a_renamed_clip_matches_once_the_difference_is_known(tmp_path):
    old, new = character(clips=("Wave", "Rest")), character(clips=("Greet", "Rest"))
    session = compared(tmp_path, "wipe", old, new)
    assert clips(session) == [0, -1]
    assert session.comparison.missing == (session.open_characters[1], "Wave")
    know_the_difference(session)
    assert clips(session) == [0, 0]
    assert session.comparison.missing is None
    wait(session, 0.5)
    assert times(session)[0] == times(session)[1]


def test_a_version_without_the_clip_shows_its_rest_pose(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(clips=()))
    first, second = session.open_characters
    assert session.comparison.missing == (second, "Wave")
    assert second.character.mixer.still
    session.active.character.show = "rest"
    assert session.comparison.missing is None
    session.active.character.show = "clip"
    session.activate(second)
    session.update()
    assert clips(session) == [-1, -1]
    assert first.character.mixer.still
    session.compare(None)
    session.update()
    assert clips(session) == [0, -1]


def test_each_version_keeps_the_clip_that_the_other_one_lacks(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(clips=("Greet",)))
    first, second = session.open_characters
    session.transport.pause_at(0.5)
    for active, shown in ((second, [-1, 0]), (first, [0, -1]), (second, [-1, 0])):
        session.activate(active)
        session.update()
        assert clips(session) == shown
        assert session.transport.time == 0.5
        assert active.character.playback.paused
    session.compare(None)
    session.update()
    assert clips(session) == [0, 0]
    assert times(session) == [0.5, 0.5]
    assert first.character.playback.paused


def test_a_version_that_lacks_the_clip_plays_its_own_beside_layers(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(clips=("Greet",)))
    first, second = session.open_characters
    assert clips(session) == [0, -1]
    first.editor.start(layered())
    session.update()
    assert clips(session) == [0, 0]
    played_motion.choose_clip(first, 0)
    session.update()
    session.remove(first)
    session.update()
    assert second.character.clip == 0


def test_clips_of_other_lengths_have_the_same_time_or_phase(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(times=(0.0, 0.5, 1.0)))
    comparison = session.comparison
    assert comparison.lengths_differ
    session.transport.pause_at(0.5)
    session.update()
    assert times(session) == [0.5, 0.5]
    session.transport.pause_at(1.5)
    session.update()
    assert times(session) == [1.5, 1.0]
    comparison.by_phase = True
    session.update()
    assert times(session) == [1.5, 0.75]
    session.transport.toggle()
    wait(session, 0.25)
    assert times(session) == pytest.approx([1.75, 0.875])
    session.compare(None)
    wait(session, 0.05)
    assert times(session) == pytest.approx([1.8, 0.925]), "both play on by themselves"


def test_a_reloaded_file_is_still_compared(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 60, 0)))
    session.comparison.move_edge(0.3)
    know_the_difference(session)
    write(tmp_path / "1.glb", character(wave=(0, 30, 0)))
    character_files.reload(session)
    wait(session, 0.1)
    assert session.comparison.mode == "wipe"
    assert session.comparison.versions.edge == 0.3
    assert session.comparison.known is None, "it was that of the file before"
    assert times(session)[0] == times(session)[1]


def test_a_closed_version_ends_the_comparison(tmp_path):
    session = compared(tmp_path, "wipe", character(), character())
    session.remove(session.open_characters[1])
    session.update()
    assert session.comparison.mode is None
    assert session.comparison.pair is None
    session.compare("wipe")
    assert session.comparison.mode is None


def test_two_of_three_are_compared(tmp_path):
    session = session_of(tmp_path, character(), character(), character())
    first, second, third = session.open_characters
    assert session.comparison.pair == (first, second)
    session.compare("wipe")
    session.comparison.choose(third, first)
    assert session.comparison.pair == (third, first)
    assert session.comparison.mode == "wipe"
    assert session.scene.instances.visible == [third, first]
    session.remove(third)
    assert session.comparison.pair == (first, second)


class Seen:
    """The first surface of what a part of the picture shows is hit at every pixel."""

    def __init__(self):
        self.asked = []

    def __call__(self, _scene, _size, pixel, _omitted=(), part=None):
        self.asked.append((pixel, part.instances))
        return Hit(MeshPart(len(part.instances) - 1, 0, 1, 0), 0, 0.0, pixel)


def test_a_click_picks_the_version_that_is_drawn_there(tmp_path):
    session = compared(tmp_path, "wipe", character(), character())
    old, new = session.open_characters
    session.selections.pick_surface = Seen()
    session.comparison.move_edge(0.25)
    picking.click(session, (100.0, 240.0), SIZE)
    assert session.selections.current.character is session.active is old
    picking.click(session, (161.0, 240.0), SIZE)
    assert session.selections.current.character is session.active is new
    assert session.selections.pick_surface.asked == [((100, 240), (old,)), ((161, 240), (new,))]


def test_a_click_into_a_half_of_the_view(tmp_path):
    """The pixel is that of the picture that is shifted into the half."""
    session = compared(tmp_path, "side-by-side", character(), character())
    old, new = session.open_characters
    session.selections.pick_surface = Seen()
    for x in (160.0, 480.0):
        picking.click(session, (x, 240.0), SIZE)
    assert session.selections.pick_surface.asked == [((320, 240), (old,)), ((320, 240), (new,))]


def test_both_overlaid_versions_can_be_picked(tmp_path):
    session = compared(tmp_path, "overlaid", character(), character())
    session.selections.pick_surface = Seen()
    picking.click(session, (320.0, 240.0), SIZE)
    assert session.selections.pick_surface.asked == [((320, 240), tuple(session.open_characters))]
    assert session.active is session.open_characters[1]


def test_joints_are_picked_in_their_half(tmp_path):
    session = compared(tmp_path, "side-by-side", character(), character(wave=(0, 60, 0)))
    set_look(session.scene, skeleton=True)
    session.transport.pause_at(1.0)
    session.update()
    found = {}
    for each, shift in zip(session.open_characters, (-0.25, 0.25), strict=True):
        hand = each.model.skeleton.find("Hand")
        place = each.character.joint_world(hand)[:3, 3]
        x, y, _ = session.scene.camera.used.project(place, SIZE[0] / SIZE[1]).tolist()
        found[each] = picking.at(session, ((x + shift) * SIZE[0], y * SIZE[1]), SIZE)
        assert found[each][0] is each
        assert found[each][1].joint == hand


def test_the_error_is_painted_on_the_new_version(tmp_path):
    session = compared(tmp_path, "error", character(), character(wave=(0, 91, 0)))
    old, new = session.open_characters
    session.transport.pause_at(1.0)
    session.update()
    painted = session.comparison.painted_errors
    far = 2 * np.sin(np.radians(0.5)) * 2.0
    assert painted.errors.greatest == pytest.approx(far, rel=1e-4)
    assert painted.place.endswith("at Hand")
    (values,) = new.character.vertex_values[0]
    assert values.max() == 1.0
    assert values[:2].tolist() == [0.0, 0.0]
    assert old.character.vertex_values == ()
    assert session.scene.swatches[-1].label == millimetres(far, ".3g")
    session.compare("wipe")
    session.update()
    assert new.character.vertex_values == ()
    assert session.scene.swatches == ()


def test_the_scale_of_errors_is_that_of_the_whole_clip(tmp_path):
    session = compared(tmp_path, "error", character(), character(wave=(0, 100, 0)))
    know_the_difference(session)
    session.transport.pause_at(0.5)
    session.update()
    painted = session.comparison.painted_errors
    (clip,) = [each for each in session.comparison.known.clips if not each.same]
    assert painted.full == clip.deviation.metres
    assert 0.0 < painted.errors.greatest < painted.full
    (values,) = session.open_characters[1].character.vertex_values[0]
    assert values.max() == pytest.approx(painted.errors.greatest / painted.full, rel=1e-5)


def test_errors_that_are_not_wanted_any_more_are_not_painted(tmp_path):
    session = session_of(tmp_path, character(), character(wave=(0, 91, 0)))
    session.jobs.in_background = True
    session.compare("error")
    session.update()
    assert session.jobs.is_running(ERRORS)
    session.compare("wipe")
    session.jobs.wait()
    session.update()
    assert session.open_characters[1].character.vertex_values == ()


def test_clips_of_one_name_match_in_their_order():
    one = character(clips=("Wave", "Wave")).load()
    assert matching_clips(one, one, None, first=True) == {0: 0, 1: 1}


def layered(speed=1.0, **fields):
    return MotionDoc(layers=(LayerSettings("base", "#0", speed=speed),), **fields)


def mixer_times(session):
    return [each.transport.mixer_time for each in session.open_characters]


def test_layers_of_both_versions_have_one_clock(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 60, 0)))
    old, new = session.open_characters
    new.editor.start(layered(speed=2.0))
    played_motion.choose_clip(new, 0)
    old.editor.start(layered(at=(At(0.5, Set("base.weight", 0.5)),)))
    wait(session, 0.3)
    assert new.editor.shown, "its layers are shown, too"
    for change in (
        lambda: session.transport.set_speed(-0.5),
        lambda: old.transport.seek(0.9),
        lambda: new.transport.pause_at(5.0),
        lambda: old.transport.set_continuous(),
    ):
        change()
        for _ in range(2):
            wait(session, 0.07)
            assert old.character.mixer.tau == new.character.mixer.tau
            assert mixer_times(session)[0] == mixer_times(session)[1]
    new.character.mixer.seek(3.0)
    session.update()
    assert new.character.mixer.tau == old.character.mixer.tau
    played_motion.choose_clip(old, 0)
    wait(session, 0.1)
    assert not new.editor.shown
    assert times(session)[0] == times(session)[1]
    old.editor.show()
    wait(session, 0.1)
    assert new.editor.shown
    session.compare(None)
    assert new.transport.span[1] == new.character.mixer.length, "its own"


def test_a_version_without_layers_plays_its_clip_at_the_time(tmp_path):
    session = compared(tmp_path, "wipe", character(), character())
    old, new = session.open_characters
    old.editor.start(layered())
    old.transport.pause_at(2.5 * new.character.mixer.length)
    session.update()
    assert times(session)[1] == pytest.approx(0.5 * new.character.mixer.length)


def test_layers_that_do_not_fit_are_tried_once(tmp_path):
    session = compared(tmp_path, "wipe", character(), character())
    old, new = session.open_characters
    new.editor.set_document(MotionDoc(layers=(LayerSettings("base", "Gone"),)))
    old.editor.start(layered())
    session.update()
    assert "does not fit" in session.interface.notice
    session.interface.notice = ""
    session.update()
    assert not session.interface.notice


def test_the_difference_is_computed_once_it_is_wanted(tmp_path, monkeypatch):
    may_end = Event()
    waits = lambda *given, **named: may_end.wait(60) and compare(*given, **named)  # noqa: E731
    monkeypatch.setattr("rigview.session.comparison.compare", waits)
    session = session_of(tmp_path, character(), character(wave=(0, 120, 0)))
    session.jobs.in_background, comparison = True, session.comparison
    assert not session.poll()
    assert not session.jobs.is_running(DIFFERENCE), "no panel shows it"
    comparison.wanted = True
    session.poll()
    assert comparison.state == COMPARING
    may_end.set()
    session.jobs.wait()
    assert comparison.state == ""
    assert comparison.rows[1].text == "Wave"
    assert not session.poll(), "it is known"


def test_the_difference_is_computed_again_for_a_changed_file(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 120, 0)))
    session.jobs.in_background = True
    session.poll()
    session.jobs.wait()
    assert session.comparison.rows
    write(tmp_path / "1.glb", character())
    character_files.reload(session)
    session.update()
    assert session.comparison.compared is None, "the model before is not kept"
    session.poll()
    session.jobs.wait()
    assert session.comparison.known is not None
    assert session.comparison.rows == ()


def test_the_difference_of_a_file_that_changes_meanwhile_is_not_shown(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 120, 0)))
    session.jobs.in_background = True
    session.poll()
    write(tmp_path / "1.glb", character())
    character_files.reload(session)
    session.jobs.wait()
    assert session.comparison.known is None
    session.update()
    session.poll()
    session.jobs.wait()
    assert session.comparison.rows == ()


def test_too_little_memory_for_a_difference_is_said_once(tmp_path, monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(comparison, "compare", full)
    session = compared(tmp_path, "wipe", character(), character())
    session.jobs.in_background = True
    session.poll()
    session.jobs.wait()
    assert session.comparison.state == "Not enough memory to compare them"
    assert not session.poll()
    assert not session.jobs.is_running(DIFFERENCE)
