"""The message box for a program that was started without a terminal."""

import sys

import pytest

from rigview.cli import message_box, view
from rigview.errors import ContextError


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """The arguments that a stand-in for the system's program gets, a file."""
    if not sys.platform.startswith("linux"):
        pytest.skip("a stand-in for programs of Linux")
    program, target = tmp_path / "kdialog", tmp_path / "shown.txt"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{target}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setenv("DISPLAY", ":none")
    return target


def test_it_shows_the_text(shown):
    message_box.show("No OpenGL; sorry.")
    assert shown.read_text().splitlines()[-1] == "No OpenGL; sorry."


def test_a_terminal_is_enough(shown, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    message_box.show("No OpenGL")
    assert not shown.exists()


def test_it_is_shown_where_no_window_opens(rigview, shown, model_file, monkeypatch):
    def fail(_options, _folder):
        raise ContextError("cannot open a window (GLX is missing)", hint="a command")

    monkeypatch.setattr(view, "_open", fail)
    assert rigview(model_file).code == 4
    text = shown.read_text()
    assert "OpenGL 3.3" in text
    assert "GLX is missing" in text
