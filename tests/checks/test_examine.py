"""Running rules on a character, with made-up rules."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.checks.finding import Finding, Limit, Rule, by_cause, repetition
from rigview.checks.rule_settings import Settings
from rigview.checks.rules.load_warnings import LOAD_WARNING, MOTION_WARNING
from rigview.loading.load import load
from tests.support.command_files import write_document
from tests.support.models import make_model, make_primitive, rod_model

LIMITS = (Limit("mm", 10.0, "mm", "how far", scaled=True), Limit("deg", 2.0, "°", "how much"))


def rule(identity, *matches, severity="error", **fields):
    given = {"find": lambda *_: matches, "limits": LIMITS} | fields
    return Rule(identity, severity, "it", f"fix {identity}", **given)


@pytest.fixture
def use(monkeypatch):
    def put(*rules):
        monkeypatch.setattr("rigview.checks.examine.RULES", rules)

    return put


def tall(height):
    return make_model([make_primitive([[0, 0, 0], [0, height, 0]])])


def summaries(found):
    return [(each.rule, each.severity, each.message) for each in found]


def test_findings_are_sorted_by_severity_without_duplicates(use):
    use(
        rule("a", Finding("1"), Finding("2"), Finding("1"), severity="warning"),
        rule("b", Finding("3", severity="info"), Finding("4")),
        rule("c", Finding("5")),
    )
    assert summaries(examine(CheckContext(tall(1)))) == [
        ("b", "error", "4"),
        ("c", "error", "5"),
        ("a", "warning", "1"),
        ("a", "warning", "2"),
        ("b", "info", "3"),
    ]


def test_severity_follows_the_visible_size(use):
    sizes = (0.0401, 0.039, 0.0041, 0.0039, None)
    found = [Finding(str(size), size=size) for size in sizes]
    use(rule("a", *found, Finding("fixed", size=1.0, severity="info"), severity="size"))
    assert summaries(examine(CheckContext(tall(2)))) == [
        ("a", "error", "0.0401"),
        ("a", "warning", "0.039"),
        ("a", "warning", "0.0041"),
        ("a", "info", "fixed"),
        ("a", "info", "0.0039"),
        ("a", "info", "None"),
    ]


def test_the_same_cause_is_listed_at_its_greatest_size(use):
    def hips(clip, size, touches=1):
        return Finding(clip, clip=clip, joint="Hips", size=size, touches=touches)

    use(
        rule("a", hips("Walk", 0.5), hips("Run", 0.1), hips("Idle", 0.5, touches=7)),
        rule("b", Finding("no size"), Finding("few", size=0.2), Finding("nan", size=np.nan)),
    )
    found = examine(CheckContext(tall(1)))
    assert [each.message for each in found] == ["Idle", "Walk", "Run", "few", "no size", "nan"]


def test_what_is_not_seen_is_last_of_its_severity(use):
    use(
        rule("a", Finding("grammar", touches=9), severity="info", group="File"),
        rule("b", Finding("key"), severity="info", group="Motion"),
        rule("c", Finding("refused"), severity="error", group="File"),
    )
    found = examine(CheckContext(tall(1)))
    assert [each.message for each in found] == ["refused", "key", "grammar"]
    assert [each.is_unseen for each in found] == [False, False, True]


def test_visible_size_is_told_with_its_share_of_the_height(use):
    use(rule("a", Finding("far", size=0.0244), Finding("none")))
    far, none = examine(CheckContext(tall(1.8)))
    assert far.share == pytest.approx(0.0244 / 1.8)
    assert far.size_text == "24.4 mm, 1.36 % of the height"
    assert far.line == f"far; {far.size_text}"
    assert none.size_text == ""


def test_findings_of_a_cause():
    clips = [Finding(f"{k}", clip=f"Clip {k % 4}", joint="Hips") for k in range(5)]
    other = Finding("other", clip="Clip 0", joint="Head")
    first, second = by_cause([clips[0], other, *clips[1:]])
    assert [each.message for each in first] == ["0", "1", "2", "3", "4"]
    assert repetition(first) == "in 4 clips: “Clip 0”, “Clip 1”, “Clip 2” and 1 more"
    assert repetition([clips[0], clips[4]]) == "2 times"
    assert repetition(second) == ""


def test_every_field_of_a_finding_is_kept(use):
    def find(context, limits):
        place = "/nodes/0"
        yield Finding(
            "it", 3.0, "mm", limits["mm"], place, "Walk", "Hips", "Body", 0.5, "fix it so"
        )

    use(rule("a", find=find))
    (found,) = examine(CheckContext(tall(3.6)))
    assert (found.amount, found.unit, found.time) == (3.0, "mm", 0.5)
    assert found.limit == pytest.approx(20.0)
    assert (found.place, found.clip, found.joint, found.item) == (
        "/nodes/0",
        "Walk",
        "Hips",
        "Body",
    )
    assert (found.fix, found.severity) == ("fix it so", "error")
    assert found.identity == ("a", "Walk", "Hips", "Body")


def test_severity_of_the_settings_counts_for_every_finding(use):
    use(rule("a", Finding("1", severity="info"), Finding("2")))
    assert summaries(examine(CheckContext(tall(1)), Settings(severities={"a": "warning"}))) == [
        ("a", "warning", "1"),
        ("a", "warning", "2"),
    ]
    assert examine(CheckContext(tall(1)), Settings(severities={"a": None})) == []
    assert examine(CheckContext(tall(1)), Settings(only=("b*",))) == []


@pytest.mark.parametrize(
    ("height", "scale"), [(1.8, 1), (180, 100), (0, 1), (float("nan"), 1), (float("inf"), 1)]
)
def test_scaled_limits_are_relative_to_the_height(use, height, scale):
    seen = []
    use(rule("a", find=lambda _, limits: seen.append(dict(limits)) or ()))
    with np.errstate(all="ignore"):
        context = CheckContext(tall(height))
        examine(context)
        examine(context, Settings(limits={"a": {"mm": 1.0}}))
    assert seen[0] == pytest.approx({"mm": 10.0 * scale, "deg": 2.0})
    assert seen[1] == pytest.approx({"mm": 1.0 * scale, "deg": 2.0})
    assert Settings().limits_of(rule("a")) == {"mm": 10.0, "deg": 2.0}


def test_exception_of_a_rule_is_raised(use):
    def find(context, limits):
        yield Finding("it")
        raise KeyError("oh")

    use(rule("a", find=find))
    with pytest.raises(KeyError):
        examine(CheckContext(tall(1)))


def test_infinite_numbers_are_tolerated(use):
    def find(context, limits):
        yield Finding(str(np.float32(1e38) * np.float32(1e38)))

    use(rule("a", find=find))
    assert summaries(examine(CheckContext(tall(1)))) == [("a", "error", "inf")]


def test_warnings_of_loading_are_findings(use):
    use(MOTION_WARNING, LOAD_WARNING)
    model = rod_model()
    model.warnings[:] = ["/: 3 bytes too many", "/animations/0: odd keys", "line 7: too short"]
    found = examine(CheckContext(model, advice=["a gap of 12.5 mm"]))
    assert [(each.rule, each.message, each.place, each.clip) for each in found] == [
        ("motion-file", "a gap of 12.5 mm", "", ""),
        ("file", "3 bytes too many", "", ""),
        ("file", "animation “Bend”: odd keys", "/animations/0", "Bend"),
        ("file", "line 7: too short", "", ""),
    ]
    assert found[0].item == "a gap of 0 mm"  # the key in a baseline has no amounts
    assert len(examine(CheckContext(model, clips=[]))) == 2


@pytest.mark.parametrize(
    ("place", "words", "count"),
    [
        ("/meshes/0", "set to 0", 1),
        ("/meshes/0/primitives/1/attributes", "set to 0", 1),
        ("/meshes/1", "set to 0", 2),
        ("/meshes/0", "other words", 2),
    ],
)
def test_load_warning_covered_by_a_rule_is_omitted(use, place, words, count):
    model = rod_model()
    model.warnings.append("/meshes/0/primitives/1: negative weights are set to 0")
    use(rule("weights", Finding("bad weights", place=place), covers=(words,)), LOAD_WARNING)
    assert len(examine(CheckContext(model))) == count


def test_cache_of_sampled_clips_is_limited(monkeypatch):
    times = np.linspace(0, 10, 11).astype(np.float32)
    turns = np.tile(np.array([0, 0, 0, 1], np.float32), (11, 1))
    tracks = [Track(1, "rotation", "LINEAR", times, turns, None)]
    model = rod_model()
    clips = tuple(Clip.of(name, tracks) for name in "abc")
    context = CheckContext(make_model(model.meshes[0].primitives, (-1, -1, 1, 2), clips=clips))
    one = context.sampled(0)
    assert context.sampled(0) is one
    assert one.times.shape == (601,)
    monkeypatch.setattr("rigview.checks.check_context.MAX_CACHED_BYTES", 1.5 * one.matrices.nbytes)
    again = context.sampled(1)
    assert context.sampled(1) is not again
    assert context.sampled(0) is one
    np.testing.assert_array_equal(context.sampled(1).matrices, again.matrices)


def test_default_place_is_that_of_the_clip_or_the_joint(use, tmp_path):
    model = load(write_document(tmp_path / "a.gltf"))
    extended = replace(model, clips=(*model.clips, replace(model.clips[0], name="Imported")))
    use(
        rule(
            "a",
            Finding("1", clip="Turn fast", joint="Tip"),
            Finding("2", joint="Tip"),
            Finding("3", clip="Imported"),
            Finding("4", clip="Turn", place="/animations/0/channels/0"),
            Finding("5", joint="unknown joint"),
        )
    )
    places = ["/animations/1", "/nodes/2", "", "/animations/0/channels/0", ""]
    assert [each.place for each in examine(CheckContext(extended))] == places
    captured = replace(extended, document=None)
    assert examine(CheckContext(captured))[0].place == ""
