"""The cache of compiled functions: damage, folders that are not writable, switching it off."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from rigview.animation import compiled
from rigview.batch.jobs import Jobs
from rigview.fast import cached_kernels
from rigview.fast.background import PLAYED, BackgroundPoser
from rigview.fast.cached_kernels import SUMS, filled_folder, is_intact

from .conftest import CACHE


def write_code(folder: Path) -> None:
    (folder / "functions").mkdir()
    (folder / "functions" / "code").write_bytes(b"compiled")


def test_folder_is_intact_until_a_byte_changes(tmp_path):
    folder = tmp_path / "poses" / "key"
    assert not is_intact(folder)
    for name, damaged in (("functions/code", b"compilee"), (SUMS, b"{"), (SUMS, b"{}")):
        assert filled_folder(folder, write_code) == folder
        assert is_intact(folder)
        (folder / name).write_bytes(damaged)
        assert not is_intact(folder)
    filled_folder(folder, write_code)
    (folder / "functions" / "code").unlink()
    assert not is_intact(folder)
    assert [each.name for each in folder.parent.iterdir()] == ["key"], "nothing else is left"


def test_folder_that_is_not_writable_is_replaced(tmp_path):
    (tmp_path / "poses").write_bytes(b"a file")
    folder = filled_folder(tmp_path / "poses" / "key", write_code)
    try:
        assert is_intact(folder)
        assert tmp_path not in folder.parents
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def switched_on(monkeypatch):
    monkeypatch.setenv(cached_kernels.OFF, "1")
    monkeypatch.setattr(cached_kernels, "cache_folder", lambda: CACHE)


def test_window_uses_them_after_some_frames_of_playing(make_poser, switched_on):
    jobs, updates = Jobs(in_background=True), []
    poser = BackgroundPoser(jobs)
    poser.begin(PLAYED + 1, playing=False)
    poser.begin(PLAYED, playing=True)
    assert not jobs.is_running(poser)
    with poser.by_numpy(lambda: updates.append(None)) as posed:
        assert not posed
    try:
        poser.begin(PLAYED + 1, playing=True)
        jobs.wait()
        assert poser.used
        assert compiled.poser_maker() is make_poser
        with poser.by_numpy(lambda: updates.append(compiled.poser_maker())) as posed:
            assert posed
        assert updates == [None], "computed again, with numpy"
    finally:
        poser.end()
    assert compiled.poser_maker() is None


@pytest.mark.parametrize("value", ["0", "off", "No", "false"])
def test_variable_switches_them_off(monkeypatch, value):
    monkeypatch.setenv(cached_kernels.OFF, value)
    assert cached_kernels.compiled_poses() == "not used, switched off by RIGVIEW_FAST"
    jobs = Jobs(in_background=True)
    poser = BackgroundPoser(jobs)
    poser.begin(PLAYED + 1, playing=True)
    assert not jobs.is_running(poser)


def test_state_is_told(switched_on):
    told = cached_kernels.compiled_poses()
    if find_spec("numba") is None:
        assert told == "not used, pip install 'rigview[fast]'"
    else:
        assert told.startswith("in windows, with numba ")
