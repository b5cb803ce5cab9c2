import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigview.cli.main import main
from tests.support.character_versions import WAVE_ANGLE, character
from tests.support.gltf_documents import make_glb
from tests.support.page_entries import manifest_of

ROOT = Path(__file__).resolve().parents[2]
CELL = 96


@pytest.fixture
def pair(tmp_path):
    """Two versions: a key of Wave is a degree off."""
    return write_pair(tmp_path, character(wave=(0, WAVE_ANGLE + 1, 0)))


def write_pair(folder, b, a=None):
    paths = folder / "a.glb", folder / "b.glb"
    for path, each in zip(paths, (a or character(), b), strict=True):
        path.write_bytes(each.glb())
    return paths


def test_prints_differences(rigview, pair):
    ran = rigview("diff", *pair)
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0] == f"{pair[0]} → {pair[1]}"
    (row,) = [line for line in lines if line.startswith("  Wave")]
    assert [cell.strip() for cell in row.split("  ") if cell.strip()] == [
        "Wave", "2 s", "34.906 mm", "Hand, 1.000 s", "6.210 mm", "1.000°", "Arm, 1.000 s"
    ]  # fmt: skip
    assert "Rest" not in ran.out, "only what differs"
    assert lines[-1] == "differs (above 0.1 mm and 0.05°): the motion of 1 animation"


def test_verbose_prints_all(rigview, pair):
    ran = rigview("diff", *pair, "--verbose")
    assert "  Rest" in ran.out
    assert "  Wave" in ran.out


def test_same_files(rigview, pair):
    ran = rigview("diff", pair[0], pair[0])
    assert ran.code == 0
    assert ran.out.endswith("no differences: the files are identical\n")


def test_warnings_of_the_same_file_are_printed_once(rigview, tmp_path):
    b = character()
    b.json["extensionsUsed"] = ["ACME_unknown"]
    b.json["nodes"][0]["rotation"] = [0, 0, 0, 2]
    path, copy = write_pair(tmp_path, b, b)
    once = rigview("diff", path, path).err
    assert once
    assert rigview("diff", path, copy).err == once + once.replace("a.glb", "b.glb")


def test_thresholds(rigview, pair):
    assert rigview("diff", *pair, "--threshold-mm", "35", "--threshold-deg", "1.1").code == 0
    assert rigview("diff", *pair, "--threshold-mm", "34", "--threshold-deg", "1.1").code == 1
    assert rigview("diff", *pair, "--threshold-mm", "35", "--threshold-deg", "0.9").code == 1


def test_json(rigview, pair):
    ran = rigview("diff", *pair, "--json")
    found = json.loads(ran.out)
    assert ran.code == 1
    assert list(found) == [
        "a", "b", "same", "identical", "thresholds", "scale", "measured_at", "unmatched_meshes",
        "changes", "rest", "clips",
    ]  # fmt: skip
    wave, rest = found["clips"]
    assert wave["max_mm"] == pytest.approx(34.906, abs=1e-3)
    assert (wave["joint"], wave["time"], wave["same"]) == ("Hand", 1, False)
    assert wave["max_deg"] == pytest.approx(1, abs=1e-3)
    assert (rest["max_mm"], rest["joint"], rest["same"]) == (0, None, True)
    assert found["thresholds"] == {"mm": 0.1, "deg": 0.05}
    same = json.loads(rigview("diff", pair[0], pair[0], "--json").out)
    assert same["same"]
    assert same["identical"]


def test_json_of_a_change(rigview, tmp_path):
    ran = rigview("diff", *write_pair(tmp_path, character(mesh="Torso", size=100)), "--json")
    changes = {each["kind"]: each for each in json.loads(ran.out)["changes"]}
    assert changes["scale"]["after"] == 100
    assert changes["mesh"] == {
        "kind": "mesh", "what": "renamed", "name": "Body", "now": "Torso",
        "note": "at the same node", "counts": True,
    }  # fmt: skip


