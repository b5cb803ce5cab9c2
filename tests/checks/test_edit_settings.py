"""Edits of the checks' settings in a configuration file: comments, order and options stay."""

import tomllib

import pytest

from rigview.checks.edit_settings import (
    HEADER,
    entry_of,
    pattern_of,
    with_entry,
    with_reason,
    with_rule_off,
    with_rule_on,
    without_entries,
)
from rigview.checks.finding import Finding
from rigview.checks.rule_settings import Ignore, matches_pattern
from rigview.errors import MotionError

ENTRY = Ignore("feet", "on purpose", clip="Walk", file="a.glb")
WRITTEN = '[[ignore]]\nrule = "feet"\nreason = "on purpose"\nclip = "Walk"\nfile = "a.glb"\n'
TEXT = """\
# of the studio
samples = 8  # fast

[render]
shadow = false

# known since March
[[ignore]]
rule = "names"  # old names
reason = "x"

# what the feet do
[[ignore]]
rule = "feet"
reason = "y"

# loops
[clips.Run]
loop = true
"""


def test_an_entry_is_added_after_the_others():
    assert with_entry("", ENTRY) == f"{HEADER}\n{WRITTEN}"
    text = with_entry(TEXT, ENTRY)
    assert text == TEXT.replace('"y"\n\n', f'"y"\n\n{WRITTEN}\n')
    assert with_entry("# a\n\n# b\n[render]\n", ENTRY) == f"# a\n\n{WRITTEN}\n# b\n[render]\n"
    assert with_entry("samples = 2\n[render]\nshadow = true\n", ENTRY).startswith("samples = 2\n")


def test_lines_end_as_in_the_file():
    text = with_rule_off(with_entry(TEXT.replace("\n", "\r\n"), ENTRY), "feet")
    assert text.count("\n") == text.count("\r\n")


def test_entries_are_removed():
    assert tomllib.loads(without_entries(TEXT, [0]))["ignore"] == [{"rule": "feet", "reason": "y"}]
    assert "# what the feet do" in without_entries(TEXT, [0])
    assert "samples = 8  # fast" in without_entries(TEXT, [0])
    none = without_entries(TEXT, [0, 1])
    assert "ignore" not in tomllib.loads(none)
    assert tomllib.loads(none)["clips"] == {"Run": {"loop": True}}
    assert without_entries(with_entry(TEXT, ENTRY), [2]) == TEXT


def test_entries_of_an_array_in_brackets():
    text = (
        'ignore = [\n  { rule = "a", reason = "x" },  # one\n  { rule = "b", reason = "y" },\n]\n'
    )
    more = with_entry(text, ENTRY)
    assert [each["rule"] for each in tomllib.loads(more)["ignore"]] == ["a", "b", "feet"]
    assert "# one" in more
    assert tomllib.loads(without_entries(more, [1, 2]))["ignore"] == [{"rule": "a", "reason": "x"}]
    assert "ignore" not in tomllib.loads(without_entries(text, [0, 1]))
    assert '"why"' in with_reason(text, 1, "why")


def test_a_reason_is_changed():
    assert with_reason(TEXT, 1, 'so "it" is') == TEXT.replace('"y"', '"so \\"it\\" is"')


@pytest.mark.parametrize(
    ("text", "off", "on"),
    [
        ("", f'{HEADER}\n[rules]\nfeet = "off"\n', f"{HEADER}\n[rules]\n"),
        (
            '[rules]\nnames = "info"  # x\n',
            '[rules]\nnames = "info"  # x\nfeet = "off"\n',
            '[rules]\nnames = "info"  # x\n',
        ),
        ('[rules]\nfeet = "info"  # x\n', '[rules]\nfeet = "off"  # x\n', "[rules]\n"),
        (
            "[rules.feet]\nmm = 3 # x\n",
            '[rules.feet]\nmm = 3 # x\nseverity = "off"\n',
            "[rules.feet]\nmm = 3 # x\n",
        ),
        (
            '[rules.feet]\nseverity = "error"\nmm = 3\n',
            '[rules.feet]\nseverity = "off"\nmm = 3\n',
            "[rules.feet]\nmm = 3\n",
        ),
        (
            "[rules]\nfeet = { mm = 3 }\n",
            '[rules]\nfeet = { mm = 3, severity = "off" }\n',
            "[rules]\nfeet = { mm = 3 }\n",
        ),
        ("rules.feet.mm = 3\n", 'rules.feet.mm = 3\nrules.feet.severity = "off"\n', None),
        ("[rules.names]\nmm = 3\n", '[rules]\nfeet = "off"\n[rules.names]\nmm = 3\n', None),
        ("[render]\nshadow = true\n", None, None),
    ],
)
def test_a_rule_is_turned_off_and_on(text, off, on):
    found = with_rule_off(text, "feet")
    if off is not None:
        assert found == off
    rule = tomllib.loads(found)["rules"]["feet"]
    assert rule == "off" or rule["severity"] == "off"
    back = with_rule_on(found, "feet")
    if on is not None:
        assert back == on
    left = tomllib.loads(back).get("rules", {}).get("feet", {})
    assert "severity" not in left
    assert with_rule_on(back, "feet") == back


def test_names_are_no_patterns():
    for name in ("Walk [left]", "*", "What?", "a[b]c*", "", "Ä", "\ud800x"):
        assert matches_pattern(name, pattern_of(name)), name
    assert not matches_pattern("Walk", pattern_of("*"))
    pattern_of("\ud800").encode()


def test_the_entry_of_a_finding():
    finding = Finding("m", rule="feet", clip="Run*", joint="Hips", item="Body")
    assert entry_of(finding, "a/b.glb", "why") == Ignore(
        "feet", "why", "Run[*]", "Hips", "Body", "a/b.glb"
    )
    every = entry_of(finding, "b.glb", "why", all_clips=True)
    assert (every.clip, every.joint) == ("", "Hips")
    assert every.covers(Finding("m", rule="feet", clip="Walk", joint="Hips", item="Body"), "/b.glb")


def test_a_form_that_cannot_be_changed():
    with pytest.raises(MotionError, match="cannot be changed"):
        with_reason(TEXT, 7, "why")
