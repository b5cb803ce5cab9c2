"""Rules about single clips: which clips they look at, and that their findings name them."""

from rigview.checks.check_context import CheckContext
from rigview.checks.clip_rules import per_clip, per_loop
from rigview.checks.finding import Finding
from tests.support.walking_figure import walk, walker


def found_in(context, limits, index, clip):
    yield Finding(f"{index} {clip.name} {limits['mm']:g} {len(context.model.clips)}")
    yield Finding("again", joint="Hips")


def clips_of(find, context):
    return [(each.message, each.clip) for each in find(context, {"mm": 3.0})]


def test_findings_name_the_clip():
    context = walker(walk(), "Walk")
    assert clips_of(per_clip(found_in), context) == [("0 Walk 3 1", "Walk"), ("again", "Walk")]


def test_only_examined_clips_and_loops_are_looked_at():
    walking = walker(walk(), "Walk")
    assert clips_of(per_clip(found_in), CheckContext(walking.model, clips=[])) == []
    assert clips_of(per_loop(found_in), walking) == clips_of(per_clip(found_in), walking)
    assert clips_of(per_loop(found_in), walker(walk(), "Death")) == []
