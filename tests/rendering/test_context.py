"""The shader cache of the driver on a disk without room."""

import os
import shutil
from types import SimpleNamespace

import pytest

from rigview.rendering.context import CACHE_ROOM, spare_a_full_disk

VARIABLES = ("MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DISABLE")


@pytest.mark.parametrize(("room", "disabled"), [(CACHE_ROOM - 1, True), (CACHE_ROOM, False)])
def test_shader_cache_is_disabled_on_a_full_disk(monkeypatch, tmp_path, room, disabled):
    asked = []

    def disk_usage(folder):
        asked.append(folder)
        return SimpleNamespace(free=room)

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)
    monkeypatch.setenv("MESA_SHADER_CACHE_DIR", str(tmp_path / "none" / "yet"))
    for variable in VARIABLES:
        monkeypatch.setenv(variable, "")  # restored afterwards
        monkeypatch.delenv(variable)
    spare_a_full_disk()
    assert [variable in os.environ for variable in VARIABLES] == [disabled, disabled]
    assert asked == [tmp_path]
