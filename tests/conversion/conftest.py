"""Fixtures of the tests of conversion."""

import pytest

from tests.support.blender_stand_in import StandIn


@pytest.fixture
def blender(tmp_path, monkeypatch):
    """A stand-in for Blender, with a cache of its own."""
    stand_in = StandIn(tmp_path / "programs")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("RIGVIEW_BLENDER", str(stand_in.program))
    return stand_in