def test_animation_names_a_clip_of_either(rigview, pair):
    assert rigview("diff", *pair, "--animation", "Rest").code == 0
    assert rigview("diff", *pair, "--animation", "Wa*").code == 1
    ran = rigview("diff", *pair, "--animation", "Wve")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "'Wave'" in ran.err


def test_standard_input(rigview, pair, monkeypatch):
    with pair[1].open("rb") as file:
        monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": file}))
        ran = rigview("diff", pair[0], "-")
    assert ran.code == 1
    assert "→ standard input" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["a.glb"], 2, "B"),
        (["-", "-"], 2, "standard input"),
        (["a.glb", "b.glb", "-o", "x.svg"], 2, ".png"),
        (["a.glb", "b.glb", "-o", "-", "--json"], 2, "standard output"),
        (["a.glb", "b.glb", "-o", "none/x.png"], 5, "folder"),
        (["a.glb", "none.glb"], 3, "none.glb: there is no such file"),
        (["a.glb", "bad.glb"], 3, "bad.glb"),
        (["a.glb", "b.glb", "--threshold-mm", "-1"], 2, "--threshold-mm"),
    ],
)
def test_wrong_use(rigview, pair, tmp_path, monkeypatch, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.glb").write_bytes(b"glTF")
    ran = rigview("diff", *arguments)
    assert (ran.code, ran.err.count("\n")) == (code, 1)
    assert words in ran.err
    assert not list(tmp_path.glob("x.*"))


def test_control_characters_are_escaped(rigview, tmp_path):
    b = character(names=("Root", "Arm", "\x1b[31mred\nline"))
    ran = rigview("diff", *write_pair(tmp_path, b))
    assert ran.code == 1
    assert "\x1b" not in ran.out
    assert "red\nline" not in ran.out


def test_null_device_on_one_side(rigview, pair):
    ran = rigview("diff", os.devnull, pair[0])
    assert ran.code == 1
    assert "added" in ran.out
    assert rigview("diff", pair[0], os.devnull).code == 1


def panels(path):
    """The three pictures of a page: [3, H, W, 4]."""
    from rigview.images.side_by_side import PageLayout

    with Image.open(path) as file:
        pixels = np.asarray(file.convert("RGBA"), int)
    page = PageLayout((CELL, CELL))
    assert pixels.shape[:2] == (page.height, page.width)
    left = [page.margin + k * (CELL + 4) for k in range(3)]
    return np.stack([pixels[page.top : page.top + CELL, x : x + CELL] for x in left])


def coloured(picture):
    """Which pixels are of a strong colour: the heat, not the grey of what is the same."""
    return np.ptp(picture[..., :3], axis=-1) > 60


def draw(rigview, a, b, out, *more):
    ran = rigview(
        "diff", a, b, "-o", out, "--resolution", f"{CELL},{CELL}", "--no-grid", "--view", "front",
        *more,
    )  # fmt: skip
    assert ran.err == ""
    return ran


def test_picture(rigview, tmp_path):
    """All above Arm is off: the further from it, the brighter; the lower end is dark."""
    b = character(wave=(0, 60, 0))
    out = tmp_path / "out.png"
    assert draw(rigview, *write_pair(tmp_path, b), out).code == 1
    one, two, error = panels(out)
    assert not coloured(one).any()
    assert not coloured(two).any()
    assert np.abs(one - two).max() > 50
    painted = coloured(error)
    rows, columns = np.nonzero(painted)
    assert len(rows) > 500
    left, right = columns.min() + 10, columns.max() - 10  # the free end, and the foot
    green = np.where(painted, error[..., 1], 0)
    assert green[:, :left].max() > 180, "yellow: the greatest"
    assert green[:, right:].max() < 100, "violet: hardly any"


def test_picture_within_the_thresholds_is_grey(rigview, pair, tmp_path):
    out = tmp_path / "out.png"
    assert draw(rigview, *pair, out, "--threshold-mm", "36", "--threshold-deg", "2").code == 0
    assert not coloured(panels(out)[2]).any()


def test_picture_of_the_same(rigview, pair, tmp_path):
    out = tmp_path / "out.png"
    assert draw(rigview, pair[0], pair[0], out).code == 0
    one, two, error = panels(out)
    np.testing.assert_array_equal(one, two)
    assert not coloured(error).any()


def test_picture_at_another_scale(rigview, tmp_path):
    out = tmp_path / "out.png"
    draw(rigview, *write_pair(tmp_path, character(size=100)), out)
    one, two, error = panels(out)
    assert np.abs(one - two).max() < 30
    assert not coloured(error).any()


def test_picture_by_joints_where_the_meshes_differ(rigview, tmp_path):
    points = [[-0.3, 0, 0], [0.3, 0.7, 0], [-0.3, 1.4, 0], [0.3, 2.2, 0]]
    weights = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]]
    triangles = ((0, 1, 2), (1, 3, 2))
    b = character(points=points, weights=weights, triangles=triangles, wave=(0, 60, 0))
    out = tmp_path / "out.png"
    assert draw(rigview, *write_pair(tmp_path, b), out).code == 1
    assert coloured(panels(out)[2]).sum() > 30


