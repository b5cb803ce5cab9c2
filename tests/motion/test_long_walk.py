"""Positions after a day of walking."""

import numpy as np
import pytest

from rigview.animation.events import EventTrack
from rigview.motion.bind import bind
from rigview.motion.single_clip import clip_mixer_with_settings
from rigview.scene.joint_picking import joints_at
from rigview.scene.scene import Scene
from tests.support.five_joint_model import five_joint_model, slide_clip
from tests.support.motion_texts import document_from

DAY = 24 * 3600.0
STRIDE = 1.37  # metres a pass
SECONDS = 1.1  # of a pass
ROOT = '[clips.Walk]\nroot = { joint = "Hips", mode = "accumulate" }\n'
LAYERS = '[[layers]]\nname = "base"\nplay = "Walk"\n'
TIMES = (DAY, DAY + 0.31, DAY - 1.0, 7 * DAY)


def analytic(tau):
    """The way walked, metres: passes times stride, from the numbers of the clip."""
    return tau / float(np.float32(SECONDS)) * float(np.float32(STRIDE))


@pytest.fixture(params=["clip", "layers"])
def scene(request):
    built = five_joint_model(slide_clip("Walk", SECONDS, STRIDE))
    document = document_from("version = 1\n" + ROOT + LAYERS)
    mixer = bind(built, document)
    if request.param == "clip":
        mixer = clip_mixer_with_settings(built, document, 0)
    shown = Scene()
    shown.show(built).play(mixer, 0.0)
    shown.frame(1.0)
    return shown


def test_positions_are_exact_after_a_day(scene):
    for tau in TIMES:
        scene.update(tau)
        assert float(scene.character.world[0, 3]) == pytest.approx(analytic(tau), abs=1e-4)


def test_camera_and_bounds_follow(scene):
    scene.update(0.0)
    target = scene.camera.current.target.copy()
    low = scene.bounds.extent[0].copy()
    for tau in TIMES:
        scene.update(tau)
        walked = analytic(tau)
        assert scene.camera.current.target[0] - target[0] == pytest.approx(walked, abs=1e-4)
        assert scene.bounds.extent[0, 0] - low[0] == pytest.approx(walked, abs=1e-4)


def test_picking_finds_the_character(scene):
    scene.update(DAY)
    character, camera = scene.character, scene.camera.used
    joint = int(character.drawn_joints.joints[-1])
    place = camera.project(character.joint_world(joint)[:3, 3], 1.0)[:2] * 400.0
    hit = joints_at([character], camera, (400.0, 400.0), tuple(place.tolist()))[0]
    assert (hit.joint, hit.distance) == (joint, pytest.approx(0.0, abs=1e-3))


def test_a_seek_lists_no_events(monkeypatch):
    """A far time does not cost what lies between."""
    listed = []
    fired = EventTrack.fired
    monkeypatch.setattr(EventTrack, "fired", lambda *a: listed.extend(fired(*a)) or fired(*a))
    walk = '[clips.Walk]\nevents = [{ name = "step", phase = 0.5 }]\n'
    built = five_joint_model(slide_clip("Walk", 1.0, STRIDE))
    mixer = bind(built, document_from("version = 1\n" + walk + LAYERS))
    mixer.poses([DAY], built.skeleton.rest)
    assert not listed
    (event,) = mixer.events(DAY, DAY + 1)
    assert (event.tau, event.number) == (pytest.approx(DAY + 0.5), DAY)
    assert len(listed) < 10
