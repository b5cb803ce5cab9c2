"""Twenty broken characters, each diagnosed through the panels in at most three clicks."""

import re
from pathlib import Path

import pytest
from PIL import Image

from rigview.checks.rule_list import RULES
from tests.support.broken_characters import BROKEN, broken_character
from tests.support.diagnoses import DIAGNOSES, begin, follow
from tests.support.panels import PanelDriver
from tests.tools.show_diagnoses import SHOWN

KNOWN = {rule.id for rule in RULES}
ROOT = Path(__file__).resolve().parents[2]


def test_every_character_has_a_diagnosis():
    assert set(DIAGNOSES) == set(BROKEN)
    assert len(BROKEN) == 20


@pytest.mark.parametrize("name", DIAGNOSES)
def test_the_cause_is_found(gl, tmp_path, name):
    path = tmp_path / f"{name}.glb"
    path.write_bytes(broken_character(name))
    diagnosis = DIAGNOSES[name]
    assert len(diagnosis.clicks) <= 3
    assert not diagnosis.rule or diagnosis.rule in KNOWN
    driver = PanelDriver(gl, path)
    begin(driver, diagnosis)
    for click in diagnosis.clicks:
        assert not diagnosis.found(driver)
        follow(driver, click)
    assert diagnosis.found(driver)
    driver.close()


def test_the_page_has_every_diagnosis_with_its_picture():
    page = (ROOT / "docs" / "diagnose.md").read_text(encoding="utf-8")
    pictures = re.findall(r"^!\[.+\]\((.+)\)$", page, re.MULTILINE)
    assert [Path(each).stem for each in pictures] == list(BROKEN)
    assert page.count("\n## ") == len(BROKEN)
    for each in pictures:
        with Image.open(ROOT / "docs" / each) as picture:
            assert picture.size == SHOWN
