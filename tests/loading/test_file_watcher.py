"""Changed files are reported once, after they have settled."""

import os
import time

import pytest

from rigview.clock import WallClock
from rigview.loading.file_watcher import Watcher
from tests.support.fixed_clock import FixedClock

PATIENCE = 20.0


@pytest.fixture
def watcher():
    watcher = Watcher(WallClock(), settle_seconds=0.15)
    yield watcher
    watcher.close()


def await_change(watcher, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if watcher.changed():
            return True
        time.sleep(0.02)
    return False


def begin(watcher, *files):
    """Watch files and wait until the thread reports changes."""
    watcher.watch(files)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        files[0].write_bytes(b"warm")
        if await_change(watcher, 0.5):
            return
    pytest.fail(f"no change is reported: {watcher.failure}")


def test_written_file_is_reported_once(tmp_path, watcher):
    file = tmp_path / "a.glb"
    begin(watcher, file)
    file.write_bytes(b"one")
    assert await_change(watcher)
    assert not await_change(watcher, 0.4)
    draft = tmp_path / "a.draft"
    draft.write_bytes(b"two")
    os.replace(draft, file)  # atomic replacement
    assert await_change(watcher)


def test_file_is_not_reported_while_being_written(tmp_path):
    clock = FixedClock(1.0)
    watcher = Watcher(clock, settle_seconds=2.0)
    file = tmp_path / "a.glb"
    watcher.watch([file])
    try:
        for second in (1, 2, 3):
            clock.frame = second
            file.write_bytes(b"x" * second)
            time.sleep(0.3)
            assert not watcher.changed()
        clock.frame = 10
        assert await_change(watcher)
        assert not watcher.changed()
    finally:
        watcher.close()


def test_other_files_of_the_folder_are_not_reported(tmp_path, watcher):
    file = tmp_path / "a.glb"
    begin(watcher, file)
    (tmp_path / "b.glb").write_bytes(b"other")
    assert not await_change(watcher, 0.5)


def test_new_file_is_reported(tmp_path, watcher):
    there, later = tmp_path / "a.glb", tmp_path / "a.motion.toml"
    begin(watcher, there, later)
    later.write_text("version = 1\n")
    assert await_change(watcher)


def test_watching_another_folder_replaces_the_first(tmp_path, watcher):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first, second = tmp_path / "one/a.glb", tmp_path / "two/a.glb"
    begin(watcher, first)
    begin(watcher, second)
    first.write_bytes(b"x")
    assert not await_change(watcher, 0.5)


def test_missing_folder_is_not_a_failure(tmp_path, watcher):
    watcher.watch([tmp_path / "none/a.glb"])
    assert not watcher.changed()
    assert watcher.failure == ""


def test_closed_watcher_may_watch_again(tmp_path, watcher):
    file = tmp_path / "a.glb"
    begin(watcher, file)
    watcher.close()
    file.write_bytes(b"not watched")
    assert not watcher.changed()
    begin(watcher, file)
    file.write_bytes(b"one")
    assert await_change(watcher)
