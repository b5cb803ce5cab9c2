"""A file in the window of the program, drawn off-screen: opened, played, and shown in every way."""

from pathlib import Path

from rigview.rendering.context import create_context
from rigview.session.commands.actions import ACTIONS
from tests.monkey.checks import check_scene
from tests.monkey.deeds import Deeds
from tests.support.window_driver import Driver

GROUPS = ("Playback", "Camera", "View", "Characters")  # of actions that write no files
CLOSING = ("close",)


def open_window(name):
    """Open a file in a window, perform the actions of the menus, and close the window."""
    driver = Driver(Path.cwd(), create_context())
    try:
        driver.open(name)
        deeds = Deeds(driver, None)
        deeds.do({"do": "density", "ratio": 0.25, "dpi": 96, "frames": 4})
        session = driver.session
        for action in ACTIONS:
            if action.group in GROUPS and action.name not in CLOSING:
                action.run(session)
                deeds.do({"do": "wait", "seconds": 0.1})
                check_scene(session)
        for place in ([400, 280], [60, 200], [700, 200]):  # the scene, and the panels beside it
            deeds.do({"do": "click", "at": place, "frames": 2})
        driver.shut()
    finally:
        driver.end()
