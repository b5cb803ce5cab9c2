"""The real window checks its file in the background, and leads to the findings."""

import json
from pathlib import Path

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


def test_findings_in_the_window(xserver, tmp_path):
    path = broken_file(tmp_path / "hero.gltf")
    baseline = tmp_path / "known.json"
    window = Window(xserver, path, "--no-motion", "--baseline", baseline, "--time", 0)
    try:
        state = window.wait(lambda state: state["check"] == "done", "end of the check")
        assert state["findings"] == 5
        until(lambda: not background_tasks_of(window.program))
        window.click("tab Findings")
        window.wait(lambda state: "finding late-start Turn" in state["widgets"], "the findings")
        window.click("finding late-start Turn")
        state = window.wait(lambda state: state["time"] == 0.5, "the time of the finding")
        assert state["clip"] == "Turn"
        window.click("accept finding")
        window.wait(lambda state: state["findings"] == 4, "one finding less")
        (line,) = json.loads(baseline.read_text())["known"]
        assert (line["rule"], line["clip"]) == ("late-start", "Turn")

        made = json.loads(path.read_text())
        del made["nodes"][2]["scale"]
        path.write_text(json.dumps(made))
        window.wait(lambda state: state["findings"] == 3, "another check")
        window.key("ctrl+q")
        assert window.wait_for_end() == 0
        assert not Path(window.errors).read_text()
    finally:
        window.kill()
