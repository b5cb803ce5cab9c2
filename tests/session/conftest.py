"""Fixtures of the tests of sessions."""

import shutil

import pytest

from rigview.resources import asset_path
from tests.support.animated_value_files import robot_arm


@pytest.fixture
def paths(tmp_path):
    """Two copies of the bundled character and a robot arm."""
    folder = tmp_path / "there"
    folder.mkdir()
    mannequin = asset_path("mannequin.glb")
    return [
        shutil.copy(mannequin, folder / "one.glb"),
        shutil.copy(mannequin, folder / "two.glb"),
        robot_arm().path(folder, "arm.glb"),
    ]
