"""The search over all actions, and keys that the user has set."""

import pytest

from rigview.session.commands import keys_file
from rigview.session.commands.action import found_commands
from rigview.session.commands.actions import ACTIONS, read_keys
from rigview.session.commands.keys_file import NAMED_KEYS
from rigview.session.export.export_view import ExportView
from rigview.session.stage import WHITE
from rigview.ui import command_list, shortcuts


def names(text):
    return [each.name for each in found_commands(ACTIONS, text)]


def test_what_begins_with_the_text_comes_first():
    assert names("")[: len(ACTIONS)] == [each.name for each in ACTIONS]
    assert names("frame")[0] == "frame"
    assert names("wire") == ["wireframe"]
    assert names("Export...") == names("Export…") == names("export")
    assert "frame active" in names("camera fr")
    assert names("qqq") == []


@pytest.mark.parametrize(("text", "wanted"), [
    ("turn", "Export Turntable"), ("turn", "view cube"), ("bones", "bones"), ("armature", "bones"),
    ("gif", "Export Video of the clip as .gif"), ("gif", "export"), ("movie", "export"),
    ("screenshot", "picture"), ("shape keys", "Panels Morphs"), ("blend shapes", "Panels Morphs"),
    ("browse", "wall"), ("hdri", "Panels Stage"), ("lint", "Panels Findings"),
    ("dark", "Settings Theme: Dark"), ("compact", "Settings Density: Compact"),
    ("back light", "Stage Back light"),
    ("idle", "Clips Idle"), ("hips", "Joints Hips"), ("new ik", "Motion New IK"),
    ("aces", "Stage Tone mapping: ACES"), ("key light", "Stage Light: Key light only"),
    ("ping", "Playback Loop mode: Ping-pong"), ("reload ch", "changed files"),
    ("scale", "Settings Text size: 150%"),
])  # fmt: skip
def test_everything_is_found_by_its_name_and_by_synonyms(driver, text, wanted):
    offered = tuple(command_list.offers(driver.session))
    found = [each.name for each in found_commands(offered, text)]
    assert wanted in found


def test_names_come_before_synonyms(driver):
    offered = tuple(command_list.offers(driver.session))
    found = [each.name for each in found_commands(offered, "turn")]
    assert found.index("Export Turntable") < found.index("view cube")
    assert len({each.name for each in offered}) == len(offered)


def run_found(driver, text):
    driver.key("left_ctrl", "p")
    driver.frames(2)
    driver.type(text)
    driver.key("enter")
    driver.frames(2)


def test_panels_exports_presets_clips_and_joints_are_run(driver):
    session = driver.session
    run_found(driver, "turntable")
    assert (session.interface.popup, session.interface.of(ExportView).kind) == (
        "export",
        "turntable",
    )
    driver.key("escape")
    run_found(driver, "as .gif")
    assert session.interface.of(ExportView).format == ".gif"
    driver.key("escape")
    run_found(driver, "findings")
    assert session.interface.tabs["right"] == "Findings"
    run_found(driver, "white background")
    assert session.scene.look.background.colours == (WHITE,)
    assert session.history.undo_label == "Stage White background"
    name = session.model.skeleton.names[session.model.skins[0].joints[3]]
    run_found(driver, name)
    assert session.model.skeleton.names[session.selected.joint] == name
    session.character.clip = -1
    run_found(driver, "idle")
    assert session.character.clip == 0
    run_found(driver, "light theme")
    assert session.settings.theme == "light"
    run_found(driver, "aces")
    assert session.scene.look.shading.tone_mapping == "aces"
    assert session.history.undo_label == "Tone mapping"
    run_found(driver, "key light only")
    assert session.scene.look.lighting.light == "key"
    run_found(driver, "loop mode: once")
    assert session.transport.loop_name == "Once"


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
