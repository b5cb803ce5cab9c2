"""A small broken file, and checks of open characters without a process."""

import json

from rigview.errors import AppError
from rigview.session import character_files
from rigview.session.findings.background_check import BackgroundCheck
from rigview.session.session import Session
from rigview.tasks.check_in_background import examine_alone
from tests.support.command_files import document
from tests.support.fixed_clock import FixedClock


def broken_file(path):
    """A file with findings about a joint, meshes, a clip at a time, and the names of clips."""
    made = document()
    made["nodes"][2]["scale"] = [-1.0, 1.0, 1.0]
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


class WaitingJob:
    """A check whose result a test sets."""

    def __init__(self, arguments):
        self.arguments = list(arguments)
        self.progress = None
        self.result = None
        self.ended = False

    def end(self):
        self.ended = True


class DoneJob(WaitingJob):
    """A check that is done at once, in this process."""

    def __init__(self, arguments):
        super().__init__(arguments)
        try:
            self.result = examine_alone(arguments)
        except AppError as error:
            self.result = error


def session_with(*paths, start=DoneJob):
    """A session with open files, and its background check."""
    session = Session(FixedClock(100.0))
    session.tick()
    character_files.open_files(session, list(paths))
    return session, BackgroundCheck(session, start)


def advance(session, checks, seconds):
    """Let time pass in a session; return whether a check has changed."""
    session.clock.frame += round(seconds * session.clock.fps)
    session.tick()
    return checks.poll()


def check_all(session):
    """Check the open files now."""
    checks = BackgroundCheck(session, DoneJob)
    for each in session.open_characters:
        each.check.asked = True
    while any(each.check.asked for each in session.open_characters):
        checks.poll()


def finding_of(session, rule):
    """A finding of a rule about the active character."""
    report = session.active.check.report
    return next(each for each in (*report.findings, *report.known) if each.rule == rule)
