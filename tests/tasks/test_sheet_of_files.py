import io
import json
import os

import numpy as np
import pytest
from PIL import Image

from rigview.images.contact_sheet import Layout
from rigview.options.command_options import Options
from rigview.tasks import sheet_of_clips
from tests.support.command_files import write_document

CELL = (48, 48)
SMALL = ("--resolution", "48,48", "--samples", "1")


@pytest.fixture
def folder(tmp_path):
    """Three characters, one without animation, and an invalid file."""
    folder = tmp_path / "characters"
    (folder / "more").mkdir(parents=True)
    write_document(folder / "a.gltf")
    write_document(folder / "still.gltf", animations=None)
    write_document(folder / "more" / "a.gltf")
    return folder


@pytest.fixture
def broken(folder):
    path = folder / "broken.gltf"
    path.write_text("{}", encoding="utf-8")
    return path


def pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGBA"))


def cells(path, rows, columns):
    """The pictures [rows, columns, H, W, 4] of a sheet that is as large as it should be."""
    layout = Layout(CELL, rows, columns)
    shown = pixels(path)
    assert shown.shape[:2] == (layout.height, layout.width)
    tops = [layout.head + row * layout.row + layout.line for row in range(rows)]
    lefts = [layout.column(column) for column in range(columns)]
    return np.array([[shown[top : top + 48, left : left + 48] for left in lefts] for top in tops])


def test_one_row_per_file(rigview, folder, tmp_path):
    ran = rigview("sheet", folder, "-o", tmp_path / "out.png", *SMALL, "--jobs", "1")
    assert (ran.code, ran.err, ran.out) == (0, "", "")
    first, second, still = cells(tmp_path / "out.png", 3, 6)
    assert np.array_equal(first, second)
    alone = ("--animation", "#0", "-o", tmp_path / "own.png")
    assert rigview("sheet", folder / "a.gltf", *alone, *SMALL).code == 0
    assert np.array_equal(cells(tmp_path / "own.png", 1, 6)[0], first)
    assert still[0].std() > 3
    assert still[1:].std(axis=(1, 2)).max() == 0  # paper


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_scale_for_all_files(rigview, folder, broken, tmp_path, jobs):
    """The largest file is as it is alone; the others are as small as they are."""
    text = (folder / "a.gltf").read_text(encoding="utf-8")
    document = json.loads(text)
    roots = document["scenes"][0]["nodes"]
    document["nodes"].append({"scale": [4, 4, 4], "children": roots})
    document["scenes"][0]["nodes"] = [len(document["nodes"]) - 1]
    (folder / "large.gltf").write_text(json.dumps(document), encoding="utf-8")
    found = {}
    for scale in ("row", "sheet"):
        way = ("-o", tmp_path / f"{scale}.png", "--scale", scale, *SMALL, "--jobs", jobs)
        ran = rigview("sheet", folder, *way, "--no-grid", "--background", "black")
        assert (ran.code, ran.err.count("broken.gltf")) == (3, 1)
        found[scale] = cells(tmp_path / f"{scale}.png", 4, 6)
    small, large = 0, 1
    assert np.array_equal(found["row"][large], found["sheet"][large])
    sizes = {
        scale: (rows[small, 0] != (0, 0, 0, 255)).any(axis=-1).sum()
        for scale, rows in found.items()
    }
    assert 0 < sizes["sheet"] < 0.2 * sizes["row"]


def test_one_scale_of_unreadable_files(rigview, broken, tmp_path):
    way = ("-o", tmp_path / "x.png", "--scale", "sheet", *SMALL, "--jobs", "1")
    ran = rigview("sheet", broken, broken, *way)
    assert (ran.code, ran.err.count("\n")) == (3, 2)
    assert not (tmp_path / "x.png").exists()


def test_pages_of_files(rigview, folder, tmp_path):
    way = (*SMALL, "--jobs", "1", "--phase", "0", "--rows", "2")
    assert rigview("sheet", folder, "-o", tmp_path / "{page}.png", *way).code == 0
    cells(tmp_path / "1.png", 2, 1)
    cells(tmp_path / "2.png", 1, 1)
    ran = rigview("sheet", folder, "-o", tmp_path / "{model}-{page}.png", *way)
    assert ran.code == 0
    assert (tmp_path / "a-2-1.png").exists()
    assert (tmp_path / "still-1.png").exists()


