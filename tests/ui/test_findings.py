"""The panel of findings."""

from dataclasses import replace

import pytest
from imgui_bundle import imgui

from rigview.checks.finding import Finding
from rigview.errors import GltfError
from rigview.session.findings.findings_view import FindingsView
from rigview.session.findings.go_to_finding import open_finding
from rigview.session.findings.muted_findings import settings_path
from rigview.tasks.check_in_background import CheckReport
from rigview.ui.findings.finding_list import cut, in_two_lines, short_names
from tests.support.checked_files import broken_file, check_all, finding_of
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path):
    driver = PanelDriver(gl, broken_file(tmp_path / "hero.gltf"))
    driver.click("tab Findings")
    yield driver
    driver.close()


@pytest.fixture
def checked(driver):
    check_all(driver.session)
    driver.frames(3)
    return driver


def named(driver, start):
    return [name for name in driver.marks if name.startswith(start)]


def test_before_the_check(driver):
    check = driver.session.active.check
    assert "check state" in driver.marks
    assert not named(driver, "finding")
    driver.click("check again")
    assert check.asked
    check.begin(driver.session.active.stamps)
    driver.frames(2)
    assert "check progress" in driver.marks


def test_a_failure_is_shown(driver):
    check = driver.session.active.check
    check.fail(str(GltfError("is broken", file="hero.gltf")))
    driver.frames(2)
    assert "check error" in driver.marks
    assert not named(driver, "finding")


def test_nothing_found(driver):
    driver.session.active.check.finish(CheckReport(), 0.5)
    driver.frames(2)
    assert "nothing found" in driver.marks
    assert not named(driver, "finding")


def test_a_click_opens_a_finding_and_goes_there(checked):
    session = checked.session
    assert {"finding mesh-normals Triangle", "findings file"} <= set(checked.marks)
    checked.click("finding rest-scale-negative Tip")
    assert session.selections.current.name == "Tip"
    checked.frames(3)  # the panel grows
    assert "finding fix" in checked.marks
    checked.click("findings file")
    checked.frames(2)
    checked.click("finding late-start Turn")
    assert session.interface.of(FindingsView).opened.rule == "late-start"
    assert session.transport.time == pytest.approx(0.5)
    assert not session.transport.running


def test_the_tab_stays_and_shows_the_count(checked):
    before = checked.marks["tab Findings"]
    badge = checked.marks["badge Findings"]
    assert before[0] <= badge[0] < badge[2] <= before[2]
    checked.click("finding rest-scale-negative Tip")
    assert checked.session.interface.tabs["right"] == "Findings"
    checked.session.active.check.fail("")
    checked.frames(2)
    assert "badge Findings" not in checked.marks
    assert checked.marks["tab Findings"] == before, "a tab keeps its form"


def test_marks_in_the_lists_and_on_the_timeline_go_to_their_findings(checked):
    session, view = checked.session, checked.session.interface.of(FindingsView)
    checked.click("tab Inspector")
    checked.click("tab Joints")
    checked.click("findings of Tip")
    assert view.opened.rule == "rest-scale-negative"
    assert session.interface.tabs["right"] == "Findings"
    assert "findings of Root" not in checked.marks
    session.interface.mixer_panels.folded.add(session.model.skeleton.find("Root"))
    checked.frames(2)
    assert "findings of Root" in checked.marks, "those of its branch"
    checked.click("tab Meshes")
    checked.click("findings of Face")
    assert view.opened.item == "Mask"
    assert session.selections.current.name == "Face"
    seen = replace(finding_of(session, "late-start"), severity="warning", size=0.02)
    session.active.check.finish(CheckReport(findings=(seen,)), 0.1)
    checked.frames(2)
    checked.click("findings at 0")
    assert view.opened is seen
    assert session.transport.time == pytest.approx(0.5, abs=1e-9), "not the pressed place"
    checked.click("scrub")
    assert session.transport.time != pytest.approx(0.5)


def test_folding_and_search(checked):
    shown = len(named(checked, "finding "))
    checked.click("findings file")
    view = checked.session.interface.of(FindingsView)
    assert len(named(checked, "finding ")) > shown
    checked.click("findings file")
    assert len(named(checked, "finding ")) == shown
    view.filter = "mask"
    checked.frames(2)
    assert named(checked, "finding ") == ["finding mesh-normals Mask"]
    checked.click("search findings")
    checked.key("enter")
    assert view.opened.item == "Mask"
    view.filter = "nothing like it"
    checked.frames(2)
    assert not named(checked, "finding ")


