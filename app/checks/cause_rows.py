"""Rows of findings: those with the same cause are one row."""

from collections.abc import Iterable

from .finding import Finding


def rows_by_cause(findings: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """Return the findings of each cause, each row at the place of its first finding.

    Findings keep their order: in that of `by_visible_size` the first of a row is seen best.
    """
    rows: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        rows.setdefault(finding.cause, []).append(finding)
    return [tuple(row) for row in rows.values()]
