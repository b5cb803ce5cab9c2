import importlib.metadata
import os
import re
import shlex
import subprocess
import sys
from email.message import Message
from pathlib import Path

import pytest

from rigview import __version__
from rigview.cli import info, main, view
from rigview.cli.main import run_beside_window, split_command
from rigview.console import Progress, print_message
from rigview.errors import AppError, ContextError, OutputError, Terminated, UsageError
from rigview.fields.command_groups import COMMANDS, RENDERING
from rigview.options.command_options import Options
from rigview.options.parser import parse
from rigview.options.table import options_by_name
from tests.support.animated_value_files import robot_arm
from tests.support.pages import LINES, TEXTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("arguments", "command", "rest"),
    [
        ([], "view", []),
        (["Fox.glb"], "view", ["Fox.glb"]),
        (["--speed", "2", "Fox.glb"], "view", ["--speed", "2", "Fox.glb"]),
        (["view", "Fox.glb"], "view", ["Fox.glb"]),
        (["render", "Fox.glb"], "render", ["Fox.glb"]),
        (["./render"], "view", ["./render"]),
        (["--", "render"], "view", ["--", "render"]),
    ],
)
def test_first_word_is_a_command_or_a_file(arguments, command, rest):
    assert split_command(arguments) == (command, rest)


def test_version(rigview):
    printed = f"rigview {__version__}\n"
    assert rigview("--version") == (0, printed, "")
    assert rigview("render", "--version").out == printed


def test_help_names_every_command(rigview):
    ran = rigview("--help")
    assert ran.code == 0
    assert not ran.err
    assert all(re.search(rf"^  {command}\b", ran.out, re.MULTILINE) for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(rigview, command):
    ran = rigview(command, "--help")
    assert ran.code == 0
    assert "--quiet" in ran.out
    assert ("--background" in ran.out) == (command in RENDERING)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_examples_of_its_manual(rigview, command):
    out = rigview(command, "--help").out
    _, place, examples = COMMANDS[command]
    page, _, heading = place.partition("#")
    assert f"manual: docs/{place}" in out
    assert 1 <= len(examples) <= 2
    for example in examples:
        assert f"  {example}\n" in out
        assert example in LINES, "tests/docs/test_commands.py runs the examples of the manual"
        assert split_command(shlex.split(example)[1:])[0] == command
    headings = re.findall("^#+ (.*)$", TEXTS[page], re.MULTILINE)
    anchors = [re.sub(r"[^\w -]", "", text).lower().replace(" ", "-") for text in headings]
    assert not heading or heading in anchors


@pytest.mark.parametrize("command", COMMANDS)
def test_help_lists_the_choices_of_an_option_once(command):
    for option in options_by_name(command).values():
        if option.choices:
            assert ", ".join(option.choices) not in option.help_for(command), option.name


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_does_not_read_the_configuration_file(rigview, tmp_path, flag):
    broken = tmp_path / "broken.toml"
    broken.write_text("samples = = 8", encoding="utf-8")
    assert rigview("render", "x.glb", "--config", broken, "-o", "x.png").code == 3
    ran = rigview("render", "--config", broken, flag)
    assert ran.code == 0
    assert "--quiet" in ran.out


def test_after_two_dashes_help_is_a_file(rigview, tmp_path):
    ran = rigview("info", "--", "--help")
    assert ran.code == 3
    assert "--help" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["render", "x.glb"], "-o"),
        (["render", "x.glb", "-o", "x.png", "--sped", "2"], "--sped"),
        (["render", "x.glb", "-o", "x.png", "--spee", "2"], "--spee"),
        (["render", "x.glb", "-o", "x.png", "--speed"], "--speed"),
        (["render", "x.glb", "-o", "x.png", "--speed", "fast"], "--speed: 'fast' is not a number"),
        (["render", "x.glb", "-o", "x.png", "--loop", "0"], "--loop"),
        (["render", "x.glb", "-o", "x.png", "--view", "under"], "--view"),
        (["pose", "x.glb", "--phase", "2"], "--phase: a phase is from 0 to 1"),
        (["bench", "x.glb", "y.glb"], "y.glb"),
        (["info", "--animation", "0"], "--animation"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(rigview, arguments, words):
    ran = rigview(*arguments)
    assert ran.code == 2
    assert not ran.out
    assert ran.err.startswith("rigview: ")
    assert ran.err.count("\n") == 1
    assert words in ran.err
    assert "--help" in ran.err


def test_missing_file_is_exit_3(rigview, tmp_path):
    ran = rigview("info", tmp_path / "nothing.glb")
    assert ran.code == 3
    assert ran.err.startswith(f"rigview: {tmp_path / 'nothing.glb'}: ")
    assert ran.err.count("\n") == 1


def test_error_names_the_place_in_the_file(rigview, tmp_path, model_file):
    broken = model_file.read_text().replace('"skin": 0', '"skin": 7')
    path = tmp_path / "broken.gltf"
    path.write_text(broken)
    ran = rigview("info", path)
    assert ran.code == 3
    assert ran.err.startswith(f"rigview: {path}: /nodes/0/skin: ")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("a"), 2),
        (ContextError("a"), 4),
        (OutputError("a"), 5),
        (AppError("a"), 70),
        (KeyboardInterrupt(), 130),
        (Terminated(), 143),
        (BrokenPipeError(), 141),
        (ZeroDivisionError("oh"), 70),
        (MemoryError(), 71),
    ],
)
def test_exit_codes(rigview, monkeypatch, error, code):
    def fail(_):
        raise error

    monkeypatch.setattr(info, "run", fail)
    monkeypatch.setattr(main, "discard_stdout", lambda: None)
    ran = rigview("info")
    assert ran.code == code
    assert "Traceback" not in ran.err
    assert ran.err.count("\n") <= 1


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (["Issues, https://example.org/a,b"], "please report it at https://example.org/a,b, with"),
        (["Homepage, https://example.org"], "please report it, with"),
        (None, "please report it, with"),
    ],
)
def test_internal_error_names_where_to_report_it(rigview, monkeypatch, entries, words):
    """The address is one of pyproject.toml, which is in the metadata of the package."""
    message = Message()
    for entry in entries or ():
        message["Project-URL"] = entry

    def metadata(_name):
        if entries is None:
            raise importlib.metadata.PackageNotFoundError
        return message

    def fail(_options):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(importlib.metadata, "metadata", metadata)
    monkeypatch.setattr(info, "run", fail)
    ran = rigview("info")
    assert ran.code == 70
    assert words in ran.err


