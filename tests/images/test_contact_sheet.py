import numpy as np

from rigview.images.contact_sheet import Layout, Row, contact_sheet, folded
from rigview.scenedoc.view_modes import INFLUENCES

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


def test_short_rows_stand_side_by_side():
    layout = Layout((60, 40), 2, 1, 2)
    rows = [Row("n" * 99, "", [cell(color)], [""]) for color in (RED, BLUE, RED)]
    sheet = contact_sheet("", rows, layout)
    assert sheet.shape == (layout.height, layout.width, 4)
    for index, expected in enumerate((RED, BLUE, RED)):
        top = layout.head + index // 2 * layout.row + layout.line
        left = layout.column(index % 2)
        assert (sheet[top : top + 40, left : left + 60] == expected).all()
    paper = sheet[:, layout.column(1) - 2 : layout.column(1)]  # titles are cut at their row
    assert (paper == sheet[0, 0]).all()


def test_long_rows_are_continued_and_drawn_lazily():
    drawn = []

    def cells():
        for number in range(5):
            drawn.append(number)
            yield number

    rows = folded([Row("Walk", "1 s", cells(), "abcde"), Row("Run", "", [9], "f")], 2)
    first = next(rows)
    assert (first.title, first.note, list(first.cells), drawn) == ("Walk", "1 s", [0, 1], [0, 1])
    rest = [(row.title, list(row.cells), row.captions) for row in rows]
    assert rest == [("", [2, 3], "cd"), ("", [4], "e"), ("Run", [9], "f")]


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


def test_swatches_are_beside_the_heading_where_there_is_room():
    for columns, shown in ((12, True), (2, False)):
        layout = Layout((60, 40), 1, columns)
        row = Row("", "", [cell(RED)] * columns, [""] * columns)
        head = contact_sheet("T" * 99, [row], layout, INFLUENCES)[: layout.head].reshape(-1, 4)
        for swatch in INFLUENCES:
            color = [round(255 * c) for c in (*swatch.colour, 1.0)]
            assert (head == color).all(axis=1).any() == shown
