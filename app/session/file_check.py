"""The check of an open character: its state, and its findings by what they are about."""

from dataclasses import dataclass
from typing import Literal

from ..model.model import Model
from ..tasks.check_report import CheckReport
from .finding_places import FindingPlaces, finding_places

Status = Literal["waiting", "running", "done", "failed"]


@dataclass(slots=True)
class FileCheck:
    """The last check of a file, and the one that runs.

    Attributes
    ----------
    progress
        Share of the running check that is done, 0 to 1.
    report
        Its findings; while the next check runs those of the last one. None: none yet, or it failed.
    error
        Why the file cannot be checked, one line.
    seconds
        How long the check took.
    asked
        Whether it was asked for by hand: it starts at once, also if checks are turned off.
    """

    status: Status = "waiting"
    progress: float = 0.0
    report: CheckReport | None = None
    error: str = ""
    seconds: float = 0.0
    asked: bool = False
    since: float = 0.0  # session time at which the present files were read
    _present: object = None  # the stamps of these files
    _checked: object = None  # those of the last check that began

    @property
    def count(self) -> int:
        """Number of new findings; 0 before the first check."""
        return 0 if self.report is None else sum(self.report.counts.values())

    @property
    def stale(self) -> bool:
        """Whether the files were read again since the last check began."""
        return self._present is not self._checked

    def follow(self, stamps: object, tau: float) -> None:
        """Note which files are open, by an object that is new after each reading."""
        if stamps is not self._present:
            self._present, self.since = stamps, tau

    def begin(self, stamps: object) -> None:
        """Note that a check of files begins."""
        self.status, self.progress, self._checked = "running", 0.0, stamps

    def wait(self) -> None:
        """Note that the running check was ended: it begins again when it is due."""
        self.status, self._checked = "waiting", None

    def finish(self, report: CheckReport, seconds: float) -> None:
        """Set the result of a check."""
        self.status, self.error, self.seconds = "done", "", seconds
        self.report = report

    def fail(self, error: str) -> None:
        """Set the error of a check."""
        self.status, self.error = "failed", error
        self.report = None

    def again(self) -> None:
        """Ask for a check; one that runs begins again."""
        self.asked = True
        if self.status == "running":
            self._checked = None

    def places(self, model: Model) -> FindingPlaces:
        """Return the new findings by what they are about; none before the first check."""
        return finding_places(model, () if self.report is None else self.report.findings)
