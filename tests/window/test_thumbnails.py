"""Pictures of recent files in the cache folder."""

from pathlib import Path

import numpy as np
import pytest

from rigview.window import thumbnails
from rigview.window.thumbnails import (
    SIZE,
    forget_others,
    keep_picture,
    picture_path,
    read_picture,
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(thumbnails, "cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def pixels():
    """A wide view: red, with a green middle of the shape of a picture."""
    view = np.zeros((90, 300, 4), np.uint8)
    view[..., 0], view[..., 3] = 200, 255
    view[:, 90:210] = (0, 180, 0, 255)
    return view


def test_the_middle_of_the_view_is_kept(pixels):
    file = Path("/somewhere/fox.glb")
    assert read_picture(file) is None
    keep_picture(file, pixels)
    found = read_picture(file)
    assert found.shape == (SIZE[1], SIZE[0], 4)
    assert (found == (0, 180, 0, 255)).all()
    assert read_picture(Path("/elsewhere/fox.glb")) is None


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n broken", b"GIF89a"])
def test_a_damaged_picture_counts_as_none(pixels, data):
    file = Path("/somewhere/fox.glb")
    keep_picture(file, pixels)
    picture_path(file).write_bytes(data)
    assert read_picture(file) is None


def test_pictures_of_other_files_are_deleted(pixels):
    files = [Path(f"/somewhere/{name}.glb") for name in "abc"]
    for file in files:
        keep_picture(file, pixels)
    forget_others(files[:1])
    assert [picture_path(file).exists() for file in files] == [True, False, False]


def test_a_folder_that_cannot_be_written_is_no_error(pixels):
    folder = picture_path(Path("a")).parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file in place of the folder")
    keep_picture(Path("a"), pixels)
    forget_others([])
    assert read_picture(Path("a")) is None
