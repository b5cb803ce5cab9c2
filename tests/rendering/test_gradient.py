"""Backgrounds of several colours, from the top of the picture to the bottom."""

import numpy as np
import pytest

from rigview.errors import UsageError
from rigview.options.python_call import options_from_python
from rigview.options.write_options import as_arguments
from rigview.scenedoc.look import CLEAR, GRADIENTS, Background
from tests.support.draw import draw
from tests.support.models import make_model, square_model

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def backgrounds(*texts):
    return [
        options_from_python("render", "a.glb", {"background": t}).scene.look.background.colours
        for t in texts
    ]


@pytest.mark.parametrize("samples", [1, 4, 6])
def test_two_colours_are_mixed_evenly(gl, samples):
    picture = draw(gl, make_model([]), background=(RED, BLUE), samples=samples)
    rows = 255 * (np.arange(64) + 0.5) / 64
    np.testing.assert_allclose(picture[:, 0, 2], rows, atol=1)
    np.testing.assert_allclose(picture[:, 0, 0], 255 - rows, atol=1)


def test_gradient_to_a_transparent_colour(gl):
    picture = draw(gl, make_model([]), background=(RED, CLEAR))
    np.testing.assert_allclose(picture[:, 0, 3], 255 - 255 * (np.arange(64) + 0.5) / 64, atol=1)
    assert (picture[:60, 0, 0] == 255).all(), "straight alpha"


def test_surfaces_hide_the_gradient(gl):
    alone = draw(gl, square_model(), samples=4)
    before = draw(gl, square_model(), background=(RED, BLUE), samples=4)
    inside = alone[..., 3] == 255
    assert inside.any()
    np.testing.assert_array_equal(before[inside], alone[inside])


@pytest.mark.parametrize("theme", GRADIENTS)
def test_default_background_is_lighter_behind_the_figure(gl, theme):
    """No row differs from the next by more than a level: there is no line at the horizon."""
    picture = draw(
        gl, make_model([]), background=GRADIENTS[theme], size=(64, 128), shadow=False
    ).astype(int)
    column = picture[:, :16, :3].mean(axis=(1, 2))
    assert column[64] > column[0] + 8
    assert column[64] > column[-1] + 8
    assert np.abs(np.diff(column)).max() <= 1


def test_a_gradient_has_no_bands(gl):
    """Rows have the mean of their colour, to a fifth of a level; no pixel is more than one off."""
    low, high = (40.0, 40.0, 40.0), (60.0, 60.0, 60.0)
    ends = [(*(np.array(colour) / 255).tolist(), 1.0) for colour in (low, high)]
    picture = draw(gl, make_model([]), background=tuple(ends), size=(64, 256), shadow=False)
    rows = 40 + 20 * (np.arange(256) + 0.5) / 256
    off = picture[:, :16, 0] - rows[:, None]
    fours = off.reshape(64, 4, 16).mean(axis=(1, 2))
    assert np.abs(fours).max() < 0.2
    assert np.abs(off).max() < 1.0


def test_option_reads_several_colours():
    one, two, named = backgrounds("#f00", "red, #00f8", "rgb(255, 0, 0),hsl(240, 100%, 50%)")
    assert one == (RED,)
    assert two == (RED, (0.0, 0.0, 1.0, 0x88 / 255))
    assert named == (RED, BLUE)
    options = options_from_python("render", "a.glb", {"background": "red,#00f", "output": "x.png"})
    assert [*as_arguments("render", options)] == [
        "-o",
        "x.png",
        "--background",
        "#ff0000ff,#0000ffff",
    ]
    with pytest.raises(UsageError, match="4 colours; one to 3"):
        backgrounds("red,red,red,red")
    with pytest.raises(UsageError, match="'reed' is not a colour"):
        backgrounds("red,reed")


def test_a_single_colour_is_uniform():
    assert Background(colours=(RED,)).shown() == (RED,)
    assert Background().shown("light") == GRADIENTS["light"]
    assert Background(transparent=True).shown() == (CLEAR,)
