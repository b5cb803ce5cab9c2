"""The difference of two versions is computed beside the frames, and again when a file changes."""

from rigview.session import background_diff, character_files
from rigview.session.background_diff import COMPARING, BackgroundDiff
from tests.support.character_versions import character
from tests.support.compared_session import compared, session_of, write


def finish(work):
    while work.working:
        work.wait()
        work.poll()


def test_it_is_computed_once_it_is_wanted(tmp_path):
    session = session_of(tmp_path, character(), character(wave=(0, 120, 0)))
    work, comparison = BackgroundDiff(session), session.comparison
    assert not work.poll()
    assert not work.working, "no panel shows it"
    comparison.wanted = True
    assert work.poll()
    assert comparison.state == COMPARING
    finish(work)
    assert comparison.state == ""
    assert comparison.rows[1].text == "Wave"
    assert not work.poll(), "it is known"


def test_it_is_computed_again_for_a_changed_file(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 120, 0)))
    work = BackgroundDiff(session)
    work.poll()
    finish(work)
    assert session.comparison.rows
    write(tmp_path / "1.glb", character())
    character_files.reload(session)
    session.update()
    assert session.comparison.compared is None, "the model before is not kept"
    work.poll()
    finish(work)
    assert session.comparison.known is not None
    assert session.comparison.rows == ()


def test_one_of_a_file_that_changes_meanwhile_is_not_shown(tmp_path):
    session = compared(tmp_path, "wipe", character(), character(wave=(0, 120, 0)))
    work = BackgroundDiff(session)
    work.poll()
    write(tmp_path / "1.glb", character())
    character_files.reload(session)
    work.wait()
    work.poll()
    assert session.comparison.known is None
    session.update()
    work.poll()
    finish(work)
    assert session.comparison.rows == ()


def test_too_little_memory_is_said_once(tmp_path, monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(background_diff, "compare", full)
    session = compared(tmp_path, "wipe", character(), character())
    work = BackgroundDiff(session)
    work.poll()
    finish(work)
    assert session.comparison.state == "Not enough memory to compare them"
    assert not work.poll()
    assert not work.working
