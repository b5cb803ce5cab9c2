"""The wall of a folder in the window, and the files before and after the open one."""

import numpy as np
import pytest

from rigview.batch.jobs import Jobs
from rigview.errors import GltfError
from rigview.session.file_wall import (
    DRAWING,
    FilePictures,
    FileWall,
    entries,
    show_wall,
)
from rigview.tasks import still_pictures, thumbnail_cache
from rigview.window.thumbnails import READING, Thumbnails
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver

RED = (200, 20, 30, 255)
NAMES = ["walk 1.glb", "walk 2.glb", "walk 10.glb", "zebra.vrm"]


@pytest.fixture
def folder(tmp_path):
    """A folder of four characters, a folder, a broken file and one that is none."""
    data = light_mannequin(frozenset(("Idle",)))
    folder = tmp_path / "folder"
    (folder / "more").mkdir(parents=True)
    for name in NAMES:
        (folder / name).write_bytes(data)
    (folder / "broken.glb").write_bytes(b"glTF\2\0\0\0")
    (folder / "notes.txt").write_text("none of them")
    return folder


@pytest.fixture
def driver(gl, folder, tmp_path, monkeypatch):
    """Panels with the second file; thumbnails are one red square, but of the broken file."""

    def draw(path, size, *, max_memory):
        if path.stem == "broken":
            raise GltfError("it ends too early", file=str(path))
        return np.full((size, size, 4), RED, np.uint8)

    monkeypatch.setattr(still_pictures, "draw_thumbnail", draw)
    monkeypatch.setattr(thumbnail_cache, "cache_folder", lambda: tmp_path / "cache")
    driver = PanelDriver(gl, folder / NAMES[1])
    yield driver
    driver.close()


@pytest.fixture
def wall(driver, folder):
    show_wall(driver.session, folder)
    driver.frames(3)
    return driver.session.interface.of(FileWall)


def make_pictures(driver):
    """Let the window make the textures that are wanted: from the cache, then drawn."""
    for _ in range(3):
        Thumbnails(driver.gui).show(driver.session)
        driver.frames(1)


def inside(picture, box):
    left, top, right, _ = (round(x) for x in box)
    edge = right - left
    return picture[top + 8 : top + edge - 8, left + 8 : right - 8]


def test_entries_are_in_natural_order(folder):
    folders, files = entries(folder)
    assert [path.name for path in folders] == ["more"]
    assert [path.name for path in files] == ["broken.glb", *NAMES]


def test_tiles_show_thumbnails_and_reasons(driver, wall, folder):
    assert driver.session.interface.of(FilePictures).made == {}
    make_pictures(driver)
    pictures = driver.session.interface.of(FilePictures)
    assert len(pictures.made) == len(NAMES)
    assert list(pictures.failed.values()) == ["it ends too early"]
    picture = driver.picture()
    for k, name in enumerate(["more", "broken.glb", *NAMES]):
        red = (inside(picture, driver.marks[f"wall {k}"]) == RED[:3]).all(axis=-1)
        assert red.all() == (name in NAMES), name
        assert red.any() == (name in NAMES), name
    assert "view cube" not in driver.marks
    assert "play" not in driver.marks


def test_thumbnails_are_drawn_in_a_process(driver, wall, monkeypatch):
    driver.session.jobs = jobs = Jobs(in_background=True)
    started = []
    monkeypatch.setattr(jobs, "start", lambda key, *_, **how: started.append((key, how)))
    Thumbnails(driver.gui).show(driver.session)
    pictures = driver.session.interface.of(FilePictures)
    pictures.absent |= {pictures.key(path) for path in wall.files}
    driver.frames()
    Thumbnails(driver.gui).show(driver.session)
    assert [key for key, _ in started] == [READING, DRAWING]
    assert started[1][1]["in_process"]


def test_a_click_opens_a_file_and_escape_returns(driver, wall, folder):
    driver.click("wall 4")  # a folder and the broken file come first
    driver.frames(2)
    assert driver.session.path == folder / NAMES[2]
    assert not wall.shown
    assert "play" in driver.marks
    driver.key("escape")
    assert wall.shown
    assert wall.entries[wall.chosen] == folder / NAMES[2]
    driver.key("escape")
    assert not wall.shown


def test_a_broken_file_leaves_the_wall(driver, wall, folder):
    driver.click("wall 1")
    driver.frames(2)
    assert driver.session.interface.popup == "error"
    driver.key("escape")
    assert driver.session.interface.popup == ""
    assert wall.shown


def test_arrows_and_enter_open(driver, wall, folder):
    assert wall.entries[wall.chosen] == folder / NAMES[1]
    frame = driver.session.transport.frame
    driver.key("right_arrow")
    driver.key("right_arrow")
    driver.key("left_arrow")
    assert wall.entries[wall.chosen] == folder / NAMES[2]
    assert driver.session.transport.frame >= frame, "the arrows do not step the clip"
    driver.key("enter")
    driver.frames(2)
    assert driver.session.path == folder / NAMES[2]


def test_a_search_finds_entries_and_enter_opens_the_first(driver, wall, folder):
    driver.click("search files")
    driver.type("walk 1")
    assert [path.name for path in wall.entries] == ["walk 1.glb", "walk 10.glb"]
    driver.key("right_arrow")
    assert wall.chosen == 0, "arrows belong to the field"
    driver.key("escape")
    assert (len(wall.entries), wall.shown) == (6, True)
    driver.type("nothing")
    assert wall.entries == ()
    driver.key("escape")
    driver.type("10")
    driver.key("enter")
    driver.frames(2)
    assert driver.session.path == folder / NAMES[2]


def test_folders_are_entered_and_left(driver, wall, folder):
    driver.click("wall 0")
    driver.frames(2)
    assert (wall.folder, wall.entries) == (folder / "more", ())
    driver.click("wall up")
    driver.frames(2)
    assert wall.folder == folder
    assert wall.entries[wall.chosen] == folder / "more"


def test_keys_of_the_scene_rest(driver, wall):
    grid = driver.session.scene.look.grid
    driver.key("g")
    assert driver.session.scene.look.grid == grid
    driver.click("wall close")
    driver.key("g")
    assert driver.session.scene.look.grid != grid


def test_next_and_previous_file(driver, folder):
    session = driver.session
    for name in NAMES[2:]:
        driver.key("left_ctrl", "page_down")
        assert session.path == folder / name
    driver.key("left_ctrl", "page_down")
    assert session.path == folder / NAMES[-1]
    assert session.interface.notice == "This is the last file of the folder"
    for name in NAMES[2::-1]:
        driver.key("left_ctrl", "page_up")
        assert session.path == folder / name


def test_a_broken_file_is_passed(driver, folder):
    (folder / "walk 3.glb").write_bytes(b"glTF\2\0\0\0")
    driver.key("left_ctrl", "page_down")
    assert driver.session.interface.popup == "error"
    driver.key("escape")
    driver.key("left_ctrl", "page_down")
    assert driver.session.path == folder / NAMES[2]


def test_the_key_of_the_wall_shows_the_folder_of_the_file(driver, folder):
    driver.key("left_ctrl", "b")
    wall = driver.session.interface.of(FileWall)
    assert (wall.shown, wall.folder) == (True, folder)
    driver.key("left_ctrl", "b")
    assert not wall.shown
