"""The look of a picture: a record whose parts are replaced."""

import pickle

import pytest

from rigview.scenedoc.look import CLEAR, GRADIENTS, Background, Lighting, Look, Overlays, Shading

RED = (1.0, 0.0, 0.0, 1.0)


def test_an_equal_value_changes_nothing():
    look = Look().changed(Overlays, skeleton=True)
    assert look.changed(Overlays, skeleton=True) is look
    assert look.changed(Overlays, skeleton=False) == Look()


def test_a_change_keeps_the_other_parts():
    look = Look().changed(Shading, exposure=1.0)
    changed = look.changed(Lighting, light="none")
    assert changed.shading is look.shading
    assert changed.lighting.has_given_light
    assert not look.lighting.has_given_light


@pytest.mark.parametrize(
    ("given", "transparent", "shown"),
    [(None, False, True), (None, True, False), (True, True, True), (False, False, False)],
)
def test_the_grid_is_left_out_of_transparent_pictures(given, transparent, shown):
    look = Look().changed(Overlays, grid=given).changed(Background, transparent=transparent)
    assert look.grid == shown


def test_colours_of_the_background():
    assert Background().shown("light") == GRADIENTS["light"]
    assert Background(colours=(RED,)).shown("light") == (RED,)
    assert Background(colours=(RED,), transparent=True).shown() == (CLEAR,)
    assert Background().is_opaque
    assert not Background(colours=(RED, CLEAR)).is_opaque


def test_without_the_environment():
    sky = Look().changed(Lighting, environment="sky.hdr", rotation=40.0, azimuth=3.0)
    sky = sky.changed(Background, environment=True, blur=0.5)
    assert sky.without_environment() == Look().changed(Lighting, azimuth=3.0)


def test_a_look_is_sent_to_another_process():
    look = Look().changed(Overlays, ghost="rest").changed(Background, colours=(RED,))
    assert pickle.loads(pickle.dumps(look)) == look
