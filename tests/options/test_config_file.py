"""Configuration files: defaults that the command line overrides."""

import pytest

from rigview import resources
from rigview.cli.main import main
from rigview.errors import MotionError, UsageError
from rigview.fields.command_groups import COMMANDS
from rigview.motion.set_and_at import GivenValue
from rigview.options.config_file import options_of_line, read_values
from rigview.options.table import options_by_name

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
    return options_of_line(command, line)


def test_options_of_a_file(given):
    found = parsed("render", "-o", "x.png", "--config", given(TEXT))
    assert (found.scene.samples, found.scene.look.shading.shadow) == (8, False)
    assert found.scene.size == (320, 200)
    assert (found.general.root, found.scene.look.overlays.skeleton) == (".", True)
    assert found.scene.camera.position == (1.0, 2.5, -3.0)
    assert found.scene.look.background.colours[0][:3] == pytest.approx(
        (32 / 255, 64 / 255, 96 / 255)
    )


def test_a_table_is_for_its_command(given):
    path = given(TEXT)
    assert parsed("sheet", "-o", "x.png", f"--config={path}").scene.size == (64, 48)
    assert parsed("sheet", "-o", "x.png", f"--config={path}").scene.look.shading.shadow
    assert parsed("turntable", "-o", "x.mp4", "--config", path).scene.size == (720, 720)
    assert "resolution" not in parsed("info", "--config", path).given


def test_an_option_may_have_the_name_of_a_command(given):
    found = parsed("render", "-o", "x.png", "--config", given('pose = "rest"'))
    assert found.shown.pose == "rest"


@pytest.mark.parametrize(
    ("line", "read", "value"),
    [
        (["--samples", "2"], lambda options: options.scene.samples, 2),
        (["--samples=2"], lambda options: options.scene.samples, 2),
        (["--shadow"], lambda options: options.scene.look.shading.shadow, True),
        (["--no-shadow"], lambda options: options.scene.look.shading.shadow, False),
        (["--resolution", "9,9"], lambda options: options.scene.size, (9, 9)),
    ],
)
def test_command_line_overrides_the_file(given, line, read, value):
    found = parsed("render", *line, "-o", "x.png", "--config", given(TEXT))
    assert read(found) == value


@pytest.mark.parametrize(
    ("text", "line", "kept"),
    [
        ("time = 0.5", ["--phase", "0.2"], {"phase"}),
        ("frame = 3", ["--time", "0.2"], {"time"}),
        ("no-background = true", ["--background", "red"], {"background"}),
        ("camera-azimuth = 30", ["--camera-position", "0,1,3"], {"camera-position"}),
        ('view = "front"', ["--camera", "0"], {"camera"}),
        ('view = "front"', ["--camera-azimuth", "9"], {"view", "camera-azimuth"}),
        ("all-clips = true", ["--animation", "Run"], {"animation"}),
    ],
)
def test_the_command_line_overrides_what_it_excludes(given, text, line, kept):
    command = "render" if "all" not in text else "sheet"
    found = parsed(command, *line, "-o", "x.png", "--config", given(text))
    assert found.given == kept | {"config", "output"}


def test_the_file_of_the_user_overrides_what_it_excludes(given, tmp_path):
    (tmp_path / "rigview.toml").write_text("time = 0.5\nsamples = 2\n")
    line = [str(tmp_path / "a.glb"), "-o", "x.png", "--config", given("phase = 0.2")]
    found = parsed("render", *line)
    assert (found.times.phase, found.shown.time, found.scene.samples) == ((0.2,), None, 2)


def test_repeated_option(given):
    path = given('set = ["speed=1", "x=2"]\nanims = ["a.glb", "b.glb"]\n')
    found = parsed("render", "x.glb", "-o", "x.png", "--config", path)
    assert found.scene.anims == ("a.glb", "b.glb")
    assert found.shown.motion.set == (GivenValue("speed", 1.0), GivenValue("x", 2.0))
    assert found.file == "x.glb"


