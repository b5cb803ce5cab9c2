"""Configuration files: defaults that the command line overrides."""

import pytest

from rigview import resources
from rigview.cli.main import main
from rigview.errors import MotionError, UsageError
from rigview.options.config_defaults import with_defaults
from rigview.options.config_file import as_arguments
from rigview.options.parser import parse
from rigview.options.table import COMMANDS, option, options_of

TEXT = """
samples = 8
background = "#204060"
root = "."
[render]
resolution = "320x200"
shadow = false
camera-position = [1, 2.5, -3]
skeleton = true
[sheet]
resolution = [64, 48]
"""


@pytest.fixture
def given(tmp_path):
    path = tmp_path / "mine.toml"

    def write(text):
        path.write_text(text)
        return str(path)

    return write


def parsed(command, *line):
    return parse(command, with_defaults(command, line))


def test_options_of_a_file(given):
    found = parsed("render", "-o", "x.png", "--config", given(TEXT))
    assert (found.samples, found.resolution, found.shadow) == (8, (320, 200), False)
    assert (found.root, found.camera_position, found.skeleton) == (".", (1.0, 2.5, -3.0), True)
    assert found.background[:3] == pytest.approx((32 / 255, 64 / 255, 96 / 255))


def test_a_table_is_for_its_command(given):
    path = given(TEXT)
    assert parsed("sheet", "-o", "x.png", f"--config={path}").resolution == (64, 48)
    assert parsed("sheet", "-o", "x.png", f"--config={path}").shadow is None
    assert parsed("turntable", "-o", "x.mp4", "--config", path).resolution == (720, 720)
    assert not hasattr(parsed("info", "--config", path), "resolution")


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        (["--samples", "2"], "samples", 2),
        (["--samples=2"], "samples", 2),
        (["--shadow"], "shadow", True),
        (["--no-shadow"], "shadow", False),
        (["--resolution", "9,9"], "resolution", (9, 9)),
    ],
)
def test_command_line_overrides_the_file(given, line, key, value):
    found = parsed("render", *line, "-o", "x.png", "--config", given(TEXT))
    assert getattr(found, key) == value


def test_repeated_option(given):
    path = given('set = ["speed=1", "x=2"]\nanims = ["a.glb", "b.glb"]\n')
    found = parsed("render", "x.glb", "-o", "x.png", "--config", path)
    assert [str(each) for each in found.anims] == ["a.glb", "b.glb"]
    assert len(found.set) == 2
    assert found.file == "x.glb"


def test_command_line_replaces_repeated_options(given):
    """What may be given several times is not added to, either."""
    path = given('anims = ["a.glb", "b.glb"]\nanimation = "Walk"\n')
    found = parsed("render", "x.glb", "--animation", "Run", "-o", "x.png", "--config", path)
    assert found.animation == "Run"
    found = parsed("render", "x.glb", "--anims", "c.glb", "-o", "x.png", "--config", path)
    assert ([str(each) for each in found.anims], found.animation) == (["c.glb"], "Walk")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a = 1\nsampels = 3", 1, "unknown option"),
        ("samples = 1\nsampels = 3", 2, 'did you mean "samples"'),
        ("\nsamples = 'many'", 2, "samples"),
        ("shadow = 1", 1, "true or false"),
        ("samples = true", 1, "a text, a number"),
        ("samples = 2020-01-01", 1, "a text, a number"),
        ("samples = {}", 1, "a text, a number"),
        ("tone-mapping = 'acess'", 1, 'did you mean "aces"'),
        ("[render]\nfail-on = 'never'", 2, "unknown option"),
        ("[sheet]\nx = 1", 2, "unknown option"),
        ("output = 'x.png'", 1, "unknown option"),
        ("config = 'x.toml'", 1, "unknown option"),
        ("samples = ", 1, ""),
    ],
)
def test_errors_have_a_line(given, capsys, text, line, words):
    path = given(text)
    assert main(["render", "-o", "x.png", "--config", path]) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"mine.toml:{line}: " in told
    assert words in told


def test_missing_file(tmp_path, capsys):
    assert main(["info", "--config", str(tmp_path / "none.toml")]) == 3
    assert "none.toml" in capsys.readouterr().err
    with pytest.raises(MotionError):
        as_arguments("info", str(tmp_path), [])


@pytest.mark.parametrize(
    "line",
    [
        ["--config"],
        ["--config="],
        ["--config", "a", "--config", "b"],
        ["--config", "a", "--no-config"],
    ],
)
def test_wrong_use(line):
    with pytest.raises(UsageError):
        with_defaults("render", line)


def test_the_file_of_the_settings_folder(tmp_path, monkeypatch, given):
    usual = tmp_path / "config.toml"
    monkeypatch.setattr(resources, "options_path", lambda: usual)
    line = ["-o", "x.png"]
    assert parsed("render", *line).samples == option("samples").default_for("render")
    usual.write_text("samples = 2\n")
    assert parsed("render", *line).samples == 2
    assert parsed("render", *line, "--no-config").samples != 2
    assert parsed("render", *line, "--config", given("exposure = 1")).samples != 2
    assert parsed("view").samples == 2, "the window, too"


def test_rules_of_check_are_another_file(given):
    rules = given("[rules]\n")
    assert parsed("check", "x.glb", "--config", rules).config == rules


def test_after_two_dashes_there_are_files():
    assert with_defaults("render", ["--", "--config"])[-1] == "--config"


def test_every_option_is_allowed_in_a_file(given):
    """Those with a default and without: what a file says of each is what the line would."""
    for command in COMMANDS:
        for each in (each for group in options_of(command).values() for each in group):
            default = each.default_for(command)
            if each.name in ("config", "no-config", "output") or not each.metavar:
                continue
            if isinstance(default, int | float | str) and not each.repeat:
                found = as_arguments(
                    command, given(f"[{command}]\n{each.name} = {default!r}\n"), []
                )
                assert found == [f"{each.flag}={default}"]
