"""When the settings of a window are written, and what other windows wrote meanwhile."""

import os

import pytest

from rigview.session.session import Session
from rigview.session.settings import RECENT, Settings, load, save
from rigview.session.settings_writer import REST, SettingsWriter
from tests.support.fixed_clock import FixedClock

FPS = 10.0


class OpenWindow:
    """The session of a window with its settings, without the window."""

    def __init__(self):
        self.clock = FixedClock(FPS)
        self.session = Session(self.clock, settings=load()[0])
        self.settings = self.session.settings
        self.writer = SettingsWriter(self.session)

    def run(self, seconds, change=lambda: None):
        for _ in range(round(seconds * FPS)):
            self.clock.frame += 1
            self.session.tick()
            change()
            self.writer.poll()


@pytest.fixture(autouse=True)
def path(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "rigview" / "settings.toml"


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
