"""The pop-up that asks for a path where the system has no file dialog; and search fields."""

import pytest

from rigview.session.search import paths_after
from tests.support.light_mannequin import light_mannequin


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a folder, two characters, and files that cannot be opened."""
    (tmp_path / "Heroes").mkdir()
    for name in ("hero.glb", "Hero two.blend", "notes.txt", ".hidden.glb"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "Heroes" / "walk.glb").write_bytes(light_mannequin(frozenset(("Walk",))))
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def test_paths_that_begin_with_a_text(folder):
    suffixes = {".glb", ".blend"}
    whole = [f"{folder}/{name}" for name in ("Heroes/", "Hero two.blend", "hero.glb")]
    assert paths_after(f"{folder}/", suffixes) == whole
    assert paths_after(f"{folder}/HERO", suffixes) == whole
    assert paths_after(f"{folder}/hero.", suffixes) == [f"{folder}/hero.glb"]
    assert paths_after(f"{folder}/.", suffixes) == [f"{folder}/.hidden.glb"]
    assert paths_after("~/heroes/w", suffixes) == []
    assert paths_after("~/Heroes/w", suffixes) == ["~/Heroes/walk.glb"]
    assert paths_after(f"{folder}/missing/a", suffixes) == []
    assert paths_after("~unknown-user/a", suffixes) == []


@pytest.fixture
def asked(driver, folder):
    """The driver with the open pop-up, in which the folder is typed."""
    driver.session.interface.popup = "open"
    driver.frames(3)
    driver.type(f"{folder}/")
    driver.frames(2)
    return driver


def listed(driver):
    driver.marks.clear()
    driver.frames(2)
    return [name.removeprefix("path ") for name in driver.marks if name.startswith("path ")]


def test_what_is_typed_replaces_the_path_before(asked, folder):
    assert listed(asked) == ["Heroes/", "character.glb", "Hero two.blend", "hero.glb"]
    asked.key("escape")
    asked.session.interface.popup = "open"
    asked.frames(3)
    asked.type(f"{folder}/hero.")
    assert listed(asked) == ["hero.glb"]


def test_tab_completes_as_far_as_the_paths_agree(asked):
    asked.type("h")
    asked.key("tab")
    assert listed(asked) == ["Heroes/", "Hero two.blend", "hero.glb"]  # in upper and lower case
    asked.type("ero ")
    asked.key("tab")
    assert listed(asked) == ["Hero two.blend"]


def test_a_folder_is_listed_and_a_file_is_opened(asked):
    asked.click("path Heroes/")
    assert listed(asked) == ["walk.glb"]
    assert asked.session.interface.popup == "open"
    asked.click("path walk.glb")
    assert asked.session.interface.popup == ""
    asked.frames(2)
    assert asked.session.path.name == "walk.glb"


def test_a_search_is_cleared(driver):
    driver.click("tab Joints")
    for clear in (lambda: driver.click("clear search outliner"), lambda: driver.key("escape")):
        driver.click("search outliner")
        driver.type("left")
        assert driver.session.interface.outliner.filter == "left"
        clear()
        driver.frames(2)
        assert driver.session.interface.outliner.filter == ""
        driver.marks.clear()
        driver.frames(2)
        assert "clear search outliner" not in driver.marks
