"""A small broken file, and checks of open characters."""

import json

from rigview.session import character_files
from rigview.session.findings import background_check
from rigview.session.session import Session
from tests.support.command_files import document
from tests.support.fixed_clock import FixedClock


def broken_file(path):
    """A file with findings about a joint, meshes, a clip at a time, and the names of clips."""
    made = document()
    made["nodes"][2]["scale"] = [-1.0, 1.0, 1.0]
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def session_with(*paths, jobs=None):
    """A session with open files, which checks them; without `jobs` in this process."""
    session = Session(FixedClock(100.0), jobs=jobs)
    session.tick()
    character_files.open_files(session, list(paths))
    session.jobs.watch(lambda: background_check.poll(session))
    return session


def advance(session, seconds):
    """Let time pass in a session; return what has changed."""
    session.clock.frame += round(seconds * session.clock.fps)
    session.tick()
    return session.poll()


def check_all(session):
    """Check the open files now."""
    for each in session.open_characters:
        each.check.asked = True
    while any(each.check.asked for each in session.open_characters):
        background_check.poll(session)


def finding_of(session, rule):
    """A finding of a rule about the active character."""
    report = session.active.check.report
    return next(each for each in (*report.findings, *report.known) if each.rule == rule)
