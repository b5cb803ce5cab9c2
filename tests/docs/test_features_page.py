"""docs/features.md: each subject in Python and by hand; the commands are run with all others."""

from contextlib import suppress

import pytest

from tests.support import feature_rows
from tests.support.feature_hands import PanelHands, WindowHands, perform
from tests.support.feature_rows import ROWS, SETUP
from tests.support.panels import PanelDriver
from tests.support.xvfb import SMALLER, Window, XServer, need_xserver
from tests.tools.features_page import PAGE, page

NOT_THERE = (AttributeError, KeyError, IndexError, StopIteration)  # what an effect looks for
ALL = [row for rows in ROWS.values() for row in rows]
IDS = [row.subject for row in ALL]
TALL = 780  # pixels: a window in which the rows of Stage are in sight


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the rows name."""
    return _written(tmp_path_factory.mktemp("features"))


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """The same files, beside which the window saves."""
    return _written(tmp_path_factory.mktemp("opened"))


def _written(folder):
    feature_rows.write_files(folder)
    feature_rows.write_character(folder)
    return folder


def test_the_page_is_that_of_the_rows():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.tools.features_page"


def test_every_subject_is_there_in_three_ways():
    assert [len(rows) for rows in ROWS.values()] == [12, 10, 9, 11, 6]
    assert len(set(IDS)) == len(IDS)
    assert all(row.python and row.commands and row.steps for row in ALL)


@pytest.mark.parametrize("row", ALL, ids=IDS)
def test_in_python(row, folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    exec(SETUP + row.python, names)  # the page's own lines
    assert eval(row.expected, names), row.expected


@pytest.mark.parametrize("row", ALL, ids=IDS)
def test_by_hand(row, opened, gl):
    driver = PanelDriver(gl, opened / row.opens[0], size=(1400, 1900))
    hands = PanelHands(driver, opened)
    try:
        hands.open_more(*(opened / name for name in row.opens[1:]))
        with suppress(*NOT_THERE):
            assert not row.effect(driver.session), "before anything is done"
        perform(hands, row.steps)
        assert row.effect(driver.session)
    finally:
        driver.close()


def test_by_hand_in_the_real_window(tmp_path):
    """Rows of each kind: menu, key, list, timeline, slider, pad, handle."""
    need_xserver()
    _written(tmp_path)
    rows = [row for row in ALL if row.seen is not None]
    assert len(rows) > 6
    xserver = XServer(tmp_path, (SMALLER[0], TALL))
    window = Window(xserver, tmp_path / "character.glb")
    hands = WindowHands(window)
    try:
        for row in rows:
            hands.start_again()
            assert not row.seen(window.state()), row.subject
            perform(hands, row.steps)
            window.wait(row.seen, row.subject)
    finally:
        window.kill()
        xserver.close()
