"""A copy of the project with the worked examples of docs/contributing.md runs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.recipes import NEW_FILES, RECIPES
from tests.support.git_repository import LOCAL, git
from tests.support.pages import ROOT
from tests.support.rule_figure import HIPS, Figure

SMALL = ("--resolution", "64,64", "--samples", "1", "--no-occlusion", "--no-shadow")
GIVEN = "resolution=(64, 64), samples=1, occlusion=False, shadow=False"
COPY = f"""
import sys
from pathlib import Path
from rigview import render
from rigview.session.commands.actions import action
from rigview.session.copied_text import copy_command
from tests.support.copied_commands import SIZE, open_session

without, shown = (render(sys.argv[1], origin=origin, {GIVEN}) for origin in (False, True))
print((without != shown).any())
session = open_session(Path(sys.argv[1]))
print("--origin" in copy_command(session, SIZE, 1))
action("origin").run(session)
print("--origin" in copy_command(session, SIZE, 1))
"""
LAYERS = """
import sys
from tests import test_layers as layers

layers.test_base_names_are_used_once_or_have_a_common_meaning()
for path in map(layers.ROOT.joinpath, sys.argv[1:]):
    source = path.read_text(encoding="utf-8")
    assert not layers.faults(layers.name_of(path), source)
    assert layers.statements(source)[0], "a module has a docstring"
"""


class Tree:
    """A copy of the project with the recipes, run as programs."""

    def __init__(self, root):
        self.root = root
        self.changed = {step.file for each in RECIPES.values() for step in each.steps}
        large = shutil.ignore_patterns("golden", "feature_pictures", "readme")
        for name in (".ci", "app", "assets", "docs", "shaders", "tests"):
            shutil.copytree(ROOT / name, root / name, ignore=None if name == "app" else large)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, root / name)
        for recipe in RECIPES.values():
            for step in recipe.steps:
                step.apply(root)

    def run(self, *arguments):
        """Return what Python prints with arguments, in the folder of the copy."""
        environment = os.environ | {"PYTHONPATH": str(self.root / ".ci" / "editable")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        ran = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.root,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def rigview(self, *arguments):
        return self.run("-m", "rigview", *arguments)

    def render(self, *arguments):
        """Return a small picture as the bytes of a file."""
        picture = self.root / "picture.png"
        self.rigview("render", self.character, *SMALL, *arguments, "-o", picture)
        return picture.read_bytes()

    @property
    def character(self):
        """A character whose hips are half a metre beside the origin."""
        path = self.root / "figure.glb"
        if not path.exists():
            figure = Figure()
            figure.nodes[HIPS]["translation"] = [0.5, 0.9, 0.0]
            path.write_bytes(figure.builder().glb())
        return path


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return Tree(tmp_path_factory.mktemp("recipes") / "project")


def files_of(title):
    return {step.file for step in RECIPES[title].steps if step.file.startswith("app/")}


@pytest.mark.parametrize(
    ("title", "most"),
    [("An option that draws", 4), ("A command", 2), ("A check rule", 2), ("A panel", 2)],
)
def test_files_of_the_program(title, most):
    assert 0 < len(files_of(title)) <= most


def test_every_recipe_with_code_is_tested():
    assert set(RECIPES) == {"An option that draws", "A command", "A check rule", "A panel"}


def test_option_is_in_the_help(tree):
    assert "--origin" in tree.rigview("render", "--help")
    assert "--origin" not in tree.rigview("info", "--help")


def test_option_changes_pictures(tree):
    config = tree.root / "studio.toml"
    config.write_text("origin = true\n", encoding="utf-8")
    without, shown = tree.render(), tree.render("--origin")
    assert without != shown
    assert tree.render("--config", config) == shown


def test_option_is_taken_from_python_and_copied_from_the_window(tree):
    assert tree.run("-c", COPY, tree.character).split() == ["True", "False", "True"]
    (module,) = RECIPES["An option that draws"].modules
    tree.run("-m", module)
    types = (tree.root / "app" / "options" / "render_options.py").read_text(encoding="utf-8")
    assert "    origin: bool | None\n" in types


def test_rule_finds_the_fault(tree):
    found = tree.rigview("check", tree.character)
    assert "limit 200 mm · /nodes/1 · origin-distance" in found
    assert "origin-distance (info)" in tree.rigview("check", "--rules")


def test_table_of_rules_is_updated(tree):
    page = tree.root / "docs" / "checks.md"
    assert "origin-distance" not in page.read_text(encoding="utf-8")
    (module,) = RECIPES["A check rule"].modules
    tree.run("-m", module)
    assert "| `origin-distance` | Rig | info |" in page.read_text(encoding="utf-8")


def test_command_runs(tree):
    assert "  durations " in tree.rigview("--help")
    assert "rigview durations character.glb" in tree.rigview("durations", "--help")
    assert tree.rigview("durations", tree.character) == "   1.000 s  Nod\n"


def test_tests_of_the_recipes_pass(tree):
    """Among them that of the panel, which draws it headless."""
    own = sorted(file for file in NEW_FILES if file.startswith("tests/"))
    assert len(own) == 3
    rules = "tests/checks/test_rule_list.py::test_"
    ran = tree.run(
        *("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *own),
        f"{rules}every_rule_has_a_case",
        f"{rules}broken_file_has_a_finding[origin-distance]",
        f"{rules}valid_file_has_no_finding[origin-distance]",
    )
    assert "6 passed" in ran


def test_imports_of_the_recipes_follow_the_order_of_packages(tree):
    files = sorted(file for file in tree.changed if file.startswith("app/"))
    assert len(files) == sum(len(files_of(title)) for title in RECIPES)
    tree.run("-c", LAYERS, *files)


def test_code_of_the_recipes_has_the_style_of_the_project(tree):
    if not shutil.which("ruff", path=Path(sys.executable).parent):
        pytest.skip("ruff is not here")
    files = sorted(file for file in tree.changed if file.endswith(".py"))
    tree.run("-m", "ruff", "format", "--check", "--no-cache", *files)
    tree.run("-m", "ruff", "check", "--no-cache", *files)


def test_words_of_the_recipes_are_those_of_the_project(tree, monkeypatch):
    if not shutil.which("git"):
        pytest.skip("git is not here")
    for name in LOCAL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tree.root)
    git("init", "-q")
    git("add", *sorted(NEW_FILES))
    assert tree.run("-m", "tests.test_words") == "0 slips\n"
