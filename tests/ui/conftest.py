"""The driver of the panels that most of these tests use."""

import pytest

from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path):
    """Panels with a light character, which has the clip Idle."""
    path = tmp_path / "character.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    driver = PanelDriver(gl, path)
    yield driver
    driver.close()
