"""The panel of findings."""

import pytest

from rigview.checks.finding import Finding
from rigview.errors import GltfError
from rigview.session.findings.findings_view import FindingsView
from rigview.session.findings.go_to_finding import open_finding
from rigview.session.findings.muted_findings import settings_path
from rigview.tasks.check_in_background import CheckReport
from tests.support.checked_files import broken_file, check_all
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
    assert {"findings error", "findings warning", "rule mesh-normals"} <= set(checked.marks)
    checked.click("finding rest-scale-negative Tip")
    assert session.selections.current.name == "Tip"
    checked.frames(3)  # the panel grows
    assert "finding fix" in checked.marks
    checked.click("finding late-start Turn")
    assert session.interface.of(FindingsView).opened.rule == "late-start"
    assert session.transport.time == pytest.approx(0.5)
    assert not session.transport.running


def test_the_tab_stays_and_shows_the_count(checked):
    wide = checked.marks["tab Findings"]
    checked.click("finding rest-scale-negative Tip")
    assert checked.session.interface.tabs["right"] == "Findings"
    checked.session.active.check.fail("")
    checked.frames(2)
    narrow = checked.marks["tab Findings"]
    assert narrow[2] - narrow[0] < wide[2] - wide[0]


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
    checked.click("findings at 0")
    assert view.opened.rule == "late-start"
    assert session.transport.time == pytest.approx(0.5, abs=1e-9), "not the pressed place"
    checked.click("scrub")
    assert session.transport.time != pytest.approx(0.5)


def test_folding_and_search(checked):
    checked.click("findings warning")
    assert "rule mesh-normals" not in checked.marks
    view = checked.session.interface.of(FindingsView)
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
