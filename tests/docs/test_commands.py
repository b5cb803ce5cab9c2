"""Every command in README.md and the manual works; one that no test here knows is a failure."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from rigview import __version__
from rigview.batch import parallel
from rigview.checks.baseline import as_text
from rigview.cli import bench
from rigview.cli.main import main
from rigview.fields.command_groups import COMMANDS
from rigview.gltf.document import open_document
from rigview.images.exr import frame_light
from rigview.images.video import ENDINGS as MOVING
from rigview.loading.load import load
from rigview.motion.document import MotionDoc
from rigview.options.config_file import why_not_in_projects
from rigview.options.table import ROWS
from rigview.resources import asset_path
from rigview.scenedoc.view_modes import VIEWS
from rigview.session.commands.actions import ACTIONS
from rigview.tasks import command_timing
from tests.docs.recipes import NEW_FILES
from tests.support.blender_stand_in import StandIn, write
from tests.support.command_files import write_document
from tests.support.feature_rows import write_files
from tests.support.git_repository import LOCAL, git
from tests.support.gltf_documents import make_glb
from tests.support.light_mannequin import light_mannequin
from tests.support.motion_texts import document_from
from tests.support.pages import BLOCKS, FENCED, FILES, LINES, PAGES, PYTEST, ROOT, TEXTS
from tests.support.videos import need_encoder, read_film

OURS = [line for line in LINES if line.startswith("rigview ")]
MAKE = [line for line in LINES if line.startswith("make ")]
PIPX = [line for line in LINES if line.startswith("pipx ")]
SAID = "\n".join((*LINES, *FILES.values()))
CLIPS = frozenset(  # that the character has: a sheet of all would take a minute
    clip.name
    for clip in load(asset_path("mannequin.glb")).clips
    if re.search(rf"\b{clip.name}\b", SAID)
)
FEW = frozenset({"Run", "Walk"})
HEADLESS = set(COMMANDS) - {"view"}
WINDOW = [line for line in OURS if line.split()[1] not in HEADLESS and "--help" not in line]


def _others(kind):
    """Return the blocks of a language, apart from files of the project."""
    return [block for each, block in BLOCKS if each == kind and block not in FILES.values()]


def clips_for(line):
    """Return the clips that the character of a line needs: two, or all that the pages name."""
    others = (*(CLIPS - FEW), "motion")
    return CLIPS if any(re.search(rf"\b{each}\b", line) for each in others) else FEW


@pytest.fixture
def folder(tmp_path, monkeypatch, request):
    """A folder with a character in it, which commands run in; it has the clips that pages name."""
    line = request.node.callspec.params.get("line", "motion")
    (tmp_path / "character.glb").write_bytes(light_mannequin(clips_for(line)))
    write_files(tmp_path)
    shutil.copy(asset_path("mannequin_shield.glb"), tmp_path)
    for name in ("greeting.motion.toml", "studio.toml", "clips.toml"):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    (tmp_path / "known.json").write_text(as_text(()), encoding="utf-8")
    (tmp_path / "characters").mkdir()
    small = write_document(tmp_path / "small.gltf").read_text(encoding="utf-8")
    for name in ("small", "other"):
        path = tmp_path / "characters" / f"{name}.gltf"
        path.write_text(small.replace('"Turn"', '"Walk"'), encoding="utf-8")
    stand_in = StandIn(tmp_path / "programs")
    monkeypatch.setenv("RIGVIEW_BLENDER", str(stand_in.program))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("hero.blend", "hero.fbx", "sources/hero.blend"):
        write(tmp_path / name)
    write(tmp_path / "run.fbx", "two")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def older(folder):
    """An older version of the character beside it: the arms of Walk are swapped."""
    document = open_document(folder / "character.glb")
    walk = next(clip for clip in document.json["animations"] if clip["name"] == "Walk")
    nodes = [node.get("name") for node in document.json["nodes"]]
    arms = [
        walk["samplers"][channel["sampler"]]
        for channel in walk["channels"]
        if nodes[channel["target"]["node"]] in ("LeftArm", "RightArm")
        and channel["target"]["path"] == "rotation"
    ]
    one, two = arms
    one["input"], two["input"] = two["input"], one["input"]
    one["output"], two["output"] = two["output"], one["output"]
    (folder / "old.glb").write_bytes(make_glb(document.json, document.chunk))
    return folder


@pytest.fixture
def history(older, monkeypatch):
    """The older version as HEAD~1 of a git history."""
    if not shutil.which("git"):
        pytest.skip("git is not here")
    for name in LOCAL:
        monkeypatch.delenv(name, raising=False)
    git("init", "-q")
    newer = (older / "character.glb").read_bytes()
    for data, words in (((older / "old.glb").read_bytes(), ""), (newer, "two")):
        (older / "character.glb").write_bytes(data)
        write(older / "hero.blend", words)
        git("add", "character.glb", "hero.blend")
        git("commit", "-q", "-m", "a version")
    return older


def test_every_line_is_tested_below():
    assert {kind for kind, _ in BLOCKS} == {
        "sh",
        "python",
        "toml",
        "yaml",
        "ini",
        "mermaid",
        "text",
        "",
    }
    assert sorted(LINES) == sorted(OURS + MAKE + PIPX + PYTEST)
    assert {"make run", "make test", "make check"} <= set(MAKE)
    assert {line.split()[1] for line in OURS if line not in WINDOW} >= HEADLESS


def check_output(path):
    """Look into what a command wrote."""
    if path.suffix == ".png":
        with Image.open(path) as picture:
            shown = np.asarray(picture.convert("RGBA"), np.float32)
        assert shown.std() > 5.0, "there is something to see"
    elif path.suffix == ".exr":
        av = pytest.importorskip("av")
        with av.open(str(path), format="exr_pipe") as container:
            assert frame_light(next(container.decode(video=0))).std() > 0.01
    elif path.suffix in MOVING:
        made = read_film(path).frames
        assert len(made) > 4
        assert made.std() > 5.0
        assert (made[0] != made[len(made) // 3]).any()
    elif path.suffix == ".npz":
        with np.load(path) as arrays:
            assert np.isfinite(arrays["node_global"]).all()
    elif path.suffix == ".glb":
        assert load(path).clips
    elif path.suffix == ".html":
        page = path.read_text(encoding="utf-8")
        shown = page.count("<article ")
        assert page.count('class="tile"') >= shown * 2, "two clips a character"
        assert "<video " in page or page.count("octet-stream") == max(shown, 1)
    elif path.suffix == ".svg":
        assert "</svg>" in path.read_text(encoding="utf-8")
    else:
        assert "node_global" in json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def hasty_bench(monkeypatch):
    """Measure once: the figures are not tested here."""
    monkeypatch.setattr(bench, "TIME_LIMIT", 0.002)
    monkeypatch.setattr(bench, "RUNS", 4)
    monkeypatch.setattr(command_timing, "RUNS", 1)
    monkeypatch.setattr(command_timing, "CELL", (32, 32))


@pytest.fixture
def coarse(tmp_path, monkeypatch):
    """Settings of small, coarse pictures and films, and one process for many files: faster."""
    monkeypatch.setattr(parallel, "cores", lambda: 1)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    defaults = tmp_path / "settings" / "rigview" / "config.toml"
    defaults.parent.mkdir(parents=True)
    settings = 'samples = 1\nocclusion = false\nframe-rate = 10\nresolution = "160,120"\n'
    defaults.write_text(settings, encoding="utf-8")


@pytest.mark.usefixtures("hasty_bench", "coarse")
@pytest.mark.parametrize("line", [line for line in OURS if line not in WINDOW])
def test_command(line, folder, capfd, request):
    line, _, redirected = line.partition(" > ")
    need_encoder(line)
    arguments = shlex.split(line)[1:]
    differs = arguments[0] == "diff"
    if differs or "old.glb" in arguments:
        request.getfixturevalue("history" if "HEAD" in line else "older")
        capfd.readouterr()
    found = (  # the files have errors
        arguments[0] == "check" and "characters/" in arguments and "never" not in arguments
    )
    assert main(arguments) == (differs or found)
    shown = capfd.readouterr()
    assert shown.err.count("\n") == ("--anims" in arguments)  # how they fitted
    if "--json" in arguments:
        assert json.loads(shown.out)
    if redirected.endswith(".xml"):
        assert ElementTree.fromstring(shown.out).tag == "testsuites"
    if "-o" not in arguments:
        assert shown.out
        return
    output = arguments[arguments.index("-o") + 1]
    written = sorted(folder.glob(re.sub(r"\{.*?\}|#+", "*", output)))
    many = {"{frame:04}": 3, "##": 8, ".{model}": 2}
    assert len(written) == next((many[part] for part in many if part in output), 1)
    for path in written:
        check_output(path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a window would open here")
@pytest.mark.parametrize("line", WINDOW)
def test_window_without_a_display_says_what_to_do(line, folder, request):
    if "HEAD" in line or "old.glb" in line:
        request.getfixturevalue("history" if "HEAD" in line else "older")
    bare = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    ran = subprocess.run(
        [sys.executable, "-m", "rigview", *shlex.split(line)[1:]],
        env=bare | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 4
    assert "render" in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.skipif(not shutil.which("make"), reason="make is not here")
@pytest.mark.parametrize("line", MAKE)
def test_make_knows_the_target(line):
    ran = subprocess.run(
        [*shlex.split(line), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


def test_pipx_lines_name_what_can_be_installed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["scripts"]) == {"rigview"}
    assert project["dynamic"] == ["version"]
    assert sorted(PIPX) == [
        "pipx install .",
        f"pipx install dist/{project['name']}-{__version__}-py3-none-any.whl",
    ]


PYTHON = [
    block
    for page in ("README.md", "python.md")
    for kind, block in FENCED.findall(TEXTS[page])
    if kind == "python"
]


@pytest.mark.parametrize("source", dict.fromkeys(PYTHON))
def test_python(source, folder):
    names = {}
    exec(source, names)  # the manual's own lines
    if "picture" in names:
        assert names["picture"].std() > 5.0
    if "gltf" in names:
        assert load("renamed.glb").skeleton.names[0] == "Root"
        return
    if "dull" in names:
        again = load("dull.glb")
        assert again.materials[0].roughness == 0.9
        assert again.meshes[0].primitives[0].weights[7].tolist() == [1, 0, 0, 0]
    if "film" in names:
        assert names["film"].shape == (31, 64, 64, 4)
    if "same" in names:
        np.testing.assert_allclose(names["points"], names["same"], atol=1e-12)
        np.testing.assert_allclose(names["back"], names["curve"], atol=1e-12)
    if "even" in names:
        assert load("nodding.glb").clips[-1].key_count == 2 * 25
    if "smaller" in names:
        assert len(names["smaller"].data) < (folder / "captured.glb").stat().st_size
        assert "capture" in load("smaller.glb").clips
    if "matrices" in names:
        assert names["matrices"].shape == (names["model"].skeleton.count, 4, 4)
    if "pose" in names and "matrices" in names:
        moved = names["pose"].rotation - names["model"].skeleton.rest.rotation
        assert np.abs(moved).max() > 0.1


@pytest.mark.parametrize(
    "text", [*_others("toml"), *(text for name, text in FILES.items() if "motion" in name)]
)
def test_motion_file(text):
    assert document_from(text) != MotionDoc()


def test_views_are_those_there_are():
    table = (ROOT / "docs" / "views.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w[\w-]*)` \| (.+) \|$", table, re.MULTILINE)
    assert rows == [(name, view.what) for name, view in VIEWS.items()]


def test_keys_are_those_of_the_window():
    table = TEXTS["window.md"].partition("## Keys\n")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[0].strip("| ") for line in table.splitlines() if " | " in line]
    text = " ".join(cells).replace("`", "")
    arrows = {"←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "PgUp": "PageUp"}
    for short, name in (arrows | {"PgDn": "PageDown"}).items():
        text = text.replace(short, name)
    named = set(text.split()) - {"or", "---"}
    assert named == {key for action in ACTIONS for key in action.keys} - {"Ctrl+Y"}


def _anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\((?!https?://)([^)]+)\)", text):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in _anchors(target.read_text(encoding="utf-8")), link
    files = re.findall(r"`((?:app|tests|assets|shaders|\.ci)/[^`]+)`", text)
    assert [file for file in files if not (ROOT / file).exists() and file not in NEW_FILES] == []


def test_what_a_project_cannot_set_is_listed():
    text = (
        TEXTS["commands.md"].partition("overwrites or updates files")[2].partition("Such a key")[0]
    )
    named = {row.option.name for row in ROWS if why_not_in_projects(row.option)} - {
        "config",
        "no-config",
        "rules",
    }
    assert set(re.findall(r"`([\w-]+)`", text)) == named
