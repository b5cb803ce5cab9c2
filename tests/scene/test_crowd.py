"""The crowd layout: placement, phases, clips and playback."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.fields.readers import grid
from rigview.scene.crowd import GAP, CrowdLayout
from rigview.scene.scene import Scene
from tests.support.models import rod_model


def two_clips():
    """Return the rod, whose joint 1 rotates within 1 s, or twice as far within 2 s."""
    model = rod_model()
    track = model.clips[0].tracks[0]
    slow = Clip.of("Slow", [replace(track, times=track.times * np.float32(2))])
    return replace(model, clips=(*model.clips, slow))


def crowd_scene(text="2x4", clips=(), *, play=0, mode="loop", passes=np.inf, **more):
    scene = Scene()
    character = scene.show(two_clips())
    scene.crowd_layout = CrowdLayout(*grid(text), clips)
    character.play_clip(play, 10.0, mode=mode, passes=passes, **more)
    scene.frame(1.5)
    return scene


def angles(scene):
    """Return the rotation of joint 1 of each character, as a share of its clip."""
    turned = scene.crowd.matrices[:, 1, :3, :3]
    return np.arctan2(turned[:, 1, 0], turned[:, 0, 0]) / (np.pi / 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", (1, 1, 1)),
        ("8", (2, 4, 8)),
        ("30", (4, 8, 30)),
        ("3x5", (3, 5, 15)),
        ("2X1", (2, 1, 2)),
    ],
)
def test_grid_of_a_count(text, expected):
    assert grid(text) == expected


@pytest.mark.parametrize("text", ["0", "x", "3x", "2x2x2", "10001", "101x100", "2.5", "-4"])
def test_invalid_grids(text):
    with pytest.raises(ValueError, match=r"not|neither|more"):
        grid(text)


def test_characters_are_spaced_around_the_origin_and_framed():
    scene = crowd_scene("11")  # 3 rows of 5, the last one has one
    scene.update(10.0)
    place = scene.crowd.world[:, :3, 3]
    width = np.ptp(scene.crowd_layout.swept(scene.instances.active)[:, 0])
    assert len(scene.crowd_layout.swept(scene.instances.active)) <= 5**3, "the outermost points"
    first = place[:5, 0]
    np.testing.assert_allclose(np.diff(first), (1 + GAP) * width, rtol=1e-5)
    np.testing.assert_allclose(first + first[::-1], 0, atol=1e-5)
    assert place[10, 0] == 0, "the last row is in the middle"
    assert place[0, 2] > place[5, 2] > place[10, 2], "rows go backwards"
    at = scene.camera.current.project(scene.bounds.swept, 1.5)
    assert at[:, :2].min() >= 0
    assert at[:, :2].max() <= 1


@pytest.mark.parametrize("aspect", [0.6, 1.5, 3.0])
def test_a_crowd_fills_the_picture_in_its_middle(aspect):
    scene = crowd_scene("3x8")
    scene.camera.orbit.elevation = np.radians(30.0)
    scene.frame(aspect)
    seen = scene.camera.current.project(scene.bounds.swept, aspect)[:, :2]
    np.testing.assert_allclose(seen.min(axis=0) + seen.max(axis=0), 1.0, atol=1e-4)
    assert np.ptp(seen, axis=0).max() == pytest.approx(1 / 1.05, abs=1e-3)


def test_phases_are_spread_over_a_pass():
    scene = crowd_scene()
    scene.update(10.25)
    found = angles(scene)
    assert found[0] == pytest.approx(0.25, abs=1e-5)
    np.testing.assert_allclose(np.sort(found), np.arange(8) / 8, atol=1e-5)
    assert (np.diff(found) < 0).any(), "not in order"
    again = crowd_scene()
    again.update(10.25)
    np.testing.assert_array_equal(angles(again), found)


def test_a_crowd_of_one_is_its_character():
    for tau in (10.0, 10.4, 11.0, 13.7):
        scene = crowd_scene("1", passes=1)
        scene.update(tau)
        np.testing.assert_array_equal(scene.crowd.matrices[0], scene.character.matrices)


def test_ping_pong():
    """One pass later the phase u has become 1 - u."""
    scene = crowd_scene(mode="pingpong")
    scene.update(10.0)
    before = angles(scene)
    scene.update(11.0)
    np.testing.assert_allclose(angles(scene), 1 - before, atol=1e-4)
    scene.update(12.0)
    np.testing.assert_allclose(angles(scene), before, atol=1e-4)


def test_playback_controls_apply_to_all():
    scene = crowd_scene(rate=0.5)
    scene.update(10.5)
    at = angles(scene)
    scene.character.playback.pause(10.5)
    scene.update(11.9)
    np.testing.assert_array_equal(angles(scene), at)
    other = crowd_scene()
    other.update(10.25)
    np.testing.assert_allclose(at, angles(other), atol=1e-6)


def test_several_clips_are_evenly_distributed():
    scene = crowd_scene("4x10", (0, 1))
    scene.update(10.0)
    at_start = angles(scene)
    scene.update(11.0)  # a whole pass of one clip, half of the other
    gone = np.abs(angles(scene) - at_start) > 0.1
    assert gone.sum() == 20
    assert not gone[0]
    assert 0 < gone[:20].sum() < 20, "mixed"


def test_in_step_all_share_the_pose_of_the_character():
    scene = crowd_scene("2x3", passes=1)
    scene.crowd_layout.in_step = True
    for tau in (10.0, 10.4, 11.0, 13.7):
        scene.update(tau)
        assert scene.crowd.count == 6
        assert scene.crowd.matrices.shape[0] == 1, "evaluated once"
        np.testing.assert_array_equal(scene.crowd.matrices[0], scene.character.matrices)
    scene.crowd_layout.in_step = False
    scene.update(10.25)
    assert len(scene.crowd.matrices) == 6


def test_another_clip_rebuilds_the_crowd():
    scene = crowd_scene()
    scene.update(10.0)
    one = scene.crowd
    scene.update(10.3)
    assert scene.crowd is one
    scene.character.play_clip(1, 10.3)
    scene.update(11.3)
    assert scene.crowd is not one
    assert angles(scene)[0] == pytest.approx(0.5, abs=1e-4)


def test_no_crowd_unless_a_clip_plays():
    scene = crowd_scene()
    scene.character.show = "bind"
    scene.update(10.0)
    assert scene.crowd is None
    assert scene.characters == [scene.character]
    scene.character.show = "clip"
    scene.update(10.0)
    assert scene.crowd.count == 8


def test_a_crowd_without_clips():
    scene = Scene()
    scene.show(replace(rod_model(), clips=())).play_clip(-1, 0.0)
    scene.crowd_layout = CrowdLayout(*grid("2x2"))
    scene.update(3.0)
    assert scene.crowd.count == 4
    assert np.isfinite(scene.crowd.matrices).all()
