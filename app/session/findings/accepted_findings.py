"""Accept findings: write them into the baseline of a character, or remove them from it."""

from collections.abc import Sequence
from pathlib import Path

from ...checks.baseline import Baseline, Known, as_text, read_baseline
from ...checks.finding import Finding
from ...errors import AppError
from ...tasks.output import write
from ...wording import counted
from ..opened_character import OpenedCharacter
from ..session import Session
from .check_command import baseline_path

CANNOT_WRITE = "The baseline cannot be written"


def accept(
    session: Session, opened_character: OpenedCharacter, findings: Sequence[Finding]
) -> bool:
    """Write findings into the baseline, as `check --update-baseline` does; its others stay.

    The findings count as known. A notice says where; an error is shown. Returns whether it worked.
    """
    return _change(session, opened_character, findings, known=True)


def report_again(
    session: Session, opened_character: OpenedCharacter, findings: Sequence[Finding]
) -> bool:
    """Remove findings from the baseline: they are reported again. Returns whether it worked."""
    return _change(session, opened_character, findings, known=False)


def _change(
    session: Session, opened_character: OpenedCharacter, findings: Sequence[Finding], *, known: bool
) -> bool:
    path, check = baseline_path(session, opened_character), opened_character.check
    if path is None or opened_character.path is None or not findings:
        return False
    try:
        _write(path, opened_character.path, findings, known=known)
    except AppError as error:
        session.fail(error, CANNOT_WRITE)
        return False
    more = {} if check.report is None else check.report.more
    cut = any((each.severity, each.rule) in more for each in findings)
    check.move(findings, known=known)
    check.asked = cut  # what was left out may have the same lines
    entries = counted(len({each.identity for each in findings}), "finding")
    session.notify(f"{entries} {'accepted in' if known else 'removed from'} {path}")
    return True


def _write(path: Path, file: Path, findings: Sequence[Finding], *, known: bool) -> None:
    """Add lines to the baseline, or remove them."""
    baseline = read_baseline(path) if path.exists() else Baseline(path)
    name = baseline.name(str(file))
    lines = frozenset(Known(name, *finding.identity) for finding in findings)
    left = baseline.known | lines if known else baseline.known - lines
    write(str(path), as_text(left).encode("utf-8", "backslashreplace"))
