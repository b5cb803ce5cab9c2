"""Scheduled actions: fades to and within layers, speeds, repeated fades in phase."""

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.blending.cross_fade import DEEPEST, FadeSource
from rigview.blending.phase_fade import PhaseFade
from rigview.errors import MotionError
from tests.support.five_joint_model import (
    bind_motion,
    five_joint_model,
    pose_at,
    rotation_about,
    slide_clip,
    track_of,
    turn_clip,
)

BASE = '[[layers]]\nname = "base"\nplay = "Walk"\n'
NESTED = '[[layers]]\nname = "outer"\nplay = { layers = [{ name = "inner", play = "Walk" }] }\n'


def walker():
    return five_joint_model(
        slide_clip("Walk", 1.0, 1.0), slide_clip("Run", 0.5, 2.0), turn_clip("Turn", 1.2, 100)
    )


def fade(time, to, layer="base", more="seconds = 0"):
    return f'[[at]]\ntime = {time}\nfade = {{ layer = "{layer}", to = {to}, {more} }}\n'


def place(mixer, model, tau):
    """Where the hips are on their way, metres."""
    return float(pose_at(mixer, model, tau).translation[1, 0])


def test_layers_after_a_fade_start_with_it():
    model = walker()
    to = '{ layers = [{ name = "x", play = "Walk" }] }'
    change = '[[at]]\ntime = 1.25\nset = { name = "x.weight", value = 0.5 }\n'
    mixer = bind_motion(model, BASE + fade(0.75, to) + change)
    for tau, x in ((0.5, 0.5), (0.85, 0.1), (1.35, 0.6 * 0.5)):
        assert place(mixer, model, tau) == pytest.approx(x, abs=2e-6)


def test_layers_after_a_fade_have_unique_names():
    to = '{ layers = [{ name = "base", play = "Walk" }] }'
    with pytest.raises(MotionError, match=r'at\[0\]\.fade.*two layers have the name "base"'):
        bind_motion(walker(), BASE + fade(1, to))


@pytest.mark.parametrize("seconds", [0, 1.0])
def test_nested_layer_fades_only_while_it_plays(seconds):
    model = walker()
    text = NESTED + fade(0.25, '"Walk"', "outer", f"seconds = {seconds}")
    mixer = bind_motion(model, text + fade(0.5, '"Run"', "inner"))
    plain = bind_motion(model, text)
    before = abs(place(mixer, model, 0.49) - place(plain, model, 0.49))
    after = abs(place(mixer, model, 0.6) - place(plain, model, 0.6))
    assert before == 0
    assert (after > 0.01) == (seconds > 0)
    assert place(mixer, model, 2.0) == place(plain, model, 2.0)


def test_speed_applies_to_later_fades():
    model = walker()
    text = BASE + '[[at]]\ntime = 0.5\nspeed = { layer = "base", value = 0.5 }\n'
    late = bind_motion(model, text + fade(1, '"Walk"'))
    assert place(late, model, 1.8) == pytest.approx(0.4, abs=2e-6)
    early = bind_motion(
        model, text + fade(0.25, '"Walk"')
    )  # after it in the file, before it in time
    assert place(early, model, 1.0) == pytest.approx(0.25 + 0.25, abs=2e-6)
    slowed = bind_motion(model, BASE + fade(1, '"Walk"'), speed=2.0)
    assert place(slowed, model, 1.1) == pytest.approx(0.2, abs=2e-6)


def test_frozen_fade_in_phase_starts_at_the_phase():
    model = walker()
    more = 'seconds = 0.2, kind = "frozen", in_phase = true'
    mixer = bind_motion(model, BASE + fade(0.3, '"Run"', more=more))
    assert place(mixer, model, 0.3) == pytest.approx(0.3, abs=2e-6)
    u = (0.3 * 0.5 + 0.25) / 0.5  # the new one runs by itself
    assert place(mixer, model, 0.55) == pytest.approx((u % 1) * 2.0, abs=2e-6)


def depth(source):
    found = 0
    while isinstance(source, PhaseFade | FadeSource):
        found += 1
        source = source.old
    return found


@pytest.mark.parametrize("seconds", [0.35, 5.0])
def test_fades_in_phase_do_not_pile_up(seconds):
    model = walker()
    more = f"seconds = {seconds}, in_phase = true"
    names = ('"Run"', '"Walk"')
    text = BASE + "".join(fade(0.1 * (k + 1), names[k % 2], more=more) for k in range(12))
    mixer = bind_motion(model, text)
    last = place(mixer, model, 0.0)
    for k in range(1, 1300):
        now = place(mixer, model, k / 1000)
        assert abs(now - last) < 0.05 or abs(now - last) > 0.3  # the clips' own seam
        last = now
        layer = mixer.layers.find("base")
        assert depth(layer.operation.source) <= DEEPEST
        if isinstance(layer.operation.source, PhaseFade):
            assert len(layer.operation.source.group.sync_tracks) <= DEEPEST + 1
    forwards = [place(mixer, model, tau) for tau in (0.33, 0.87, 1.21)]
    again = bind_motion(model, text)
    assert [place(again, model, tau) for tau in (1.21, 0.87, 0.33)] == forwards[::-1]


def test_sync_group_of_a_fade_before_the_start():
    model = walker()
    mixer = bind_motion(model, BASE + fade(0, '"Run"', more="seconds = 0.5, in_phase = true"))
    assert place(mixer, model, -0.3) == place(mixer, model, 0.0)


