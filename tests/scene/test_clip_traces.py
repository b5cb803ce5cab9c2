"""The path of a joint over a clip, and the joints before and after the present time."""

import numpy as np
import pytest

from rigview.animation.root_motion import RootMotion
from rigview.blending.clip_mixer import ClipMixer, ClipMotion, playback_over
from rigview.scene.character import Character
from rigview.scene.clip_traces import pass_start
from rigview.scene.contact_spans import ContactSpan, ContactSpans, in_contact
from tests.support.clips import sliding_clip
from tests.support.models import make_model, rod_model, square

TIP = 2  # a joint of the rod


def playing(tau):
    character = Character(rod_model())
    character.play_clip(0, 0.0)
    character.update(tau)
    return character


def test_path_is_where_the_joint_goes():
    character = playing(0.2)
    path = character.traces.joint_path(character.mixer, TIP, 10.0)
    end = character.model.clips[0].end
    np.testing.assert_allclose(path.times[path.frames], np.arange(int(end * 10) + 1) / 10)
    assert set(path.times[path.keys]) <= set(character.model.clips[0].key_times)
    for row in (0, len(path.times) // 3, len(path.times) - 2):
        character.update(float(path.times[row]))
        np.testing.assert_allclose(path.points[row], character.matrices[TIP, :3, 3], atol=1e-5)


def test_path_is_sampled_once_for_each_joint():
    character = playing(0.2)
    path = character.traces.joint_path(character.mixer, TIP, 30.0)
    character.update(0.4)
    assert character.traces.joint_path(character.mixer, TIP, 30.0) is path
    assert character.traces.joint_path(character.mixer, TIP - 1, 30.0) is not path


def test_no_path_of_a_still_pose_or_of_no_joint():
    still = Character(rod_model())
    assert still.traces.joint_path(still.mixer, TIP, 30.0) is None
    character = playing(0.2)
    assert character.traces.joint_path(character.mixer, -1, 30.0) is None


def test_skins_end_where_the_clip_does():
    character = playing(0.1)
    joints = np.arange(character.model.skeleton.count)
    skins = character.traces.onion_skins(character.mixer, joints, 2, 0.08)
    assert skins.offsets.tolist() == [-1, 1, 2]
    assert character.traces.onion_skins(character.mixer, joints, 2, 0.08) is skins
    character.update(0.26)
    np.testing.assert_allclose(skins.points[2], character.matrices[:, :3, 3], atol=1e-5)
    assert (character.traces.onion_skins(character.mixer, joints, 2, 0.08)) is not skins


@pytest.mark.parametrize("tau", [0.3, 1.6, 4.1])
def test_path_of_root_motion_continues_in_later_passes(tau):
    clip = sliding_clip("Slide", 0.0, 1.0)
    model = make_model([square()], clips=(clip,))
    joint = clip.tracks[0].target
    root = RootMotion(clip, model.skeleton, joint, "accumulate", "xyz")
    motion = ClipMotion(root, loop=None)
    mixer = ClipMixer(clip, model.skeleton.rest, 0, playback_over((0.0, 1.0)), motion)
    character = Character(model)
    character.play(mixer, 0.0)
    character.update(tau)
    path = character.traces.joint_path(mixer, joint, 30.0)
    world = pass_start(mixer, character.world)
    placed = path.points @ world[:3, :3].T + world[:3, 3]
    assert np.ptp(placed, axis=0).max() > 0.5
    shown = [np.interp(tau % 1.0, path.times, axis) for axis in placed.T]
    np.testing.assert_allclose(shown, character.joint_world(joint)[:3, 3], atol=1e-3)


def test_contact_over_the_seam_is_at_both_ends():
    spans = (ContactSpan(0.8, 0.2, 0.01),)
    assert in_contact(spans, np.array([0.0, 0.2, 0.5, 0.8, 1.0])).tolist() == [1, 1, 0, 1, 1]


def test_toes_have_the_contacts_of_their_foot():
    parents = np.array([-1, 0, 1, 2])
    found = ContactSpans(None, {1: (ContactSpan(0.1, 0.4, 0.0),)})
    assert [found.foot_of(joint, parents) for joint in range(4)] == [-1, 1, 1, 1]
    assert found.of(0, parents) == ()
    assert len(found.of(3, parents)) == 1
