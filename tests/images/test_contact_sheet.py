import numpy as np

from rigview.images.contact_sheet import Layout, Row, contact_sheet

RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)


def cell(color, width=60, height=40):
    return np.full((height, width, 4), color, np.uint8)


def test_pictures_are_in_rows_and_columns():
    layout = Layout((60, 40), 2, 3)
    rows = [
        Row("Walk", "1 s", [cell(RED), cell(BLUE), cell(RED)], ["a", "b", "c"]),
        Row("Run", "2 s", [cell(BLUE), cell(RED), cell(BLUE)], ["a", "b", "c"]),
    ]
    sheet = contact_sheet("Fox", rows, layout)
    assert sheet.shape == (layout.height, layout.width, 4)
    for index in range(2):
        top = layout.head + index * layout.row + layout.line
        for column in range(3):
            left = layout.column(column)
            expected = RED if (index + column) % 2 == 0 else BLUE
            assert (sheet[top : top + 40, left : left + 60] == expected).all()


def test_texts_are_drawn_inside_their_cells():
    layout = Layout((60, 40), 1, 2)
    plain = contact_sheet("", [Row("", "", [cell(RED)] * 2, ["", ""])], layout)
    sheet = contact_sheet("T" * 99, [Row("R" * 99, "n", [cell(RED)] * 2, ["c" * 99, ""])], layout)
    changed = (plain != sheet).any(axis=-1)
    top = layout.head + layout.line
    assert changed[: layout.head].any()  # heading
    assert changed[layout.head : top].any()  # title of the row
    assert not changed[top : top + 40].any()  # pictures
    under = changed[top + 40 :]
    assert under[:, layout.column(0) : layout.column(0) + 60].any()  # caption, cut at its cell
    assert not under[:, layout.column(1) :].any()
    assert not changed[:, -layout.margin :].any()


def test_pictures_are_drawn_lazily():
    drawn = []

    def cells(row):
        for column in range(2):
            drawn.append((row, column))
            yield cell(RED)

    rows = [Row("", "", cells(row), ["", ""]) for row in range(2)]
    assert not drawn
    contact_sheet("", rows, Layout((60, 40), 2, 2))
    assert drawn == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_file_names_with_any_characters():
    """Line feeds and lone surrogates in file names do not break the layout."""
    layout = Layout((60, 40), 1, 1)
    sheets = [
        contact_sheet(text, [Row(text, text, [cell(RED)], [text])], layout)
        for text in ("a\nb", "a\udcffb", "a\ufffdb")
    ]
    assert np.array_equal(sheets[0], sheets[2])
    assert np.array_equal(sheets[1], sheets[2])
