"""The findings of a check by joint, part of a mesh, clip and time."""

import pytest

from rigview.checks.finding import Finding
from rigview.motion.document import LayerSettings, MotionDoc
from rigview.scene.selected import Selected
from rigview.session import played_motion
from rigview.session.file_check import MOST_SHOWN, finding_places, tooltip_text
from rigview.session.timeline.time_axis import TimeAxis
from rigview.session.timeline.timeline_marks import finding_groups, grouped
from rigview.tasks.check_report import CheckReport
from tests.support.checked_files import broken_file, check_all, session_with

AXIS = TimeAxis(0.0, 1.0, 100.0, 200.0)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    return session_with(broken_file(tmp_path_factory.mktemp("places") / "hero.gltf"))


def made(severity="info", **fields):
    return Finding("a message", rule="rule", severity=severity, fix="Mend it", **fields)


def seen(severity="warning", **fields):
    return made(severity, size=0.01, **fields)


def examined(session, *findings):
    session.active.check.finish(CheckReport(findings=findings), 0.1)
    return findings


def rules(found):
    return [each.rule for each in found]


def test_places_of_a_check(session):
    active, model = session.active, session.model
    before = active.check.places(model)
    assert not before.joints
    assert not before.clips
    check_all(session)
    places = active.check.places(model)
    assert places is active.check.places(model), "it is kept until the next check"
    tip, face = model.skeleton.find("Tip"), model.skeleton.find("Face")
    assert rules(places.joints[tip]) == ["rest-scale-negative"]
    root = model.skeleton.find("Root")
    assert root not in places.joints
    assert rules(places.branches[root]) == ["rest-scale-negative"]
    assert "mesh-normals" in rules(places.parts[face, 0])
    assert not places.clips, "nothing of a pause at the start is seen"


def test_findings_at_times_are_ascending(session):
    late, early = seen(clip="Turn", time=0.7), seen(clip="Turn", time=0.2)
    places = finding_places(session.model, [late, early, seen(clip="Turn")])
    assert places.times[0] == (early, late)
    assert len(places.clips[0]) == 3


def test_a_clip_is_marked_by_what_is_seen_in_it(session):
    grave = made("error", clip="Turn")
    hidden = [made("warning", clip="Turn"), made("info", clip="Turn", size=0.001)]
    assert not finding_places(session.model, hidden).clips
    assert finding_places(session.model, [*hidden, grave, seen(clip="Turn")]).clips[0] == (
        grave,
        seen(clip="Turn"),
    )


def test_infos_mark_neither_joints_nor_parts(session):
    model = session.model
    found = [made(joint="Tip"), made(item="Triangle")]
    places = finding_places(model, found)
    assert not places.joints
    assert not places.parts
    assert not places.branches
    tip = Selected(model.skeleton.find("Tip"))
    assert places.of(tip) == (found[0],), "the inspector lists them"


def test_near_findings_are_one_mark():
    times = (0.1, 0.12, 0.5, 1.5)
    found = [made("error" if time == 0.12 else "info", time=time) for time in times]
    groups = grouped(zip(times, found, strict=True), AXIS, 10.0)
    assert [group.x for group in groups] == [120.0, 200.0], "one is out of view"
    assert [each.severity for each in groups[0].found] == ["error", "info"]


def test_marks_are_those_of_the_clip_that_plays_alone(session):
    examined(session, seen(clip="Turn", time=0.5))
    played_motion.choose_clip(session.active, 0)
    (group,) = finding_groups(session, AXIS, 10.0)
    assert group.x == 200.0
    assert finding_groups(session, AXIS, 10.0)[0] is group, "kept until something changes"
    played_motion.choose_clip(session.active, 1)
    assert not finding_groups(session, AXIS, 10.0)


def test_marks_of_layers_are_at_the_time_of_their_first_pass(session):
    (first,) = examined(session, seen(clip="Turn", time=0.5))
    name = session.model.clips[0].name
    session.editor.start(MotionDoc(layers=(LayerSettings("base", name, speed=2.0),)))
    session.update()
    length = session.model.clips[0].end / 2.0
    (group,) = finding_groups(session, TimeAxis(0.0, 2.0 * length, 0.0, 2.0), 1e-6)
    assert group.x * length == pytest.approx(first.time / 2.0)
    assert group.found == (first,)
    later = TimeAxis(length, 2.0 * length, 0.0, 1.0)
    assert not finding_groups(session, later, 1e-6), "they do not repeat along the loop"


def test_a_tooltip_has_the_fix_and_not_all_of_many():
    assert tooltip_text([made("error")]) == "Error: A message\n→ Mend it"
    assert tooltip_text([made()] * (MOST_SHOWN + 2)).endswith("and 2 more")
