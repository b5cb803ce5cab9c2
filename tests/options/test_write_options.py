"""Options written as arguments or Python values are read as the same options."""

from dataclasses import asdict, replace

import pytest

from rigview.fields.option import NOT_GIVEN
from rigview.options.parser import parse
from rigview.options.python_call import options_from_python
from rigview.options.write_options import as_arguments, changed_options

ONE_FILE = [
    "",
    "--time 0.25,1 --speed -2 --loop pingpong:3 --trim --no-motion",
    "--pose rest --skeleton --bones lines --onion-skins 2 --onion-step 5",
    "--loop once --animation Walk --anims b.glb --anims c.glb --set x=1 --set y=2 --at 1:set:x=2",
    "--loop 4 --frame 3 --frame-rate 24",
    "--camera-position 1,2,-3.5 --camera-target=-1,0,0 --camera-fov 30",
    "--view right --ortho",
    "--view left --resolution 64x48 --background #12345678 --samples 1 --exposure=-0.5",
    "--no-background --grid --no-shadow --skeleton --weights Hips",
    "--view-mode normals",
    "--crowd 2x3 --animation Walk --animation Run",
    "--crowd 5 --environment sky.hdr --environment-rotation=-30.5 --variant Day "
    "--environment-background --environment-blur 0.25",
]


def values_of(options):
    return asdict(replace(options, given=frozenset()))


@pytest.mark.parametrize("line", ONE_FILE)
def test_arguments_give_the_same_options(line):
    options = parse("render", ["a.glb", "-o", "x.png", *line.split()])
    written = [*as_arguments("render", options)]
    assert values_of(parse("render", ["a.glb", *written])) == values_of(options)


@pytest.mark.parametrize("line", ONE_FILE)
def test_python_values_give_the_same_options(line):
    options = parse("render", ["a.glb", "-o", "x.png", *line.split()])
    values = {
        row.key: [row.plain(each) for each in value]
        if isinstance(value, list)
        else row.plain(value)
        for row, value in changed_options("render", options)
    }
    assert values_of(options_from_python("render", "a.glb", values)) == values_of(options)


@pytest.mark.parametrize(
    "line",
    [
        "--time 1 --time 2 --animation Walk --animation - --speed 2",
        "--motion a.toml --motion - --variant - --variant Day --active 2 --hide 1",
        "--loop loop --loop once --pose clip --pose bind --same-size",
    ],
)
def test_options_of_several_files(line):
    options = parse("render", ["a.glb", "b.glb", "-o", "x.png", *line.split()])
    written = [*as_arguments("render", options)]
    assert values_of(parse("render", ["a.glb", "b.glb", *written])) == values_of(options)


def test_values_that_differ_are_written_for_each_file():
    line = ["a", "b", "-o", "x.png", "--variant", "Day", "--speed", "2"]
    written = {row.name: value for row, value in changed_options("render", parse("render", line))}
    assert written == {"output": "x.png", "speed": [2.0], "variant": ["Day", NOT_GIVEN]}


def test_given_default_is_told_from_a_default():
    assert "resolution" not in parse("sheet", ["-o", "x.png"]).given
    options = parse("sheet", ["-o", "x.png", "--resolution", "256,256"])
    assert "resolution" in options.given
    assert options.scene.size == parse("sheet", ["-o", "x.png"]).scene.size
