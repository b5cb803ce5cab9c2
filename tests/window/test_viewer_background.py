"""The real window works in the background: it checks its file and exports, also at its end."""

import json
import tomllib

import pytest

from tests.support.checked_files import broken_file
from tests.support.processes import background_tasks_of, until
from tests.support.xvfb import Window, XServer, need_xserver

SIZE = (800, 600)  # of the window, with panels at both sides


@pytest.fixture
def xserver(tmp_path):
    need_xserver()
    xserver = XServer(tmp_path, size=SIZE, checks=True)
    yield xserver
    xserver.close()


def test_work_in_the_background(xserver, tmp_path):
    path = broken_file(tmp_path / "hero.gltf")
    window = Window(xserver, path, "--no-motion", "--time", 0)
    try:
        _findings(window, tmp_path / "rigview.toml")
        _changed_file(window, path)
        _export(window, tmp_path / "pictures")
    finally:
        window.kill()


def _findings(window, settings):
    """Go to a finding, and accept it."""
    state = window.wait(lambda state: state["check"] == "done", "end of the check")
    assert state["findings"] == 5
    until(lambda: not background_tasks_of(window.program))
    window.click("tab Findings")
    window.wait(
        lambda state: "finding late-start Turn" in state["widgets"], "the panel of findings"
    )
    window.click("finding late-start Turn")
    state = window.wait(lambda state: state["time"] == 0.5, "the time of the finding")
    assert state["clip"] == "Turn"
    window.wait(lambda state: "accept finding" in state["widgets"], "the panel of findings")
    window.click("accept finding")
    window.wait(lambda state: state["findings"] == 4, "one finding less")
    (accepted,) = tomllib.loads(settings.read_text())["ignore"]
    assert (accepted["rule"], accepted["clip"]) == ("late-start", "Turn")


def _changed_file(window, path):
    """The file is checked again when it changes."""
    made = json.loads(path.read_text())
    del made["nodes"][2]["scale"]
    path.write_text(json.dumps(made))
    window.wait(lambda state: state["findings"] == 3, "another check")


def _export(window, pictures):
    """Export a picture, and close the window during another export, which leaves no file."""
    open_dialog(window)
    window.click("export kind")
    window.wait(lambda state: "export kind picture" in state["widgets"], "the kinds")
    window.click("export kind picture")
    window.wait(lambda state: "export frame rate" not in state["widgets"], "a picture")
    window.click("start export")
    window.wait(lambda state: state["notice"].startswith("Saved"), "the end of the export")
    (picture,) = pictures.glob("*.png")

    open_dialog(window)
    window.click("export kind")
    window.wait(lambda state: "export kind turntable" in state["widgets"], "the kinds")
    window.click("export kind turntable")
    window.wait(lambda state: "export frame rate" in state["widgets"], "a turntable")
    window.click("start export")
    window.wait(lambda state: "cancel export" in state["widgets"], "the running export")
    until(lambda: background_tasks_of(window.program))
    window.ask_to_close()
    assert window.wait_for_end() == 0
    assert [*pictures.iterdir()] == [picture]


def open_dialog(window):
    """Open the dialog by the list of commands."""
    window.key("ctrl+p")
    window.wait(lambda state: "search commands" in state["widgets"], "the list of commands")
    window.tool("type", "export")
    window.wait(lambda state: "command export" in state["widgets"], "the command")
    window.key("Return")
    window.wait(lambda state: "start export" in state["widgets"], "the dialog")
