"""Findings as JUnit XML for Jenkins, GitLab and others: a suite per file, a case per rule.

The first case of a file says how many rules ran; those that found nothing have no case. A case has
one `failure` with all findings of its rule, since many readers show only the first. Findings that
are not failures are in the case's `system-out`.
"""

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from ..checks.finding import Finding, by_cause, repetition
from ..tasks.check_report import CheckReport, FailurePolicy
from ..wording import counted, one_line


def as_junit(files: Sequence[CheckReport], policy: FailurePolicy) -> str:
    """Return the XML document."""
    top = ET.Element("testsuites", name="rigview check")
    for report in files:
        top.append(_suite(report, policy))
    for key in ("tests", "failures", "errors"):
        top.set(key, str(sum(int(suite.get(key, "0")) for suite in top)))
    ET.indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(top, encoding="unicode")}\n'


def _suite(report: CheckReport, policy: FailurePolicy) -> ET.Element:
    suite = ET.Element("testsuite", name=one_line(report.file))
    case = _case(suite, report.file, "file is checked")
    if report.error is not None:
        message = one_line(str(report.error))
        ET.SubElement(
            case, "error", message=message, type=type(report.error).__name__
        ).text = message
    else:
        ET.SubElement(case, "system-out").text = counted(len(policy.rules), "rule")
        for rule in policy.rules:
            found = [each for each in report.findings if each.rule == rule.id]
            if found:
                _fill(_case(suite, report.file, rule.id), found, policy)
    tests, failures = suite.findall("testcase"), suite.findall("testcase/failure")
    suite.set("tests", str(len(tests)))
    suite.set("failures", str(len(failures)))
    suite.set("errors", str(int(report.error is not None)))
    suite.set("skipped", "0")
    suite.set("time", "0")
    return suite


def _case(suite: ET.Element, file: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=one_line(file), name=name, time="0")


def _fill(case: ET.Element, findings: Sequence[Finding], policy: FailurePolicy) -> None:
    """Add the findings of a rule to its case."""
    failing = [finding for finding in findings if policy.fails(finding)]
    others = [finding for finding in findings if not policy.fails(finding)]
    if failing:
        more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
        message = one_line(f"{failing[0].message}{more}")
        failure = ET.SubElement(case, "failure", message=message, type=failing[0].severity)
        failure.text = _lines(failing)
    if others:
        ET.SubElement(case, "system-out").text = _lines(others)


def _lines(findings: Sequence[Finding]) -> str:
    """Return a line for each cause of findings, and their fixes."""
    lines = [
        "; ".join(filter(None, [f"{same[0].severity}: {same[0].line}", repetition(same)]))
        for same in by_cause(findings)
    ]
    lines += [f"-> {fix}" for fix in dict.fromkeys(each.fix for each in findings)]
    return "\n".join(map(one_line, lines))