def test_accept_and_report_again(checked):
    session, path = checked.session, settings_path(checked.session.path)
    count = session.active.check.count
    assert "accepted and muted" not in checked.marks
    checked.click("finding rest-scale-negative Tip")
    checked.click("accept finding")
    assert "Tip" in path.read_text(encoding="utf-8")
    assert session.active.check.count == count - 1
    assert "finding rest-scale-negative Tip" not in checked.marks
    assert "report rest-scale-negative Tip" not in checked.marks, "the list is folded"
    checked.click("accepted and muted")
    checked.click("accepted rest-scale-negative Tip")
    assert session.selections.current.name == "Tip"
    checked.frames(3)  # the panel grows
    checked.click("reason")
    checked.key("left_ctrl", "a")
    checked.type("mirrored")
    checked.key("enter")
    assert 'reason = "mirrored"' in path.read_text(encoding="utf-8")
    assert "reason" in checked.marks, "it stays open"
    checked.click("report rest-scale-negative Tip")
    assert "Tip" not in path.read_text(encoding="utf-8")
    assert session.active.check.count == count
    assert "finding rest-scale-negative Tip" in checked.marks
    assert "accepted and muted" not in checked.marks


def test_mute_and_unmute(checked):
    session, path = checked.session, settings_path(checked.session.path)
    checked.click("finding mesh-normals Mask")
    checked.frames(3)  # the panel grows
    checked.click("mute rule")
    assert 'mesh-normals = "off"' in path.read_text(encoding="utf-8")
    assert not named(checked, "finding mesh-normals")
    checked.click("accepted and muted")
    checked.click("unmute mesh-normals")
    assert "off" not in path.read_text(encoding="utf-8")
    assert session.active.check.asked
    check_all(session)
    checked.frames(3)
    assert named(checked, "finding mesh-normals")


def test_what_the_user_mutes_stays(checked, tmp_path):
    user = tmp_path / "user.toml"
    user.write_text('rules.mesh-normals = "off"\n[[ignore]]\nrule = "late-start"\nreason = "x"\n')
    checked.session.files.config = str(user)
    check_all(checked.session)
    checked.frames(2)
    checked.click("accepted and muted")
    checked.click("unmute mesh-normals")
    checked.click("report late-start Turn")
    report = checked.session.active.check.report
    assert (report.accepted, len(report.muted)) == (1, 1)
    assert not settings_path(checked.session.path).exists()


def test_one_click_for_all_clips(checked):
    session = checked.session
    found = tuple(
        Finding("m", rule="late-start", severity="info", clip=clip, joint="Tip", fix="f")
        for clip in ("Turn", "Nod")
    )
    session.active.check.finish(CheckReport(findings=found), 0.1)
    open_finding(session, session.active, found[0])
    checked.frames(3)
    checked.click("accept in all clips")
    assert session.active.check.report.accepted == 2


SLIDES = tuple(
    Finding(
        f"“Tip” slides {size} mm on the ground in “{clip}”, from 0.5 s: the ground is static",
        rule="foot-slide",
        severity="warning",
        fix="pin it",
        clip=clip,
        joint="Tip",
        time=0.5,
        size=size / 1000,
        group="Motion",
    )
    for clip, size in (("Turn", 40), ("Turn fast", 20))
)


def test_a_cause_opens_to_its_clips(driver):
    session, view = driver.session, driver.session.interface.of(FindingsView)
    other = replace(SLIDES[0], message="“Root” trembles", rule="noise", joint="Root")
    session.active.check.finish(CheckReport(findings=(*SLIDES, other)), 0.1)
    driver.frames(3)
    assert not named(driver, "finding in ")
    driver.click("finding foot-slide Tip")
    driver.frames(3)
    assert view.opened is SLIDES[0]
    assert named(driver, "finding in ") == ["finding in Turn", "finding in Turn fast"]
    driver.click("finding in Turn fast")
    assert view.opened is SLIDES[1]
    assert session.character.mixer.name == "Turn fast"
    view.filter = "t"
    driver.frames(2)
    driver.click("search findings")
    steps = [
        view.opened for key in ("down_arrow", "up_arrow", "up_arrow") if driver.key(key) is None
    ]
    assert steps == [other, SLIDES[0], SLIDES[0]], "to the cause, and through its clips"
    driver.key("down_arrow")
    assert view.opened is SLIDES[1]


def test_long_sentences_have_two_lines(driver):
    width = imgui.calc_text_size("“LeftForeArm” pops in").x
    assert in_two_lines("“LeftForeArm” pops in “Walk”", width) == (
        "“LeftForeArm” pops in",
        "“Walk”",
    )
    assert in_two_lines("“LeftForeArm” pops in", width) == ("“LeftForeArm” pops in", "")
    assert imgui.calc_text_size(cut("m" * 99, width)).x <= width
    assert short_names("“mixamorig:Hips” and “take|Run”", ("mixamorig:", "take|")) == (
        "“Hips” and “Run”"
    )


def test_copy_as_check_asks_for_it(checked):
    checked.click("copy check")
    assert checked.session.interface.requests == ["copy check"]


def test_a_narrow_window_lists_the_panel(gl, tmp_path):
    driver = PanelDriver(gl, broken_file(tmp_path / "hero.gltf"), size=(640, 480))
    check_all(driver.session)
    driver.session.interface.mixer_panels.tab = "Findings"
    driver.frames(3)
    assert "check state" in driver.marks
    driver.close()
