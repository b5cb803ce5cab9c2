"""Files that Blender converts, in a session: opened, cancelled, reloaded, dropped."""

import time

import pytest

from rigview.batch.jobs import Jobs
from rigview.conversion.conversion_settings import Settings, using
from rigview.session import character_files, played_motion
from rigview.session.character_files import CANCELLED, RELOAD_FAILED
from rigview.session.clip_import import dropped_files
from rigview.session.clip_import.mapping_rows import ClipImportView
from rigview.session.session import Session
from tests.conversion.conftest import blender  # noqa: F401 - a fixture
from tests.support.blender_stand_in import write
from tests.support.fixed_clock import FixedClock


@pytest.fixture
def session(blender):  # noqa: F811
    with using(Settings(failures={})):
        session = Session(FixedClock(100.0), jobs=Jobs(in_background=True))
        session.tick()
        yield session
        session.jobs.end()


@pytest.fixture
def hero(tmp_path):
    return write(tmp_path / "files" / "hero.blend", "links:skin.png")


def settle(session, seen=None, stop=lambda _: False):
    """Poll as a window does until nothing is read any more; return the stages."""
    stages, end = [], time.monotonic() + 20.0
    while (loading := session.files.loading) is not None or session.jobs.is_running("files"):
        assert time.monotonic() < end
        session.jobs.poll()
        if loading is not None:
            stages += [loading.stage] if loading.stage not in stages else []
            loading.seen = loading.share == 1.0
            if stop(loading):
                loading.cancelled = True
        time.sleep(0.005)
    session.jobs.wait()
    return stages


def opened(session, path):
    character_files.try_open(session, path)
    stages = settle(session)
    played_motion.start_clip(session.transport, 1)
    session.clock.frame += 30
    session.tick()
    session.update()
    return stages


def test_open(session, hero):
    write(hero, "pause links:skin.png")
    stages = opened(session, hero)
    assert "Blender 9.8.7 LTS is reading: hero.blend" in stages
    assert session.path == hero
    assert session.interface.popup == ""
    assert hero.with_name("skin.png") in character_files.watched_files(session)


def test_cancel(session, hero, blender):  # noqa: F811
    write(hero, "slow")
    character_files.try_open(session, hero)
    settle(session, stop=lambda loading: "sampling" in loading.stage)
    assert session.interface.notice == CANCELLED
    assert (session.interface.popup, session.path) == ("", None)
    assert len(blender.calls) == 1


def test_a_fault_keeps_the_scene(session, hero, blender):  # noqa: F811
    opened(session, hero)
    character_files.try_open(session, write(hero.with_name("bad.fbx"), "broken"))
    settle(session)
    assert session.path == hero
    assert "the file is damaged" in session.interface.error
    assert len(blender.calls) == 2


def test_a_changed_original_keeps_clip_and_time(session, hero):
    opened(session, hero)
    before = session.character
    character_files.refresh(session)
    assert session.files.loading is None, "nothing has changed"
    write(hero, "two pause")
    character_files.refresh(session)
    assert session.character is before, "Blender is running"
    assert session.files.loading is not None
    settle(session)
    assert [clip.name for clip in session.character.model.clips] == ["Idle", "Walk", "Run"]
    assert session.character.clip == 1
    assert session.transport.time == pytest.approx(0.3)
    assert "Reloaded" in session.interface.notice


def test_a_changed_picture_is_a_changed_original(session, hero, blender):  # noqa: F811
    opened(session, hero)
    hero.with_name("skin.png").write_bytes(b"red")
    character_files.refresh(session)
    settle(session)
    assert len(blender.calls) == 2


def test_a_broken_original_keeps_the_character(session, hero, blender):  # noqa: F811
    opened(session, hero)
    before = session.character
    write(hero, "broken")
    character_files.refresh(session)
    settle(session)
    assert session.character is before
    assert (session.interface.popup, session.interface.error_title) == ("error", RELOAD_FAILED)
    session.interface.popup = ""
    character_files.refresh(session)
    settle(session)
    assert session.interface.popup == "", "reported once for each change"
    assert len(blender.calls) == 2
    write(hero, "two")
    character_files.refresh(session)
    settle(session)
    assert session.character is not before


def test_saved_twice_while_blender_runs(session, hero):
    opened(session, hero)
    write(hero, "slow")
    character_files.refresh(session)
    write(hero, "two")
    character_files.refresh(session)
    settle(session)
    assert len(session.character.model.clips) == 3
    assert session.interface.popup == ""


@pytest.mark.parametrize("on_clips", [False, True])
def test_drop(session, hero, on_clips):
    opened(session, hero)
    session.interface.of(ClipImportView).clips_box = (0.0, 0.0, 100.0, 100.0)
    run = write(hero.with_name("run.fbx"), "two")
    place = (50.0, 50.0) if on_clips else (500.0, 50.0)
    dropped_files.take(session, [run], place, beside=False)
    settle(session)
    names = [clip.name for clip in session.character.model.clips]
    if on_clips:
        assert names == ["Idle", "Walk", "Idle #2", "Walk #2", "Run"]
    else:
        assert (names, session.path) == (["Idle", "Walk", "Run"], run)
