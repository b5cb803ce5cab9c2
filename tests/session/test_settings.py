"""Settings: round trips, invalid files, when they are written, and other windows."""

import os
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.errors import OutputError
from rigview.resources import settings_folder
from rigview.session.session import Session
from rigview.session.settings import RECENT, REST, Settings, SettingsWriter, as_toml, load, save
from tests.support.fixed_clock import FixedClock

FPS = 10.0
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


class OpenWindow:
    """The session of a window with its settings, without the window."""

    def __init__(self):
        self.clock = FixedClock(FPS)
        self.session = Session(self.clock, settings=load()[0])
        self.settings = self.session.settings
        self.writer = SettingsWriter(self.settings, self.session.notify)

    def run(self, seconds, change=lambda: None):
        for _ in range(round(seconds * FPS)):
            self.clock.frame += 1
            self.session.tick()
            change()
            self.writer.poll(self.session.tau)


@pytest.fixture(autouse=True)
def path(monkeypatch, tmp_path_factory):
    folder = tmp_path_factory.mktemp("config")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder / "rigview" / "settings.toml"


def stored():
    settings, warning = load()
    assert warning == ""
    return settings


def test_two_windows(tmp_path):
    save(Settings(recent=["old.glb"], panels={"left": 20.0}, tab="View"))
    one, other = OpenWindow(), OpenWindow()
    one.settings.remember(tmp_path / "a.glb")
    one.settings.theme, one.settings.panels["right"] = "light", 30.0
    other.settings.remember(tmp_path / "b.glb")
    other.settings.mouse, other.settings.panels["curves"] = "blender", 40.0
    one.writer.write()
    other.writer.write()
    one.writer.write()
    found = stored()
    assert found.recent == [str(tmp_path / "b.glb"), str(tmp_path / "a.glb"), "old.glb"]
    assert (found.theme, found.mouse, found.tab) == ("light", "blender", "View")
    assert found.panels == {"left": 20.0, "right": 30.0, "curves": 40.0}


def test_the_last_change_of_a_setting_is_kept():
    one, other = OpenWindow(), OpenWindow()
    for window, scale in ((one, 1.5), (other, 2.0), (one, 1.25)):
        window.settings.ui_scale = scale
        window.writer.write()
    other.settings.view_cube = False
    other.writer.write()
    assert (stored().ui_scale, stored().view_cube) == (1.25, False)


def test_a_size_that_is_reset_stays_reset():
    save(Settings(panels={"left": 20.0, "right": 30.0}))
    window = OpenWindow()
    del window.settings.panels["left"]
    window.writer.write()
    assert stored().panels == {"right": 30.0}


def test_full_lists_of_recent_files(tmp_path):
    save(Settings(recent=[f"{k}.glb" for k in range(RECENT)]))
    one, other = OpenWindow(), OpenWindow()
    one.settings.remember(tmp_path / "a.glb")
    other.settings.remember(tmp_path / "b.glb")
    other.settings.recent.remove("5.glb")
    other.settings.recent.insert(0, "5.glb")  # opened again
    one.writer.write()
    other.writer.write()
    new = ["5.glb", str(tmp_path / "b.glb"), str(tmp_path / "a.glb")]
    assert stored().recent == [*new, *(f"{k}.glb" for k in range(RECENT) if k != 5)][:RECENT]


def test_written_when_a_change_rests(path):
    window = OpenWindow()
    window.run(2 * REST)
    assert not path.exists(), "nothing has changed"

    def drag():
        window.settings.panels["left"] = 20.0 + window.clock.frame / 10.0
        window.settings.ui_scale = 1.0 + window.clock.frame / 1000.0

    window.run(5 * REST, drag)
    assert not path.exists(), "it changes in every frame"
    window.run(REST - 1.0 / FPS)
    assert not path.exists()
    window.run(1.0 / FPS)
    assert stored() == window.settings
    path.unlink()
    window.run(5 * REST)
    assert not path.exists(), "written once"


def test_written_at_the_end(path):
    window = OpenWindow()
    window.settings.theme = "light"
    window.run(1.0 / FPS)
    window.writer.write()
    assert stored().theme == "light"


def test_another_window_made_the_file_invalid(path):
    save(Settings(tab="Clips"))
    window = OpenWindow()
    window.settings.theme = "light"
    path.write_text("recent = [")
    window.writer.write()
    assert "settings.toml.broken" in window.session.interface.notice
    assert path.with_name("settings.toml.broken").read_text() == "recent = ["
    assert stored() == Settings(tab="Clips", theme="light")


def test_file_that_cannot_be_written(path):
    window = OpenWindow()
    window.settings.theme = "light"
    path.mkdir(parents=True)
    window.run(2 * REST)
    path.rmdir()
    window.settings.view_cube = False
    window.run(2 * REST)
    assert (stored().theme, stored().view_cube) == ("light", False)


@pytest.mark.skipif(os.name != "posix", reason="locks as on POSIX")
def test_windows_that_end_at_once(path):
    """Between reading and writing of one, no other one writes: its file would be lost."""
    count = 4
    windows = [OpenWindow() for _ in range(count)]
    children = []
    for k, window in enumerate(windows):
        window.settings.recent = [f"{k}.glb"]
        child = os.fork()
        if child == 0:
            window.writer.write()
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * count
    assert sorted(stored().recent) == [f"{k}.glb" for k in range(count)]
