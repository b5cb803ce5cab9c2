"""The user's folders."""

import sys
from pathlib import Path

import platformdirs
import pytest

from rigview.resources import cache_folder, data_home, settings_folder, state_folder


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere platformdirs is asked")
@pytest.mark.parametrize("given", [None, "", "relative", "/absolute/folder"])
def test_folders_are_those_of_platformdirs(monkeypatch, given):
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        if given is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, given)
    assert settings_folder() == Path(platformdirs.user_config_dir("rigview", appauthor=False))
    assert cache_folder() == Path(platformdirs.user_cache_dir("rigview", appauthor=False))
    assert state_folder() == Path(platformdirs.user_state_dir("rigview", appauthor=False))
    assert data_home() == Path(platformdirs.user_data_dir("rigview", appauthor=False)).parent
