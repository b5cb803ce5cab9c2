"""Settings of a clip in the motion document, set by hand."""

import pytest

from rigview.motion import edit
from rigview.motion.document import ClipEvent, ClipSettings, MotionDoc, Root
from rigview.session.clip_settings import (
    clip_key,
    clips_with_settings,
    default_root,
    even_phases,
    loop_kind,
    loop_setting,
    settings_of,
    with_cycles,
    with_mark,
)
from tests.support.clips import sliding_clip
from tests.support.models import make_model, square


@pytest.fixture(scope="module")
def model():
    clips = [sliding_clip(name, 0.0, 1.0) for name in ("Walk", "Run", "Walk", "Jump")]
    return make_model([square()], clips=tuple(clips))


def test_key_of_a_clip(model):
    assert clip_key(model, MotionDoc(), 0) == "Walk"
    assert clip_key(model, MotionDoc(), 2) == "#2", "the name is that of the first one"
    assert clip_key(model, MotionDoc(clips={"Ju*": ClipSettings()}), 3) == "Ju*"
    assert clip_key(model, MotionDoc(clips={"gone": ClipSettings()}), 3) == "Jump"


def test_settings_are_put_and_removed(model):
    once = ClipSettings(loop="once")
    document = edit.with_clip_settings(
        MotionDoc(clips={"Ju*": ClipSettings(cycles=2)}), "Ju*", once
    )
    assert dict(document.clips) == {"Ju*": once}
    assert settings_of(model, document, 3) is once
    assert settings_of(model, document, 0) == ClipSettings()
    assert not edit.with_clip_settings(document, "Ju*", ClipSettings()).clips


def test_clips_with_settings_are_kept_for_a_document(model):
    document = MotionDoc(clips={"Run": ClipSettings(loop="once"), "gone": ClipSettings()})
    assert clips_with_settings(model, document) == {1}
    assert clips_with_settings(model, document) is clips_with_settings(model, document)
    assert clips_with_settings(model, MotionDoc()) == frozenset()


@pytest.mark.parametrize(
    ("loop", "kind", "times"),
    [
        (None, "", 2),
        ("loop", "loop", 2),
        ("pingpong", "pingpong", 2),
        ("once", "once", 2),
        ("3", "times", 3),
        ("pingpong:4", "pingpong times", 4),
    ],
)
def test_loop_modes(loop, kind, times):
    assert loop_kind(loop) == (kind, times)
    assert loop_setting(kind, times) == loop


def test_marks_have_a_phase_for_each_cycle():
    settings = with_mark(ClipSettings(cycles=2), "left", even_phases(0.6, 2))
    assert settings.sync == {"left": (0.1, 0.6)}
    four = with_cycles(settings, 4)
    assert four.sync == {"left": (0.05, 0.3, 0.55, 0.8)}
    assert with_cycles(four, 4) is four
    assert with_cycles(four, 1).sync == {"left": (0.2,)}
    assert with_mark(settings, "left", (1.2, -1.0)).sync["left"] == (1.0, 0.0)


def test_root_motion_by_the_hips(model):
    assert default_root(model) == Root(model.skeleton.names[0])


def test_other_settings_stay(model):
    event = ClipEvent("step", phase=0.5)
    document = MotionDoc(clips={"Run": ClipSettings(events=(event,))})
    changed = with_cycles(settings_of(model, document, 1), 2)
    assert edit.with_clip_settings(document, "Run", changed).clips["Run"].events == (event,)
