from importlib.util import find_spec

import pytest

from rigview.options.table import COMMANDS, GROUPS, option, options_of

ALL = [each for options in GROUPS.values() for each in options]


def test_names_are_unique():
    names = [each.name for each in ALL] + [each.short for each in ALL if each.short]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.name)
def test_option_is_valid(each):
    assert each.commands
    named = {*each.commands, *each.repeat, *each.required, *each.defaults, *each.helps}
    assert named <= set(COMMANDS)
    assert each.help
    assert not each.help.endswith(".")
    if not each.metavar:
        assert not each.choices
        assert each.default is None
    if each.choices and each.default is not None:
        assert each.default in each.choices


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_module(command):
    assert find_spec(f"rigview.cli.{command}") is not None


def test_options_are_found_by_name_and_by_command():
    assert option("frame-rate").key == "frame_rate"
    assert option("frame-rate").flag == "--frame-rate"
    assert option("resolution").default_for("sheet") != option("resolution").default_for("render")
    shown = {each.name for options in options_of("info").values() for each in options}
    assert shown == {"anims", "config", "json", "no-config", "root", "verbose", "quiet"}
    with pytest.raises(KeyError):
        option("colour-of-the-sky")
