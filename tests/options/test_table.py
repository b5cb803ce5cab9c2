from importlib.util import find_spec

import pytest

from rigview.fields.command_groups import COMMANDS
from rigview.options.table import ROWS, options_by_name, options_of

ALL = [row.option for row in ROWS]


@pytest.mark.parametrize("command", COMMANDS)
def test_names_of_a_command_are_unique(command):
    own = [each for each in ALL if command in each.commands]
    names = [each.name for each in own] + [each.short for each in own if each.short]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.name)
def test_option_is_valid(each):
    assert each.names in ("", *options_by_name("info")["names"].choices)
    assert each.commands
    assert set(each.commands) <= set(COMMANDS)
    assert {*each.per_file, *each.required, *each.defaults, *each.helps} <= set(each.commands)
    assert each.help
    assert not each.help.endswith(".")
    if not each.metavar:
        assert not each.choices
        assert each.default in ((None, True) if each.negative else (False,))
    if each.choices and each.default is not None:
        assert each.default in each.choices


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_module(command):
    assert find_spec(f"rigview.cli.{command}") is not None


def test_options_are_found_by_name_and_by_command():
    render = options_by_name("render")
    assert render["frame-rate"].key == "frame_rate"
    assert render["frame-rate"].flag == "--frame-rate"
    sizes = [options_by_name(name)["resolution"].default_for(name) for name in ("sheet", "render")]
    assert sizes == [(256, 256), (1024, 1024)]
    shown = {each.name for options in options_of("info").values() for each in options}
    own = {"anims", "force", "json", "names", "jobs", "dask", "convert"}
    assert shown == own | {
        *("config", "no-config", "root", "verbose", "quiet", "blender", "convert-timeout")
    }
    assert "json" not in render
