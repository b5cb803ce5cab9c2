import numpy as np
import pytest

from rigview.images.side_by_side import ColourScale, PageLayout, Panel

SCALE = ColourScale(
    np.array([[0.0, 0, 1], [0, 1, 0], [1, 0, 0]]), [(0.0, "0"), (1.0, "9 mm")], (0.4,) * 3, "same"
)


def cell(width, height, colour):
    return np.full((height, width, 4), (*colour, 255), np.uint8)


def page(width, height, panels=None, **changes):
    given = {"title": "Walk", "note": "a note", "scale": SCALE, "foot": "a foot note"} | changes
    if panels is None:
        colours = (200, 0, 0), (0, 200, 0), (0, 0, 200)
        panels = [Panel("A", cell(width, height, colour)) for colour in colours]
    layout = PageLayout((width, height))
    drawn = layout.draw(given["title"], given["note"], panels, given["scale"], given["foot"])
    assert drawn.shape == (layout.height, layout.width, 4)
    return layout, drawn


def test_pictures_are_side_by_side_unchanged():
    layout, drawn = page(100, 80)
    for k, colour in enumerate(((200, 0, 0), (0, 200, 0), (0, 0, 200))):
        left = layout.margin + k * 104
        inside = drawn[layout.top : layout.top + 80, left : left + 100, :3]
        assert (inside == colour).all()


@pytest.mark.parametrize("size", [(1, 1), (16, 16), (64, 300), (700, 40)])
def test_any_size(size):
    _, drawn = page(*size, title="long " * 200, note="long " * 200, foot="long " * 200)
    assert drawn[..., 3].min() == 255


def test_scale_has_all_its_colours():
    layout, drawn = page(200, 100)
    row = drawn[layout.top + 100 + layout.margin + 2, :, :3]
    assert (row == (0, 0, 255)).all(axis=1).any()
    assert (row == (0, 255, 0)).all(axis=1).any()
    assert (row == (255, 0, 0)).all(axis=1).any()
    assert (row == (102, 102, 102)).all(axis=1).any()
    _, without = page(200, 100, scale=None)
    assert not (without[layout.top + 100 :, :, :3] == (0, 255, 0)).all(axis=2).any()


@pytest.mark.parametrize("mark", [(0.5, 0.5), (0.0, 0.0), (1.0, 1.0)])
def test_mark_is_visible_on_black_and_on_white(mark):
    for shade in (0, 255):
        picture = cell(100, 100, (shade,) * 3)
        panels = [Panel("A", picture, mark=mark, label="9 mm"), *[Panel("", picture)] * 2]
        layout, drawn = page(100, 100, panels)
        inside = drawn[layout.top : layout.top + 100, layout.margin : layout.margin + 100, 0]
        assert (np.abs(inside.astype(int) - shade) > 150).sum() > 20
    assert (picture == 255).all(), "the picture itself stays"


def test_panel_without_a_picture_has_text():
    panels = [Panel("A", None, "nothing here"), *[Panel("", cell(160, 60, (9, 9, 9)))] * 2]
    layout, drawn = page(160, 60, panels)
    inside = drawn[layout.top : layout.top + 60, layout.margin : layout.margin + 160, :3]
    assert inside.max() > 100


def test_transparent_pictures_are_composited_over_the_background():
    clear = np.zeros((40, 40, 4), np.uint8)
    layout, drawn = page(40, 40, [Panel("", clear)] * 3)
    assert drawn[layout.top + 20, layout.margin + 20].tolist() == [30, 32, 36, 255]


def test_file_names_with_any_characters():
    odd, plain = (
        page(160, 80, title=text, foot=text)[1] for text in ("a\nb\udcff", "a\ufffdb\ufffd")
    )
    assert np.array_equal(odd, plain)