def test_a_list_has_a_value_for_each_file(given):
    """Except where the value of one file is a list."""
    text = 'animation = ["Walk", "-"]\nspeed = [1, 2]\ntime = [0, 0.5]\nhide-mesh = ["A", "B"]\n'
    found = parsed("render", "a.glb", "b.glb", "-o", "x.png", "--config", given(text))
    one, two = found.scene.characters
    assert (one.clip, two.clip) == ("Walk", None)
    assert (one.speed, two.speed) == (1, 2)
    assert one.time == two.time == (0.0, 0.5)
    assert (one.hidden_meshes, two.hidden_meshes) == ("A,B", None)


def test_command_line_replaces_repeated_options(given):
    """What may be given several times is not added to, either."""
    path = given('anims = ["a.glb", "b.glb"]\nanimation = "Walk"\n')
    found = parsed("render", "x.glb", "--animation", "Run", "-o", "x.png", "--config", path)
    assert found.shown.clip == "Run"
    found = parsed("render", "x.glb", "--anims", "c.glb", "-o", "x.png", "--config", path)
    assert (found.scene.anims, found.shown.clip) == (("c.glb",), "Walk")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a = 1\nsampels = 3", 1, "unknown option"),
        ("samples = 1\nsampels = 3", 2, 'did you mean "samples"'),
        ("\nsamples = 'many'", 2, "samples"),
        ("shadow = 1", 1, "must be true or false, not 1"),
        ("samples = true", 1, "must be a text or a number, not true"),
        ("samples = 2020-01-01", 1, "must be a text or a number, not 2020-01-01"),
        ("samples = {}", 1, "must be a text or a number, not a table"),
        ("tone-mapping = 'acess'", 1, 'did you mean "aces"'),
        ("[render]\nfail-on = 'never'", 2, "unknown option"),
        ("[sheet]\nx = 1", 2, "unknown option"),
        ("no-grid = true", 1, "no-grid: unknown option; write grid = false\n"),
        ("[render]\nno-shadow = false", 2, "unknown option; write shadow = true\n"),
        ("output = 'x.png'", 1, "unknown option"),
        ("rules.file = 'off'\n[rule.loop-seam]\nmm = 3", 2, 'did you mean "rules"'),
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
        read_values("info", str(tmp_path), [])


@pytest.mark.parametrize(
    "line",
    [
        ["--config"],
        ["--config="],
        ["--config", "a", "--config", "b"],
    ],
)
def test_wrong_use(line):
    with pytest.raises(UsageError):
        parsed("info", *line)


def test_the_file_of_the_settings_folder(tmp_path, monkeypatch, given):
    usual = tmp_path / "config.toml"
    monkeypatch.setattr(resources, "options_path", lambda: usual)
    line = ["-o", "x.png"]
    assert parsed("render", *line).scene.samples == 16
    usual.write_text("samples = 2\n")
    assert parsed("render", *line).scene.samples == 2
    assert parsed("render", *line, "--no-config").scene.samples != 2
    assert parsed("render", *line, "--config", given("exposure = 1")).scene.samples != 2
    assert parsed("view").scene.samples == 2, "the window, too"
    usual.write_text("samples = -1")
    only = parsed("render", *line, "--no-config", "--config", given("exposure = 1"))
    assert only.scene.samples == 16, "config.toml is not read"


def test_tables_of_the_checks_are_no_options(given):
    rules = given('only = ["file"]\n[rules]\n[[ignore]]\n[clips.Walk]\n[check]\nfail-on = "never"')
    assert parsed("check", "x.glb", "--config", rules).findings.fail_on == "never"
    assert parsed("info", "x.glb", "--config", rules).given == {"config"}


def test_after_two_dashes_there_are_files():
    assert parsed("bench", "--", "--config").files == ("--config",)


def test_every_option_is_allowed_in_a_file(given):
    """What a file says of each option with a default is what the line would."""
    for command in COMMANDS:
        for name, each in options_by_name(command).items():
            default = each.default_for(command)
            if (
                name in ("config", "no-config", "output", "rules")
                or not each.metavar
                or not default
            ):
                continue
            if isinstance(default, int | float | str):
                path = given(f"[{command}]\n{name} = {default!r}\n")
                value = [default] if command in each.per_file else default
                assert read_values(command, path, []) == {name: value}


def test_required_option_may_come_from_the_file(given):
    path = given("[curves]\njoint = 'Hips'\n")
    assert parsed("curves", "-o", "-", "--config", path).curves.joint == "Hips"
    with pytest.raises(UsageError, match="required: --joint"):
        parsed("curves", "-o", "-")