def test_verbose_shows_the_traceback(rigview, tmp_path):
    ran = rigview("info", tmp_path / "nothing.glb", "--verbose")
    assert ran.code == 3
    assert "Traceback" in ran.err
    assert ran.err.splitlines()[-1].startswith("rigview: ")


def test_control_characters_of_a_name_do_not_reach_the_terminal(rigview, tmp_path):
    ran = rigview("info", tmp_path / "a\n\x1b[31mb.glb")
    assert ran.code == 3
    assert ran.err.count("\n") == 1
    assert "\\n\\x1b[31mb.glb" in ran.err


def test_view_without_a_display_names_render(rigview, monkeypatch, model_file):
    monkeypatch.setattr(view, "has_display", lambda: False)
    ran = rigview(model_file)
    assert ran.code == 4
    assert "rigview render" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["nosuch.glb"], 3, "nosuch.glb: there is no such file"),
        (["FILE", "nosuch.glb"], 3, "nosuch.glb: there is no such file"),
        (["FILE", "--anims", "nosuch.glb"], 3, "nosuch.glb: there is no such file"),
        (["FILE", "--motion", "nosuch.toml"], 3, "nosuch.toml"),
        (["FILE", "--animation", "Trun"], 2, "no animation 'Trun'"),
        (["FILE", "--in-step"], 2, "--in-step needs --crowd"),
    ],
)
@pytest.mark.parametrize("display", [None, ":nosuch"])
def test_view_reports_files_before_a_missing_display(
    rigview, monkeypatch, model_file, arguments, code, says, display
):
    monkeypatch.setattr(view, "has_display", lambda: display is not None)
    if display is not None:
        monkeypatch.setattr("rigview.window.view_files.view", _refuse)
    ran = rigview(*(model_file if each == "FILE" else each for each in arguments))
    assert ran.code == code
    assert says in ran.err
    assert ran.err.count("\n") == 1


