"""Apply a baseline of known findings to the findings of each file, and update it."""

from dataclasses import replace
from pathlib import Path

from ..checks.baseline import Baseline, Known, as_text, read_baseline
from ..checks.rule_settings import Settings
from ..options.command_options import Options
from .check_report import CheckReport
from .examine_file import Task
from .output import check_target, write


def open_baseline(options: Options) -> "BaselineState":
    """Return the state of the baseline in the arguments; empty without --baseline.

    Raises
    ------
    AppError
        The baseline cannot be read, or with --update-baseline not be written.
    """
    if options.findings.baseline is None:
        return BaselineState(None)
    if options.findings.update_baseline:
        check_target(options.findings.baseline)
        if not Path(options.findings.baseline).exists():
            return BaselineState(Baseline(Path(options.findings.baseline)), update=True)
    return BaselineState(
        read_baseline(options.findings.baseline), update=options.findings.update_baseline
    )


class BaselineState:
    """A baseline and the findings of this run."""

    def __init__(self, baseline: Baseline | None, *, update: bool = False) -> None:
        self._baseline = baseline
        self._update = update
        self._found: set[Known] = set()
        self._lost = baseline.gone() if baseline is not None else set()

    def report(self, task: Task, examined: CheckReport) -> CheckReport:
        """Return the report of a file with known and new findings apart."""
        if self._baseline is None:
            return examined
        name = self._baseline.name(task.options.file)
        lines = [Known(name, *finding.identity) for finding in examined.findings]
        known_lines = self._baseline.of(name)
        lost = {
            line
            for line in known_lines.difference(lines)
            if _was_examined(line, examined, task.settings)
        }
        self._found.update(lines)
        self._lost |= lost
        if self._update:
            return replace(examined, findings=(), known=examined.findings)
        pairs = list(zip(examined.findings, lines, strict=True))
        return replace(
            examined,
            findings=tuple(finding for finding, line in pairs if line not in known_lines),
            known=tuple(finding for finding, line in pairs if line in known_lines),
            fixed=tuple(sorted(lost)),
        )

    def write(self) -> None:
        """Write the baseline if `update`; entries that were not examined are kept."""
        if self._baseline is None or not self._update:
            return
        known = (self._baseline.known - self._lost) | self._found
        data = as_text(known).encode("utf-8", "backslashreplace")
        write(str(self._baseline.path), data)


def _was_examined(line: Known, examined: CheckReport, settings: Settings) -> bool:
    """Return whether the clip and the rule of a baseline entry were examined."""
    seen = examined.seen is None or line.clip in examined.seen
    return seen and settings.runs(line.rule)
