"""Root motion: keep, in-place and accumulate."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.animation.playback import Playback
from rigview.animation.pose import Pose
from rigview.animation.root_motion import RootMotion
from rigview.animation.root_transform import RootTransform
from rigview.loading.load import load
from rigview.retargeting.hips import guess_hips
from tests.support.clips import about, make_skeleton, make_track, rest_pose
from tests.support.shared import MODELS, needs_shared

UP = (0, 1, 0)
HIPS, HEAD = 2, 3


def body(scale=0.01, turned=-90):
    """Return a skeleton: root, armature as exported by Blender, hips and head."""
    rest = rest_pose(4)
    rest.translation[:] = [[0, 0, 0], [0.1, 0, 0.2], [0, 0, 1 / scale], [0, 0, 0.5 / scale]]
    rest.rotation[1] = about((1, 0, 0), turned)
    rest.scale[1] = scale
    return make_skeleton([-1, 0, 1, 2], rest)


def straight(displacement, seconds=1.0, begin=0.0):
    """Return hips moving by `displacement` in model space, with a middle key off the line."""
    height, end = np.array([0, 1, 0]), np.array(displacement)
    keys = [height, height + end / 2 + np.array([0.05, 0.1, 0]), height + end]
    times = [begin, begin + seconds / 2, begin + seconds]
    return Clip.of("Straight", [make_track("translation", "LINEAR", times, keys, target=0)])


def one_joint():
    rest = rest_pose(2)
    rest.translation[1] = [0.3, 0.7, 0.1]
    return make_skeleton([-1, 0], rest)


def shown(clip, skeleton, time, root=None):
    """Return model matrices [J, 4, 4], without root motion if `root` is given."""
    pose = Pose.like(skeleton.rest)
    clip.sample(time, pose)
    if root is not None:
        root.remove_root_motion(pose, time)
    return skeleton.to_model(pose).astype(float)


def test_in_place_removes_root_translation():
    clip, skeleton = straight([0, 0, 1.4]), one_joint()
    root = RootMotion(clip, skeleton, 0)
    for time, height in [(0, 1), (0.5, 1.1), (0.75, 1.05), (1, 1)]:
        assert shown(clip, skeleton, time, root)[0, :3, 3] == pytest.approx([0, height, 0])


@pytest.mark.parametrize(
    ("axes", "expected"),
    [("", [0.05, 1.1, 0.7]), ("z", [0.05, 1.1, 0]), ("xyz", [0, 1, 0]), ("yx", [0, 1, 0.7])],
)
def test_in_place_locks_only_given_axes(axes, expected):
    clip, skeleton = straight([0, 0, 1.4]), one_joint()
    root = RootMotion(clip, skeleton, 0, "in-place", axes)
    assert shown(clip, skeleton, 0.5, root)[0, :3, 3] == pytest.approx(expected)


def test_root_is_locked_at_start_of_range():
    clip, skeleton = straight([0, 0, 2.0]), one_joint()
    root = RootMotion(clip, skeleton, 0, "accumulate", begin=0.5)
    assert shown(clip, skeleton, 1.0, root)[0, :3, 3] == pytest.approx([0.05, 1.0, 1.0])
    playback = Playback(0.5, start=0.5)
    assert root.transform_over(playback.advance(1.0)).translation == pytest.approx([-0.1, 0, 2.0])


def test_keep_does_not_change_the_clip():
    clip, skeleton = straight([0, 0, 1.4]), one_joint()
    root = RootMotion(clip, skeleton, 0, "keep")
    pose, plain = Pose.like(skeleton.rest), Pose.like(skeleton.rest)
    for target in (pose, plain):
        clip.sample(0.7, target)
    root.remove_root_motion(pose, 0.7)
    assert pose.equals(plain)


@pytest.mark.parametrize("mode", ["keep", "in-place"])
def test_only_accumulate_moves_the_character(mode):
    root = RootMotion(straight([0, 0, 1.4]), one_joint(), 0, mode)
    translation, yaw = root.transform_over(Playback(1.0).advance(2.5))
    assert translation.tolist() == [0, 0, 0]
    assert float(yaw) == 0


@pytest.mark.parametrize(
    ("options", "tau", "z"),
    [
        # 1.4 m a pass of 1 s
        ({}, 2.5, 3.5),
        ({}, 1.0, 1.4),
        ({"rate": 2.0}, 2.5, 7.0),
        ({"passes": 1}, 2.5, 1.4),
        ({"passes": 2}, 9.0, 2.8),
        ({"rate": -1.0}, 2.5, -3.5),
        ({"rate": -1.0, "passes": 2}, 9.0, -2.8),
        ({"mode": "pingpong"}, 0.75, 1.05),
        ({"mode": "pingpong"}, 1.25, 1.05),
        ({"mode": "pingpong"}, 4.0, 0.0),
        ({"phase": 0.5}, 0.75, 1.05),
        ({"rate": 0.0}, 3.0, 0.0),
    ],
)
def test_straight_path_accumulates(options, tau, z):
    root = RootMotion(straight([0, 0, 1.4]), one_joint(), 0, "accumulate", "z")
    translation, yaw = root.transform_over(Playback(1.0, **options).advance(tau))
    assert translation == pytest.approx([0, 0, z], abs=1e-6)
    assert float(yaw) == 0


def circle(degrees=90, radius=2.0, keys=31):
    """Return hips on a circle about the model's origin, counter-clockwise from [-radius, 0, 0]."""
    at = np.linspace(0, np.radians(degrees), keys)
    points = np.stack([-radius * np.cos(at), 0 * at + 1, radius * np.sin(at)], axis=-1)
    turns = [about(UP, np.degrees(a)) for a in at]
    times = np.linspace(0, 1, keys)
    return Clip.of(
        "Circle",
        [
            make_track("translation", "LINEAR", times, points, target=0),
            make_track("rotation", "LINEAR", times, turns, target=0),
        ],
    )


