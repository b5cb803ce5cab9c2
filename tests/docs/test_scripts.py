"""The scripts of docs/scripts run, with public names only, and mypy finds no error in them."""

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import rigview
from tests.support.broken_characters import broken_character
from tests.support.bvh_text import body_bvh
from tests.support.character_versions import character
from tests.support.command_files import write_document
from tests.support.light_mannequin import light_mannequin
from tests.support.pages import FILES, ROOT, TEXTS

SCRIPTS = {path.stem: path for path in sorted((ROOT / "docs" / "scripts").glob("*.py"))}
CLIPS = frozenset({"Jump", "Run", "RunForward", "Walk", "Wave"})
LONGEST = 27  # lines of code


@pytest.fixture
def ran(tmp_path, monkeypatch, capsys):
    """Return a function that runs a script in a folder with files; returns what it prints."""
    for name, clips in {"hero": CLIPS, "old": CLIPS - {"Wave"}}.items():
        (tmp_path / f"{name}.glb").write_bytes(light_mannequin(clips))
    (tmp_path / "walk.bvh").write_text(body_bvh(), encoding="utf-8")
    (tmp_path / "steps.motion.toml").write_text(FILES["steps.motion.toml"], encoding="utf-8")
    for name in ("arrays", "characters", "thumbnails"):
        (tmp_path / name).mkdir()
    for number in range(15):
        write_document(tmp_path / "characters" / f"{number:02}.gltf")
    (tmp_path / "characters" / "broken.glb").write_bytes(b"no character")
    monkeypatch.chdir(tmp_path)

    def run(name, *arguments):
        monkeypatch.setattr(sys, "argv", [f"{name}.py", *arguments])
        code = compile(SCRIPTS[name].read_text(encoding="utf-8"), str(SCRIPTS[name]), "exec")
        exec(code, {"__name__": "__main__"})
        return capsys.readouterr().out.splitlines()

    return run


def test_all_clips_become_arrays(ran):
    lines = ran("clips_to_numpy", "hero.glb", "arrays")
    assert len(lines) == 5
    assert "Walk 30 73 4 4" in lines
    assert np.isfinite(np.load("arrays/Jump.npy")).all()


def test_thumbnails_of_fifteen_characters(ran, tmp_path):
    *names, last = ran("thumbnails", "characters", "thumbnails")
    assert len([*names, last]) == 16
    assert last.startswith("characters/broken.glb: ")
    for path in (tmp_path / "thumbnails").iterdir():
        with Image.open(path) as picture:
            assert picture.size == (128, 128)
            assert np.asarray(picture.convert("L")).std() > 3
    assert len(list((tmp_path / "thumbnails").iterdir())) == 15


def test_sliding_feet_are_listed(ran, tmp_path):
    (tmp_path / "slide.glb").write_bytes(broken_character("slide"))
    assert ran("sliding_feet", "hero.glb", "slide.glb") == [
        "slide.glb: WalkForward: LeftFoot 211 mm at 0.25 s",
        "slide.glb: WalkForward: RightFoot 120 mm at 0.0 s",
    ]


def test_a_rule_of_ones_own(ran):
    lines = ran("own_rule", "hero.glb", "old.glb")
    assert len(lines) == 4
    assert lines[0].startswith("hero.glb: LeftHandIndex2: a joint moves 7.8 m in a second of Jump")


def test_captured_motion_is_drawn(ran):
    assert ran("retarget_bvh", "hero.glb", "walk.bvh", "walk.png") == ["walk: 1.00 s"]
    with Image.open("walk.png") as picture:
        assert picture.size == (6 * 160, 240)
        cells = np.split(np.asarray(picture.convert("L"), float), 6, axis=1)
    assert np.abs(cells[0] - cells[5]).mean() > 1


def test_a_clip_is_made_from_a_curve(ran):
    ran("bouncing_curve", "hero.glb", "bouncing.glb")
    model = rigview.load("bouncing.glb")
    heights = model.clips["Bounce"].sample([0.0, 0.5, 1.0]).translation[:, 0, 1]
    assert heights - heights[0] == pytest.approx([0.0, 0.375, 0.0])


