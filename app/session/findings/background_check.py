"""Check the files of the open characters in the background, one after the other.

Each is checked after it was opened, reloaded, or its motion file was saved: the file on disk, as
`rigview check` does. That of the active character is first. A check whose file changes is killed
and begins again.
"""

from functools import partial

from ...batch.jobs import Job, Shows
from ...errors import AppError
from ...tasks.check_in_background import examine_alone
from ...tasks.check_report import CheckReport
from ..file_check import FileCheck
from ..opened_character import OpenedCharacter
from ..session import Session
from .check_command import check_arguments

CHECK = "check"  # key of the job
DELAY = 1.0  # seconds after a file was shown: its first frames have the whole machine


def poll(session: Session) -> Shows:
    """Start the check that is due, and cancel one whose file is not shown any more."""
    opened = session.open_characters
    for each in opened:
        each.check.follow(each.stamps, session.tau)
    if session.jobs.is_running(CHECK):
        checks = [each.check for each in opened if each.check.status == "running"]
        if any(not each.stale and _wanted(session, each) for each in checks):
            return Shows.NOTHING
        session.jobs.cancel(CHECK)
        return Shows.PANELS
    if session.files.loading is not None:
        return Shows.NOTHING
    first = [session.active] if session.active is not None else []
    for each in (*first, *opened):
        if each.path is not None and _due(session, each.check):
            _begin(session, each)
            return Shows.PANELS
    return Shows.NOTHING


def _begin(session: Session, subject: OpenedCharacter) -> None:
    check, begun = subject.check, session.clock.now()

    def finish(job: Job[CheckReport]) -> None:
        check.asked = False
        try:
            check.finish(job.result(), session.clock.now() - begun)
        except AppError as error:
            check.fail(str(error))

    check.begin(subject.stamps)
    session.jobs.start(
        CHECK,
        partial(examine_alone, tuple(check_arguments(session, subject))),
        finish,
        progress=partial(setattr, check, "progress"),
        cancelled=check.wait,
        shows=Shows.PANELS,
        in_process=True,
    )


def _wanted(session: Session, check: FileCheck) -> bool:
    return session.settings.check_files or check.asked


def _due(session: Session, check: FileCheck) -> bool:
    rested = session.tau >= check.since + DELAY
    return check.asked or (session.settings.check_files and check.stale and rested)