def test_circular_path_accumulates():
    """Four quarter circles end at the start, with the initial heading."""
    clip, skeleton = circle(), one_joint()
    root = RootMotion(clip, skeleton, 0, "accumulate", "xz", turn=True)
    there = root.transform_over(Playback(1.0).advance(4.0))
    assert there.translation == pytest.approx([0, 0, 0], abs=1e-5)
    assert float(there.yaw) == pytest.approx(2 * np.pi, abs=1e-5)
    half = root.transform_over(Playback(1.0).advance(2.0))  # the hips from [-2, 0] to [2, 0]
    assert half.matrix() @ [-2, 1, 0, 1] == pytest.approx([2, 1, 0, 1], abs=1e-5)


@pytest.mark.parametrize("degrees", [540, -900, 170])
def test_turn_beyond_full_circle_is_kept(degrees):
    """The whole angle is kept: a blend takes a fraction of it."""
    root = RootMotion(circle(degrees, keys=97), one_joint(), 0, "accumulate", turn=True)
    assert float(root.transform_at(1.0).yaw) == pytest.approx(np.radians(degrees), abs=1e-5)
    assert float(root.transform_at(0.5).yaw) == pytest.approx(np.radians(degrees / 2), abs=1e-5)


def test_heading_is_the_twist_about_y():
    """Pitch does not change the heading: 40 degrees about +Y after 30 about +X."""
    skeleton = one_joint()
    keys = [about((1, 0, 0), 20), turned_by(about(UP, 40), about((1, 0, 0), 50))]
    rotation = make_track("rotation", "LINEAR", [0, 1], keys)
    root = RootMotion(Clip.of("Lean", [rotation]), skeleton, 0, "in-place", "", turn=True)
    assert float(root.transform_at(1.0).yaw) == pytest.approx(np.radians(40), abs=1e-6)
    model = shown(root.clip, skeleton, 1.0, root)[0]
    lean = np.radians(50)
    assert model[:3, 1] == pytest.approx([0, np.cos(lean), np.sin(lean)], abs=1e-6)


def turned_by(a, b):
    ax, aw, bx, bw = a[:3], a[3], b[:3], b[3]
    return np.array([*(aw * bx + bw * ax + np.cross(ax, bx)), aw * bw - ax @ bx], np.float32)


