import numpy as np
import pytest
from PIL import Image

from rigview.images.contact_sheet import Layout
from rigview.tasks import sheet_of_clips
from tests.support.command_files import write_document

CELL = (48, 48)
SMALL = ("--resolution", "48,48", "--samples", "1")


@pytest.fixture
def cells(rigview, model_file, tmp_path):
    """Run `sheet` on the small file and return its pictures [rows, columns, H, W, 4]."""

    def run(*arguments, rows, columns):
        target = tmp_path / "sheet.png"
        ran = rigview("sheet", model_file, "-o", target, *SMALL, *arguments)
        assert ran.code == 0, ran.err
        assert not ran.out
        layout = Layout(CELL, rows, columns)
        with Image.open(target) as picture:
            assert picture.size == (layout.width, layout.height)
            pixels = np.asarray(picture.convert("RGBA"))
        found = []
        for row in range(rows):
            top = layout.head + row * layout.row + layout.line
            lefts = [layout.column(column) for column in range(columns)]
            found.append([pixels[top : top + 48, left : left + 48] for left in lefts])
        return np.array(found)

    return run


def test_one_row_per_clip_and_column_per_phase(cells):
    found = cells(rows=4, columns=6)
    assert found.std(axis=(2, 3, 4)).min() > 3  # every picture shows something
    turn = found[0]
    assert not np.array_equal(turn[0], turn[2])
    assert not np.array_equal(found[0, 3], found[1, 3])


def test_cell_equals_render(cells, rigview, model_file, tmp_path):
    found = cells("--animation", "Turn", "--phase", "0.5,1", rows=1, columns=2)
    target = tmp_path / "one.png"
    moment = ("--animation", "Turn", "--phase", "0.5")
    assert rigview("render", model_file, "-o", target, *SMALL, *moment).code == 0
    with Image.open(target) as picture:
        assert np.array_equal(np.asarray(picture.convert("RGBA")), found[0, 0])


def test_clips_may_be_named(cells):
    both = cells("--animation", "Turn fast", "--animation", "#0", rows=2, columns=6)
    other = cells("--animation", "Turn", "--animation", "#1", rows=2, columns=6)
    assert np.array_equal(both[1], other[0])


def test_rows_have_one_scale(cells):
    """The row that needs most room is as it is alone."""
    names = ("#0", "#1")
    both = cells(*(word for name in names for word in ("--animation", name)), rows=2, columns=6)
    alone = [cells("--animation", name, rows=1, columns=6)[0] for name in names]
    same = [np.array_equal(*pair) for pair in zip(both, alone, strict=True)]
    assert any(same)


def test_seconds_and_frames_as_columns(cells):
    seconds = cells("--time", "0,0.5,1", rows=4, columns=3)
    frames = cells("--frame", "0,15,30", rows=4, columns=3)
    assert np.array_equal(seconds, frames)


def test_columns(cells):
    """Without times they are phases; rows of given times are continued, or beside each other."""
    phases = cells("--columns", "3", rows=4, columns=3)
    assert np.array_equal(phases, cells("--phase", "0,0.5,1", rows=4, columns=3))
    turn = ("--animation", "Turn")
    line = cells(*turn, "--time", "0..1.5:0.5", rows=1, columns=4)[0]
    two = cells(*turn, "--time", "0..1.5:0.5", "--columns", "2", rows=2, columns=2)
    assert np.array_equal(two.reshape(line.shape), line)
    grid = cells("--time", "0.5", "--columns", "2", rows=2, columns=2)
    assert np.array_equal(
        grid.reshape(4, 48, 48, 4), cells("--time", "0.5", rows=4, columns=1)[:, 0]
    )


def test_rows_of_a_page(rigview, model_file, cells, tmp_path):
    whole = cells(rows=4, columns=6)
    for name, names in (
        ("page.png", ["page_0001.png", "page_0002.png"]),
        ("{page}.png", ["1.png", "2.png"]),
    ):
        ran = rigview("sheet", model_file, "-o", tmp_path / name, *SMALL, "--rows", "3")
        assert (ran.code, ran.err) == (0, "")
        for index, (path, rows) in enumerate(zip(names, (3, 1), strict=True)):
            layout = Layout(CELL, rows, 6)
            with Image.open(tmp_path / path) as picture:
                assert picture.size == (layout.width, layout.height)
                pixels = np.asarray(picture.convert("RGBA"))
            top, left = layout.head + layout.line, layout.column(5)
            assert np.array_equal(pixels[top : top + 48, left : left + 48], whole[3 * index, 5])


def test_each_row_is_framed_by_itself(cells):
    rows = cells("--scale", "row", rows=4, columns=6)
    for index in range(4):
        alone = cells("--animation", f"#{index}", rows=1, columns=6)
        assert np.array_equal(alone[0], rows[index])


def test_still_pose_is_one_picture(cells):
    assert cells("--pose", "rest", rows=1, columns=1).std() > 3


def test_file_without_clips(rigview, tmp_path):
    path = write_document(tmp_path / "still.gltf", animations=None)
    ran = rigview("sheet", path, "-o", tmp_path / "sheet.png", *SMALL)
    assert ran.code == 0
    layout = Layout(CELL, 1, 1)
    with Image.open(tmp_path / "sheet.png") as picture:
        assert picture.size == (layout.width, layout.height)


@pytest.mark.parametrize("size", ["400x400", "256x256"], ids=["larger", "as the default"])
def test_sheet_that_would_be_too_large(rigview, model_file, tmp_path, monkeypatch, size):
    monkeypatch.setattr(sheet_of_clips, "LARGEST", 600)
    target = tmp_path / "sheet.png"
    ran = rigview("sheet", model_file, "-o", target, "--resolution", size)
    assert ran.code == 2
    assert "--resolution" in ran.err
    assert rigview("sheet", model_file, "-o", target).code == 0  # cells shrink by themselves
    with Image.open(target) as picture:
        assert max(picture.size) <= 600


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["-o", "sheet.pdf"], 2, ".png"),
        (["-o", "no/folder/sheet.png"], 5, "does not exist"),
        (["-o", "sheet.png", "--animation", "Swim"], 2, "no animation 'Swim'"),
        (["-o", "sheet.png", "--phase", "0", "--time", "1"], 2, "--time and --phase"),
        (["-o", "sheet.png", "--columns", "0"], 2, "--columns"),
        (["-o", "-", "--rows", "1", *SMALL], 2, "4 pages cannot go to standard output"),
    ],
)
def test_wrong_use(rigview, model_file, options, code, words):
    ran = rigview("sheet", model_file, *options)
    assert ran.code == code
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_pictures_of_a_row_have_one_scale_of_their_own(cells):
    """A rigid mesh is equally large within a row; with --scale row that of another row is not."""
    look = ("--no-grid", "--background", "black", "--ortho", "--view", "front", "--no-shadow")
    two = ("--animation", "#0", "--animation", "#3", *look)
    heights = []
    for scale in ((), ("--scale", "row")):
        shown = cells(*two, *scale, rows=2, columns=6)[..., 36:, :3].max(axis=-1) > 10
        heights.append(shown.any(axis=-1).sum(axis=-1))  # of the triangle at the right, pixels
    by_file, by_row = np.array(heights)
    assert (by_row == by_row[:, :1]).all()
    assert by_row[0, 0] >= 1.15 * by_row[1, 0]
    assert abs(by_file[0, 0] - by_file[1, 0]) <= 2  # a little nearer than the row's middle
