"""Files for a window that is open already."""

import socket
import stat
from pathlib import Path
from threading import Thread

import pytest

from rigview.window import one_window
from rigview.window.one_window import Listener, hand_over, socket_path

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="only on Linux")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":7.0")
    return tmp_path


@pytest.fixture
def listener():
    made = Listener()
    yield made
    made.close()


def handed(listener, *files):
    """Hand over files while the window waits for them; whether it took them, and which."""
    answers = []
    thread = Thread(target=lambda: answers.append(hand_over(files)))
    thread.start()
    found = []
    while thread.is_alive() and not found:
        found = listener.files()
    thread.join()
    return answers[0], found


def test_files_reach_the_window(listener, folder):
    taken, found = handed(listener, "a b.glb", "/models/ü.glb")
    assert taken
    assert found == [Path.cwd() / "a b.glb", Path("/models/ü.glb")]
    assert listener.files() == []


def test_only_the_user_can_reach_it(listener, folder):
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path == socket_path()


def test_others_are_refused(listener, monkeypatch):
    monkeypatch.setattr(one_window.os, "getuid", lambda: 12345)
    assert handed(listener, "a.glb") == (False, [])


def test_it_goes_with_its_window(listener, folder):
    listener.close()
    assert list(folder.iterdir()) == []
    assert not hand_over(["a.glb"])


def test_the_first_window_stays_the_one(listener):
    later = Listener()
    listener.files()  # what the later one asked
    assert later.files() == []
    later.close()
    assert handed(listener, "/a.glb")[0]


def test_a_crashed_window_is_replaced(folder):
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(socket_path()))
    assert not hand_over(["/a.glb"])
    following = Listener()
    assert handed(following, "/a.glb") == (True, [Path("/a.glb")])
    following.close()


@pytest.mark.parametrize("data", [b"", b"[", b"7", b'["relative"]', b'[{"a": 1}]'])
def test_other_messages_open_nothing(listener, data):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(socket_path()))
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        assert listener.files() == []


@pytest.mark.parametrize("given", ["", "relative"])
def test_without_a_folder_of_the_user(monkeypatch, given):
    monkeypatch.setenv("XDG_RUNTIME_DIR", given)
    assert socket_path() is None
    assert not hand_over(["/a.glb"])
    assert Listener().files() == []


def test_displays_have_windows_of_their_own(listener, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":8")
    assert not hand_over(["/a.glb"])