def test_additive_reference_has_the_root_motion_of_its_source():
    model = five_joint_model(
        slide_clip("Walk", 1.0, 1.0),
        Clip.of(
            "Tired",
            [
                track_of(1, "translation", [0, 1], [[0, 1, 0], [1, 1, 0]]),
                track_of(4, "translation", [0], [[0, 0.4, 0]]),
            ],
        ),
    )
    root = 'root = { joint = "Hips" }\n'
    text = f"[clips.Walk]\n{root}[clips.Tired]\n{root}"
    text += '[additives.tired]\nsource = "Tired"\nreference = { clip = "Walk" }\n' + BASE
    pose = pose_at(
        bind_motion(model, text + '[[layers]]\nname = "add"\nplay = "tired"\n'), model, 0.6
    )
    assert np.allclose(pose.translation[1], [0, 1, 0], atol=2e-6)
    assert np.allclose(pose.translation[4], [0, 0.4, 0], atol=2e-6)


def test_masked_layer_moves_by_the_new_clip():
    model = five_joint_model(turn_clip("Turn", 1.0, 90), slide_clip("Walk", 1.0, 1.0))
    text = """
    [clips.Walk]
    root = { joint = "Hips", mode = "accumulate" }
    [masks.half]
    joints = { Root = 0.5 }
    [[layers]]
    name = "base"
    play = "Turn"
    mask = "half"
    """
    mixer = bind_motion(model, text + fade(1.0, '"Walk"'))
    mixer.seek(3.0)
    assert mixer.world[0, 3] == pytest.approx(1.0, abs=2e-6)


RANGED = "[parameters]\nspeed = { default = 9, range = [0, 4] }\n" + BASE


def test_values_outside_their_range_are_clamped_with_a_warning():
    text = RANGED + '[[at]]\ntime = 1\nset = { name = "speed", value = -1 }\n'
    mixer = bind_motion(
        walker(), text + '[[at]]\ntime = 2\nset = { name = "base.weight", value = 2 }\n'
    )
    assert mixer.warnings == (
        'parameters.speed.default: 9 is outside the range of "speed", 0 to 4: clamped to 4',
        'at[0].set.value: -1 is outside the range of "speed", 0 to 4: clamped to 0',
        'at[1].set.value: 2 is outside the range of "base.weight", 0 to 1: clamped to 1',
    )
    for tau, value in ((0.5, 4), (1.5, 0)):
        mixer.seek(tau)
        assert float(mixer.parameters.at("speed", tau)) == value


def test_space_must_not_have_the_name_of_a_clip():
    space = '[spaces.Run]\nkind = "points"\nx = 0\nclips = [{ clip = "Walk", at = [0, 0] }]\n'
    with pytest.raises(
        MotionError, match=r"spaces\.Run: a clip of the character has the same name"
    ):
        bind_motion(walker(), space + BASE)


@pytest.mark.parametrize("play", ['"Walk"', '{ clip = "Walk", time = 0.25 }'])
def test_touched_mask_includes_all_clips_of_a_layer(play):
    model = walker()
    text = f'[[layers]]\nname = "base"\nplay = {play}\nmask = "touched"\n'
    mixer = bind_motion(model, text)
    assert place(mixer, model, 0.25) == pytest.approx(0.25, abs=2e-6)
    mixer = bind_motion(model, text + fade(0.5, '"Turn"'))
    turned = pose_at(mixer, model, 1.1).rotation[2]
    assert np.allclose(turned, rotation_about("z", 50), atol=2e-6)


def test_turning_in_place_takes_no_small_steps(monkeypatch):
    model = walker()
    text = '[parameters]\nrate = { default = 30 }\n[pivot]\nrate = "rate"\n' + BASE
    ramp = '[[at]]\ntime = 1\nset = { name = "rate", value = 90, seconds = 2 }\n'
    mixer = bind_motion(model, text + ramp)
    steps = []
    advance = mixer.layers.advance
    monkeypatch.setattr(mixer.layers, "advance", lambda a, b: (steps.append(b), advance(a, b)))
    mixer.seek(1000.0)
    assert len(steps) < 10
    degrees = 30 + 2 * 60 + 997 * 90
    expected = [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]
    assert np.allclose(mixer.world[0, [0, 2]], expected, atol=1e-5)


def test_nested_layers_inherit_speed_and_have_no_phase():
    model = five_joint_model(slide_clip("Go", 2.0, 2.0))
    text = """
    [[layers]]
    name = "a"
    speed = 0.5
    play = { layers = [{ name = "in", play = "Go", speed = 3 }] }
    """
    assert pose_at(bind_motion(model, text), model, 1.0).translation[1, 0] == pytest.approx(1.5)
    with pytest.raises(MotionError, match="phase"):
        bind_motion(model, text.replace("speed = 0.5", "phase = 0.5"))


@pytest.mark.parametrize(
    ("keep", "kept"), [("", True), ("keep = true", True), ("keep = false", False)]
)
def test_end_joint_of_ik_keeps_its_rotation(keep, kept):
    model = five_joint_model()
    text = f"""
    [parameters]
    hand = {{ default = [0.2, 1.4, 0.3] }}
    [iks.arm]
    chain = ["Hips", "Spine", "Arm"]
    target = "hand"
    {keep}
    [[layers]]
    name = "arm"
    play = "arm"
    """
    matrices = model.skeleton.to_model(pose_at(bind_motion(model, text), model, 0.0))
    assert np.allclose(matrices[3, :3, :3], np.eye(3), atol=1e-5) == kept
    assert np.allclose(matrices[3, :3, 3], [0.2, 1.4, 0.3], atol=1e-5)