def test_the_rows_are_named(rigview, folder, tmp_path):
    """Two files of one name are shown with their folders."""
    names = []
    from rigview.tasks import sheet_of_files

    files = [folder / "a.gltf", folder / "more" / "a.gltf", folder / "still.gltf"]
    given = [Options().with_shown(file=str(path)) for path in files]
    names = sheet_of_files._shown_names(given)
    assert names == [str(files[0]), str(files[1]), "still.gltf"]
    assert sheet_of_files._shown_names(given[:1] * 2) == ["a.gltf"] * 2


@pytest.mark.parametrize("way", [["-o", "one.png"], ["-o", "{model}.png"]], ids=["one", "each"])
def test_result_is_independent_of_processes(rigview, folder, broken, tmp_path, monkeypatch, way):
    written = []
    for jobs in ("1", "2"):
        work = tmp_path / f"jobs{jobs}"
        work.mkdir()
        monkeypatch.chdir(work)
        ran = rigview("sheet", os.path.relpath(folder), *way, *SMALL, "--jobs", jobs)
        assert ran.code == 3
        files = {path.name: path.read_bytes() for path in work.iterdir()}
        written.append((files, ran.err))
    assert written[0] == written[1]
    assert len(written[0][0]) == (1 if way[1] == "one.png" else 3)
    assert "broken.gltf" in written[0][1]
    if way[1] == "one.png":
        cells(tmp_path / "jobs2" / "one.png", 3, 6)


def test_one_sheet_per_file(rigview, folder, tmp_path):
    ran = rigview("sheet", folder, "-o", tmp_path / "{model}.png", *SMALL, "--jobs", "1")
    assert ran.code == 0
    names = {"a.png", "a-2.png", "still.png"}
    assert {path.name for path in tmp_path.glob("*.png")} == names
    assert ran.err.count("\n") == 1
    assert "another file has the name a" in ran.err
    assert rigview("sheet", folder / "a.gltf", "-o", tmp_path / "own.png", *SMALL).code == 0
    for name in ("a.png", "a-2.png"):
        assert np.array_equal(pixels(tmp_path / name), pixels(tmp_path / "own.png"))
    assert not list(tmp_path.glob(".*"))


def test_model_field_with_one_file(rigview, folder, tmp_path):
    ran = rigview("sheet", folder / "still.gltf", "-o", tmp_path / "x-{model}.png", *SMALL)
    assert ran.code == 0
    assert (tmp_path / "x-still.png").exists()


def test_a_row_for_each_file_and_clip(rigview, folder, tmp_path):
    files = (folder / "a.gltf", folder / "a.gltf")
    clips = ("--animation", "Turn fast", "--animation", "Turn", "--phase", "0,0.5")
    ran = rigview("sheet", *files, "-o", tmp_path / "out.png", *SMALL, *clips, "--jobs", "1")
    assert (ran.code, ran.err) == (0, "")
    found = cells(tmp_path / "out.png", 4, 2)
    assert np.array_equal(found[:2], found[2:])
    assert not np.array_equal(found[0], found[1])


def test_missing_clip_in_one_file(rigview, folder, tmp_path):
    clips = ("--animation", "Turn", "--animation", "Swim")
    files = (folder / "a.gltf", folder / "more" / "a.gltf")
    ran = rigview("sheet", *files, "-o", tmp_path / "out.png", *SMALL, *clips, "--jobs", "1")
    assert ran.code == 0
    assert ran.err.count("no animation 'Swim'") == 2
    cells(tmp_path / "out.png", 2, 6)
    ran = rigview("sheet", *files, "-o", tmp_path / "no.png", *SMALL, *clips[2:], "--jobs", "1")
    assert ran.code == 2
    assert ran.err.count("no animation 'Swim'") == 2
    assert not (tmp_path / "no.png").exists()


def test_motion_file_is_played_in_its_row(rigview, folder, tmp_path):
    text = 'version = 1\n[[layers]]\nname = "base"\nplay = "Turn fast"\n'
    (folder / "a.motion.toml").write_text(text, encoding="utf-8")
    way = ("-o", tmp_path / "out.png", *SMALL, "--jobs", "1", "--time", "0.3")
    assert rigview("sheet", folder, *way).code == 0
    first, second, _ = cells(tmp_path / "out.png", 3, 1)
    assert not np.array_equal(first, second)
    assert rigview("sheet", folder, *way, "--no-motion").code == 0
    first, second, _ = cells(tmp_path / "out.png", 3, 1)
    assert np.array_equal(first, second)


