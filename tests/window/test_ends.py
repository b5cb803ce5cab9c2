"""Ends of the real window other than closing it."""

import signal
import subprocess
import sys
import tomllib

import pytest

from tests.support.light_mannequin import light_mannequin
from tests.support.xvfb import PATIENCE, ROOT, SMALLER, Window, XServer, need_xserver


@pytest.mark.parametrize(
    ("end", "code", "message"),
    [
        (lambda window: window.program.send_signal(signal.SIGHUP), 129, ""),
        (
            lambda window: window.xserver.server.kill(),
            4,
            "rigview: the connection to the display was lost\n",
        ),
    ],
    ids=["SIGHUP", "lost display"],
)
def test_settings_are_saved(tmp_path, end, code, message):
    need_xserver()
    xserver = XServer(tmp_path, SMALLER)
    character = tmp_path / "figure.glb"
    character.write_bytes(light_mannequin(frozenset(("Walk",))))
    window = Window(xserver, character, "--no-motion", "--time", "0")
    settings = tmp_path / "config/rigview/settings.toml"
    try:
        end(window)
        assert window.program.wait(PATIENCE) == code
        assert window.errors.read_text() == message
        assert tomllib.loads(settings.read_text())["recent"] == [str(character)]
    finally:
        window.kill()
        xserver.close()


def test_recent_file_is_saved_before_it_is_uploaded(tmp_path):
    """A signal kills the program if it is in a long call of the driver."""
    need_xserver()
    xserver = XServer(tmp_path, SMALLER)
    character = tmp_path / "figure.glb"
    character.write_bytes(light_mannequin(frozenset(("Walk",))))
    code = f"""
import os, signal
from rigview.cli.main import main
from rigview.window.viewer import Viewer
Viewer._upload = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
main(["view", {str(character)!r}])
"""
    try:
        ran = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=xserver.environment, timeout=PATIENCE
        )
        assert ran.returncode == -signal.SIGKILL
        settings = (tmp_path / "config/rigview/settings.toml").read_text()
        assert tomllib.loads(settings)["recent"] == [str(character)]
    finally:
        xserver.close()
