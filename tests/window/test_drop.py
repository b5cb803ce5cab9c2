"""Files dragged from another program onto the real window."""

import subprocess
import sys

import pytest

from tests.support.bvh_text import body_bvh
from tests.support.light_mannequin import light_mannequin
from tests.support.xvfb import PATIENCE, ROOT, SMALLER, Window, XServer, need_xserver


@pytest.fixture
def xserver(tmp_path):
    need_xserver()
    xserver = XServer(tmp_path, SMALLER)
    yield xserver
    xserver.close()


def drop(xserver, *files, listed):
    ran = subprocess.run(
        [sys.executable, "-m", "tests.window.xdnd", "Rigview", str(int(listed)), *map(str, files)],
        cwd=ROOT, env=xserver.environment, capture_output=True, text=True, timeout=2 * PATIENCE,
        check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr


def test_dropping_files(xserver, tmp_path):
    one, two, three = files = [tmp_path / f"{n} ü.glb" for n in ("1", "2", "3")]
    for path in files:
        path.write_bytes(light_mannequin(frozenset(("Walk",) if path is two else ())))
    capture = tmp_path / "capture.bvh"
    capture.write_text(body_bvh(), encoding="utf-8")
    window = Window(xserver, one, "--no-motion")
    try:
        drop(xserver, capture, listed=True)
        window.wait(lambda state: state["popup"] == "dropped", "the choice for a file of motion")
        window.click("drop clips")
        window.wait(lambda state: "clip capture" in state["widgets"], "the clips of the file")
        drop(xserver, two, listed=True)
        window.wait(lambda state: state["popup"] == "unsaved", "the question about the added clips")
        window.click("Discard pop-up")
        window.wait(lambda state: state["characters"] == [two.name], "the file that was dropped")
        drop(xserver, one, three, listed=False)
        both = [one.name, three.name]
        window.wait(lambda state: state["characters"] == both, "two files at once")
    finally:
        window.kill()
