"""The path of a selected joint and onion skins as lines."""

import numpy as np
import pytest

from rigview.rendering.frame import Frame
from rigview.rendering.overlay_lines import path_lines, skeleton_overlay
from rigview.scene.contact_spans import ContactSpan, ContactSpans
from rigview.scene.scene import Scene
from rigview.scene.selected import Selected
from tests.support.looks import set_look
from tests.support.models import rod_model

TIP = 2


def rod_scene(tau=0.5, **display):
    scene = Scene()
    scene.show(rod_model()).play_clip(0, 0.0)
    set_look(scene, **display)
    scene.update(tau)
    return scene


def path_of(scene):
    return path_lines(Frame.of(scene), scene.character, TIP)


def test_path_ends_at_the_present_joint_and_is_bright_there():
    scene = rod_scene(joint_path=True, selected=Selected(TIP))
    lines = path_of(scene)
    place = scene.character.matrices[TIP, :3, 3]
    np.testing.assert_allclose(lines[-1, :3], place, atol=1e-5)
    path = scene.character.traces.joint_path(scene.character.mixer, TIP, 30.0)
    count = len(path.times) - 1
    brightness = lines[count : 2 * count, 6:9].sum(axis=1)
    nearest = np.abs((path.times[1:] + path.times[:-1]) / 2 - 0.5).argmin()
    assert brightness.argmax() == nearest
    assert brightness.min() < 0.7 * brightness.max()


def test_path_is_wide_and_green_on_the_ground():
    scene = rod_scene(joint_path=True, selected=Selected(TIP))
    before = path_of(scene)
    clip = scene.character.model.clips[0]
    scene.character.foot_contacts = ContactSpans(clip, {TIP: (ContactSpan(0.0, 0.25, 0.0),)})
    after = path_of(scene)
    changed = (before != after).any(axis=1)
    assert changed.any()
    assert (after[changed, 10] > before[changed, 10]).all()
    colored = after[changed][:, 7] > after[changed][:, [6, 8]].max(axis=1)
    assert colored.sum() == changed.sum() // 2, "lines, not their outlines"


@pytest.mark.parametrize(
    "display", [{}, {"joint_path": True}, {"joint_path": True, "selected": Selected(0, 0)}]
)
def test_no_path_without_a_selected_joint(display):
    scene = rod_scene(**display)
    overlay = skeleton_overlay(Frame.of(scene), (400, 400))
    assert not len(overlay.lines)


def test_onion_skins_fade_and_earlier_ones_are_dashed():
    scene = rod_scene(onion_skins=2, onion_step=3)
    overlay = skeleton_overlay(Frame.of(scene), (400, 400))
    bones = len(scene.character.drawn_joints.bones)
    assert len(overlay.ghosts) == 4 * 2 * bones
    lines = overlay.ghosts.reshape(4, 2, bones, -1)[:, 1, 0]
    np.testing.assert_allclose(lines[:, 9], [0.18, 0.18, 0.85, 0.85], rtol=1e-6)
    assert (lines[:, 11] > 0).tolist() == [True, False, True, False]
    scene.update(0.5 + 3 / 30)
    places = scene.character.matrices[scene.character.drawn_joints.joints, :3, 3]
    np.testing.assert_allclose(
        lines[3, :6].reshape(2, 3), places[scene.character.drawn_joints.bones[0]], atol=1e-4
    )


def test_no_skins_of_a_still_pose():
    scene = rod_scene(onion_skins=2)
    scene.character.show = "rest"
    scene.update(0.6)
    assert not len(skeleton_overlay(Frame.of(scene), (400, 400)).ghosts)
