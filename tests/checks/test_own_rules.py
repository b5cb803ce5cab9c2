"""Rules of users: what their functions get, where they come from, and errors in their code."""

from importlib.metadata import EntryPoint

import numpy as np
import pytest

import rigview
from rigview.checks import own_rules
from rigview.checks.rule_list import RULES, all_rules, rule
from rigview.errors import RuleError, UsageError
from tests.support.light_mannequin import light_mannequin
from tests.support.own_rule import SHORT


@pytest.fixture(scope="module")
def model():
    return rigview.load(light_mannequin(frozenset({"Walk", "Nod"})))


@pytest.fixture
def written(tmp_path):
    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def made(function, **fields):
    given = {"fix": "fix it"} | fields
    function.__doc__ = function.__doc__ or "it is so"
    return rigview.rule("mine", **given)(function)


def seen(model, **fields):
    """The context that a rule gets."""
    found = []
    assert rigview.check(model, rules=[made(lambda context: found.append(context), **fields)]) == []
    return found[0]


def test_a_rule_has_what_the_decorator_says(written):
    own = all_rules((written(SHORT),))[len(RULES)]
    assert (own.id, own.severity, own.fix, own.group) == (
        "clip-short",
        "info",
        "add keys",
        "Motion",
    )
    assert own.summary == "A clip is too short to be seen"
    (limit,) = own.limits
    assert (limit.name, limit.default, limit.unit, limit.scaled) == ("seconds", 0.2, "s", False)
    assert rule("clip-short") is own


def test_findings_have_fix_severity_and_place(model):
    def find(context):
        clip = context.clips[0]
        return [
            context.finding("low", clip=clip, joint=3, time=np.float32(0.5), amount=2, unit="mm"),
            context.finding("high", severity="error", fix="other", size=0.5, joint="Head"),
        ]

    high, low = rigview.check(model, rules=[made(find)])
    assert (low.rule, low.severity, low.fix, low.group) == ("mine", "warning", "fix it", "Motion")
    assert (low.clip, low.joint) == (model.clips[0].name, model.skeleton.names[3])
    assert (low.time, low.amount, low.unit) == (0.5, 2.0, "mm")
    assert low.place == "/animations/0"
    assert (high.severity, high.fix, high.joint) == ("error", "other", "Head")
    assert high.share == pytest.approx(0.5 / 1.75, rel=0.05)


def test_lengths_among_the_limits_are_scaled(model):
    context = seen(model, limits={"mm": 18.0, "percent": 5.0})
    assert context.limits == pytest.approx({"mm": 10 * context.height, "percent": 5.0})
    changed = {"mine": {"percent": 7.0}}
    limits = []
    own = made(lambda context: limits.append(context.limits), limits={"percent": 5.0})
    rigview.check(model, rules=[own], limits=changed)
    assert limits == [{"percent": 7.0}]


def test_the_context_measures_clips(model):
    context = seen(model)
    walk, skeleton = model.clips["Walk"], model.skeleton
    sampled = context.sampled("Walk")
    assert context.sampled(walk) is sampled is context.sampled(model.clips.names.index("Walk"))
    assert sampled.matrices.shape == (len(sampled.times), skeleton.count, 4, 4)
    expected = skeleton.to_model(walk.sample([0.1, 0.4]))
    np.testing.assert_allclose(context.sampled(walk, [0.1, 0.4]).matrices, expected, atol=1e-5)
    vertices = context.vertices(walk, 0.1)
    assert vertices.shape == (1, sum(len(part.positions) for part in parts(model)), 3)
    assert 1.6 < vertices[0, :, 1].max() < 1.9
    lengths = context.bone_lengths(walk)
    assert lengths.shape == (len(sampled.times), skeleton.count)
    shin = skeleton.find("LeftFoot")
    assert lengths[:, shin] == pytest.approx(np.linalg.norm(skeleton.rest.translation[shin]))
    assert (lengths[:, skeleton.parents < 0] == 0).all()
    assert set(context.contacts(walk)) == {"LeftFoot", "RightFoot"}
    assert all(contact.slide < 0.03 for each in context.contacts(walk).values() for contact in each)
    assert skeleton.names[context.hips] == "Hips"
    with pytest.raises(UsageError, match="is not a clip of the model"):
        context.sampled(walk.renamed("March"))


