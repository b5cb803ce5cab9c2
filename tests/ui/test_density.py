"""The density of the panels: the height of their rows, at every text size."""

from itertools import pairwise

import pytest

from rigview.session import settings
from rigview.ui import theme
from tests.support.panels import PanelDriver

ROWS = {"compact": 20.0, "roomy": 28.0}  # points from a clip to the next one


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl, size=(1280, 1400))
    yield driver
    driver.close()


def choose(driver, density):
    driver.click("menu View")
    driver.click("menu density")
    driver.click(f"menu density {density}")
    driver.frames(3)


def steps(driver, names):
    """The distances between the upper ends of widgets, one below the other."""
    return [below[1] - above[1] for above, below in pairwise(driver.marks[name] for name in names)]


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_menu_changes_the_height_of_rows(driver, scale):
    driver.scale = scale
    driver.frames(3)
    for density in ("compact", "roomy"):
        choose(driver, density)
        clips = steps(driver, ["clip Idle", "clip Walk", "clip Run"])
        assert clips == pytest.approx([ROWS[density] * scale] * 2, abs=1.0)


def test_compact_rows_of_all_kinds_are_as_high(driver):
    choose(driver, "compact")
    driver.click("tab Stage")
    driver.click("tab Joints")
    driver.frames(2)
    rows = steps(driver, ["light Azimuth", "light Elevation", "light rim"])
    assert rows == pytest.approx([20.0] * 2, abs=1.0)
    joints = sorted(box[1] for name, box in driver.marks.items() if name.startswith("row joint "))
    assert all(b - a <= 20.5 for a, b in pairwise(joints))


def test_sizes_grow_with_the_text(driver):
    for density, sizes in theme.METRICS.items():
        driver.session.settings.density = density
        for scale in (1.0, 1.5):
            driver.scale = scale
            driver.frames()
            now = theme.metrics()
            assert (now.font, now.gap, now.icon) == pytest.approx(
                [scale * each for each in (sizes.font, sizes.gap, sizes.icon)]
            )


def test_the_density_is_remembered(tmp_path):
    path = tmp_path / "settings.toml"
    settings.save(settings.Settings(density="compact"), path)
    assert settings.load(path)[0].density == "compact"
    path.write_text('density = "airy"\n')
    assert settings.load(path)[0].density == "roomy"
