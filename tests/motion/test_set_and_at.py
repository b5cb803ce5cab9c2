"""`--set` and `--at`: parsing and error messages."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.errors import UsageError
from rigview.motion.document import At, Fade, Seek, Set, Speed, StillClip, StillPose
from rigview.motion.set_and_at import GivenValue, given_morph, parse_at, parse_set, with_settings
from tests.support.motion_texts import document_from

DOC = document_from(
    """
version = 1
[parameters]
speed = { default = 1, range = [0, 4] }
look_at = { default = [0, 1, 2] }
[additives.lean]
source = "LeanLeft"
[[layers]]
name = "base"
play = "Walk"
[[layers]]
name = "wave"
play = { layers = [{ name = "deep", play = "Wave" }] }
[[layers]]
name = "lean"
play = "lean"
[[at]]
time = 2
seek = { layer = "base", time = 0 }
[[at]]
time = 1
seek = { layer = "base", time = 0 }
"""
)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("speed=2", "speed", 2.0),
        ("speed=-1.5e1", "speed", -15.0),
        ("look_at=[0,1,2]", "look_at", (0.0, 1.0, 2.0)),
        (" look_at = [ 0, 1.5, 2 ]", "look_at", (0.0, 1.5, 2.0)),
        ('"a=b"=3', "a=b", 3.0),
        ("'it,s'=3", "it,s", 3.0),
        ("wave.weight=0.5", "wave.weight", 0.5),
    ],
)
def test_set(text, name, value):
    assert parse_set(text) == GivenValue(name, value)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1:fade:base=Run", At(1.0, Fade("base", "Run"))),
        ("1.5:fade:base=Run,0.5", At(1.5, Fade("base", "Run", 0.5))),
        ("1:fade:base=Run,0.5,linear", At(1.0, Fade("base", "Run", 0.5, "linear"))),
        (
            "1:fade:base=Run,0.5,cubic,frozen",
            At(1.0, Fade("base", "Run", 0.5, "cubic", "frozen")),
        ),
        (
            "0:fade:base=Run,in_phase,smooth,1,linear",
            At(0.0, Fade("base", "Run", 1.0, "linear", "smooth", in_phase=True)),
        ),
        ('1:fade:base="Run, fast",frozen', At(1.0, Fade("base", "Run, fast", kind="frozen"))),
        ("1:fade:base=mixamo:Run", At(1.0, Fade("base", "mixamo:Run"))),
        ("1:fade:base={pose='rest'},0", At(1.0, Fade("base", StillPose("rest"), 0.0))),
        (
            "1:fade:base={ clip = 'a,b', time = 0.5 }",
            At(1.0, Fade("base", StillClip("a,b", 0.5))),
        ),
        ("1:set:speed=3", At(1.0, Set("speed", 3.0))),
        ("1:set:speed=-3,0.5", At(1.0, Set("speed", -3.0, 0.5))),
        ("1:set:look_at=[1,2,3],0", At(1.0, Set("look_at", (1.0, 2.0, 3.0), 0.0))),
        ("1:seek:base=0.5", At(1.0, Seek("base", 0.5))),
        ("1:speed:base=-2", At(1.0, Speed("base", -2.0))),
    ],
)
def test_at(text, at):
    assert parse_at(text).at == at


WRONG_SETS = {
    "speed": "write --set speed=2",
    "=2": "expected NAME=VALUE",
    "speed=fast": "'fast' is not a number; write",
    "speed=1=2": "expected NAME=VALUE",
    "speed=nan": "not a finite number",
    "sped=2": 'no parameter or layer weight "sped"; did you mean "speed"',
    "speed=[0,1,2]": '"speed" must be one number',
    "look_at=2": '"look_at" must be three numbers',
    "look_at=[0,1]": "three numbers",
    "look_at=[0,1,": "TOML",
    "wav.weight=1": 'did you mean "wave.weight"',
    "wave.weight=-1": "must not be negative",
    "wave.weight=2": "from 0 to 1, not 2; only additives",
    '"\\x"=2': "TOML",
}
WRONG_ATS = {
    "1": "expected TIME:ACTION:ARGUMENTS",
    "1:fade": "write --at 1:fade:base=Run",
    "x:fade:base=Run": "'x' is not a number",
    "-1:fade:base=Run": "a time must not be negative",
    "1:fad:base=Run": 'unknown action "fad"; did you mean "fade"?',
    "1:fade:base": "a name and a value around =",
    "1:fade:base=Run,0.1,0.2": "seconds is given twice",
    "1:fade:base=Run,cubic,linear": "ease is given twice",
    "1:fade:base=Run,cubik": 'unknown fade option "cubik"; did you mean "cubic"',
    "1:fade:base=Run,-1": "a time must not be negative",
    "1:fade:bas=Run": 'no layer "bas"; did you mean "base"',
    "1:fade:base={clip='A'}": '"time" is missing',
    "1:set:speed=1,2,3": "too many",
    "1:set:sped=1": 'did you mean "speed"',
    "1:seek:base=1,2": "too many",
    "1:seek:base=-1": "must not be negative",
    "1:speed:base=x": "'x' is not a number",
}


def settings(sets=(), ats=(), doc=DOC):
    """Return a document with the values and actions of texts."""
    return with_settings(doc, [*map(parse_set, sets)], [*map(parse_at, ats)])


@pytest.mark.parametrize(("text", "said"), WRONG_SETS.items())
def test_wrong_set(text, said):
    with pytest.raises(UsageError) as error:
        settings([text])
    assert str(error.value).startswith(f"--set {text}")
    assert said in str(error.value)


@pytest.mark.parametrize(("text", "said"), WRONG_ATS.items())
def test_wrong_at(text, said):
    with pytest.raises(UsageError) as error:
        settings(ats=[text])
    assert str(error.value).startswith(f"--at {text}")
    assert said in str(error.value)


def test_options_change_the_document():
    sets = ["speed=2", "look_at=[1,1,1]", "deep.weight=0.5", "lean.weight=1.5", "speed=3"]
    doc = settings(sets)
    assert doc.parameters["speed"].default == 3.0
    assert doc.parameters["speed"].range == (0.0, 4.0)
    assert doc.parameters["look_at"].default == (1.0, 1.0, 1.0)
    assert doc.layers[1].play.layers[0].weight == 0.5
    assert doc.layers[2].weight == 1.5
    assert DOC.parameters["speed"].default == 1.0


def test_actions_of_the_command_line_come_last():
    doc = settings(ats=["2:set:speed=1", "0:seek:base=1", "2:set:speed=2"])
    assert doc.at[: len(DOC.at)] == DOC.at
    assert [at.time for at in doc.at] == [2, 1, 2, 0, 2]
    assert [at.do.value for at in doc.at if isinstance(at.do, Set)] == [1.0, 2.0]


def test_without_layers_there_is_a_base():
    doc = settings(["base.weight=0.5"], ["1:seek:base=0.5"], document_from("version = 1"))
    assert len(doc.at) == 1


@given(st.text(alphabet="spedbawr:=,.[]{}\"'0 1\\-\nfatunik", max_size=30))
def test_any_text_raises_only_usage_errors(text):
    for use in ({"sets": [text]}, {"ats": [text]}, {"ats": [f"1:fade:base={text}"]}):
        with suppress(UsageError):
            settings(**use)


@pytest.mark.parametrize(
    "name", ["Smile", "eye blink", "a=b", 'q"x', "#3/#1", " lead", "[x]", "über", "a'b", "x\ty"]
)
def test_text_of_a_morph_target(name):
    given = given_morph(name, 0.25)
    assert parse_set(given.text) == given
    assert given.morph
