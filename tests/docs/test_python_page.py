"""The calls and names of the page about Python exist; its blocks are run with the commands."""

import re
from importlib import import_module

import numpy as np
import pytest

import rigview
from rigview.animation.transform import compose
from tests.support.animated_value_files import robot_arm
from tests.support.light_mannequin import light_mannequin
from tests.support.pages import BLOCKS, FENCED, FILES, TEXTS

PAGE = TEXTS["python.md"]
CALLS = re.findall(r"^\| `(\w+\([^`]*\))` \|", PAGE, re.MULTILINE)
NAMES = re.findall(r"`rigview((?:\.\w+)+)`", FENCED.sub("", PAGE))
PUBLIC = set(rigview.__all__) - {"__version__"}


@pytest.fixture
def names(tmp_path, monkeypatch):
    """The public names, and the arguments of the table."""
    path, motion = tmp_path / "character.glb", tmp_path / "steps.motion.toml"
    path.write_bytes(light_mannequin(frozenset({"Run", "Walk"})))
    motion.write_text(FILES["steps.motion.toml"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sword.glb").write_bytes(robot_arm().glb())
    model = rigview.load(path)
    place = np.float32((0.4, 1.2, 0.3)), np.float32((0, 0, 0.6, 0.8)), np.ones(3, np.float32)
    return {name: getattr(rigview, name) for name in PUBLIC} | {
        "path": path,
        "source": path,
        "motion": motion,
        "model": model,
        "document": rigview.read_motion(motion).document,
        "clip": "Walk",
        "time": 0.25,
        "size": (32, 32),
        "skeleton": model.skeleton,
        "pose": model.skeleton.rest.copy(),
        "joint": model.skeleton.find("LeftHand"),
        "matrix": compose(*place),
        "output": tmp_path / "saved.glb",
        "a": path,
        "b": model,
        "other": path,
        "walk": model.clips["Walk"],
        "keys": [rigview.Key(0.0, np.float32([0])), rigview.Key(1.0, np.float32([1]))],
    }


def test_the_table_has_all_public_names():
    rows = re.findall(r"^\| (`.*?`) \| ", PAGE.partition("\n## ")[0], re.M)
    assert {name for row in rows for name in re.findall(r"`(\w+)", row)} == PUBLIC


@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_the_table_works(call, names):
    call = call.replace(", …", ", resolution=(32, 32), samples=1")
    if call.startswith("read_motion"):
        names["path"] = names["motion"]
    eval(call, names)  # the manual's own calls


@pytest.mark.parametrize("name", sorted(set(NAMES)))
def test_a_name_of_the_page_exists(name):
    module, _, last = f"rigview{name}".rpartition(".")
    assert hasattr(import_module(module), last)


def test_each_public_function_is_in_a_block():
    blocks = "\n".join(block for kind, block in BLOCKS if kind == "python")
    functions = {name for name in PUBLIC if not isinstance(getattr(rigview, name), type)}
    assert {name for name in functions if not re.search(rf"\b{name}\b", blocks)} == set()


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_name_is_documented(name):
    public = getattr(rigview, name)
    assert public.__doc__
    assert not public.__doc__.startswith(f"{name}(")  # that dataclasses make
    assert name in dir(rigview)


@pytest.mark.parametrize("call", re.findall(r"`(model\.\w+\([^`]*\))`", PAGE))
def test_a_call_in_the_text_works(call, names):
    eval(call, names)  # the manual's own calls


def test_the_table_of_a_model_has_what_there_is(names):
    table = PAGE.partition("| of `model` | |\n| --- | --- |\n")[2].partition("\n\n")[0]
    model = names["model"]
    part = next(part for mesh in model.meshes for part in mesh.primitives if part.morph)
    known = (model, model.skeleton, model.clips[0], model.meshes[0], part, part.morph)
    known += (model.instances[0], model.skins[0], model.channels[0], names["pose"])
    words = set(re.findall(r"`(?:pose\.)?([a-z_]+)(?:\([^`]*\))?`", table))
    assert [word for word in words if not any(hasattr(each, word) for each in known)] == []