def _refuse(*_):
    raise ContextError("cannot open a window")


@pytest.mark.parametrize(
    "command", [["check"], ["sheet", "-o", "x.png"], ["report", "-o", "x.html"]]
)
@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["a.fbx", "b.FBX", "in/c.fbx", "d.usdz", "e.txt"], "it has 3 .fbx files and 1 .usdz file"),
        (["a.bvh"], "it has 1 .bvh file: name each file"),
        (["a.txt", "b.png"], "it has 2 other files"),
        ([], "it has no files"),
    ],
)
def test_a_folder_without_characters_says_what_it_has(rigview, tmp_path, command, files, says):
    folder = tmp_path / "cast"
    (folder / "in").mkdir(parents=True)
    for name in files:
        (folder / name).touch()
    ran = rigview(*command[:1], folder, *command[1:])
    assert ran.code == 2
    assert says in ran.err
    if files != ["a.bvh"]:  # which diff compares
        both = rigview("diff", folder, folder)
        assert (both.code, says in both.err) == (2, True)


def test_misspelt_command_gets_a_suggestion(rigview):
    ran = rigview("rendr", "Fox.glb", "-o", "x.png")
    assert ran.code == 2
    assert ran.err == "rigview: 'rendr' is neither a command nor a file; did you mean 'render'?\n"


