"""Rule files: their contents, their effect, and errors in them."""

from pathlib import Path

import pytest

from rigview.checks.finding import Finding, Limit, Rule
from rigview.checks.rule_settings import Ignore, Settings, matches_pattern, read_settings
from rigview.errors import MotionError
from tests.support.adversarial_patterns import NAME, PATTERNS


def rule(identity, *limits):
    made = tuple(Limit(name, 1.0, "mm", "how far") for name in limits)
    return Rule(identity, "warning", "it", "fix it", lambda *_: (), made)


RULES = (rule("loop-seam", "mm", "deg"), rule("weights-sum"), rule("weights-zero"))


@pytest.fixture
def read(tmp_path):
    def run(text):
        path = tmp_path / "rules.toml"
        path.write_text(text, encoding="utf-8")
        return read_settings(path, RULES)

    return run


def test_rule_file_with_every_key(read):
    settings = read(
        """\
only = ["loop-*", "weights-sum"]
[rules]
weights-sum = "info"
weights-zero.severity = "off"
[rules.loop-seam]
severity = "error"
mm = 2
[[ignore]]
rule = "loop-seam"
clip = "Moon*"
reason = "slides on purpose"
[clips."Death*"]
loop = false
[clips.Run]
loop = true
"""
    )
    assert settings.limits == {"loop-seam": {"mm": 2.0}, "weights-zero": {}}
    assert settings.severities == {
        "weights-sum": "info",
        "weights-zero": None,
        "loop-seam": "error",
    }
    assert settings.only == ("loop-*", "weights-sum")
    assert settings.ignores == (Ignore("loop-seam", "slides on purpose", clip="Moon*"),)
    assert settings.loops == {"Death*": False, "Run": True}
    lines = {
        pattern: place.rpartition("rules.toml:")[2] for pattern, place in settings.lines.items()
    }
    assert lines == {"Moon*": "10", "Death*": "12", "Run": "14"}
    assert set(settings.sources) == {
        ("weights-sum", "severity"),
        ("weights-zero", "severity"),
        ("loop-seam", "severity"),
        ("loop-seam", "mm"),
    }
    (source,) = {*settings.sources.values(), settings.ignores[0].source}
    assert source.endswith("rules.toml")
    assert settings.unused_clips(["Moonwalk", "Run"]) == ["Death*"]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("", (True, True, True)),
        ('only = ["weights-*"]', (False, True, True)),
        ('only = ["weights-*"]\nrules.weights-sum = "off"', (False, False, True)),
        ('rules.loop-seam = "off"', (False, True, True)),
        ('rules.loop-seam = "info"', (True, True, True)),
    ],
)
def test_which_rules_run(read, text, runs):
    settings = read(text)
    assert tuple(settings.runs(each.id) for each in RULES) == runs


@pytest.mark.parametrize(
    ("text", "line", "place", "words"),
    [
        ("[rules.lop-seam]\n", 1, "rules.lop-seam", '"loop-seam"'),
        ("\n[rules.loop-seam]\nmmm = 2", 3, "rules.loop-seam.mmm", '"mm"'),
        ("[rules.loop-seam]\nmm = -1", 2, "rules.loop-seam.mm", "from 0"),
        ("[rules.loop-seam]\nmm = nan", 2, "rules.loop-seam.mm", "a number"),
        ("[rules.loop-seam]\nmm = '2'", 2, "rules.loop-seam.mm", "a number"),
        ('[rules.loop-seam]\nseverity = "eror"', 2, "rules.loop-seam.severity", '"error"'),
        ("[rules]\nloop-seam = 3", 2, "rules.loop-seam", 'or "off", not 3'),
        ("rules = 3", 1, "rules", "tables"),
        ('[[ignore]]\nrule = "lop-seam"\nreason = "x"', 2, "ignore[0].rule", '"loop-seam"'),
        ('[[ignore]]\nrule = "loop-seam"', 1, "ignore[0]", '"reason" is missing'),
        ('[[ignore]]\nrule = "a"\nreason = "x"\nclp = "x"', 4, "ignore[0].clp", '"clip"'),
        ("ignore = 3", 1, "ignore", "a list"),
        ("clips = 3", 1, "clips", "tables"),
        ("[clips.Run]\nlop = true", 2, "clips.Run.lop", '"loop"'),
        ('[clips.Run]\nloop = "loop"', 2, "clips.Run.loop", "true or false"),
        ('only = ["weights-x*"]', 1, "only[0]", "unknown rule"),
        ("a = = 3", 1, "", "not TOML"),
    ],
)
def test_errors_have_their_line(read, text, line, place, words):
    with pytest.raises(MotionError) as raised:
        read(text)
    error = raised.value
    assert (error.line, error.place) == (line, place)
    assert f"rules.toml:{line}: " in str(error)
    assert words in str(error)
    assert error.exit_code == 3