def test_picture_of_a_clip_that_only_one_has(rigview, tmp_path):
    b = character(clips=("Wave", "Rest"))
    b.animation((1, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]]), name="New")
    out = tmp_path / "out.png"
    draw(rigview, *write_pair(tmp_path, b), out, "--animation", "New")
    one, two, error = panels(out)
    assert np.ptp(two[..., :3], axis=(0, 1)).min() > 50
    for empty in (one, error):
        assert (empty == empty[0, 0]).all(axis=-1).mean() > 0.8


@pytest.mark.parametrize("clips", [("Wave", "Rest"), ()])
@pytest.mark.parametrize("side", [0, 1])
def test_picture_of_the_only_version(rigview, tmp_path, side, clips):
    """The character is in its own place of the page, and the other two are empty."""
    file, out = tmp_path / "hero.glb", tmp_path / "out.png"
    file.write_bytes(character(clips=clips).glb())
    files = (file, os.devnull) if side == 0 else (os.devnull, file)
    assert draw(rigview, *files, out).code == 1
    pictures = panels(out)
    shown = [(each != each[0, 0]).any(axis=-1).mean() > 0.2 for each in pictures]
    assert shown == [side == 0, side == 1, False]


def test_picture_of_a_requested_clip_of_the_only_version(rigview, tmp_path):
    file, pages = tmp_path / "hero.glb", []
    file.write_bytes(character(clips=("Rest", "Wave"), wave=(0, 60, 0)).glb())
    for k, chosen in enumerate([(), ("--animation", "Rest"), ("--animation", "Wave")]):
        out = tmp_path / f"{k}.png"
        draw(rigview, os.devnull, file, out, *chosen)
        pages.append(panels(out)[1])
    np.testing.assert_array_equal(pages[0], pages[1], "the first clip is the default")
    assert (pages[0] != pages[2]).any()


def test_picture_without_common_joints(rigview, tmp_path):
    b = character(names=("A", "B", "C"), rest=(3, 4, 5), bind=(9, 9, 9), mesh="Other")
    b.json["nodes"][3]["name"] = "D"
    b.json["nodes"][3]["translation"] = [3, 3, 3]
    out = tmp_path / "out.png"
    assert draw(rigview, *write_pair(tmp_path, b), out).code == 1
    assert not coloured(panels(out)[2]).any()


@pytest.mark.parametrize("ending", [".png", ".gif"])
def test_picture_of_files_without_nodes(rigview, tmp_path, ending):
    for name in ("a.glb", "b.glb"):
        (tmp_path / name).write_bytes(make_glb({"asset": {"version": "2.0"}}))
    target = tmp_path / f"out{ending}"
    ran = rigview(
        "diff", tmp_path / "a.glb", tmp_path / "b.glb", "-o", target, "--resolution", "64,64"
    )
    assert ran.code == 0, ran.err
    with Image.open(target) as picture:
        assert picture.width > 64