def test_closed_pipe_is_quiet(model_file):
    command = [
        sys.executable,
        "-m",
        "rigview",
        "pose",
        model_file,
        "--time",
        ",".join(["0"] * 4000),
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as process:
        assert process.stdout.read(10) == b'{"times": '
        process.stdout.close()
        assert not process.stderr.read()
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [(["check", "b.glb", "--json"], 3), (["diff", "a.glb", "c.glb"], 1), (["info", "a.glb"], 0)],
)
def test_a_closed_pipe_keeps_the_exit_code(tmp_path, line, code):
    document = robot_arm()
    (tmp_path / "a.glb").write_bytes(document.glb())
    (tmp_path / "b.glb").write_bytes(b"glTF")
    document.json["nodes"][0]["name"] = "Other"
    (tmp_path / "c.glb").write_bytes(document.glb())
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-m", "rigview", *line]
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as process:
        process.stdout.close()
    assert process.returncode == code


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_full_disk_behind_standard_output_is_exit_5(model_file):
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "rigview", "info", model_file],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 5
    assert ran.stderr.startswith("rigview: standard output: ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("closed", [False, True])
def test_exit_code_is_kept_if_standard_error_cannot_be_written(tmp_path, closed):
    command = [sys.executable, "-m", "rigview", "info", tmp_path / "nothing.glb"]
    with open("/dev/full", "w") as full:
        close = (lambda: os.close(2)) if closed else None
        ran = subprocess.run(command, cwd=ROOT, stderr=full, preexec_fn=close, check=False)
    assert ran.returncode == 3


@pytest.mark.skipif(os.name != "posix", reason="descriptors as on POSIX")
@pytest.mark.parametrize("command", [("info", "-"), ("bake", "-", "-o", "x.glb"), ("diff", "-")])
def test_closed_standard_input_is_exit_3(rigview, monkeypatch, model_file, command):
    monkeypatch.setattr(sys, "stdin", None)
    ran = rigview(*command, *([model_file] if command[0] == "diff" else []))
    assert ran.code == 3
    assert ran.err == "rigview: standard input: it is closed\n"


def test_control_characters_of_a_traceback_are_escaped(rigview, tmp_path, monkeypatch):
    def fail(_):
        raise ValueError("a\x1b[31mb\nc")

    monkeypatch.setattr(info, "run", fail)
    ran = rigview("info", "--verbose")
    assert ran.code == 70
    assert "\x1b" not in ran.err
    assert "please report it" in ran.err.splitlines()[-1]


def test_folder_that_cannot_be_read(rigview, tmp_path, monkeypatch, model_file):
    """It is an error; a folder inside it that cannot be read is a warning."""
    (tmp_path / "inner").mkdir()
    scan = os.scandir

    def refuse(folder):
        if folder == str(tmp_path / refused):
            raise PermissionError(13, "Permission denied", folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    refused = "inner"
    ran = rigview("check", tmp_path, "--fail-on", "never")
    assert ran.code == 0
    assert f"{tmp_path / 'inner'}: warning: the folder cannot be read" in ran.err
    refused = ""
    ran = rigview("check", tmp_path)
    assert ran.code == 3
    assert ran.err == f"rigview: {tmp_path}: the folder cannot be read: Permission denied\n"


@pytest.mark.skipif(os.name != "posix", reason="links and folders as on POSIX")
def test_outputs_that_cannot_be_reached(rigview, tmp_path, monkeypatch, model_file):
    for one, other in (("a.glb", "b.glb"), ("b.glb", "a.glb")):
        (tmp_path / one).symlink_to(tmp_path / other)
    assert rigview("bake", model_file, "-o", tmp_path / "a.glb").code == 5
    folder = tmp_path / "deleted"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert rigview("bake", model_file, "-o", "x.glb").code == 5
    assert rigview("check", model_file, "--format", "github", "--fail-on", "never").code == 0


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
@pytest.mark.parametrize(("name", "exit_code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_terminated(name, exit_code):
    code = (
        "import os, signal, sys\n"
        "from rigview.cli import info, main\n"
        f"info.run = lambda args: os.kill(os.getpid(), signal.{name})\n"
        "sys.argv = ['rigview', 'info']\n"
        "main.run()"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert ran.returncode == exit_code
    assert not ran.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_ignored_signal_does_not_end_the_program():
    """As by `nohup`."""
    code = (
        "import os, signal, sys\n"
        "from rigview.cli import info, main\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "info.run = lambda args: os.kill(os.getpid(), signal.SIGHUP) or 0\n"
        "sys.argv = ['rigview', 'info']\n"
        "main.run()"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_interrupt_while_the_program_is_imported_is_exit_130(tmp_path):
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'rigview.options.table':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from rigview.__main__ import run\n"
        "run()"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert ran.returncode == 130
    assert not ran.stderr


@pytest.mark.parametrize(("signal", "code"), [(KeyboardInterrupt, 130), (Terminated, 143)])
def test_signal_while_a_class_is_made(rigview, monkeypatch, signal, code):
    class Part:
        def __set_name__(self, owner, name):
            raise signal

    def run(_options):
        type("Whole", (), {"part": Part()})

    monkeypatch.setattr(info, "run", run)
    assert rigview("info", "a.glb") == (code, "", "")


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_interrupted_is_exit_130():
    code = (
        "import os, signal, sys\n"
        "from rigview.cli import info, main\n"
        "info.run = lambda args: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(main.main(['info']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert ran.returncode == 130
    assert not ran.stderr


def test_messages_and_progress_of_a_command_beside_a_window(monkeypatch):
    def count(_options):
        with Progress(2, "frame", quiet=True) as bar:
            bar.step()
            bar.step()
        print_message("counted")
        return 0

    monkeypatch.setattr(info, "run", count)
    steps = []
    assert run_beside_window("info", Options(), steps.append) == ("counted",)
    assert steps == [(0, 2), (1, 2), (2, 2)]


def test_a_refused_command_beside_a_window_is_an_error(tmp_path, capsys):
    missing = str(tmp_path / "none.glb")
    options = parse("render", [missing, "-o", str(tmp_path / "a.png")])
    with pytest.raises(AppError, match=r"none\.glb") as raised:
        run_beside_window("render", options, lambda _: None)
    assert "\n" not in str(raised.value)
    assert not capsys.readouterr().err