def test_wrong_use_fails_before_rendering(rigview, folder, tmp_path, monkeypatch):
    monkeypatch.setattr("rigview.tasks.sheet_of_files.FileResults", None)
    for words, code, options in (
        ("does not exist", 5, ["-o", tmp_path / "no" / "{model}.png"]),
        ("did you mean {model}", 2, ["-o", tmp_path / "{model}{modle}.png"]),
        ("{clip} has no value", 2, ["-o", tmp_path / "{model}{clip}.png"]),
        ("--time and --phase", 2, ["-o", tmp_path / "x.png", "--time", "0", "--phase", "0"]),
        ("must be .png", 2, ["-o", tmp_path / "{model}.bmp"]),
        ("standard input", 2, ["-", "-o", tmp_path / "x.png"]),
    ):
        ran = rigview("sheet", folder, *options)
        assert (ran.code, ran.err.count("\n")) == (code, 1), ran.err
        assert words in ran.err


def test_invalid_dask_address(rigview, folder, tmp_path):
    pytest.importorskip("distributed", reason="the extra “farm” is not installed")
    ran = rigview("sheet", folder, "-o", tmp_path / "x.png", "--dask", "here")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "is not an address" in ran.err


def test_too_many_files_for_one_picture(rigview, folder, tmp_path, monkeypatch):
    monkeypatch.setattr(sheet_of_clips, "LARGEST", 600)
    ran = rigview("sheet", *[folder / "a.gltf"] * 20, "-o", tmp_path / "x.png")
    assert ran.code == 2
    assert "-o '{model}.png'" in ran.err
    ran = rigview("sheet", *[folder / "a.gltf"] * 3, "-o", tmp_path / "x.png", "--jobs", "1")
    assert ran.code == 0
    shown = pixels(tmp_path / "x.png")
    assert max(shown.shape) <= 600
    side = next(k for k in range(64, 600) if Layout((k, k), 3, 6).width == shown.shape[1])
    way = ("--resolution", f"{side},{side}", "--animation", "Turn")
    assert rigview("sheet", folder / "a.gltf", "-o", tmp_path / "own.png", *way).code == 0
    top = Layout((side, side), 1, 6).head + Layout((side, side), 1, 6).line
    own = pixels(tmp_path / "own.png")
    assert np.array_equal(own[top : top + side], shown[top : top + side])


def test_name_of_standard_input(rigview, folder, tmp_path, monkeypatch):
    way = ("-o", tmp_path / "{model}.png", *SMALL, "--time", "0", "--animation", "0")
    assert rigview("sheet", *way).code == 0
    assert (tmp_path / "mannequin.png").exists()
    text = io.TextIOWrapper(io.BytesIO((folder / "still.gltf").read_bytes()))
    monkeypatch.setattr("sys.stdin", text)
    assert rigview("sheet", "-", *way[:-2]).code == 0
    assert (tmp_path / "stdin.png").exists()


@pytest.mark.parametrize("name", ["{clip}#%04d.gltf", "骨 é.gltf", "a b.c.gltf"])
def test_odd_names(rigview, tmp_path, name):
    path = write_document(tmp_path / name)
    other = write_document(tmp_path / "other.gltf")
    way = (*SMALL, "--time", "0", "--jobs", "1")
    assert rigview("sheet", path, other, "-o", tmp_path / "{model}.png", *way).code == 0
    assert (tmp_path / f"{name[:-5]}.png").exists()
    assert rigview("sheet", path, other, "-o", tmp_path / "one.png", *way).code == 0


def test_missing_opengl_is_reported_once(rigview, folder, tmp_path, monkeypatch):
    from rigview.errors import ContextError

    def refuse(*_):
        raise ContextError("no OpenGL 3.3 context")

    monkeypatch.setattr("rigview.rendering.offscreen.OffscreenRenderer", refuse)
    ran = rigview("sheet", folder, "-o", tmp_path / "x.png", *SMALL, "--jobs", "1")
    assert (ran.code, ran.err) == (4, "rigview: no OpenGL 3.3 context\n")