def played(rigview, folder, *arguments):
    """The manifest of a page, and the names of the clips of each version."""
    target = folder / "compare.html"
    ran = rigview("diff", *arguments, "-o", target, "--resolution", "32,32", "--samples", "1")
    assert ran.err == ""
    manifest = manifest_of(target.read_text(encoding="utf-8"))
    characters = manifest["characters"]
    return manifest, [[clip["name"] for clip in each["clips"]["list"]] for each in characters]


def test_page_begins_at_the_greatest_difference(rigview, tmp_path):
    versions = write_pair(tmp_path, character(clips=("Rest", "Wave"), wave=(0, 60, 0), size=100))
    manifest, clips = played(rigview, tmp_path, *versions)
    assert (manifest["compare"], manifest["first"], manifest["time"]) == ("side-by-side", 0, 1.0)
    assert "world" not in manifest["characters"][0]
    np.testing.assert_allclose(
        np.reshape(manifest["characters"][1]["world"], (3, 4)), np.eye(3, 4) / 100, rtol=1e-3
    )
    assert clips == [["Wave", "Rest", "Rest pose"]] * 2, "in the order and by the names of A"


def test_page_of_clips_that_only_one_has(rigview, tmp_path):
    """The other version stands in its rest pose meanwhile."""
    b = character(clips=("Wave", "Rest"))
    b.animation((1, "scale", [0, 3], [[1, 1, 1], [2, 2, 2]]), name="New")
    versions = write_pair(tmp_path, b)
    manifest, clips = played(rigview, tmp_path, *versions, "--animation", "New")
    assert clips == [["New", "Rest pose"]] * 2
    assert manifest["time"] == 1.5
    new = [each["clips"]["list"][0] for each in manifest["characters"]]
    assert [clip["end"] for clip in new] == [3, 3]
    assert [clip["tracks"][1] - clip["tracks"][0] for clip in new] == [0, 1]


@pytest.mark.parametrize("side", [0, 1])
def test_page_of_the_only_version(rigview, tmp_path, side):
    file = tmp_path / "hero.glb"
    file.write_bytes(character().glb())
    files = (file, os.devnull) if side == 0 else (os.devnull, file)
    manifest, clips = played(rigview, tmp_path, *files, "--animation", "Rest")
    assert clips == [["Rest", "Rest pose"]]
    assert (manifest["first"], manifest["time"]) == (0, 0.5)
    assert '<select class="compare">' not in (tmp_path / "compare.html").read_text("utf-8")


def test_picture_to_standard_output(rigview, pair, tmp_path, monkeypatch):
    ran = subprocess.run(
        [sys.executable, "-m", "rigview", "diff", *pair, "-o", "-", "--resolution", "32,32"],
        cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stdout.startswith(b"\x89PNG")
    assert ran.stderr.count(b"\n") == 1


def test_animated_picture(rigview, pair, tmp_path):
    out = tmp_path / "out.gif"
    ran = rigview("diff", *pair, "-o", out, "--resolution", "48,48", "--frame-rate", "4")
    assert (ran.code, ran.err) == (1, "")
    with Image.open(out) as movie:
        assert movie.n_frames == 8
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_loads_nothing_of_the_gpu(pair):
    code = (
        "import sys; from rigview.cli.main import main; main(sys.argv[1:]);"
        "sys.exit(any(n in sys.modules for n in ('moderngl', 'pygltflib', 'pyrr', 'imgui_bundle')))"
    )
    ran = subprocess.run([sys.executable, "-c", code, "diff", *pair], cwd=ROOT, check=False)
    assert ran.returncode == 0


def test_main_is_the_program():
    assert main(["diff", "--help"]) == 0