@pytest.mark.parametrize(
    "text",
    [
        '[[ignore]]\nrule = "*"\nreason = "x"\n' * 1001,
        "".join(f"[clips.a{k}]\nloop = true\n" for k in range(1001)),
        f"only = {['*'] * 1001}",
    ],
)
def test_number_of_entries_is_limited(read, text):
    with pytest.raises(MotionError, match="more than 1000 entries"):
        read(text)


def test_one_file_over_another(tmp_path):
    texts = {
        "project.toml": """\
only = ["*"]
[rules]
weights-sum = "info"
weights-zero = "off"
[rules.loop-seam]
mm = 2
deg = 3
[[ignore]]
rule = "weights-sum"
reason = "of the project"
[clips.Run]
loop = true
[clips.Die]
loop = false
""",
        "user.toml": """\
only = ["loop-seam"]
[rules]
weights-sum = "error"
[rules.loop-seam]
mm = 9
[[ignore]]
rule = "loop-seam"
reason = "of the user"
[clips.Run]
loop = false
""",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    project, user = (read_settings(tmp_path / name, RULES) for name in texts)
    both = user.over(project)
    assert both.limits == {"loop-seam": {"mm": 9.0, "deg": 3.0}}
    assert both.severities == {"weights-sum": "error", "weights-zero": None}
    assert both.muted == ("weights-zero",)
    assert both.only == ("loop-seam",)
    assert [ignore.reason for ignore in both.ignores] == ["of the user", "of the project"]
    assert both.loops == {"Run": False, "Die": False}
    files = {name: Path(file).name for name, file in both.sources.items()}
    assert files[("loop-seam", "mm")] == "user.toml"
    assert files[("loop-seam", "deg")] == "project.toml"
    assert Settings().over(project).limits == project.limits
    assert project.over(Settings()) == project


def test_missing_file(tmp_path):
    with pytest.raises(MotionError, match="No such file"):
        read_settings(tmp_path / "rules.toml", RULES)


def finding(**fields):
    given = {"rule": "feet", "severity": "error", "message": "it", "fix": "fix it"}
    return Finding(**(given | fields))


@pytest.mark.parametrize(
    ("fields", "file", "accepted"),
    [
        ({"rule": "feet"}, "a.glb", True),
        ({"rule": "f*"}, "a.glb", True),
        ({"rule": "root"}, "a.glb", False),
        ({"rule": "feet", "clip": "Moon*"}, "a.glb", True),
        ({"rule": "feet", "clip": "moon*"}, "a.glb", False),
        ({"rule": "feet", "joint": "Left*", "clip": "Moonwalk"}, "a.glb", False),
        ({"rule": "feet", "item": "*"}, "a.glb", True),
        ({"rule": "feet", "file": "hero.glb"}, "in/some/hero.glb", True),
        ({"rule": "feet", "file": "some/*.glb"}, "in\\some\\hero.glb", True),
        ({"rule": "feet", "file": "ero.glb"}, "in/some/hero.glb", False),
    ],
)
def test_accepted_findings(fields, file, accepted):
    found = finding(clip="Moonwalk", joint="RightFoot")
    assert Ignore(reason="x", **fields).covers(found, file) is accepted


def test_name_with_wildcards_matches_itself():
    assert matches_pattern("Walk [left]", "Walk [left]")
    assert not matches_pattern("Walk [left]", "Walk [lft]")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_pattern_takes_exponential_time(pattern):
    assert not matches_pattern(NAME, pattern)