@st.composite
def wandering(draw):
    """Draw a clip with random keys of armature, hips and head."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    scale = draw(st.sampled_from([0.01, 1.0, 2.0]))
    times = np.cumsum(rng.uniform(0.1, 0.5, 5)) - 0.1 * draw(st.booleans())
    tracks = [
        make_track("translation", "LINEAR", times, rng.normal(size=(5, 3)) / scale, target=HIPS),
        make_track("rotation", "LINEAR", times, unit(rng.normal(size=(5, 4))), target=HEAD),
    ]
    steps = rng.uniform(-80, 80, 5).cumsum()
    turns = [turned_by(about((0, 0, 1), a), about((1, 0, 0), rng.uniform(-30, 30))) for a in steps]
    tracks.append(make_track("rotation", "LINEAR", times, turns, target=HIPS))
    if draw(st.booleans()):
        tracks.append(
            make_track("translation", "LINEAR", times[:2], rng.normal(size=(2, 3)), target=1)
        )
    return body(scale), Clip.of("Wandering", tracks)


def unit(q):
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


axes = st.sampled_from(["", "x", "z", "xz", "xyz", "y"])
modes = st.sampled_from(["loop", "pingpong"])
counts = st.sampled_from([1.0, 3.0, math.inf])


@given(wandering(), axes, st.booleans(), st.floats(0, 3))
def test_root_motion_times_in_place_pose_is_the_clip(made, held, turn, time):
    skeleton, clip = made
    root = RootMotion(clip, skeleton, HIPS, "accumulate", held, turn)
    plain, settled = shown(clip, skeleton, time), shown(clip, skeleton, time, root)
    back = root.transform_at(time).matrix() @ settled
    assert back[HIPS:] == pytest.approx(plain[HIPS:], abs=1e-5)
    first = shown(clip, skeleton, 0.0)[HIPS, :3, 3]
    for i in ("xyz".index(axis) for axis in held):
        assert settled[HIPS, i, 3] == pytest.approx(first[i], abs=1e-5)
    assert settled[:HIPS] == pytest.approx(plain[:HIPS], abs=1e-6)


@settings(max_examples=60)
@given(wandering(), axes, st.booleans(), modes, counts, st.floats(-2, 2), st.data())
def test_accumulated_motion_matches_concatenated_passes(made, held, turn, mode, count, rate, data):
    """Steps of any size add up to the clip's own motion, pass by pass."""
    skeleton, clip = made
    root = RootMotion(clip, skeleton, HIPS, "accumulate", held, turn)
    playback = Playback(clip.end, mode=mode, passes=count, rate=rate)
    world = RootTransform.identity()
    first = float(playback.x(0.0))
    taus = np.cumsum(data.draw(st.lists(st.floats(0, 2), min_size=1, max_size=5)))
    for tau in taus:
        span = playback.advance(tau)
        world = world.compose(*root.transform_over(span))
    playback = Playback(clip.end, mode=mode, passes=count, rate=rate)
    at_once = root.transform_over(playback.advance(taus[-1]))
    assert world.matrix() == pytest.approx(at_once.matrix(), abs=1e-5)
    assert float(world.yaw) == pytest.approx(float(at_once.yaw), abs=1e-5)
    seen = world.matrix() @ shown(clip, skeleton, float(span.time), root)
    assert seen[HIPS:] == pytest.approx(
        laid_out(clip, skeleton, root, first, span)[HIPS:], abs=2e-5
    )


def laid_out(clip, skeleton, root, first, span):
    """Return the clip with concatenated passes, relative to the first step."""
    whole = root.transform_at(clip.end).matrix().astype(float)

    def stands(x):
        number, time = number_and_time(clip, span, x)
        return np.linalg.matrix_power(whole, number) @ root.transform_at(time).matrix()

    plain = shown(clip, skeleton, float(span.time), root)
    return np.linalg.inv(stands(first)) @ stands(float(span.x1)) @ plain


def number_and_time(clip, span, x):
    length = clip.end
    if span.mode == "pingpong":  # the second pass reverses the first: no net displacement
        return 0, length - abs(x % (2 * length) - length)
    number = int(min(math.floor(x / length), float(span.passes) - 1))
    return number, x - length * number


def test_crowd_equals_single_characters():
    skeleton, clip = body(), circle()
    clip = Clip.of("On the hips", [t.__class__(HIPS, *_rest(t)) for t in clip.tracks])
    root = RootMotion(clip, skeleton, HIPS, "accumulate", "xz", turn=True)
    rates = np.array([1.0, -0.5, 2.0, 0.0])
    crowd = Playback(clip.end, rate=rates)
    for tau in (0.3, 2.9):
        span = crowd.advance(tau)
        translation, yaw = root.transform_over(span)
        pose = Pose.like(skeleton.rest, (4,))
        clip.sample(span.time, pose)
        root.remove_root_motion(pose, span.time)
        for c, rate in enumerate(rates):
            alone = Playback(clip.end, rate=rate)
            if tau == 2.9:
                alone.advance(0.3)
            one = root.transform_over(alone.advance(tau))
            assert translation[c] == pytest.approx(one.translation, abs=1e-6)
            assert yaw[c] == pytest.approx(float(one.yaw), abs=1e-6)
            model = shown(clip, skeleton, float(span.time[c]), root)
            assert skeleton.to_model(pose)[c] == pytest.approx(model, abs=1e-5)


