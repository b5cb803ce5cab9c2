"""Files that are read in a thread, with their progress."""

import shutil
import time
from pathlib import Path
from threading import Event

import pytest

from rigview.batch.jobs import Jobs, Shows
from rigview.errors import GltfError
from rigview.loading.read_character import read
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.file_reading import FILES, FileReading
from tests.support.sessions import new_session

CHARACTER = asset_path("mannequin.glb")
PATIENCE = 60.0


@pytest.fixture
def session():
    jobs = Jobs(in_background=True)
    session = new_session(100.0, jobs=jobs)
    session.tick()
    session.interface.viewport.aspect = 1.3
    return session


def finish(session):
    limit = time.monotonic() + PATIENCE
    while session.files.loading.share < 1.0:
        session.poll()
        assert time.monotonic() < limit
    session.poll()
    assert session.jobs.is_running(FILES), "no frame has shown the end yet"
    session.files.loading.seen = True
    while session.jobs.is_running(FILES):
        changed = session.poll()
    return changed is Shows.SCENE


def test_files_are_shown_once_they_are_read(session, tmp_path):
    paths = [Path(shutil.copy(CHARACTER, tmp_path / f"{name}.glb")) for name in ("one", "two")]
    character_files.try_open(session, *paths)
    assert not session.open_characters
    character_files.try_open(session, *paths)
    assert "open other files afterwards" in session.interface.notice, "one at a time"
    assert finish(session)
    assert [each.name for each in session.open_characters] == ["one.glb", "two.glb"]
    assert session.files.loading is None
    assert session.settings.recent == list(map(str, paths))
    character_files.try_add(session, paths[0])
    assert finish(session)
    assert len(session.open_characters) == 3


def test_a_broken_file_is_reported(session, tmp_path):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(CHARACTER.read_bytes()[:999])
    character_files.try_open(session, broken)
    assert finish(session)
    assert session.interface.popup == "error"
    assert not session.open_characters


def test_stages_and_the_share_that_is_done():
    goes_on = Event()

    def late(_):
        goes_on.wait(PATIENCE)
        return read(CHARACTER, with_motion=False)

    files, jobs = FileReading(), Jobs(in_background=True)
    job = files.begin(jobs, [CHARACTER], late)
    loading = files.loading
    assert loading.stage == "Reading mannequin.glb"
    assert (loading.share, job.done) == (0.0, False)
    goes_on.set()
    assert job.wait(PATIENCE)
    assert jobs.poll() is Shows.PANELS
    assert (loading.stage, loading.share) == ("Uploading", 1.0)
    (found,) = job.result()
    assert all(image.decoded for image in found.model.images)


def test_several_models_are_uploaded_one_by_one():
    files, shown, uploaded = FileReading(), [], []
    files.accept = lambda model, *, beside: uploaded.append((model, beside))
    files.show = lambda: shown.append((files.loading.stage, len(uploaded)))
    files.upload(["a", "b", "c"])
    assert uploaded == [("a", False), ("b", True), ("c", True)]
    assert shown == [(f"Uploading {k + 1} of 3", k) for k in range(3)]
    assert files.loading is None
    files.upload(["d"])
    assert len(shown) == 3, "one has no count"


def test_an_error_is_raised_by_the_result(tmp_path):
    def fail(_):
        raise GltfError("no good")

    files = FileReading()
    job = files.begin(Jobs(in_background=True), [tmp_path / "a.glb"], fail)
    job.wait(PATIENCE)
    with pytest.raises(GltfError, match="no good"):
        job.result()
