"""A command that another process runs: its messages, its progress and its error."""

import pytest

from rigview.cli.main import run_with_options
from rigview.console import Progress, print_message
from rigview.errors import AppError
from rigview.options.command_options import Options
from rigview.options.parser import parse
from rigview.tasks.command_process import run_command


def count(_command, _options):
    """A command that counts to two and says so."""
    with Progress(2, "frame", quiet=True) as bar:
        bar.step()
        bar.step()
    print_message("counted")
    return 0


def test_messages_and_progress():
    steps = []
    assert run_command(count, ("render", Options()), steps.append) == ("counted",)
    assert steps == [(0, 2), (1, 2), (2, 2)]


def test_a_refused_command_is_an_error(tmp_path, capsys):
    missing = str(tmp_path / "none.glb")
    options = parse("render", [missing, "-o", str(tmp_path / "a.png")])
    with pytest.raises(AppError, match=r"none\.glb") as raised:
        run_command(run_with_options, ("render", options), lambda _: None)
    assert "\n" not in str(raised.value)
    assert not capsys.readouterr().err
