import os
import sys

import pytest

from rigview.errors import OutputError, UsageError
from rigview.tasks.output import check_extension, check_target, write

as_root = pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everything"
)


def test_standard_output(capfdbinary):
    write("-", b"\x00\xff")
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == b"\x00\xff"


def test_device_is_written_directly():
    check_target(os.devnull)
    write(os.devnull, b"data")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("missing/out.png", "does not exist"),
        ("folder", "is a folder"),
        ("file/out.png", "does not exist"),
        pytest.param(
            "o" * 300,
            "too long",
            marks=pytest.mark.skipif(os.name != "posix", reason="names as on POSIX"),
        ),
    ],
)
def test_target_is_checked(tmp_path, target, words):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match=words):
        check_target(str(tmp_path / target))


@as_root
def test_target_without_permission_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "file").chmod(0o400)
    with pytest.raises(OutputError, match="no permission to write"):
        check_target(str(tmp_path / "file"))
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OutputError, match="no permission to write"):
            check_target(str(tmp_path / "new"))
    finally:
        tmp_path.chmod(0o700)


def test_extension():
    assert check_extension("a/b.PNG", (".png",)) == ".png"
    with pytest.raises(UsageError, match=r"\.npz or \.json"):
        check_extension("out.txt", (".npz", ".json"))
