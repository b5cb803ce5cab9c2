"""Cuts to cameras of the character's file."""

import math

import pytest

from rigview.errors import MotionError, UsageError
from rigview.motion.bind import bind
from rigview.motion.document import At, Cut
from rigview.motion.edit import renamed_layer, without_layer
from rigview.motion.set_and_at import parse_at
from rigview.scene.camera import FileCamera
from rigview.scene.scene import Scene
from tests.support import animated_value_files
from tests.support.motion_texts import document_from

TEXT = """
version = 1
[[layers]]
name = "base"
play = "Zoom"
[[at]]
time = 1
cut = { camera = "Crane" }
[[at]]
time = 0.5
cut = { camera = "Wide" }
[[at]]
time = 2
cut = { camera = "" }
"""


def staged(text=TEXT):
    scene = Scene()
    model = animated_value_files.two_cameras().load()
    scene.show(model).play(bind(model, document_from(text)), 10.0)
    return scene


def seen(scene, tau):
    scene.update(10.0 + tau)
    return scene.camera.file_camera


def test_a_cut_holds_from_its_time_until_the_next_one():
    scene = staged()
    times = 0.0, 0.49, 0.5, 0.99, 1.0, 1.9, 2.0, 30.0
    assert [seen(scene, tau) for tau in times] == [-1, -1, 0, 0, 1, 1, -1, -1]


def test_camera_depends_only_on_time():
    scene = staged()
    order = 1.5, 0.2, 0.7, 2.5, 0.6, 0.0
    assert [seen(scene, tau) for tau in order] == [1, -1, 0, -1, 0, -1]


def test_cut_uses_field_of_view_and_animation():
    scene = staged()
    scene.update(10.75)
    lens = scene.camera.used
    assert isinstance(lens, FileCamera)
    expected = 0.25 * math.radians(90) + 0.75 * 2 * math.atan(0.5)
    assert lens.shown.yfov == pytest.approx(expected, rel=1e-5)
    scene.update(11.25)
    assert scene.camera.used.ortho


def test_before_the_first_cut_the_chosen_camera_is_used():
    scene = staged()
    scene.camera.file_camera = 1
    assert [seen(scene, tau) for tau in (0.0, 0.6, 0.1)] == [1, 0, 1]


def test_free_camera_between_cuts():
    scene = staged()
    assert seen(scene, 0.6) == 0
    scene.camera.file_camera = -1
    assert [seen(scene, tau) for tau in (0.7, 0.9, 1.2)] == [-1, -1, 1]


def test_single_clip_has_no_cuts():
    scene = staged()
    assert seen(scene, 1.5) == 1
    scene.character.play_clip(0, 11.5)
    assert seen(scene, 1.6) == -1


def test_unknown_camera():
    with pytest.raises(MotionError) as caught:
        staged(TEXT.replace("Crane", "Cran"))
    assert "no camera 'Cran'" in str(caught.value) or 'no camera "Cran"' in str(caught.value)


def test_on_the_command_line():
    assert parse_at("1:cut:Crane").at == At(1.0, Cut("Crane"))
    assert parse_at("0.5:cut:'a=b'").at == At(0.5, Cut("a=b"))
    with pytest.raises(UsageError):
        parse_at("x:cut:Crane")


def test_layer_edits_keep_the_camera():
    document = document_from(TEXT)
    assert renamed_layer(document, "base", "main").at == document.at
    assert without_layer(document, "base").at == document.at
