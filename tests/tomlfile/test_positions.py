"""Positions of values in TOML text, and positions of syntax errors."""

import random
import tomllib
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings

from rigview.errors import MotionError
from rigview.motion.document import MotionDoc
from rigview.motion.read import MotionFile, parse_motion
from rigview.motion.write import write_motion
from rigview.resources import asset_path
from rigview.tomlfile.positions import Layout
from tests.support.motion_documents import documents
from tests.support.motion_texts import EXAMPLE, FORMS, SPACED

MANNEQUIN = asset_path("mannequin.motion.toml").read_text(encoding="utf-8")
AWKWARD = """# [not.a.header]
"quoted # key" = 'a # b' # c
'its'.x . y = \"\"\"ten " "" # [no]
# still text
\\\"\"\" end\"\"\" # comment
many = [ # one
  [1, 2], [ "]", '[' ] , # two
  { a = { b = "}" }, "c.d" = [1] } # three
  , 1979-05-27 07:32:00, -inf ] # four
[ a . "b c" ] # head
x = \'\'\'
[[no]]
\'\'\'\'
[[a.list]]
n = 1
[[a.list.deep]]
n = 2
[a.list.table]
n = 3
[[a.list]]
e = {}
[[ other ]]
[[a.list]]
z = []
"""


def at(table, path):
    for part in path:
        table = table[part]
    return table


def check_spans(text):
    """Every span is the text of its value, and its line is the one that it stands in."""
    layout, table = Layout(text), tomllib.loads(text)
    for path, span in layout.spans.items():
        written = text[span.value : span.end]
        assert repr(tomllib.loads(f"v = {written}")["v"]) == repr(at(table, path)), path
        assert layout.line(path) == text.count("\n", 0, span.start) + 1
    sections = layout.sections
    assert sections[0].lead == 0
    assert sections[-1].end == len(text)
    for before, after in pairwise(sections):
        assert before.end == after.lead <= after.start < after.body


@pytest.mark.parametrize("text", [EXAMPLE, SPACED, FORMS, MANNEQUIN, AWKWARD])
def test_spans_contain_their_values(text):
    check_spans(text)
    check_spans(text.replace("\n", "\r\n"))


def test_line_of_a_missing_key():
    layout = Layout(AWKWARD)
    lines = AWKWARD.splitlines()
    assert lines[layout.line(("a", "list", 0, "deep", 0, "n")) - 1] == "n = 2"
    assert lines[layout.line(("a", "list", 1)) - 1] == "[[a.list]]"
    assert layout.line(("a", "list", 1, "nothing")) == layout.line(("a", "list", 1))
    assert layout.line(("nothing",)) == 0
    assert ("a", "list", 2) in layout
    assert ("a", "list", 3) not in layout


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_values_of_any_document(document):
    check_spans(write_motion(MotionFile(MotionDoc()), document))


PIECES = ["[", "]", "{", "}", '"', "'", '"""', "'''", "=", ".", ",", "\n", "#", "1", "-1", "nan"]
PIECES += ["1e400", "a", "\\", "é", "\r\n", "[[", "]]", "layers", "clips", "0x1", "1979-05-27", ""]


@pytest.mark.parametrize("seed", range(4))
def test_invalid_text_raises_with_a_position(seed):
    chance = random.Random(seed)
    for _ in range(250):
        text = chance.choice([MANNEQUIN, EXAMPLE, FORMS])
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice(PIECES) + text[place + chance.choice([0, 1, 30]) :]
        found = None
        try:
            found = parse_motion(text, "M")
        except MotionError as error:
            told = error
        if found is None:
            assert str(told).startswith("M:")
            assert told.line > 0 or not told.path
        else:
            assert write_motion(found, found.document) == text
