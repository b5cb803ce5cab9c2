"""Check the files of the open characters in the background, one after the other."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import AppError
from ..open_character import OpenCharacter
from ..session import Session
from .check_command import check_arguments

if TYPE_CHECKING:
    from ...tasks.check_report import CheckReport

DELAY = 1.0  # seconds after a file was shown: its first frames have the whole machine


class CheckJob(Protocol):
    """A check that runs in a process; see `BackgroundTask`."""

    progress: Any
    result: "CheckReport | AppError | None"

    def end(self) -> None:
        """Kill it."""


def start_process(arguments: Sequence[str]) -> CheckJob:
    """Start `check` with its arguments in a process."""
    from ...batch.background_task import BackgroundTask
    from ...tasks.check_in_background import examine_alone

    return BackgroundTask(examine_alone, tuple(arguments))


class BackgroundCheck:
    """Checks each open character after it was opened, reloaded, or its motion file was saved.

    The file on disk is checked, as `rigview check` does. Only one check runs at a time; that of
    the active character first. A check whose file changes is killed and begins again.

    Parameters
    ----------
    start
        Starts a check with the arguments of `rigview check`.
    """

    def __init__(
        self, session: Session, start: Callable[[Sequence[str]], CheckJob] = start_process
    ) -> None:
        self._session = session
        self._start = start
        self._job: CheckJob | None = None
        self._subject: OpenCharacter | None = None  # which it checks
        self._begun = 0.0  # session time at which it started

    def poll(self) -> bool:
        """Start, continue or end a check; return whether its state has changed. Never waits."""
        for each in self._session.open_characters:
            each.check.follow(each.stamps, self._session.tau)
        return self._follow_job() or self._start_next()

    def end(self) -> None:
        """End the running check."""
        if self._job is not None:
            self._job.end()
        if self._subject is not None:
            self._subject.check.wait()
        self._job = self._subject = None

    def _follow_job(self) -> bool:
        job, subject = self._job, self._subject
        if job is None or subject is None:
            return False
        check, result = subject.check, job.result
        is_open = subject in self._session.open_characters
        if not is_open or check.stale or not self._wanted(subject):
            self.end()
            return True
        if result is None:
            share = job.progress or 0.0
            changed, check.progress = share != check.progress, share
            return bool(changed)
        self._job = self._subject = None
        check.asked = False
        if isinstance(result, AppError):
            check.fail(str(result))
        else:
            check.finish(result, self._session.clock.now() - self._begun)
        return True

    def _start_next(self) -> bool:
        session = self._session
        if self._job is not None or session.files.loading is not None:
            return False
        first = [session.active] if session.active is not None else []
        for each in (*first, *session.open_characters):
            if each.path is not None and self._due(each):
                self._begin(each)
                return True
        return False

    def _begin(self, subject: OpenCharacter) -> None:
        self._begun = self._session.clock.now()
        self._job = self._start(check_arguments(self._session, subject))
        self._subject = subject
        subject.check.begin(subject.stamps)

    def _wanted(self, subject: OpenCharacter) -> bool:
        return self._session.settings.check_files or subject.check.asked

    def _due(self, subject: OpenCharacter) -> bool:
        check = subject.check
        rested = self._session.tau >= check.since + DELAY
        return check.asked or (self._session.settings.check_files and check.stale and rested)
