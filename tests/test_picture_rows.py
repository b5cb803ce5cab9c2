"""Numbers and verdicts of the viewer comparison: goals, measures of small pictures, sentences."""

import numpy as np
import pytest

from tests.bench.viewer_comparison import comparison_page, measures
from tests.bench.viewer_comparison.goals import Goal, holding
from tests.bench.viewer_comparison.row_files import row_files
from tests.bench.viewer_comparison.rows import ROWS, Result, said

CHARACTERS = {"CesiumMan", "Fox", "Woman", "robot", "mannequin"}


def grey(values):
    """An opaque picture [H, W, 4] of greys [H, W], of 255."""
    levels = np.asarray(values, float)
    return np.stack([levels, levels, levels, np.full_like(levels, 255)], axis=-1).astype(np.uint8)


def disc(side=64, radius=20, across=0, down=0):
    y, x = np.mgrid[:side, :side] - side // 2
    return np.hypot(x - across, y - down) < radius


@pytest.mark.parametrize(
    ("goal", "number", "other", "expected"),
    [
        (Goal(low=3), 5, 4, "better"),  # more than enough is better
        (Goal(low=3), 1, 4, "worse"),
        (Goal(low=3, even=1), 5, 4, "level"),
        (Goal(high=8), 5, 4, "worse"),
        (Goal(high=8), 4, 50, "better"),
        (Goal(195, 210), 196, 209, "level"),  # both within
        (Goal(195, 210), 200, 211, "better"),
        (Goal(195, 210), 190, 212, "worse"),  # 5 below, 2 above
        (Goal(195, 210, even=3), 190, 212, "level"),
        (Goal(low=3), 5, None, None),
        (Goal(low=3), None, 5, None),
    ],
)
def test_the_verdict_follows_from_the_numbers(goal, number, other, expected):
    assert goal.verdict(number, other) == expected
    opposite = {"better": "worse", "worse": "better"}
    assert goal.verdict(other, number) == opposite.get(expected, expected)


def test_a_threshold_is_met_at_its_limits_and_not_without_a_number():
    assert [Goal(1, 2).is_met(each) for each in (0.9, 1, 2, 2.1, None)] == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert [str(each) for each in (Goal(low=1), Goal(high=2), Goal(1, 2))] == [
        "≥ 1",
        "≤ 2",
        "1 to 2",
    ]


def test_rows_hold_that_are_better_or_level():
    assert holding(["better", "level", "worse", None]) == 2


def test_the_extent_is_that_of_the_longer_side_and_nothing_if_cropped():
    assert measures.extent(disc()) == pytest.approx(39 / 64)
    assert measures.extent(disc(across=20)) == 0
    assert measures.extent(np.zeros((8, 8), bool)) == 0


def test_lightness_is_that_of_grey():
    assert measures.lightness(grey([[0, 119, 255]]))[0] == pytest.approx([0, 50, 100], abs=0.5)


def test_a_mask_shrinks_by_pixels():
    assert measures.shrunk(np.ones((7, 9), bool), 2).sum() == 3 * 5


def test_the_tone_of_a_turn_sees_shading_and_not_one_flat_colour():
    y, x = (np.mgrid[:128, :128] - 64) / 60
    z = np.sqrt(np.maximum(1 - x**2 - y**2, 0))
    normals, mask = np.stack([x, -y, z], axis=-1), x**2 + y**2 < 0.8
    shaded = grey(128 + 120 * x.clip(-1, 1))
    assert measures.tone_of_turn(shaded, mask, normals) > 1.5
    assert measures.tone_of_turn(grey(np.full((128, 128), 250)), mask, normals) == 0


def test_the_contact_is_the_darkness_below_the_feet():
    picture, mask = np.full((64, 64), 100), np.zeros((64, 64), bool)
    mask[10:50, 25:40] = True
    assert measures.contact(grey(picture), mask) == pytest.approx(0)
    picture[50:56, 20:45] = 0
    assert measures.contact(grey(picture), mask) == pytest.approx(1)
    assert measures.darkest_floor(grey(picture), mask) > 0.4


def test_the_outline_is_seen_where_it_has_contrast():
    mask = disc()
    picture = np.where(mask, 200, 50)
    assert measures.outline_seen(grey(picture), mask, 8) == 1
    picture[:, 32:] = 50  # half of it merges with the background
    assert measures.outline_seen(grey(picture), mask, 8) == pytest.approx(0.5, abs=0.1)


def test_bands_of_a_gradient_are_seen_and_its_dithering_is_not():
    slope = np.linspace(30, 45, 170)
    noise = np.random.default_rng(1).uniform(-0.5, 0.5, (170, 100))
    assert measures.banding(np.round(slope)) > 0.3
    assert measures.banding(np.round(slope[:, None] + noise).mean(axis=1)) < 0.2
    assert measures.banding(np.full(170, 40.0)) == pytest.approx(0)


def test_a_step_is_found_along_a_gradient():
    slope = np.arange(100) * 0.5
    assert measures.steps(slope) == pytest.approx(0)
    assert measures.steps(slope + 20 * (slope > 25)) == pytest.approx(20)


def test_the_composition_is_over():
    near, far = np.array([255, 0, 0, 128]), np.array([0, 0, 255, 255])
    assert measures.composed(near, far) == pytest.approx([128, 0, 127, 255], abs=0.5)
    assert measures.composed(far, near) == pytest.approx(far)


def test_the_order_of_two_surfaces_is_that_of_the_nearer_composition():
    near, far = np.array([[255, 0, 0, 128]]), np.array([[0, 0, 255, 128]])
    wrong = measures.composed(far, near)
    assert measures.in_order(measures.composed(near, far) + 3, near, far)
    assert not measures.in_order(wrong, near, far)


def test_all_rows_have_their_files_and_a_sentence():
    made, remarks = set(row_files()), comparison_page.REMARKS["rows"]
    used = {name for row in ROWS for group in row.files for name in group}
    assert used - CHARACTERS == made
    assert set(remarks) == {row.name for row in ROWS}
    assert len(ROWS) >= 16


def test_a_sentence_for_other_verdicts_is_marked():
    remark = {"f3d": "better", "three": "level", "says": "Words."}
    assert said(remark, {"f3d": "better", "three": None}) == "Words."
    assert said(remark, {"f3d": "worse", "three": "level"}) == ("(Outdated, now f3d worse:) Words.")


def test_a_result_has_a_verdict_against_each_program():
    row = next(row for row in ROWS if row.name == "rim")
    result = Result(row, [], {"ours": 0.1, "f3d": 0.9, "three": None}, {})
    assert result.verdicts == {"f3d": "better", "three": None}
    assert result.is_met
