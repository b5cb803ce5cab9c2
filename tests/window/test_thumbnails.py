"""Thumbnails that the window draws in a process of its own."""

import numpy as np
import pytest

from rigview.batch.jobs import Jobs
from rigview.errors import WorkerError
from rigview.session.file_wall import FilePictures, draw_pictures
from rigview.session.session import Session
from rigview.tasks.thumbnail_cache import cached_thumbnail
from rigview.window.thumbnails import FILES, Thumbnails
from tests.support.fixed_clock import FixedClock
from tests.support.held_jobs import HeldJobs
from tests.support.light_mannequin import light_mannequin


@pytest.fixture
def session():
    session = Session(FixedClock(60.0), jobs=Jobs(in_background=True))
    yield session
    session.jobs.end()


def test_a_process_draws_them_into_the_cache(session, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file, broken = tmp_path / "character.glb", tmp_path / "broken.glb"
    file.write_bytes(light_mannequin(frozenset(("Idle",))))
    broken.write_bytes(b"glTF\2\0\0\0")
    draw_pictures(session, [broken, file])
    session.jobs.wait()
    pictures = session.interface.of(FilePictures)
    assert "bytes" in pictures.failed[pictures.key(broken)]
    drawn = cached_thumbnail(pictures.key(file))
    assert 0.02 < (drawn[..., 3] == 255).mean() < 0.9


def test_a_process_that_is_killed_fails_one_file(tmp_path):
    session = Session(FixedClock(60.0), jobs=HeldJobs())
    files = [tmp_path / f"{k}.glb" for k in range(3)]
    for file in files:
        file.write_bytes(file.name.encode())
    draw_pictures(session, files)
    (process,) = session.jobs.processes
    process.progress = {files[0]: ""}
    process.finish(WorkerError("the process of the task was killed"))
    session.jobs.poll()
    pictures = session.interface.of(FilePictures)
    assert pictures.failed == {pictures.key(files[1]): "the process of the task was killed"}


class Gui:
    """Counts the textures that are kept."""

    def __init__(self):
        self.kept = set()

    def add_picture(self, _pixels):
        number = len(self.kept) + 1000
        self.kept.add(number)
        return number

    def drop_picture(self, number):
        self.kept.remove(number)


def test_textures_beyond_the_limit_are_freed(tmp_path):
    session, gui = Session(FixedClock(60.0)), Gui()
    pictures = session.interface.of(FilePictures)
    pixels = np.zeros((1, 1, 4), np.uint8)
    pictures.made = {str(k): gui.add_picture(pixels) for k in range(FILES + 1)}
    Thumbnails(gui).show(session)
    assert len(pictures.made) == FILES + 1, "nothing new is wanted"
    pictures.absent.add(pictures.key(tmp_path / "a.glb"))
    pictures.wanted = [tmp_path / "a.glb"]
    pictures.failed[""] = "gone"
    Thumbnails(gui).show(session)
    assert not pictures.made
    assert not gui.kept
