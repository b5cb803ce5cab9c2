"""docs/checks.md: its table and output are those of the program."""

import re

import pytest

from rigview.checks.finding import SEVERITIES
from rigview.checks.rule_list import RULES
from rigview.checks.rule_settings import read_settings
from rigview.options.config_file import PROJECT, read_values
from rigview.options.parser import parse
from tests.tools.rules_page import PAGE, filled

TEXT = PAGE.read_text(encoding="utf-8")
SHELL, TOML = (
    re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for kind in ("sh", "toml")
)


def test_table_and_output_are_those_of_the_program():
    assert "<!-- output -->\n```\nslide.glb: " in TEXT
    assert filled(TEXT) == TEXT, "run python -m tests.tools.rules_page"


@pytest.mark.parametrize("text", TOML)
def test_configuration_file(text, tmp_path):
    path = tmp_path / PROJECT
    path.write_text(text)
    assert read_values("check", str(path), [], of_project=True) == {"fail-on": "warning"}
    settings = read_settings(path, RULES)
    assert settings.limits["loop-seam"]
    assert settings.ignores
    assert settings.loops
    assert settings.only


@pytest.mark.parametrize("line", [line for block in SHELL for line in block.splitlines()])
def test_command(line):
    words = line.partition(" > ")[0].replace("'", "").split()
    assert words[:2] == ["rigview", "check"]
    assert parse("check", words[2:]).file or "--rules" in words


def test_every_rule_can_be_told():
    assert len({rule.id for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.id)
        assert rule.severity in (*SEVERITIES, "size")
        for message in (rule.summary, rule.fix, *(limit.summary for limit in rule.limits)):
            assert message
            assert not message.endswith(".")
            assert "\n" not in message
        names = [limit.name for limit in rule.limits]
        assert len(set(names)) == len(names)
        assert "severity" not in names  # a key of configuration files
        assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names)  # bare in TOML