def parts(model):
    return [part for each in model.instances for part in model.meshes[each.mesh].primitives]


def test_own_rules_run_beside_ours(model):
    own = made(lambda context: [context.finding("it")])
    found = rigview.check(model, rules=["mine", "pop", own])
    assert [finding.rule for finding in found] == ["mine"]
    with pytest.raises(UsageError, match="no rule 'mine'"):
        rigview.check(model, rules=["mine"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (", r"mine\.py:1: SyntaxError: '\(' was never closed"),
        ("\nimport nosuch", r"mine\.py:2: ModuleNotFoundError: No module named 'nosuch'"),
        ("def f():\n    1 / 0\nf()", r"mine\.py:2: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", r"mine\.py:1: SystemExit: 3"),
        ("x = 1", r"mine\.py: has no rule; decorate a function with @rigview\.rule"),
        (SHORT.replace("clip-short", "Clip short"), r"mine\.py:5: the id of a rule is lower case"),
        (SHORT.replace("clip-short", "pop"), r"mine\.py: there is another rule 'pop'"),
        (SHORT.replace('"info"', '"grave"'), r"mine\.py:5: severity of clip-short: 'grave'"),
        (SHORT.replace('"""A clip is too short to be seen."""', ""), r"needs a docstring"),
        (
            "\x00",
            r"mine\.py: (SyntaxError|ValueError): source code string cannot contain null bytes",
        ),
    ],
)
def test_an_error_in_a_file_is_one_line(written, text, message):
    with pytest.raises(RuleError, match=message) as caught:
        all_rules((written(text),))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 / 0", r"mine\.py:9: rule clip-short: ZeroDivisionError: division by zero"),
        ("context.clips[0].name.nosuch", r"mine\.py:9: rule clip-short: AttributeError"),
        ('context.sampled("Wlak")', r"mine\.py:9: rule clip-short: no animation 'Wlak'; did you"),
        ("yield clip.name", r"mine\.py:5: rule clip-short: yields str, not a finding"),
        ("raise SystemExit", r"mine\.py:9: rule clip-short: SystemExit"),
    ],
)
def test_an_error_of_a_rule_is_one_line(model, written, line, message):
    text = SHORT.replace('if clip.duration < context.limits["seconds"]:', f"{line}\n        if 1:")
    own = all_rules((written(text),))[-1]
    with pytest.raises(RuleError, match=message):
        rigview.check(model, rules=[own])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(RuleError, match=r"none\.py: there is no such file"):
        all_rules((str(tmp_path / "none.py"),))
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(RuleError, match=r"folder\.py: Is a directory"):
        all_rules((str(tmp_path / "folder.py"),))


def test_rules_of_packages(model, monkeypatch, tmp_path):
    (tmp_path / "their_rules.py").write_text(SHORT.replace("clip-short", "clip-brief"))
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [EntryPoint("all", "their_rules", own_rules.ENTRY_POINTS)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: points)
    all_rules.cache_clear()
    assert rule_ids() == ["clip-brief"]
    points[:] = [EntryPoint("one", "their_rules:clip_short", own_rules.ENTRY_POINTS)]
    all_rules.cache_clear()
    assert rule_ids() == ["clip-brief"]
    assert rigview.check(model, rules=["clip-brief"]) == []
    points[:] = [EntryPoint("gone", "their_gone_rules", own_rules.ENTRY_POINTS)]
    all_rules.cache_clear()
    with pytest.raises(RuleError, match="entry point gone = their_gone_rules: ModuleNotFoundError"):
        all_rules()
    all_rules.cache_clear()


def rule_ids():
    return [each.id for each in all_rules()[len(RULES) :]]
