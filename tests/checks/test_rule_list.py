"""Every rule has a finding in a broken file and none in a valid one."""

import importlib
from pathlib import Path

import pytest

from rigview.checks.rule_list import RULES, rule
from tests.checks.cases_motion import DIP, HALT, SIDEWAYS
from tests.support.rule_case import findings_of

TESTED_ELSEWHERE = {"motion-file"}  # warnings of motion files: tests/checks/test_examine.py
MODULES = sorted(path.stem for path in Path(__file__).parent.glob("cases_*.py"))
TABLES = [importlib.import_module(f"tests.checks.{name}").CASES for name in MODULES]
CASES = {identity: case for table in TABLES for identity, case in table.items()}


def test_every_rule_has_a_case():
    assert set(CASES) == {each.id for each in RULES} - TESTED_ELSEWHERE
    assert sum(map(len, TABLES)) == len(CASES)


@pytest.mark.parametrize("identity", CASES)
def test_broken_file_has_a_finding(identity):
    case = CASES[identity]
    first, *others = findings_of(case.broken(), identity)
    assert not others, "one finding per cause"
    assert first.severity == rule(identity).severity or rule(identity).severity == "size"
    if rule(identity).severity == "size" and identity != "ground-speed":  # measures, too
        assert first.size > 0
        assert first.share == pytest.approx(first.size / case.broken().height, rel=1e-6)
    if case.amount is not None:
        assert first.amount == pytest.approx(case.amount, rel=1e-4)
    if case.place:
        assert first.place == case.place
    assert first.message
    assert not first.message.endswith(".")
    assert first.fix


@pytest.mark.parametrize(
    ("identity", "metres"),
    [
        ("weights-zero", 0.1),  # to the origin
        ("bind-missing", 1.6),
        ("bind-last-row", 0.04),  # 1.6 m away, 0.1 m wide, 0.25 off
        ("rest-scale-negative", 1.6),  # from one hand to the other
        ("rest-scale-zero", 0.224),
        ("loop-seam", 0.02),
        ("root-drift", SIDEWAYS),
        ("foot-slide", HALT),
        ("floor", DIP),
        ("feet-hover", 0.04),
        ("half-turn", 1.204),  # to the other side of the shoulder
    ],
)
def test_visible_size_of_a_broken_file(identity, metres):
    (finding,) = findings_of(CASES[identity].broken(), identity)
    assert finding.size == pytest.approx(metres, rel=0.01)


@pytest.mark.parametrize("identity", CASES)
def test_valid_file_has_no_finding(identity):
    assert not findings_of(CASES[identity].sound(), identity)
