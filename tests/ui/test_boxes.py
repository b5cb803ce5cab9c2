"""Nothing in the panels overlaps or is cut: densities, window sizes, text sizes and themes."""

from itertools import product

import pytest

from rigview.scene.selected import Selected
from rigview.session.commands.actions import action
from rigview.ui import side_panels
from rigview.ui.theme import METRICS, THEMES
from tests.support.full_motion_file import DOCUMENT
from tests.support.looks import set_look
from tests.support.panel_boxes import Boxes, check, panels_apart
from tests.support.panels import PanelDriver

SIZES = ((1280, 720), (1600, 1000), (1920, 1080), (1024, 768))
SCALES = (1.0, 1.5)


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


def looks(driver, chosen):
    """Set text sizes and themes; yield their words."""
    for scale, theme in chosen:
        driver.scale, driver.session.settings.theme = scale, theme
        driver.frames(4)
        yield f"{scale:.0%}, {theme}"


def measure(driver, boxes, words):
    """Assert that all boxes of the present panels are right."""
    shown = check(driver, frames=4)  # scroll bars appear, then rows become narrower
    boxes.clear()
    driver.frames()
    assert not boxes.wrong(), f"{words}: {boxes.wrong()[:5]}"
    panels_apart(shown)


@pytest.mark.parametrize("density", METRICS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_panels(driver, monkeypatch, size, density):
    session = driver.session
    driver.size, session.settings.density = size, density
    session.editor.start(DOCUMENT)
    action("mixer").run(session)
    session.selections.select(session.active, Selected(session.model.skeleton.find("LeftForeArm")))
    session.interface.mixer_panels.layer = "base"
    set_look(session.scene, view_mode="influences")
    driver.frames(4)
    boxes = Boxes(monkeypatch)
    for words in looks(driver, zip(SCALES, THEMES, strict=True)):
        panels = [label for label, _ in (*side_panels.OUTLINER, *side_panels.right_panels(session))]
        for label in panels:
            session.interface.mixer_panels.tab = label
            measure(driver, boxes, f"{label}, {words}")


@pytest.mark.parametrize("density", METRICS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_curves_and_lists_of_settings(driver, monkeypatch, size, density):
    session = driver.session
    driver.size, session.settings.density = size, density
    session.selections.select(session.active, Selected(session.model.skeleton.find("LeftForeArm")))
    action("curves").run(session)
    action("dope sheet").run(session)
    boxes = Boxes(monkeypatch)
    for words in looks(driver, product(SCALES, THEMES)):
        measure(driver, boxes, words)
        for button in ("overlay settings", "pose settings"):
            driver.click(button)
            measure(driver, boxes, f"{button}, {words}")
            driver.key("escape")
