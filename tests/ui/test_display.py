"""What the panels show of a file beside its clips: surface, cameras, variants, lights."""

from dataclasses import replace

import pytest

from rigview.model.model import Packed
from rigview.scene.view_modes import VIEWS
from tests.support.full_file import stocked
from tests.support.models import rod_model
from tests.support.panels import Hands


@pytest.fixture
def hands(gl, tmp_path):
    hands = Hands(gl, stocked().path(tmp_path), size=(1280, 1000))
    yield hands
    hands.close()


def test_every_view_is_in_the_list_and_shows_another_picture(hands):
    hands.click("view mode")
    listed = [name for name in hands.marks if name.startswith("view mode ")]
    assert listed == [f"view mode {name}" for name in VIEWS]
    hands.click("view mode face-normals")
    assert hands.scene.display.view_mode == "face-normals"


def test_a_view_from_the_list_ends_painted_weights(hands):
    hands.scene.display.weights_joint = 0
    hands.frames(2)
    hands.click("view mode")
    hands.click("view mode alpha")
    assert hands.scene.display.weights_joint == -1


def test_the_mouse_at_rest_is_told_what_a_view_shows(hands):
    hands.click("view mode")
    before = hands.picture()
    hands.move(*hands.place("view mode influences"))
    hands.frames(60)
    after = hands.picture()
    assert (after != before).any(axis=-1).sum() > 2000  # more than the row that is lit up


def test_views_by_key(hands):
    names = list(VIEWS)
    hands.key("v")
    assert hands.scene.display.view_mode == names[1]
    hands.key("left_shift", "v")
    hands.key("left_shift", "v")
    assert hands.scene.display.view_mode == names[-1]


def test_cameras_of_the_file(hands):
    hands.click("camera")
    listed = [name for name in hands.marks if name.startswith("camera ")]
    assert listed == ["camera -1", "camera 0", "camera 1", "camera 2"]
    hands.click("camera 1")
    assert hands.scene.lens is not hands.scene.camera
    orbit = hands.scene.camera.ortho
    hands.click("ortho")  # the file's camera has its own
    assert hands.scene.camera.ortho is orbit
    hands.click("camera")
    hands.click("camera -1")
    assert hands.scene.lens is hands.scene.camera


def test_variants_of_the_file(hands):
    hands.click("variant")
    hands.click("variant 1")
    assert hands.scene.character.variant == 1
    hands.click("variant")
    hands.click("variant -1")
    assert hands.scene.character.variant == -1


def test_a_file_without_them_has_no_lists(gl):
    hands = Hands(gl)
    try:
        hands.session.show(rod_model())
        hands.frames(2)
        assert not {"camera", "variant"} & set(hands.marks)
    finally:
        hands.close()


def test_only_morph_weights_are_morph_targets(hands):
    assert hands.session.model.channels, "what the pointers move"
    assert "morphs" not in hands.marks


def test_lights_and_what_is_not_drawn_are_in_the_facts(hands):
    hands.click("file")
    assert "not drawn" in hands.marks
    assert "light Bulb" in hands.marks
    assert "packed" not in hands.marks
    packed = (Packed("KHR_draco_mesh_compression", 5031, 22552),)
    facts = replace(hands.session.model.facts, not_drawn=(), packed=packed)
    hands.session.show(replace(hands.session.model, facts=facts, lights=()))
    hands.frames(2)
    assert "packed" in hands.marks
    assert "not drawn" not in hands.marks
    assert "light Bulb" not in hands.marks
