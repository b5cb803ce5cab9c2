"""Findings lead to a joint or mesh, a clip and a time."""

import numpy as np
import pytest

from rigview.checks.check_context import CheckContext
from rigview.checks.finding import Finding
from rigview.loading.load import load
from rigview.scene.selected import Selected, vertex_positions
from rigview.session.file_check import target_of
from rigview.session.findings.findings_view import FindingsView
from rigview.session.findings.go_to_finding import go_to_finding, open_next
from tests.support.checked_files import broken_file, check_all, finding_of, session_with


@pytest.fixture
def session(tmp_path):
    session = session_with(broken_file(tmp_path / "hero.gltf"))
    check_all(session)
    return session


def made(place="", **fields):
    return Finding("message", rule="rule", severity="info", fix="fix", place=place, **fields)


@pytest.mark.parametrize(
    ("finding", "selected", "clip"),
    [
        (made("/nodes/2/scale", joint="Tip"), "Tip", -1),
        (made("/nodes/2"), "Tip", -1),
        (made("/nodes/99"), None, -1),
        (made("/animations/1", clip="Turn fast", joint="Tip", time=0.5), "Tip", 1),
        (made("/animations/3/samplers/0/output"), None, 3),
        (made(clip="Turn fast"), None, 1),
        (made(clip="gone", joint="gone"), None, -1),
        (made("/meshes/1/primitives/0/attributes", item="Mask"), "Face/0", -1),
        (made("/meshes/1/primitives/7"), "Face/0", -1),
        (made(item="Triangle"), "Body/0", -1),
        (made("/skins/0/inverseBindMatrices", item="skin"), "Body/0", -1),
        (made("/materials/3"), None, -1),
    ],
)
def test_target(session, finding, selected, clip):
    model = session.model
    found = target_of(model, finding)
    if selected is None:
        assert found.selected is None
    else:
        name, _, part = selected.partition("/")
        expected = Selected(model.skeleton.find(name), int(part) if part else -1)
        assert found.selected == expected
    assert found.clip == clip
    assert found.time == finding.time


def test_going_to_a_finding_selects_shows_and_frames(session):
    camera = session.scene.camera.orbit
    before = camera.distance
    go_to_finding(session, session.active, finding_of(session, "rest-scale-negative"))
    tip = session.model.skeleton.find("Tip")
    assert session.selected == Selected(tip)
    assert session.transport.running, "a finding without a time goes on playing"
    place = session.character.joint_world(tip)[:3, 3]
    x, y, _ = camera.project(place, session.aspect)
    assert (x, y) == pytest.approx((0.5, 0.5), abs=0.2)
    assert camera.distance < before

    go_to_finding(session, session.active, made(clip="Turn fast", joint="Tip", time=0.25))
    assert session.character.clip == 1
    assert session.transport.time == pytest.approx(0.25)
    assert not session.transport.running


def test_going_to_a_mesh_frames_it(session):
    go_to_finding(session, session.active, made("/meshes/1/primitives/0"))
    face = session.model.skeleton.find("Face")
    assert session.selected == Selected(face, 0)
    assert session.scene.camera.current.target == pytest.approx([3.0, 1.0, 0.0], abs=0.7)


def test_faulty_vertices_are_framed_and_their_joint_is_selected(session):
    tip = session.model.skeleton.find("Tip")
    finding = made("/meshes/1/primitives/0/attributes", joint="Tip", vertices=(1, 99))
    go_to_finding(session, session.active, finding)
    assert session.selected == Selected(tip)
    face = Selected(session.model.skeleton.find("Face"), 0)
    (place,) = vertex_positions(session.character, face, np.array([1]))
    assert session.scene.camera.current.target == pytest.approx(place, abs=0.1)


def test_a_place_that_is_not_finite_is_not_framed(session):
    camera = session.scene.camera.orbit
    before = camera.target.copy()
    session.character.world[:3, 3] = np.nan
    go_to_finding(session, session.active, made("/nodes/2"))
    assert camera.target == pytest.approx(before)


def test_clicks_on_a_mark_go_through_its_findings(session):
    late = finding_of(session, "late-start")
    scale = finding_of(session, "rest-scale-negative")
    view = session.interface.of(FindingsView)
    for expected in (scale, late, scale):
        open_next(session, session.active, (scale, late))
        assert view.opened is expected
    assert session.interface.mixer_panels.tab == "Findings"


def test_going_to_a_finding_chooses_its_track(session):
    view = session.interface.curves
    pop = made("/animations/0/channels/0", clip="Turn", joint="Tip", time=0.5, path="rotation")
    view.space, view.span = "speed", (0.0, 0.1)
    go_to_finding(session, session.active, pop)
    assert (view.subject, view.chart, view.space, view.span) == ("Tip", "Rotation", "local", None)
    assert view.faulty == ("Tip", "Rotation", 0.5)
    go_to_finding(session, session.active, made(clip="Turn", joint="Tip", time=0.5))
    assert (view.chart, view.faulty) == ("", None), "the track is not known"


def test_the_path_of_a_track_is_that_of_its_place(tmp_path):
    model = load(broken_file(tmp_path / "hero.gltf"))
    context = CheckContext(model)
    channel = model.document.json["animations"][0]["channels"][0]
    path, sampler = channel["target"]["path"], channel["sampler"]
    assert context.track_path("/animations/0/channels/0") == path
    assert context.track_path(f"/animations/0/samplers/{sampler}/output") == path
    for place in ("", "/animations/0", "/animations/99/channels/0", "/animations/0/samplers/99"):
        assert context.track_path(place) == ""
