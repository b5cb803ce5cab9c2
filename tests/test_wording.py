"""Wording of numbers, sizes, names and lists."""

from pathlib import Path

import pytest

import rigview
from rigview import wording


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (wording.in_groups(1234567), "1 234 567"),
        (wording.page_size(999), "999 bytes"),
        (wording.page_size(1234), "1.2 kB"),
        (wording.page_size(999_900), "1 MB"),
        (wording.page_size(3_760_000), "3.8 MB"),
        (wording.page_size(52e12), "52000 GB"),
        (wording.page_measure(0.00012, "mm"), "0.00012 mm"),
        (wording.page_measure(123456.0, "joints"), "123456 joints"),
        (wording.page_measure(float("nan"), "mm"), "nan mm"),
        (wording.page_measure(4.0, "°"), "4°"),
        (wording.page_measure(710248.0, "bytes"), "710 kB"),
        (wording.page_measure(float("inf"), "bytes"), "inf bytes"),
        (wording.capitalized("it is so"), "It is so"),
        (wording.metres(-0.00001), "0.000"),
        (wording.metres(float("inf")), "inf"),
        (wording.metres(1.5, 1), "1.5"),
        (wording.metres(1e20), "1.00e+20"),
        (wording.number(1239.6), "1240"),
        (wording.number(0.0001234), "0.000123"),
        (wording.number(1e15), "1e+15"),
        (wording.measure(1, "vertices"), "1 vertex"),
        (wording.measure(12.34, "mm"), "12.3 mm"),
        (wording.measure(4, "°/s"), "4°/s"),
        (wording.measure(9999, "mm"), "9999 mm"),
        (wording.measure(290_471, "mm"), "290 m"),
        (wording.measure(-12_345, "mm/s"), "-12.3 m/s"),
        (wording.page_measure(311_400.0, "mm"), "311.4 m"),
        (wording.millimetres(0.0123456, ".3f"), "12.346 mm"),
        (wording.millimetres(1.23456, ".3f"), "1235 mm"),
        (wording.binary_size(1), "1 byte"),
        (wording.binary_size(4600), "4.49 KiB"),
        (wording.binary_size(1.2e9), "1.12 GiB"),
        (wording.decimal_size(999), "999 bytes"),
        (wording.decimal_size(4_120_000), "4.12 MB"),
        (wording.shortened("abcdef", 3), "abc…"),
        (wording.first_of(["a", "b", "c"], 2), "a, b, ..."),
        (wording.joined(["a", "b", "c"]), "a, b and c"),
        (wording.listed(["a", "b\n", "c", "d"]), "“a”, “b\ufffd”, “c” and 1 more"),
        (wording.page_counted(1, "vertex", "vertices"), "1 vertex"),
        (wording.page_counted(2000, "vertex", "vertices"), "2 000 vertices"),
    ],
)
def test_number(given, expected):
    assert given.replace("\u202f", " ").replace("\u00a0", " ") == expected


@pytest.mark.parametrize(
    ("greatest", "digits"), [(1.8, 3), (180.0, 1), (0.018, 5), (1e9, 0), (0.0, 3), (1e-9, 6)]
)
def test_digits_of_lengths(greatest, digits):
    assert wording.digits_for(greatest) == digits


@pytest.mark.parametrize(
    ("wrong", "known", "hint"),
    [
        ("uper", ["lower", "upper"], "did you mean 'upper'?"),
        ("WLAK", ["Walk", "Run"], "did you mean 'Walk'?"),
        ("Tpi", ["Tip", "Root"], "did you mean 'Tip'?"),
        ("anim", ["trim", "anims", "animation"], "did you mean 'anims' or 'animation'?"),
        ("up", ["setup", "upper"], "did you mean 'upper'?"),
        ("rig:LeftHand", ["LeftHand", "Head"], "did you mean 'LeftHand'?"),
        ("output", ["joint_path", "loop", "at"], ""),
        ("weight", ["light", "weights", "ghost"], "did you mean 'weights'?"),
        ("rsolution", ["resolution", "occlusion", "motion"], "did you mean 'resolution'?"),
        ("nosuch", ["Hips", "Spine"], ""),
        ("", ["Hips"], ""),
        ("Hips", [], ""),
    ],
)
def test_suggestions_are_near_the_wrong_name(wrong, known, hint):
    assert wording.suggestion(wrong, known) == hint


@pytest.mark.parametrize(
    ("value", "text"), [(1.2, "1.2"), (1.0012, "1.001"), (0.99988, "0.9999"), (1.00012, "1.0001")]
)
def test_a_number_differs_from_another_one(value, text):
    assert wording.apart_from(value, 1.0) == text
    assert float(wording.apart_from(1.0 + 1e-15, 1.0)) != 1.0


def test_all_suggestions_come_from_one_function():
    app = Path(rigview.__file__).parent
    users = {path.name for path in app.rglob("*.py") if "difflib" in path.read_text()}
    assert users == {"wording.py"}
