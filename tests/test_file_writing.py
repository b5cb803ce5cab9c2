"""Atomic writing: whole files or none."""

import os
import stat

import pytest

from rigview import file_io
from rigview.errors import OutputError
from rigview.file_io import temporary_file, write_file


def test_writes_one_complete_file(tmp_path):
    target = tmp_path / "out.bin"
    write_file(str(target), b"one")
    write_file(str(target), b"two")
    assert target.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["out.bin"]


def test_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "out.bin"
    write_file(str(target), b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OutputError, match="No space left") as raised:
        write_file(str(target), b"new")
    assert raised.value.file == str(target)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.bin"]


@pytest.mark.skipif(os.name != "posix", reason="modes and links as on POSIX")
def test_keeps_mode_and_link(tmp_path):
    target, link = tmp_path / "out.bin", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_missing_folder_is_created_on_request(tmp_path):
    target = tmp_path / "new" / "deep" / "out.bin"
    with pytest.raises(OutputError, match="No such file"):
        write_file(target, b"data")
    write_file(target, b"data", make_folder=True)
    assert target.read_bytes() == b"data"


def test_folder_cannot_be_created(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError) as raised:
        write_file(tmp_path / "file" / "out.bin", b"data", make_folder=True)
    assert raised.value.file == str(tmp_path / "file" / "out.bin")


def test_interrupted_block_leaves_the_old_file(tmp_path):
    target = tmp_path / "out.webm"
    target.write_bytes(b"old")

    def interrupted():
        with temporary_file(target) as draft:
            assert draft.suffix == ".webm"
            draft.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.webm"]


@pytest.mark.skipif(os.name != "posix", reason="locks as on POSIX")
def test_files_of_killed_processes_are_removed_once(tmp_path, monkeypatch):
    monkeypatch.setattr(file_io, "_cleaned", set())
    names = [".out.12.34.tmp.png", ".other.5.6.tmp"]
    kept = [".out.tmp.png", "out.12.34.tmp.png", ".out.12.34.tmppng", ".link.1.2.tmp"]
    for name in [*names, *kept[:-1]]:
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / kept[-1]).symlink_to(tmp_path / "out.12.34.tmp.png")
    write_file(tmp_path / "out.png", b"new")
    assert sorted(os.listdir(tmp_path)) == sorted([*kept, "out.png"])
    (tmp_path / names[0]).write_bytes(b"half")
    write_file(tmp_path / "out.png", b"new")
    assert (tmp_path / names[0]).exists()


@pytest.mark.skipif(os.name != "posix", reason="locks as on POSIX")
def test_files_of_living_writers_are_kept(tmp_path, monkeypatch):
    with temporary_file(tmp_path / "one.png") as first:
        first.write_bytes(b"one")
        monkeypatch.setattr(file_io, "_cleaned", set())
        with temporary_file(tmp_path / "two.png") as second:
            second.write_bytes(b"two")
            assert first.exists()
    assert sorted(os.listdir(tmp_path)) == ["one.png", "two.png"]


def test_names_of_many_bytes(tmp_path):
    target = tmp_path / ("\u5de6" * 80 + ".png")  # 244 of 255 bytes
    write_file(target, b"data")
    assert os.listdir(tmp_path) == [target.name]
