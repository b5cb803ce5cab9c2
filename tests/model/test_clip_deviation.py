import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.morph import morph_points
from rigview.animation.pose import Pose
from rigview.animation.skin import skin_points
from rigview.animation.track import Track
from rigview.loading.load import load
from rigview.model.clip_deviation import Deviation, deviation, moments
from rigview.model.skinned_vertices import height, vertex_blocks
from rigview.model.track_sensitivities import track_sensitivities
from rigview.resources import asset_path
from tests.support.gltf_documents import Builder
from tests.support.models import make_model, rod_model, square
from tests.support.shared import MODELS, needs_shared


def turn(degrees):
    half = np.radians(degrees) / 2
    return [0, 0, np.sin(half), np.cos(half)]


def clip(*keys, joint=1, path="rotation", times=None):
    times = np.arange(len(keys)) if times is None else times
    track = Track(joint, path, "LINEAR", np.array(times, np.float32), np.array(keys, np.float32))
    return Clip.of("Clip", [track])


def compare(model, before, after):
    return deviation(model, vertex_blocks(model), before, after)


def vertices(model, clip, time):
    """Every drawn vertex at a moment, by the references of the animation core."""
    pose = model.skeleton.rest.copy()
    clip.sample(time, pose)
    matrices, out = model.skeleton.to_model(pose), []
    for instance in model.instances:
        for primitive in model.meshes[instance.mesh].primitives:
            points = primitive.positions
            if primitive.morph is not None and instance.channel >= 0:
                weights = pose.values[model.channels[instance.channel].slice]
                points = morph_points(points, primitive.morph.positions, weights)
            if instance.skin >= 0 and primitive.joints is not None:
                palette = model.skins[instance.skin].palette(matrices)
                points = skin_points(points, primitive.joints, primitive.weights, palette)
            else:
                matrix = matrices[instance.joint]
                points = points @ matrix[:3, :3].T + matrix[:3, 3]
            out.append(points)
    return np.concatenate([*out, matrices[:, :3, 3]])


def test_same_clip():
    model = rod_model()
    assert compare(model, model.clips[0], model.clips[0]) == Deviation()


def test_clips_with_equal_keys_are_not_sampled(monkeypatch):
    """As of a clip from which no key can be removed; samples of four million keys take long."""
    model = rod_model()
    clip = model.clips[0]
    again = replace(clip, tracks=tuple(replace(t, values=t.values.copy()) for t in clip.tracks))
    monkeypatch.setattr(Clip, "sample", None)
    assert compare(model, clip, again) == Deviation()


def test_numbers_by_hand():
    """The rod is 3 m long with a radius of 0.2: one degree at its foot moves its end by this."""
    model = rod_model()
    off = compare(model, clip(turn(0), turn(0)), clip(turn(0), turn(1)))
    furthest = 2 * np.hypot(3, 0.2) * np.sin(np.radians(0.5))
    assert off.metres == pytest.approx(furthest, rel=1e-4)
    assert (off.joint, off.time) == (3, 1)
    assert off.degrees == pytest.approx(1, rel=1e-4)
    assert off.turned == 1


def test_degrees_are_of_model_space():
    model = rod_model()
    both = Clip.of("Clip", [*clip(turn(1)).tracks, *clip(turn(1), joint=2).tracks])
    off = compare(model, clip(turn(0)), both)
    assert off.degrees == pytest.approx(2, rel=1e-4)
    assert off.turned in (2, 3)


def test_middle_between_keys_counts():
    model = rod_model()
    bent = clip(turn(0), turn(1), turn(0), times=[0, 0.5, 1])
    off = compare(model, clip(turn(0), turn(0), times=[0, 1]), bent)
    assert off.turned_time == 0.5
    assert moments(clip(turn(0), times=[0]), bent).tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_joint_without_vertices_counts():
    model = make_model([square(0.01)], (-1, 0), translations=[[0, 0, 0], [0, 5, 0]])
    moved = clip([0, 5, 0], [0, 5.25, 0], path="translation")
    off = compare(model, clip([0, 5, 0], path="translation"), moved)
    assert (off.metres, off.joint) == (0.25, 1)


def test_file_of_joints_alone():
    model = make_model([])
    assert compare(model, clip([0, 0, 0], joint=0, path="translation"), Clip.of("", [])).joint == -1


