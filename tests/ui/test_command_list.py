"""The search over all actions, and keys that the user has set."""

from rigview.session.commands import keys_file
from rigview.session.commands.action import found_commands
from rigview.session.commands.actions import ACTIONS, read_keys
from rigview.session.commands.keys_file import NAMED_KEYS
from rigview.ui import shortcuts


def names(text):
    return [each.name for each in found_commands(ACTIONS, text)]


def test_what_begins_with_the_text_comes_first():
    assert names("")[: len(ACTIONS)] == [each.name for each in ACTIONS]
    assert names("frame")[0] == "frame"
    assert names("wire") == ["wireframe"]
    assert "frame active" in names("camera fr")
    assert names("qqq") == []


def test_a_search_runs_the_first_command(driver):
    driver.key("left_ctrl", "p")
    assert driver.session.interface.popup == "commands"
    driver.frames(2)
    driver.type("wire")
    driver.key("enter")
    assert driver.scene.look.overlays.wireframe
    assert driver.session.interface.popup == ""


def test_arrows_choose_and_a_click_runs(driver):
    driver.key("left_ctrl", "p")
    driver.frames(2)
    driver.type("joint")
    listed = names("joint")
    driver.key("down_arrow")
    driver.key("enter")
    assert listed[1] == "axes"
    assert driver.scene.look.overlays.axes
    driver.key("left_ctrl", "p")
    driver.frames(2)
    driver.type("mixer")
    driver.click("command mixer")
    assert driver.session.interface.mixer_panels.shown


def test_escape_closes_it(driver):
    driver.key("left_ctrl", "p")
    driver.frames(2)
    driver.type("grid")
    driver.key("escape")
    assert driver.session.interface.popup == ""
    assert driver.scene.look.grid


def test_keys_of_the_user(driver):
    path = keys_file.keys_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('wireframe = ["F5"]\ngrid = ["W"]\n', encoding="utf-8")
    read_keys(driver.session)
    driver.key("f5")
    assert driver.scene.look.overlays.wireframe
    driver.key("w")
    assert not driver.scene.look.grid
    driver.key("g")
    assert not driver.scene.look.grid
    assert shortcuts.first_key(driver.session, next(a for a in ACTIONS if a.name == "grid")) == "W"


def test_the_window_knows_every_named_key():
    assert all(shortcuts._keys(name, modified=False) for name in NAMED_KEYS)
