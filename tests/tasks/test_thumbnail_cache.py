"""Thumbnails of files in the cache folder."""

import os

import numpy as np
import pytest

from rigview.errors import GltfError
from rigview.motion.file_paths import motion_path
from rigview.tasks import still_pictures, thumbnail_cache
from rigview.tasks.thumbnail_cache import (
    SIZE,
    cached_thumbnail,
    draw_missing,
    thumbnail_key,
    trim,
)


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """The files that were drawn; one called broken cannot be."""
    files = []

    def draw(path, size, *, max_memory):
        files.append(path)
        if path.stem == "broken":
            raise GltfError("it ends too early", file=str(path))
        return np.full((size, size, 4), (len(files), 20, 30, 128), np.uint8)

    monkeypatch.setattr(still_pictures, "draw_thumbnail", draw)
    monkeypatch.setattr(thumbnail_cache, "cache_folder", lambda: tmp_path / "cache")
    return files


def made(folder, *names):
    for name in names:
        (folder / name).write_bytes(b"data")
    return [folder / name for name in names]


def draw_all(files):
    reported = []
    reasons = draw_missing(files, 1 << 20, None, 1.0, reported.append)
    assert reported[-1] == reasons
    assert len(reported) == len(files)
    return reasons


def test_files_are_drawn_once(drawn, tmp_path):
    files = made(tmp_path, "a.glb", "broken.glb", "b.glb")
    reasons = draw_all(files)
    assert reasons == {files[0]: "", files[1]: "it ends too early", files[2]: ""}
    assert cached_thumbnail(thumbnail_key(files[2])).shape == (SIZE, SIZE, 4)
    assert (cached_thumbnail(thumbnail_key(files[0])) == (1, 20, 30, 128)).all()
    assert cached_thumbnail(thumbnail_key(files[1])) is None
    draw_all(files)
    assert drawn == [*files, files[1]]


@pytest.mark.parametrize("change", ["contents", "time", "motion file"])
def test_a_changed_file_has_another_key(drawn, tmp_path, change):
    (file,) = made(tmp_path, "a.glb")
    before = thumbnail_key(file)
    assert thumbnail_key(file) == before
    if change == "contents":
        file.write_bytes(b"other data")
    elif change == "time":
        os.utime(file, (1.0, 1.0))
    else:
        motion_path(file).write_text("")
    assert thumbnail_key(file) not in ("", before)


def test_a_missing_file_has_none(drawn, tmp_path):
    assert thumbnail_key(tmp_path / "gone.glb") == ""
    assert cached_thumbnail("") is None


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n broken", b"GIF89a"])
def test_a_damaged_thumbnail_is_drawn_again(drawn, tmp_path, data):
    files = made(tmp_path, "a.glb")
    draw_all(files)
    next((tmp_path / "cache" / "thumbnails").iterdir()).write_bytes(data)
    assert cached_thumbnail(thumbnail_key(files[0])) is None
    draw_all(files)
    assert cached_thumbnail(thumbnail_key(files[0])) is not None


def test_the_oldest_are_removed(drawn, tmp_path, monkeypatch):
    files = made(tmp_path, "a.glb", "b.glb", "c.glb")
    draw_all(files)
    kept = sorted((tmp_path / "cache" / "thumbnails").iterdir())
    for age, path in enumerate(kept):
        os.utime(path, (1000.0 - age, 1000.0 - age))
    room = sum(path.stat().st_size for path in kept[:2])
    monkeypatch.setattr(thumbnail_cache, "MAX_BYTES", room)
    trim()
    assert sorted((tmp_path / "cache" / "thumbnails").iterdir()) == kept[:2]


def test_a_folder_that_cannot_be_written_is_a_reason(drawn, tmp_path):
    (tmp_path / "cache").write_text("a file in place of the folder")
    (reason,) = draw_all(made(tmp_path, "a.glb")).values()
    assert reason
