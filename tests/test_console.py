import io
from contextlib import redirect_stderr

import pytest

from rigview import console
from rigview.console import Progress, captured_messages, each_warning_once, print_message, warn
from rigview.wording import one_line


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, *, quiet=False):
    """What a job of three frames shows."""
    with redirect_stderr(stream), Progress(3, "frame", quiet=quiet) as bar:
        for _ in range(3):
            bar.step()
    return stream.getvalue()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(console, "_DELAY", 0.0)


@pytest.mark.usefixtures("impatient")
def test_progress_is_shown_and_erased():
    lines = shown(Terminal()).split("\r")
    assert [line.split("] ")[-1] for line in lines[1:4]] == [f"frame {k} of 3" for k in (1, 2, 3)]
    assert lines[-1] == "\x1b[K"


@pytest.mark.usefixtures("impatient")
def test_no_progress_when_quiet_or_in_a_pipe():
    assert not shown(Terminal(), quiet=True)
    assert not shown(io.StringIO())


def test_short_job_shows_nothing(monkeypatch):
    monkeypatch.setattr(console, "_DELAY", 60.0)
    assert not shown(Terminal())


def test_one_line(capsys):
    print_message("a\tb")
    warn(["w"], file="f.glb", quiet=False)
    warn(["w"], file="f.glb", quiet=True)
    assert capsys.readouterr().err == "rigview: a\\tb\nrigview: f.glb: warning: w\n"
    assert one_line("骨 é\x00") == "骨 é\\x00"


@pytest.mark.usefixtures("impatient")
def test_message_hides_the_progress():
    stream = Terminal()
    with redirect_stderr(stream), Progress(3, "frame", quiet=False) as bar:
        bar.step()
        print_message("odd")
        bar.step()
    first, gone, rest = stream.getvalue().split("\r", 1)[1].partition("\r\x1b[K")
    assert first.endswith("frame 1 of 3")
    assert gone
    assert rest.startswith("rigview: odd\n\r[")
    assert rest.endswith("\r\x1b[K")


@pytest.mark.usefixtures("impatient")
def test_messages_are_captured():
    stream = Terminal()
    with redirect_stderr(stream), captured_messages() as lines:
        print_message("one")
        with captured_messages() as inner:
            warn(["w"], file="f.glb", quiet=False)
        with Progress(2, "frame", quiet=False) as bar:
            bar.step()
        print_message("two")
    assert (lines, inner) == (["one", "two"], ["f.glb: warning: w"])
    assert not stream.getvalue()


def test_a_command_prints_each_warning_once(capsys):
    for _ in range(2):  # two commands
        with each_warning_once():
            warn(["no skin", "no skin"], file="a.glb", quiet=False)
            warn(["no skin"], file="a.glb", quiet=False)
            warn(["no skin"], file="b.glb", quiet=False)
            with captured_messages() as lines:
                warn(["no skin", "no skin"], file="a.glb", quiet=False)
            assert lines == ["a.glb: warning: no skin"]
    line = "rigview: {}.glb: warning: no skin\n"
    assert capsys.readouterr().err == 2 * (line.format("a") + line.format("b"))
