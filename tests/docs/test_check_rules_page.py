"""docs/checks.md: its table and output are those of the program."""

import re

import numpy as np
import pytest

import rigview
from rigview.checks.finding import SEVERITIES
from rigview.checks.rule_list import RULES, all_rules
from rigview.checks.rule_settings import read_settings
from rigview.options.config_file import PROJECT, read_values
from rigview.options.parser import parse
from tests.support.light_mannequin import light_mannequin
from tests.support.pages import FILES, TEXTS
from tests.tools.rules_page import PAGE, filled

TEXT = PAGE.read_text(encoding="utf-8")
SHELL, TOML = (
    re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for kind in ("sh", "toml")
)


def test_table_and_output_are_those_of_the_program():
    assert "<!-- output -->\n```\nslide.glb: " in TEXT
    assert filled(TEXT) == TEXT, "run python -m tests.tools.rules_page"


@pytest.mark.parametrize("text", [text for text in TOML if text.startswith("# rigview.toml")])
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


def test_the_rule_of_ones_own_works(tmp_path):
    for name in ("mine.py", "team/rigview.toml"):
        (tmp_path / name.rpartition("/")[2]).write_text(FILES[name], encoding="utf-8")
    own = all_rules((str(tmp_path / "mine.py"),))[-1]
    settings = read_settings(tmp_path / "rigview.toml", [own])
    assert settings.severities == {own.id: "error"}
    model = rigview.load(light_mannequin(frozenset({"Walk"})))
    head = model.skeleton.find("Head")
    far = model.skeleton.rest.translation[head] * [[1.0], [1.2]]
    track = rigview.Track(head, "translation", "LINEAR", np.float32([0, 1]), np.float32(far))
    (clip,) = model.clips
    longer = rigview.Clip.of(clip.name, [*clip.tracks, track], model.skeleton.rest)
    assert rigview.check(model, rules=[own], limits=settings.limits) == []
    (found,) = rigview.check(model.with_clips([longer]), rules=[own], limits=settings.limits)
    assert found.message == "Head leaves its parent in Walk"


def test_the_context_of_a_rule_is_in_the_table():
    part = TEXTS["checks.md"].partition("| of the context |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)(?:\([^`]*\))?`", part.replace(" | ", " |\n", 1)))
    public = {name for name in vars(rigview.RuleContext) if name[0] != "_"}
    public |= {"model", "limits", "clips"}
    assert public <= named
