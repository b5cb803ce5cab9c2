"""Settings: round trips, and invalid files."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.errors import OutputError
from rigview.resources import settings_folder
from rigview.session.settings import RECENT, Settings, as_toml, load, save

PATH_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def test_what_is_saved_is_loaded(tmp_path):
    path = tmp_path / "new" / "settings.toml"
    files = ["/models/Fox.glb", 'C:\\a "b"\\Größe.glb']
    panels = {"left": 21.5, "curves list": 9.0}
    saved = Settings((900, 700), (-20, 35), 1.5, files, "light", False, "blender")
    saved.zoom_to_pointer, saved.view_cube, saved.check_files = False, False, False
    saved.panels, saved.tab = panels, "Inspector"
    save(saved, path)
    assert load(path) == (saved, "")
    assert [each.name for each in path.parent.iterdir()] == ["settings.toml"]


def test_without_a_file_there_are_defaults(tmp_path):
    assert load(tmp_path / "settings.toml") == (Settings(), "")


@given(st.lists(PATH_TEXT, max_size=RECENT))
def test_any_path_is_kept(recent):
    assert tomllib.loads(as_toml(Settings(recent=recent)))["recent"] == recent


@pytest.mark.parametrize("broken", [b"recent = [", b"\xff\xfe\x00", b"ui_scale = 1\nui_scale = 2"])
def test_invalid_file_is_renamed(tmp_path, broken):
    path = tmp_path / "settings.toml"
    path.write_bytes(broken)
    settings, warning = load(path)
    assert settings == Settings()
    assert "settings.toml.broken" in warning
    assert not path.exists()
    assert (tmp_path / "settings.toml.broken").read_bytes() == broken
    assert load(path) == (Settings(), "")


@pytest.mark.parametrize(
    "odd",
    [
        "tab = 7",
        "size = [10, 10]",
        "size = [900]",
        'size = "large"',
        "size = [900.5, 700]",
        "size = [900, 100000]",
        "place = [1, 2, 3]",
        "ui_scale = 9",
        'ui_scale = "1"',
        "ui_scale = true",
        "panels = 12",
        "panels = { left = 1, right = 900, clips = '9', curves = nan, other = 20 }",
        'recent = "Fox.glb"',
        "recent = [1, 2]",
        "colour = 7",
        'theme = "pink"',
        "theme = 3",
        "reload = 0",
        'mouse = "maya"',
    ],
)
def test_invalid_value_is_ignored(tmp_path, odd):
    path = tmp_path / "settings.toml"
    path.write_text(odd)
    assert load(path) == (Settings(), "")


def test_recent_files_latest_first_and_bounded(tmp_path):
    settings = Settings()
    for k in range(RECENT + 3):
        settings.remember(tmp_path / f"{k}.glb")
    settings.remember(tmp_path / "9.glb")
    assert settings.recent[0] == str(tmp_path / "9.glb")
    assert settings.recent[1] == str(tmp_path / f"{RECENT + 2}.glb")
    assert len(settings.recent) == RECENT
    assert len(set(settings.recent)) == RECENT


def test_not_in_the_working_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    save(Settings())
    assert list(tmp_path.iterdir()) == []
    assert settings_folder().is_absolute()
    assert (settings_folder() / "settings.toml").is_file()


def test_unwritable_folder_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="settings"):
        save(Settings(), tmp_path / "file" / "settings.toml")


def test_unreadable_file_is_a_warning(tmp_path):
    path = tmp_path / "settings.toml"
    path.mkdir()
    settings, warning = load(path)
    assert settings == Settings()
    assert "cannot be read" in warning
