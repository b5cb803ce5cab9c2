"""Writing motion files: round trips, and kept comments."""

import pickle
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings

from rigview.errors import MotionError, OutputError
from rigview.motion import edit, write
from rigview.motion.document import (
    At,
    ClipEvent,
    ClipSettings,
    Fade,
    LayerSettings,
    MaskSettings,
    MotionDoc,
    Parameter,
    Reference,
    Seek,
)
from rigview.motion.read import MotionFile, parse_motion, read_motion
from rigview.motion.write import save_motion, write_motion
from tests.support.motion_documents import documents
from tests.support.motion_texts import EXAMPLE, FORMS, SPACED, document_from

PATIENT = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture
def _no_second_try(monkeypatch):
    """Fail where a text could not be edited and is written anew."""

    def head(_):
        raise AssertionError("written anew")

    monkeypatch.setattr(write, "_head_comment", head)


def changed(text, **changes):
    """Return a text with other values in its document; each is a function of the old value."""
    file = parse_motion(text)
    values = {name: make(getattr(file.document, name)) for name, make in changes.items()}
    document = replace(file.document, **values)
    written = write_motion(file, document)
    assert document_from(written) == document
    return written


def with_key(mapping, **values):
    return MappingProxyType({**mapping, **values})


def test_mask_without_joints():
    """A new mask of the window can be saved before a weight is painted."""
    document = MotionDoc(masks={"new": MaskSettings({})})
    text = write_motion(MotionFile(MotionDoc()), document)
    assert document_from(text) == document
    added = edit.with_mask_weight(document, "new", "Hips", 1.0)
    assert document_from(write_motion(MotionFile(document, text), added)) == added


@PATIENT
@given(documents())
def test_new_file_contains_the_document(document):
    text = write_motion(MotionFile(MotionDoc()), document)
    assert document_from(text) == document
    assert text.startswith("#")
    again = write_motion(parse_motion(text), document)
    assert again == text


@PATIENT
@given(documents(), documents())
@pytest.mark.usefixtures("_no_second_try")
def test_any_document_becomes_any_other(before, after):
    text = write_motion(MotionFile(MotionDoc()), before)
    commented = "".join(
        f"{line}  # {k}\n" if line and not line.startswith("#") else f"{line}\n"
        for k, line in enumerate(text.splitlines())
    )
    file = parse_motion(commented)
    assert file.document == before
    assert document_from(write_motion(file, after)) == after


def test_unchanged_document_keeps_the_text():
    file = parse_motion(EXAMPLE)
    assert write_motion(file, file.document) == EXAMPLE


def lines_changed(before, after):
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def test_changed_value_changes_one_line():
    before = EXAMPLE.replace('"loop" ' + " " * 44, '"loop" ')
    text = changed(
        before,
        parameters=lambda held: with_key(held, speed=replace(held["speed"], default=2.0)),
        clips=lambda held: with_key(held, Walk=replace(held["Walk"], loop="once", cycles=1)),
        layers=lambda held: (held[0], replace(held[1], weight=0.25, phase=0.5)),
    )
    assert lines_changed(before, text) == (
        [
            "speed = { default = 1.2, range = [0, 4], damp = 0.2 }"
            "      # damp: seconds to reach a new value",
            'loop = "loop"  # once | loop | pingpong | N',
            "weight = 1.0",
        ],
        [
            "speed = { default = 2, range = [0, 4], damp = 0.2 }"
            "      # damp: seconds to reach a new value",
            'loop = "once"  # once | loop | pingpong | N',
            "weight = 0.25",
            "phase = 0.5",
        ],
    )


def test_nested_values_keep_their_neighbours():
    text = changed(
        EXAMPLE,
        masks=lambda held: with_key(
            held,
            upper=MaskSettings(MappingProxyType({"Spine": 0.5, "RightShoulder": 1.0, "Neck": 1.0})),
        ),
        spaces=lambda held: with_key(
            held,
            locomotion=replace(
                held["locomotion"],
                clips=(
                    held["locomotion"].clips[0],
                    replace(held["locomotion"].clips[2], at=(5.0,)),
                ),
            ),
        ),
        clips=lambda held: with_key(
            held, Walk=replace(held["Walk"], events=(ClipEvent("shout", time=0.5),), root=None)
        ),
        additives=lambda held: with_key(
            held, Lean=replace(held["Lean"], reference=Reference(pose="rest"))
        ),
    )
    assert "joints = { Spine = 0.5, RightShoulder = 1.0, Neck = 1 }\n" in text
    assert 'clips = [{ clip = "Idle", at = 0 }, { clip = "Run", at = 5 }]\n' in text
    assert 'events = [{ name = "shout", time = 0.5 }]\n' in text
    assert 'reference = { pose = "rest" }                              # same phase\n' in text
    assert "root" not in text


