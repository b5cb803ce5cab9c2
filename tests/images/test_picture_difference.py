"""How alike two pictures are, by numbers and by a picture of what differs."""

import numpy as np
import pytest

from rigview.images.picture_difference import cover, difference_picture, distance, likeness

GREY = (48, 50, 54, 255)


def picture(background=(0, 0, 0, 0), size=(64, 48)):
    """A disc of 20 pixels across, orange, with soft edges."""
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


def test_the_same_picture():
    found = likeness(picture(), picture())
    assert (found.identical, found.greatest, found.mean, found.overlap) == (True, 0, 0.0, 1.0)


def test_black_and_white_are_one_apart():
    black, white = np.zeros((8, 8, 4), np.uint8), np.full((8, 8, 4), 255, np.uint8)
    black[..., 3] = 255
    found = likeness(black, white)
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
    assert likeness(picture(), other).greatest == 215
    assert likeness(other, picture()).greatest == 215


def test_colour_of_nothing_does_not_count():
    other = picture()
    other[0, 0, :3] = 200
    assert likeness(picture(), other).identical
    other[0, 0, 3] = 1
    assert not likeness(picture(), other).identical


def test_alpha_alone_is_a_difference():
    other = picture()
    other[..., 3] //= 2
    assert likeness(picture(), other).mean > 0.1


def test_black_is_not_nothing():
    nothing, black = np.zeros((8, 8, 4), np.uint8), np.zeros((8, 8, 4), np.uint8)
    black[..., 3] = 255
    assert likeness(nothing, black).mean == pytest.approx(1.0, abs=1e-3)


def test_the_eye_does_not_resolve_single_pixels():
    y, x = np.mgrid[:16, :16]
    board = np.full((16, 16, 4), 255, np.uint8)
    board[(x + y) % 2 == 0, :3] = 0
    inverse = board.copy()
    inverse[..., :3] = 255 - board[..., :3]
    assert distance(board, inverse)[2:-2, 2:-2].max() < 0.01


@pytest.mark.parametrize("background", [(0, 0, 0, 0), GREY, (255, 255, 255, 255)])
def test_a_pixel_of_the_edge_is_little_and_a_shift_is_much(background):
    image = picture(background)
    edge = image.copy()
    edge[30, 34] = image[30, 24]  # one more at the rim
    assert likeness(image, edge).overlap > 0.985
    assert likeness(image, edge).mean < 0.02
    moved = likeness(image, shifted(image, 2))
    assert moved.overlap < 0.95
    assert moved.mean > 0.02


def test_overlap_of_what_does_not_touch_is_none():
    assert likeness(picture(), shifted(picture(), 24)).overlap == pytest.approx(0.0, abs=1e-3)


def test_empty_space_does_not_water_the_difference_down():
    small, large = picture(), np.pad(picture(), ((0, 400), (0, 400), (0, 0)))
    changed = [image.copy() for image in (small, large)]
    for image in changed:
        image[25:35, 20:30, :3] = (40, 140, 220)
    near, far = likeness(small, changed[0]).mean, likeness(large, changed[1]).mean
    assert far == pytest.approx(near, rel=0.01)


def test_another_background_is_a_difference():
    assert likeness(picture(GREY), picture((255, 255, 255, 255))).mean > 0.5


def test_nothing_at_all_overlaps_with_itself():
    blank = np.zeros((16, 16, 4), np.uint8)
    spot = blank.copy()
    spot[8, 8] = 1
    assert likeness(blank, blank).overlap == 1.0
    assert likeness(blank, spot).overlap == 0.0


def test_lines_of_the_ground_are_no_silhouette():
    image = picture(GREY)
    image[10::12] = np.maximum(image[10::12], 120)
    image[10::12, :, 3] = 255
    assert cover(image)[10, 5] == 0.0
    assert cover(image)[30, 24] == 1.0


def test_sizes_must_agree():
    with pytest.raises(ValueError, match="pictures of"):
        likeness(picture(), picture(size=(64, 64)))


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
