"""Docstrings of the public names: a sentence, parameters, and examples that run."""

import doctest
import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import rigview
from rigview.model.named_clips import Clips
from tests.support.animated_value_files import robot_arm
from tests.support.bvh_text import body_bvh
from tests.support.light_mannequin import light_mannequin
from tests.support.pages import FILES

NAMES = sorted(set(rigview.__all__) - {"__version__"})
CLIPS = frozenset({"Idle", "Run", "Walk", "Wave"})
FINDER = doctest.DocTestFinder(exclude_empty=True)
FLAGS = doctest.NORMALIZE_WHITESPACE


ALONE = ("__main__", "pyglet_events", "blender_script")  # the last two: a display, and Blender


@pytest.fixture(scope="module", autouse=True)
def every_module():
    """All modules are imported first: a package must not replace a function of its name."""
    for found in pkgutil.walk_packages(rigview.__path__, "rigview."):
        if found.name.rpartition(".")[2] not in ALONE:
            import_module(found.name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that examples name."""
    made = tmp_path_factory.mktemp("examples")
    for name in ("hero", "old"):
        (made / f"{name}.glb").write_bytes(light_mannequin(CLIPS))
    (made / "new.glb").write_bytes(light_mannequin(CLIPS - {"Wave"}))
    (made / "sword.glb").write_bytes(robot_arm().glb())
    (made / "capture.bvh").write_text(body_bvh(), encoding="utf-8")
    (made / "steps.motion.toml").write_text(FILES["steps.motion.toml"], encoding="utf-8")
    return made


@pytest.fixture
def names(folder, monkeypatch):
    """The names that examples use."""
    monkeypatch.chdir(folder)
    return {"rigview": rigview, "np": np, "Path": Path, "model": rigview.load("hero.glb")}


@pytest.mark.parametrize("name", [*NAMES, "Clips"])
def test_examples(name, names):
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    report: list[str] = []
    public = getattr(rigview, name, Clips)
    for test in FINDER.find(public, name, module=False, globs=dict(names)):
        runner.run(test, out=report.append)
    assert not report, "".join(report)
    assert runner.tries


@pytest.mark.parametrize("name", NAMES)
def test_sections(name):
    public = getattr(rigview, name)
    text = inspect.getdoc(public)
    first, _, rest = text.partition("\n")
    assert re.fullmatch(r"[A-Z].*\S", first)
    assert "\nExamples\n--------\n>>> " in rest
    if isinstance(public, type):
        return
    for parameter in inspect.signature(public).parameters:
        assert re.search(rf"^(\w+, )*{parameter}(, \w+)*$|`{parameter}`", text, re.M), parameter


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_what_its_module_has(name):
    public = getattr(rigview, name)
    assert callable(public)
    assert public is getattr(import_module(f"rigview.{rigview._MODULES[name]}"), name)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_member_is_described(name):
    public = getattr(rigview, name)
    if not isinstance(public, type):
        return
    for key, member in vars(public).items():
        if key[0] != "_" and (callable(member) or isinstance(member, property)):
            assert inspect.getdoc(getattr(public, key)), key