def test_a_blend_tree_becomes_a_film(ran):
    ran("blend_tree", "hero.glb", "film.webp")
    with Image.open("film.webp") as film:
        assert film.size == (120, 160)
        assert film.n_frames > 80


def test_files_become_smaller(ran, tmp_path):
    first, *rows = ran("smaller_files", "hero.glb", "smaller.glb")
    assert " MB -> " in first
    assert len(rows) == 5
    assert (tmp_path / "smaller.glb").stat().st_size < (tmp_path / "hero.glb").stat().st_size


def test_changes_are_listed(ran):
    assert "added clip Wave " in ran("what_changed", "old.glb", "hero.glb")
    assert ran("what_changed", "old.glb", "old.glb") == ["same"]
    for name, angle in (("a.glb", 90), ("b.glb", 95)):
        Path(name).write_bytes(character(wave=(0, angle, 0)).glb())
    assert ran("what_changed", "a.glb", "b.glb")[-1] == "Wave 174.477 mm Hand, 5.000°"


def test_a_motion_file_plays(ran):
    lines = ran("play_motion", "hero.glb", "steps.motion.toml")
    assert [line[:5] for line in lines] == ["0.0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s"]
    assert "name='left'" in lines[1]


def test_clips_become_a_table(ran, tmp_path):
    ran("clip_table", "clips.csv", "hero.glb", "characters/00.gltf")
    rows = (tmp_path / "clips.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 5 + 4
    assert "hero.glb,Walk,1.000,2043,0.0000" in rows


def test_morph_targets_are_drawn(ran):
    (names,) = ran("morph_targets", "hero.glb", "Head", "faces.png")
    with Image.open("faces.png") as picture:
        cells = np.split(np.asarray(picture.convert("L")), len(names.split()), axis=1)
    assert len({cell.tobytes() for cell in cells}) == len(cells) == 5


def test_the_posed_surface_is_that_of_rules(ran):
    ran("posed_surface", "hero.glb", "Walk", "0.25", "points.obj")
    seen = []

    @rigview.rule("surface", fix="none")
    def surface(context):
        """it is measured"""
        seen.append(context.vertices("Walk", 0.25)[0])

    rigview.check("hero.glb", rules=[surface])
    points = np.loadtxt("points.obj", usecols=(1, 2, 3))
    for corner in (np.min, np.max):
        np.testing.assert_allclose(corner(points, axis=0), corner(seen[0], axis=0), atol=2e-5)


@pytest.mark.parametrize("path", SCRIPTS.values(), ids=SCRIPTS)
def test_scripts_use_public_names_only(path):
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = (
                [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            )
            assert not [name for name in names if (name or "").startswith("rigview.")]
        if isinstance(node, ast.Attribute):
            assert node.attr[0] != "_"
            if isinstance(node.value, ast.Name) and node.value.id == "rigview":
                assert node.attr in rigview.__all__
    code = [
        line for line in text.splitlines()[1:] if line and not line.startswith(("import", "from"))
    ]
    assert len(code) <= LONGEST


def test_the_manual_lists_the_scripts():
    listed = {name for name in SCRIPTS if f"(scripts/{name}.py)" in TEXTS["python.md"]}
    assert listed == set(SCRIPTS)


def found_by_mypy(*files):
    """The errors that mypy finds in scripts, and its exit code."""
    if not (ROOT / ".mypy_cache").exists() or find_spec("mypy") is None:
        pytest.skip("make check has not run here: without its cache this takes minutes")
    mypy = [sys.executable, "-m", "mypy", *files]
    ran = subprocess.run(mypy, cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


def test_types():
    assert found_by_mypy(*SCRIPTS.values())[0] == 0


def test_wrong_options_are_found_by_mypy(tmp_path):
    wrong = {
        'bacground="red"': 'did you mean "background"?',
        'view="fron"': 'Argument "view" to "render" has incompatible type',
        'shadow="no"': 'Argument "shadow" to "render" has incompatible type "str"',
    }
    calls = [f'rigview.render("a.glb", {option})' for option in wrong]
    script = tmp_path / "script.py"
    script.write_text("\n".join(["import rigview", "", *calls]), encoding="utf-8")
    code, text = found_by_mypy(script)
    assert code == 1
    assert [error for error in wrong.values() if error not in text] == []
