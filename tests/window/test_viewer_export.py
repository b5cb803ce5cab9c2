"""The real window exports a picture beside itself, and ends an export with itself."""

import pytest

from tests.support.animated_value_files import robot_arm
from tests.support.processes import background_tasks_of, until
from tests.support.xvfb import Window, XServer, need_xserver

SIZE = (640, 600)  # of the window


@pytest.fixture
def xserver(tmp_path):
    need_xserver()
    xserver = XServer(tmp_path, size=SIZE)
    yield xserver
    xserver.close()


def test_exports_in_the_window(xserver, tmp_path):
    path = robot_arm().path(tmp_path, "arm.glb")
    window = Window(xserver, path, "--no-motion", "--time", 0)
    try:
        open_dialog(window)
        window.click("export kind")
        window.wait(lambda state: "export kind picture" in state["widgets"], "the kinds")
        window.click("export kind picture")
        window.wait(lambda state: "export format" not in state["widgets"], "a picture")
        window.click("start export")
        window.wait(lambda state: state["notice"].startswith("Saved"), "the end of the export")
        (picture,) = (tmp_path / "pictures").glob("*.png")

        open_dialog(window)
        window.click("export kind")
        window.wait(lambda state: "export kind turntable" in state["widgets"], "the kinds")
        window.click("export kind turntable")
        window.wait(lambda state: "export format" in state["widgets"], "a turntable")
        window.click("start export")
        window.wait(lambda state: "cancel export" in state["widgets"], "the running export")
        until(lambda: background_tasks_of(window.program))
        window.key("ctrl+q")
        assert window.wait_for_end() == 0
        assert [*(tmp_path / "pictures").iterdir()] == [picture]
        assert not window.errors.read_text()
    finally:
        window.kill()


def open_dialog(window):
    """Open the dialog by the list of commands."""
    window.key("ctrl+p")
    window.wait(lambda state: "search commands" in state["widgets"], "the list of commands")
    window.tool("type", "export")
    window.wait(lambda state: "command export" in state["widgets"], "the command")
    window.key("Return")
    window.wait(lambda state: "start export" in state["widgets"], "the dialog")