def _rest(track):
    return track.path, track.interpolation, track.times, track.values


@pytest.mark.parametrize(("mode", "axes"), [("inplace", "xz"), ("keep", "xw")])
def test_unknown_mode_and_axes_are_rejected(mode, axes):
    with pytest.raises(ValueError, match="must be"):
        RootMotion(straight([0, 0, 1]), one_joint(), 0, mode, axes)


def test_ancestor_with_zero_scale():
    skeleton = body()
    skeleton.rest.scale[1] = 0
    track = make_track("translation", "LINEAR", [0, 1], [[0] * 3, [1] * 3], target=HIPS)
    clip = Clip.of("On the hips", [track])
    root = RootMotion(clip, skeleton, HIPS)
    assert np.isfinite(shown(clip, skeleton, 0.5, root)).all()


class TestPath:
    def test_path_of_straight_walk(self):
        """1.4 m in 0.5 s, with a key off the line."""
        path = RootMotion(straight([0, 0, 1.4], 0.5, begin=1.0), one_joint(), 0, begin=1.0).path()
        assert (path.times[0], path.times[-1], len(path.times)) == (1, 1.5, 31)
        assert path.displacement == pytest.approx([0, 0, 1.4])
        assert path.speed == pytest.approx(2.8)

    def test_path_of_zero_length_clip(self):
        path = RootMotion(Clip.of("Nothing", []), one_joint(), 0).path()
        assert path.speed == 0

    def test_path_of_very_long_clip(self):
        path = RootMotion(straight([0, 0, 1.4], 1e9), one_joint(), 0).path()
        assert len(path.times) < 20_000
        assert path.displacement == pytest.approx([0, 0, 1.4])

    def test_path_of_a_range(self):
        path = RootMotion(straight([0, 0, 1.4]), one_joint(), 0).path(0.5)
        assert path.displacement == pytest.approx([0.05, 0.1, 0.7])


TRAVELLERS = {
    "Sitting": ([0.1385, -1.1401, -1.2910], 1.27)
}  # of all clips of the models: way, turn


@needs_shared
@pytest.mark.parametrize("name", ["Woman.gltf", "CesiumMan.glb", "Fox.glb", "robot.glb"])
def test_displacement_of_clips_of_sample_models(name):
    """Only one of all clips moves the root; three passes equal three times its motion."""
    model = load(MODELS / name)
    skeleton = model.skeleton
    hips = guess_hips(skeleton, model.skins[0].joints, model.clips)
    below = _below(skeleton, hips)
    size = float(np.abs(skeleton.to_model(skeleton.rest)[:, :3, 3]).max())
    for clip in model.clips:
        root = RootMotion(clip, skeleton, hips, "accumulate", "xz", turn=True)
        displacement, turn = TRAVELLERS.get(clip.name, ([0, 0, 0], 0))
        path = root.path()
        assert path.displacement[::2] == pytest.approx(displacement[::2], abs=1e-3 * size), (
            clip.name
        )
        assert np.degrees(root.transform_at(clip.end).yaw) == pytest.approx(turn, abs=0.1)
        world, playback = RootTransform.identity(), Playback(clip.end)
        whole = root.transform_at(clip.end).matrix().astype(float)
        for tau in np.linspace(0, 2.9 * clip.end, 8):
            span = playback.advance(tau)
            world = world.compose(*root.transform_over(span))
            seen = world.matrix() @ shown(clip, skeleton, span.time, root)
            number = int(np.floor(float(span.x1) / clip.end))
            original = np.linalg.matrix_power(whole, number) @ shown(clip, skeleton, span.time)
            assert seen[below] == pytest.approx(original[below], abs=1e-5 * max(size, 1)), clip.name


def _below(skeleton, joint):
    marked = np.zeros(skeleton.count, bool)
    marked[joint] = True
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            marked[j] |= marked[parent]
    return marked
