"""Apply a baseline of known findings to the findings of each file, and update it."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from ..checks.baseline import Known, as_text, gone, name_of, read_baseline
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
    name, update = options.findings.baseline, options.findings.update_baseline
    if name is None:
        return BaselineState(None)
    if update:
        check_target(name)
    new = update and not Path(name).exists()
    return BaselineState(Path(name), frozenset() if new else read_baseline(name), update=update)


class BaselineState:
    """The known findings of a baseline, and those of this run; without a path, of none."""

    def __init__(
        self, path: Path | None, known: Collection[Known] = (), *, update: bool = False
    ) -> None:
        self._path, self._known, self._update = path, known, update
        self._found: set[Known] = set()
        self._lost = set() if path is None else gone(known, path)

    def report(self, task: Task, examined: CheckReport) -> CheckReport:
        """Return the report of a file with known and new findings apart."""
        if self._path is None:
            return examined
        name = name_of(task.options.file, self._path)
        lines = [Known(name, *finding.identity) for finding in examined.findings]
        known_lines = {line for line in self._known if line.file == name}
        lost = {
            line
            for line in known_lines.difference(lines)  # of clips and rules that were examined
            if (examined.seen is None or line.clip in examined.seen)
            and task.settings.runs(line.rule)
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
        if self._path is not None and self._update:
            known = ({*self._known} - self._lost) | self._found
            write(str(self._path), as_text(known).encode("utf-8", "backslashreplace"))
