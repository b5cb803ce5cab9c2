"""The view copied as Python and as a pytest case draws the same picture."""

import ast

import numpy as np
import pytest

from rigview import render
from rigview.cli.main import main
from rigview.session.commands.actions import action
from rigview.session.copied_text import as_python, as_test
from rigview.session.session import Session
from tests.support.copied_commands import CHARACTER, SIZE, draw_session, open_session
from tests.support.fixed_clock import FixedClock
from tests.support.session_states import (
    all_overlays,
    different_clips,
    ghost_and_axes,
    open_files,
    rest_pose,
    second_selected,
    surface_view,
)


def run_script(text):
    names = {}
    exec(text, names)  # as a user would paste it
    return names["image"]


def run_test_case(text):
    """Run a test case with fixtures that record their arguments."""
    names, kept = {}, {}
    exec(text, names)
    (test,) = (value for name, value in names.items() if name.startswith("test_"))
    test(render, lambda image, name: kept.update(image=image, name=name))
    return kept["image"], kept["name"]


@pytest.mark.parametrize("state", [all_overlays, ghost_and_axes, rest_pose, surface_view])
def test_script_draws_the_same_picture(gl, state):
    session = open_session(CHARACTER)
    samples = state(session)
    text, case = as_python(session, SIZE, samples), as_test(session, SIZE, samples)
    shown = draw_session(gl, session, samples)
    with gl:
        np.testing.assert_array_equal(run_script(text), shown, err_msg=text)
        image, name = run_test_case(case)
    np.testing.assert_array_equal(image, shown)
    assert name.startswith("mannequin")


@pytest.mark.parametrize("state", [different_clips, second_selected])
def test_script_of_several_files(gl, paths, state):
    session = open_files(paths)
    state(session, paths)
    text = as_python(session, SIZE, 1)
    shown = draw_session(gl, session, 1)
    with gl:
        found = run_script(text)
    np.testing.assert_array_equal(found, shown, err_msg=text)


def test_default_arguments_are_left_out():
    session = open_session(CHARACTER)
    action("pose").run(session)
    (_, assigned) = ast.parse(as_python(session, (1024, 1024), 16)).body
    call = assigned.value
    assert [ast.literal_eval(each) for each in call.args] == [str(CHARACTER)]
    assert {each.arg for each in call.keywords} == {"pose", "camera_position", "camera_target"} | (
        {"no_motion"} if CHARACTER.with_suffix(".motion.toml").exists() else set()
    )


def test_empty_scene_has_no_script():
    empty = Session(FixedClock(60.0))
    assert as_python(empty, SIZE, 4) == as_test(empty, SIZE, 4) == ""


def test_script_and_command_agree(tmp_path, capsys):
    path = tmp_path / "x.png"
    options = {"resolution": (64, 64), "samples": 1}
    image = render([CHARACTER, CHARACTER], ["Walk", 3], [0.2, 0.4], no_motion=True, **options)
    line = ["render", CHARACTER, CHARACTER, "--animation", "Walk", "--animation", "#3"]
    line += ["--time", "0.2", "--time", "0.4", "--no-motion", "--resolution", "64,64"]
    assert main([*map(str, line), "--samples", "1", "-o", str(path), "--quiet"]) == 0
    from PIL import Image

    with Image.open(path) as picture:
        np.testing.assert_array_equal(np.asarray(picture.convert("RGBA")), image)
