"""Two versions in a picture without a window."""

import numpy as np
import pytest

from rigview.differences.heat_map import error_swatches
from rigview.differences.model_pair import METRES
from rigview.errors import UsageError
from rigview.tasks.still_pictures import render
from tests.support.character_versions import character
from tests.support.compared_session import write

SIZE = {"resolution": (96, 64), "samples": 1, "view": "front", "quiet": True}
RED, BLUE = (
    {"pbrMetallicRoughness": {"baseColorFactor": color}, "doubleSided": True}
    for color in ([1, 0, 0, 1], [0, 0, 1, 1])
)


@pytest.fixture
def paths(tmp_path):
    return [
        write(tmp_path / "old.glb", character(material=RED)),
        write(tmp_path / "new.glb", character(material=BLUE, wave=(0, 120, 0), size=100.0)),
    ]


def columns(picture, channel):
    """The columns with pixels that are brightest in a channel."""
    pixels = picture[..., :3].astype(int)
    brightest = pixels[..., channel] > np.delete(pixels, channel, axis=-1).max(axis=-1) + 60
    return np.flatnonzero(brightest.any(axis=0))


def test_a_wipe_shows_the_old_one_at_the_left(paths):
    whole = render(paths, time=0.0, compare="wipe", wipe=1.0, grid=False, **SIZE)
    shown = columns(whole, 0)
    edge = int(shown[len(shown) // 2])
    picture = render(paths, time=0.0, compare="wipe", wipe=edge / 96, grid=False, **SIZE)
    np.testing.assert_array_equal(columns(picture, 0), shown[shown < edge])
    np.testing.assert_array_equal(columns(picture, 2), shown[shown >= edge])


def test_versions_have_the_same_size_and_place(paths):
    pictures = [
        render(paths, time=0.0, compare="wipe", wipe=edge, grid=False, **SIZE)
        for edge in (0.0, 1.0)
    ]
    new, old = columns(pictures[0], 2), columns(pictures[1], 0)
    np.testing.assert_array_equal(new, old)


def test_halves_are_framed(paths):
    picture = render(paths, time=0.0, compare="side-by-side", grid=False, **SIZE)
    old, new = columns(picture, 0), columns(picture, 2)
    assert old.max() < 48 <= new.min()
    np.testing.assert_allclose(new - 48, old, atol=1)


def test_the_error_has_the_scale_of_the_whole_clip(paths):
    pictures = [
        render(paths, time=time, compare="error", grid=False, **SIZE) for time in (0.5, 1.0)
    ]
    yellow = [((each[..., :2] > 120) & (each[..., 2:3] < 80)).all(axis=-1) for each in pictures]
    assert not yellow[0].any(), "it is half of the greatest error"
    assert yellow[1].any()


def test_the_error_has_a_legend(paths):
    look = SIZE | {"resolution": (192, 128), "grid": False, "compare": "error", "time": 0.5}
    shown, cut_out = render(paths, **look), render(paths, no_background=True, **look)
    for swatch in error_swatches(METRES, 1.0):
        color = [round(255 * c) for c in swatch.colour]
        assert (shown[..., :3] == color).all(axis=-1).sum() > 50
    assert not (cut_out[..., :3] == color).all(axis=-1).any(), "nothing is as far as the greatest"


def test_one_file_cannot_be_compared(paths):
    with pytest.raises(UsageError, match="--compare needs two files"):
        render(paths[0], compare="wipe")
    with pytest.raises(UsageError, match=r"--wipe: '1\.5' is not from 0 to 1"):
        render(paths, compare="wipe", wipe=1.5)
