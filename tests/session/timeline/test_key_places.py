"""Where the keys of a clip in a layer are on the ruler."""

import math

import numpy as np
import pytest

from rigview.motion.document import At, ClipSettings, Fade, LayerSettings, MotionDoc
from rigview.session import character_files, playing
from rigview.session.session import Session
from rigview.session.timeline.key_places import KeyPlaces, playing_keys
from tests.support.clips import sliding_clip
from tests.support.fixed_clock import FixedClock
from tests.support.models import make_model, square

KEYS = np.array([0.0, 0.5, 2.0])


def session_with(document, tau):
    session = Session(FixedClock(30.0))
    session.tick()
    clips = sliding_clip("Long", *KEYS), sliding_clip("Short", 0.0, 1.0)
    character_files.show_model(session, make_model([square()], clips=clips))
    session.editor.start(document)
    session.transport.pause_at(tau)
    session.update()
    return session


def test_keys_of_a_single_clip_are_where_they_are():
    session = session_with(MotionDoc(), 0.3)
    playing.choose_clip(session.active, 0)
    found = playing_keys(session.transport)
    assert found.clip.name == "Long"
    assert found.places.on_ruler(KEYS, 0.0, 2.0) is KEYS


@pytest.mark.parametrize("loop", [None, "pingpong", "3"])
@pytest.mark.parametrize("speed", [1.0, -0.5])
def test_keys_of_a_layer_are_where_they_are_passed(loop, speed):
    layer = LayerSettings("base", "Long", speed=speed)
    document = MotionDoc(clips={"Long": ClipSettings(loop=loop)}, layers=(layer,))
    session = session_with(document, 0.7)
    clip, places = playing_keys(session.transport)
    assert clip.name == "Long"
    times = places.on_ruler(KEYS, 0.0, 9.0)
    assert len(times) >= 3
    assert (np.diff(times) > 0).all()
    for time in times[times > 0].tolist():
        session.transport.pause_at(time - 1e-7)
        session.update()
        (_, source), *_ = session.character.mixer.playing()
        near = np.abs(KEYS - float(source.time)).min()
        assert near < 1e-5, time


def test_the_new_clip_of_a_fade():
    fade = At(1.0, Fade("base", "Short", 0.5, in_phase=False))
    document = MotionDoc(layers=(LayerSettings("base", "Long"),), at=(fade,))
    session = session_with(document, 1.2)
    clip, places = playing_keys(session.transport)
    assert clip.name == "Short"
    assert places.on_ruler(np.array([0.0, 1.0]), 0.5, 3.2) == pytest.approx([1.0, 2.0, 3.0])


def test_passes_and_ends():
    places = KeyPlaces(0.5, 1.0, 1.0, 2.0, passes=2.0)
    assert places.on_ruler(np.array([0.0, 1.0]), 0.0, 9.0) == pytest.approx([2.5, 3.5])
    assert not len(KeyPlaces(0.5, 1.0, passes=math.inf).on_ruler(np.array([0.2]), 0.0, 9.0))