def morphing():
    b = Builder()
    lift = b.accessor([[0, 0, 0], [0, 0, 0], [0, 0, 2]])
    b.add("nodes", mesh=b.mesh(targets=[{"POSITION": lift}]), scale=[3, 3, 3])
    b.animation((0, "weights", [0, 1], [[0], [1]]))
    b.animation((0, "weights", [0, 1], [[0], [0.9]]))
    return b.load()


def test_morph_weights():
    model = morphing()
    off = compare(model, *model.clips)
    assert off.metres == pytest.approx(3 * 2 * 0.1, rel=1e-5)
    assert (off.degrees, off.time) == (0, 1)
    assert track_sensitivities(model, vertex_blocks(model)).values[0] == pytest.approx(6)


@pytest.mark.parametrize("name", ["Wave", "FaceSmile", "Talk"])
def test_equals_every_vertex_of_the_mannequin(name, rng):
    model = load(asset_path("mannequin.glb"))
    before = next(clip for clip in model.clips if clip.name == name)
    check_every_vertex(model, before, rng)


@needs_shared
@pytest.mark.parametrize("name", ["robot.glb", "CesiumMan.glb", "AnimatedMorphCube"])
def test_equals_every_vertex_of_a_real_file(name, rng):
    path = MODELS / name
    model = load(path if path.is_file() else path / f"{name}.gltf")
    check_every_vertex(model, model.clips[0], rng)


def check_every_vertex(model, before, rng):
    after = Clip.of("Noisy", [noisy(track, rng) for track in before.tracks])
    few = moments(before, after)[:9]
    cut = [Clip.of("Cut", [until(t, few[-1]) for t in each.tracks]) for each in (before, after)]
    off = compare(model, *cut)
    times = moments(*cut)
    away = [np.abs(vertices(model, cut[0], t) - vertices(model, cut[1], t)) for t in times]
    furthest = np.sqrt((np.array(away) ** 2).sum(axis=2)).max(axis=1)
    assert off.metres == pytest.approx(furthest.max(), rel=1e-3, abs=1e-6)
    assert furthest[np.searchsorted(times, off.time)] == pytest.approx(furthest.max(), rel=1e-3)


def noisy(track, rng):
    values = track.values + rng.normal(scale=1e-3, size=track.values.shape).astype(np.float32)
    if track.path == "rotation" and track.interpolation != "CUBICSPLINE":
        values /= np.sqrt((values**2).sum(axis=1))[:, None]
    return Track(
        track.target,
        track.path,
        track.interpolation,
        track.times,
        values,
        track.tangents,
        track.start,
    )


def until(track, time):
    keep = track.times <= max(time, track.times[0])
    tangents = None if track.tangents is None else track.tangents[keep]
    return Track(
        track.target,
        track.path,
        track.interpolation,
        track.times[keep],
        track.values[keep],
        tangents,
        track.start,
    )


def test_sensitivities_of_the_rod():
    model = rod_model()
    sensitivities = track_sensitivities(model, vertex_blocks(model))
    assert sensitivities.rotation[1] == pytest.approx(np.hypot(3, 0.2), rel=1e-4)
    # around its second joint the rod is as long, less the part that stays with the first
    assert 1.9 < sensitivities.rotation[2] <= 2.05
    assert sensitivities.translation.tolist() == pytest.approx([1, 1, 1, 1])


def test_sensitivities_of_a_long_chain_in_little_memory():
    count = 1500
    chain = make_model([], range(-1, count - 1), translations=[(0, 1, 0)] * count)
    tracemalloc.start()
    try:
        sensitivities = track_sensitivities(chain, [])
        assert tracemalloc.get_traced_memory()[1] < 80 << 20  # 120 MiB with all pairs at once
    finally:
        tracemalloc.stop()
    assert sensitivities.rotation.tolist() == list(range(count - 1, -1, -1))


def test_height():
    assert height(rod_model(), vertex_blocks(rod_model())) == pytest.approx(3)
    model = make_model([square(2.0)])
    assert height(model, vertex_blocks(model)) == pytest.approx(2)
    assert height(make_model([]), []) == 0


def test_pose_is_not_changed():
    model = rod_model()
    rest = Pose.like(model.skeleton.rest)
    compare(model, clip(turn(0)), clip(turn(5)))
    assert rest.equals(model.skeleton.rest)