def test_tables_are_added_and_removed_with_comments():
    text = changed(
        SPACED,
        clips=lambda held: MappingProxyType({"Run": held["Run"], "Idle": ClipSettings("once")}),
        layers=lambda held: (
            replace(held[1], mute=True),
            LayerSettings("nod", "Nod", mask="upper"),
            held[0],
        ),
        masks=lambda held: with_key(held, upper=MaskSettings(MappingProxyType({"Spine": 0.5}))),
        at=lambda held: (At(0.5, Fade("base", "Run")), *held),
    )
    assert (
        text
        == """# The walk of the hero.
version = 1

# -- what people set
[parameters]
speed = { default = 1.2 } # metres a second

# -- clips

# the run
[clips.Run]
loop = "loop"

[clips.Idle]
loop = "once"

[masks.upper]
joints = { Spine = 0.5 }

# -- layers, the base first

# waves a hand
[[layers]]
name = "wave"
play = "Wave"
mute = true

[[layers]]
name = "nod"
play = "Nod"
mask = "upper"

[[layers]]
name = "base" # always
play = "Walk"

# -- what happens

[[at]]
time = 0.5
fade = { layer = "base", to = "Run" }

[[at]]
time = 1 # second
seek = { layer = "base", time = 0.5 }
"""
    )


def test_loose_comments_stay_when_a_table_is_removed():
    text = changed(SPACED, clips=lambda held: MappingProxyType({"Walk": held["Walk"]}))
    assert "# the run" not in text
    assert "\n# -- layers, the base first\n" in text
    assert "[clips.Run]" not in text
    text = changed(SPACED, layers=lambda held: held[:1], at=lambda _: ())
    assert "# waves a hand" not in text
    assert "\n# -- what happens\n" in text


def test_items_of_a_list_keep_their_comments():
    text = changed(
        SPACED,
        clips=lambda held: with_key(
            held,
            Walk=replace(
                held["Walk"],
                events=(
                    held["Walk"].events[1],
                    ClipEvent("shout", time=0.2),
                    replace(held["Walk"].events[0], phase=0.15),
                ),
            ),
        ),
    )
    assert (
        """events = [
  { name = "right", phase = 0.6 },
  { name = "shout", time = 0.2 },
  { name = "left", phase = 0.15 },  # heel
]
"""
        in text
    )


@pytest.mark.usefixtures("_no_second_try")
def test_other_forms_of_toml():
    text = changed(
        FORMS,
        parameters=lambda held: with_key(held, speed=Parameter(2.0, damp=0.5), turn=Parameter(3.0)),
        clips=lambda held: with_key(held, Walk=ClipSettings("once"), Run=ClipSettings("loop")),
        spaces=lambda held: with_key(
            held,
            loco=replace(
                held["loco"],
                sync=True,
                clips=(*held["loco"].clips[:1], replace(held["loco"].clips[1], at=(2.0,))),
            ),
        ),
        additives=lambda held: with_key(
            held, Lean=replace(held["Lean"], reference=Reference("Walk", 0.5))
        ),
        layers=lambda held: (
            replace(
                held[0],
                play=replace(held[0].play, layers=(replace(held[0].play.layers[0], mute=True),)),
            ),
        ),
    )
    assert "parameters.speed.default = 2\nparameters.speed.damp = 0.5\n" in text
    assert "parameters.turn = { default = 3 }\n" in text
    assert 'clips = { Walk = { cycles = 1, loop = "once" }, Run = { loop = "loop" } }\n' in text
    assert "at = 0 # here\n" in text
    assert 'name = "inner" # within\nplay = "Walk"\nmute = true\n' in text
    assert '[additives.Lean.reference]\nclip = "Walk"\ntime = 0.5\n' in text


def test_crlf_is_kept():
    text = SPACED.replace("\n", "\r\n")
    text = changed(text, layers=lambda held: (*held, LayerSettings("nod", "Nod")))
    assert "\n" not in text.replace("\r\n", "")


def test_a_broken_document_is_not_written():
    file = parse_motion(SPACED)
    wave = replace(file.document.layers[1], mask="uper")
    broken = replace(file.document, layers=(file.document.layers[0], wave))
    with pytest.raises(MotionError, match="no mask"):
        write_motion(file, broken)
    with pytest.raises(MotionError, match="must be a number"):
        write_motion(file, replace(file.document, at=(At(-1.0, Seek("base", 0.0)),)))


def test_saving_is_atomic(tmp_path):
    path = tmp_path / "hero.motion.toml"
    saved = save_motion(path, MotionFile(MotionDoc()), document_from(SPACED))
    assert read_motion(path).document == saved.document == document_from(SPACED)
    path.chmod(0o640)
    muted = replace(saved.document, layers=saved.document.layers[:1])
    again = save_motion(path, saved, muted)
    assert path.read_text() == again.text
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    with pytest.raises(OutputError):
        save_motion(tmp_path / "no" / "hero.toml", again, muted)
    with pytest.raises(OutputError):
        save_motion(tmp_path, again, muted)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@PATIENT
@given(documents())
def test_a_document_can_be_sent_to_another_process(document):
    sent = pickle.loads(pickle.dumps(document))
    assert sent == document
    with pytest.raises(TypeError):
        sent.clips["Walk"] = None
