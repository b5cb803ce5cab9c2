"""What Copy as puts on the clipboard."""

import shlex

from rigview.session.session import Session
from rigview.window.viewer import copy_as
from tests.support.checked_files import broken_file, session_with
from tests.support.fixed_clock import FixedClock


def test_the_check_command(tmp_path):
    path = broken_file(tmp_path / "a hero.gltf")
    session = session_with(path)
    copied = []
    copy_as(session, "copy check", (64, 64), 1, copied.append)
    assert [shlex.split(text) for text in copied] == [["rigview", "check", str(path)]]
    assert session.interface.notice == "Copied as a check command"


def test_nothing_is_copied_without_a_file():
    copied = []
    copy_as(Session(FixedClock(1.0)), "copy check", (64, 64), 1, copied.append)
    assert not copied
