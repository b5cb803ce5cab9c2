"""Similarity and difference pictures of two pictures."""

import numpy as np
import pytest

from rigview.images.picture_difference import coverage, difference_picture, distance, similarity

GREY = (48, 50, 54, 255)


def picture(background=(0, 0, 0, 0), size=(64, 48)):
    """An orange disc of 20 pixels diameter with soft edges."""
    height, width = size
    y, x = np.mgrid[:height, :width]
    inside = np.clip(10.5 - np.hypot(x - 24, y - 30), 0, 1)[..., None]
    paint, ground = np.array([220, 140, 40, 255.0]), np.array(background, float)
    if background[3] == 0:
        shown = np.concatenate([np.where(inside > 0, paint[:3], 0), inside * 255], axis=-1)
        return np.rint(np.broadcast_to(shown, (height, width, 4))).astype(np.uint8)
    return np.rint(ground + (paint - ground) * inside).astype(np.uint8)


def shifted(image, pixels):
    return np.roll(image, pixels, axis=1)


def test_identical_pictures():
    found = similarity(picture(), picture())
    assert (found.identical, found.greatest, found.mean, found.overlap) == (True, 0, 0.0, 1.0)


def test_distance_of_black_and_white_is_one():
    black, white = np.zeros((8, 8, 4), np.uint8), np.full((8, 8, 4), 255, np.uint8)
    black[..., 3] = 255
    found = similarity(black, white)
    assert found.greatest == 255
    assert found.mean == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("colour", "lab"),
    [  # the primaries of sRGB in OKLab
        ((255, 0, 0), (0.62796, 0.22486, 0.12585)),
        ((0, 255, 0), (0.86644, -0.23389, 0.17950)),
        ((0, 0, 255), (0.45201, -0.03246, -0.31153)),
    ],
)
def test_distance_is_that_of_oklab(colour, lab):
    shown, black = np.full((5, 5, 4), 255, np.uint8), np.zeros((5, 5, 4), np.uint8)
    shown[..., :3], black[..., 3] = colour, 255
    assert distance(shown, black) == pytest.approx(np.linalg.norm(lab), abs=1e-4)


def test_greatest_is_of_any_channel_and_does_not_wrap():
    other = picture()
    other[30, 24, 2] = 255
    assert similarity(picture(), other).greatest == 215
    assert similarity(other, picture()).greatest == 215


def test_colour_of_transparent_pixels_is_ignored():
    other = picture()
    other[0, 0, :3] = 200
    assert similarity(picture(), other).identical
    other[0, 0, 3] = 1
    assert not similarity(picture(), other).identical


def test_alpha_alone_is_a_difference():
    other = picture()
    other[..., 3] //= 2
    assert similarity(picture(), other).mean > 0.1


def test_black_differs_from_transparent():
    nothing, black = np.zeros((8, 8, 4), np.uint8), np.zeros((8, 8, 4), np.uint8)
    black[..., 3] = 255
    assert similarity(nothing, black).mean == pytest.approx(1.0, abs=1e-3)


def test_single_pixels_are_smoothed():
    y, x = np.mgrid[:16, :16]
    board = np.full((16, 16, 4), 255, np.uint8)
    board[(x + y) % 2 == 0, :3] = 0
    inverse = board.copy()
    inverse[..., :3] = 255 - board[..., :3]
    assert distance(board, inverse)[2:-2, 2:-2].max() < 0.01


@pytest.mark.parametrize("background", [(0, 0, 0, 0), GREY, (255, 255, 255, 255)])
def test_edge_pixels_count_little_and_shifts_count_much(background):
    image = picture(background)
    edge = image.copy()
    edge[30, 34] = image[30, 24]  # one more at the rim
    assert similarity(image, edge).overlap > 0.985
    assert similarity(image, edge).mean < 0.02
    moved = similarity(image, shifted(image, 2))
    assert moved.overlap < 0.95
    assert moved.mean > 0.02


def test_overlap_of_separate_silhouettes_is_zero():
    assert similarity(picture(), shifted(picture(), 24)).overlap == pytest.approx(0.0, abs=1e-3)


def test_empty_space_does_not_reduce_the_difference():
    small, large = picture(), np.pad(picture(), ((0, 400), (0, 400), (0, 0)))
    changed = [image.copy() for image in (small, large)]
    for image in changed:
        image[25:35, 20:30, :3] = (40, 140, 220)
    near, far = similarity(small, changed[0]).mean, similarity(large, changed[1]).mean
    assert far == pytest.approx(near, rel=0.01)


def test_another_background_is_a_difference():
    assert similarity(picture(GREY), picture((255, 255, 255, 255))).mean > 0.5


def test_empty_pictures_overlap_fully():
    blank = np.zeros((16, 16, 4), np.uint8)
    spot = blank.copy()
    spot[8, 8] = 1
    assert similarity(blank, blank).overlap == 1.0
    assert similarity(blank, spot).overlap == 0.0


def test_ground_grid_is_not_part_of_the_silhouette():
    image = picture(GREY)
    image[10::12] = np.maximum(image[10::12], 120)
    image[10::12, :, 3] = 255
    assert coverage(image)[10, 5] == 0.0
    assert coverage(image)[30, 24] == 1.0


def test_sizes_must_agree():
    with pytest.raises(ValueError, match="pictures of"):
        similarity(picture(), picture(size=(64, 64)))


def test_difference_picture_shows_where_and_how_much():
    image = picture()
    other = image.copy()
    other[28:33, 20:29, :3] = (20, 20, 90)
    other[21, 24, 0] -= 1
    shown = difference_picture(image, other).astype(int)
    assert (shown[..., 3] == 255).all()
    colourful = shown[..., :3].max(axis=-1) - shown[..., :3].min(axis=-1)
    differs = (image != other).any(axis=-1)
    assert (colourful[~differs] <= 1).all()
    assert (colourful[differs] > 40).all()
    strong, slight = shown[30, 24, :3], shown[21, 24, :3]
    assert strong.sum() < slight.sum(), "the stronger, the darker"
    assert shown[30, 40, 0] > shown[24, 24, 0] + 10, "the character is there, pale"


def test_difference_picture_of_two_sizes():
    assert difference_picture(picture(), picture(size=(32, 80))).shape == (64, 80, 4)
