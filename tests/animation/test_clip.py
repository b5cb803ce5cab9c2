from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.track import Track
from tests.support.clips import (
    JOINTS,
    VALUES,
    about,
    clips,
    make_track,
    random_pose,
    rest_pose,
    same_rotation,
    tracks,
)

SECONDS = st.floats(-1, 6)


def untouched():
    """Return a rest pose with values that no track contains."""
    return random_pose(np.random.default_rng(5), JOINTS, values=VALUES)


def part(pose, track):
    """Return the part of a pose that a track writes."""
    if track.path == "values":
        return pose.values[..., track.start : track.start + track.values.shape[1]]
    return getattr(pose, track.path)[..., track.target, :]


def sampled(clip, time, rest=None):
    pose = Pose.like(untouched() if rest is None else rest, np.shape(time))
    clip.sample(time, pose)
    return pose


def assert_same(pose, other, atol=1e-6):
    for name in ("translation", "rotation", "scale", "values"):
        np.testing.assert_allclose(getattr(pose, name), getattr(other, name), rtol=0, atol=atol)


@given(clips(), st.lists(SECONDS, min_size=1, max_size=5))
def test_clip_sample_equals_track_samples(clip, times):
    pose = Pose.like(untouched(), (len(times),))
    clip.sample(times, pose)
    times = clip.local_time(times)
    for track in clip.tracks:
        ours, theirs = part(pose, track), track.sample(times)
        if track.path != "rotation":
            np.testing.assert_allclose(ours, theirs, atol=1e-5)
        elif track.interpolation != "CUBICSPLINE" and not has_half_turn(track):
            assert same_rotation(ours, theirs, atol=2e-6)


def has_half_turn(track):
    """Return whether two neighbouring keys are 180° apart: either arc is a shortest one."""
    dots = (track.values[1:] * track.values[:-1]).sum(axis=-1)
    return bool((np.abs(dots) < 1e-6).any())


@given(tracks(path="rotation"), SECONDS)
def test_spline_rotations_of_clip_equal_track(track, time):
    """Near zero length the direction is undefined; elsewhere it equals the track's."""
    clip = Clip.of("Clip", [track])
    raw = Clip.of("Raw", [_as_values(track)])
    length = np.linalg.norm(sampled(raw, time, rest_pose(1, 4)).values)
    if track.interpolation == "CUBICSPLINE" and length > 0.01:
        pose = Pose.like(rest_pose(1))
        clip.sample(time, pose)
        np.testing.assert_allclose(pose.rotation[0], track.sample(clip.local_time(time)), atol=1e-4)


def _as_values(track):
    return Track(0, "values", track.interpolation, track.times, track.values, track.tangents, 0)


@given(clips(), SECONDS)
def test_sampled_rotations_have_unit_length(clip, time):
    pose = sampled(clip, time)
    np.testing.assert_allclose(np.linalg.norm(pose.rotation, axis=-1), 1, atol=1e-6)


@given(clips(), st.lists(SECONDS, min_size=1, max_size=5))
def test_sample_batch_equals_single(clip, times):
    batch = sampled(clip, times)
    for k, time in enumerate(times):
        one = sampled(clip, time)
        assert_same(
            one,
            Pose(*(a[k] for a in (batch.translation, batch.rotation, batch.scale, batch.values))),
        )


@given(clips(), SECONDS)
def test_joints_without_tracks_are_unchanged(clip, time):
    rest, pose = untouched(), sampled(clip, time)
    for track in clip.tracks:
        part(pose, track)[...] = part(rest, track)
    assert pose.equals(rest)


@given(clips(), SECONDS)
def test_times_are_clamped_to_the_clip(clip, time):
    assert clip.local_time(time) == min(max(time, 0.0), clip.end)


@given(clips(), st.lists(SECONDS, max_size=5))
def test_sample_without_output_returns_a_new_pose(clip, times):
    rest = untouched()
    resting = replace(clip, rest=rest)
    wanted = Pose.like(rest, np.shape(times))
    assert resting.sample(times, wanted) is wanted
    made = resting.sample(times)
    assert made.batch == np.shape(times)
    assert made.equals(wanted)
    assert not np.may_share_memory(made.data, rest.data)


def test_output_of_another_batch_is_refused():
    track = make_track("translation", "LINEAR", [0, 1], np.eye(2, 3))
    clip = Clip.of("Walk", [track])
    with pytest.raises(ValueError, match=r"shape \(31,\) need a pose of the same batch, not \(\)"):
        clip.sample(np.linspace(0, 1, 31), rest_pose(1))
    with pytest.raises(ValueError, match=r"the clip 'Walk' has no rest pose"):
        clip.sample(0.5)
    crowd = Pose.like(rest_pose(1), (2, 3))
    np.testing.assert_array_equal(clip.sample([0, 1, 1], crowd).translation[1, 0, 0], [1, 0, 0])


@given(clips())
def test_start_end_and_duration(clip):
    assert clip.start == min((track.begin for track in clip.tracks), default=0)
    assert clip.end == max((track.end for track in clip.tracks), default=0)
    assert clip.duration == clip.end - clip.start
    assert set(clip.joints.tolist()) == {t.target for t in clip.tracks if t.path != "values"}


@given(clips(), st.integers(0, 7))
def test_pose_at_key(clip, k):
    pose = Pose.like(untouched())
    clip.sample_key(k, pose)
    for track in clip.tracks:
        assert_key_equals(part(pose, track), track, track.key(k))
    deciding = moving_tracks(clip) or clip.tracks
    at = [float(track.times[min(k, len(track.times) - 1)]) for track in deciding]
    assert clip.key_time(k) == max(at, default=0)


@given(clips(), SECONDS)
def test_pose_without_interpolation(clip, time):
    pose = Pose.like(untouched())
    clip.sample_hold(time, pose)
    clamped = clip.hold_time(time)
    time = min(max(time, 0.0), clip.end)
    for track in clip.tracks:
        assert_key_equals(part(pose, track), track, track.key(last_key(track.times, time)))
    keys = [float(t) for track in moving_tracks(clip) or clip.tracks for t in track.times]
    past = [t for t in keys if t <= np.float32(time)]
    assert clamped == max(past, default=min(keys, default=time))


def last_key(times, time):
    """Return the number of the last key at or before a time, else of the first."""
    return max(np.flatnonzero(times <= np.float32(time)), default=0)


def moving_tracks(clip):
    """Return the tracks of a clip whose values change."""
    return [
        track
        for track in clip.tracks
        if (track.values != track.values[:1]).any()
        or (len(track.times) > 1 and track.tangents is not None and track.tangents.any())
    ]


def assert_key_equals(shown, track, key):
    """Assert that a key is returned unchanged; rotations of splines are normalized."""
    if track.path == "rotation" and track.interpolation == "CUBICSPLINE":
        length = np.linalg.norm(key)
        if length > 1e-5:
            np.testing.assert_allclose(shown, key / length, atol=1e-5)
    else:
        np.testing.assert_array_equal(shown, key)


def test_poses_at_many_keys():
    track = make_track("values", "LINEAR", [1, 2, 4], [[10], [20], [40]])
    clip = Clip.of("Clip", [track])
    pose = Pose.like(rest_pose(1, 1), (4,))
    assert clip.key_time([0, 1, 2, 9]).tolist() == [1, 2, 4, 4]
    assert clip.sample_key([0, 1, 2, 9], pose).values[:, 0].tolist() == [10, 20, 40, 40]
    times = [0, 1, 1.9, 2, 3.99, 4, 8]
    assert clip.hold_time(times).tolist() == [1, 1, 1, 2, 2, 4, 4]
    held = clip.sample_hold(times, Pose.like(rest_pose(1, 1), (7,)))
    assert held.values[:, 0].tolist() == [10, 10, 10, 20, 20, 40, 40]


def test_of_two_first_keys_the_earlier_holds_before_them():
    clip = Clip.of("Clip", [make_track("values", "LINEAR", [1, 1, 2], [[10], [50], [60]])])
    assert clip.hold_time([0.999, 1]).tolist() == [1, 1]
    held = clip.sample_hold([0.999, 1], Pose.like(rest_pose(1, 1), (2,)))
    assert held.values[:, 0].tolist() == [10, 50]


@pytest.mark.parametrize("unused", ["constant", "replaced"])
def test_key_time_is_of_tracks_that_move(unused):
    """Tracks that are constant, or replaced by a later one, have keys at start and end only."""
    ends = np.array([[0, 0, 0], [0, 0, 0 if unused == "constant" else 9]])
    still = make_track("translation", "LINEAR", [0, 4], ends)
    moving = make_track("translation", "LINEAR", [0, 1, 2, 4], np.eye(4, 3))
    if unused == "constant":
        moving = make_track("scale", "LINEAR", [0, 1, 2, 4], np.eye(4, 3))
    clip = Clip.of("Clip", [still, moving])
    assert clip.key_time([0, 1, 2]).tolist() == [0, 1, 2]
    late = make_track("scale", "LINEAR", [0.5], np.ones((1, 3)))
    clip = Clip.of("Clip", [late, replace(moving, path="translation")])
    assert clip.hold_time([0, 0.75, 1]).tolist() == [0, 0, 1]


def test_key_time_of_a_clip_that_does_not_move():
    still = make_track("translation", "LINEAR", [0, 4], np.zeros((2, 3)))
    assert Clip.of("Still", [still]).key_time(1) == 4
    assert Clip.of("Empty", []).key_time(1) == 0


def test_key_times_are_the_union_of_tracks():
    one = make_track("translation", "STEP", [0, 1, 2], np.zeros((3, 3)))
    two = make_track("scale", "STEP", [0.5, 2], np.zeros((2, 3)))
    assert Clip.of("Clip", [one, two]).key_times.tolist() == [0, 0.5, 1, 2]
    assert Clip.of("Empty", []).key_times.tolist() == []


def test_last_track_of_a_target_wins():
    for first, second in (("STEP", "LINEAR"), ("LINEAR", "STEP"), ("LINEAR", "LINEAR")):
        one = make_track("scale", first, [0, 1], [[1, 1, 1], [9, 9, 9]])
        two = make_track("scale", second, [0, 1], [[3, 3, 3], [5, 5, 5]])
        pose = sampled(Clip.of("Clip", [one, two]), 1, rest_pose(1))
        assert pose.scale.tolist() == [[5, 5, 5]]


def test_empty_clip_keeps_the_pose():
    rest = untouched()
    assert sampled(Clip.of("Empty", []), 3.0, rest).equals(rest)
    assert sampled(Clip.of("Empty", []), [3.0, 4.0], rest).equals(Pose.like(rest, (2,)))


def test_zero_length_clip_has_one_pose():
    turn = make_track("rotation", "LINEAR", [2], [about((1, 0, 0), 30)])
    clip = Clip.of("Still", [turn])
    for time in (0, 2, 5):
        np.testing.assert_array_equal(sampled(clip, time, rest_pose(1)).rotation[0], turn.values[0])
    assert clip.local_time(5) == 2


def test_tracks_are_clamped_separately():
    early = make_track("translation", "LINEAR", [0, 1], [[0, 0, 0], [1, 0, 0]], target=0)
    late = make_track("translation", "LINEAR", [2, 3], [[5, 0, 0], [6, 0, 0]], target=1)
    pose = sampled(Clip.of("Clip", [late, early]), [0.5, 1.5, 2.5], rest_pose(2))
    assert pose.translation[..., 0].tolist() == [[0.5, 5], [1, 5], [1, 5.5]]


def test_rotations_take_shorter_arc_between_keys():
    keys = [about((0, 0, 1), 0), -about((0, 0, 1), 90), about((0, 0, 1), 180)]
    clip = Clip.of("Clip", [make_track("rotation", "LINEAR", [0, 1, 2], keys)])
    got = sampled(clip, [0.5, 1.0, 1.5], rest_pose(1)).rotation[:, 0]
    assert same_rotation(got, [about((0, 0, 1), d) for d in (45, 90, 135)])


@pytest.mark.parametrize("fps", [24, 25, 30, 60])
def test_frame_time_selects_key_of_that_frame(fps):
    """Bit for bit, though k / fps is often a little off the float32 that the file stores."""
    values = np.random.default_rng(fps).normal(size=(200, 3)).astype(np.float32)
    track = make_track("translation", "LINEAR", np.arange(200) / fps, values)
    clip, time = Clip.of("Clip", [track]), np.arange(200) / fps
    np.testing.assert_array_equal(sampled(clip, time, rest_pose(1)).translation[:, 0], values)
    for k in range(200):
        one = sampled(clip, time[k], rest_pose(1))
        np.testing.assert_array_equal(one.translation[0], values[k])


def test_equal_keys_with_tangents_still_move():
    track = make_track("values", "CUBICSPLINE", [0, 1], [[2], [2]], [[[0], [4]], [[-4], [0]]])
    pose = sampled(Clip.of("Clip", [track]), [0, 0.5, 1], rest_pose(1, 1))
    assert pose.values[:, 0].tolist() == [2, 3, 2]


def test_equal_keys_are_returned_unchanged():
    q = about((0, 0, 1), 10)
    for interpolation in ("STEP", "LINEAR", "CUBICSPLINE"):
        tangents = np.zeros((3, 2, 4)) if interpolation == "CUBICSPLINE" else None
        track = make_track("rotation", interpolation, [0, 1, 2], [q, q, q], tangents)
        got = sampled(Clip.of("Clip", [track]), [0, 0.3, 5], rest_pose(1)).rotation[:, 0]
        np.testing.assert_allclose(got, [q, q, q], atol=1e-7)


def test_zero_length_spline_rotation_returns_nearest_key():
    q = about((0, 1, 0), 40)
    track = make_track("rotation", "CUBICSPLINE", [0, 1], [q, -q], np.zeros((2, 2, 4)))
    after = float(np.nextafter(np.float32(0.5), np.float32(1)))
    got = sampled(Clip.of("Clip", [track]), [0.5, after], rest_pose(1)).rotation[:, 0]
    np.testing.assert_allclose(got, [q, -q], atol=1e-6)


@pytest.mark.parametrize("shared", [True, False])
def test_sample_accepts_batches_of_any_shape(shared):
    times = [[0, 1, 2], [0, 1, 2] if shared else [0, 0.5, 3]]
    drawn = [
        make_track("translation", "LINEAR", line, np.eye(3) * 2, target=joint)
        for joint, line in enumerate(times)
    ]
    clip, time = Clip.of("Clip", drawn), np.linspace(0, 3, 24).reshape(2, 3, 4)
    pose = Pose.like(rest_pose(2), (2, 3, 4))
    assert clip.sample(time, pose) is pose
    for track in drawn:
        np.testing.assert_allclose(part(pose, track), track.sample(time), atol=1e-6)


def test_extreme_keys_and_times_do_not_raise():
    huge = make_track("translation", "LINEAR", [0, 1], [[-3e38] * 3, [3e38] * 3])
    spline = make_track(
        "scale", "CUBICSPLINE", [0, 1], np.full((2, 3), 3e38), np.full((2, 2, 3), 3e38)
    )
    clip = Clip.of("Clip", [huge, spline])
    for time in (0.5, 1e300, -1e300, np.inf):
        sampled(clip, time, rest_pose(1))
        sampled(clip, [time, 0.0], rest_pose(1))


def test_clips_with_the_same_motion():
    values = np.array([[0, 0, 0], [1, 2, 3]], np.float32)
    times = np.array([0, 1], np.float32)
    track = Track(0, "translation", "LINEAR", times, values)
    clip = Clip.of("Clip", [track])
    assert clip.has_motion_of(Clip.of("Other name", [replace(track, values=values.copy())]))
    others = [
        replace(track, target=1),
        replace(track, path="scale"),
        replace(track, interpolation="STEP"),
        replace(track, times=times / 2),
        replace(track, values=values + 1),
        replace(track, values=values * np.nan),
        replace(track, tangents=np.zeros((2, 2, 3), np.float32)),
    ]
    assert not any(clip.has_motion_of(replace(clip, tracks=(other,))) for other in others)
    assert not clip.has_motion_of(replace(clip, tracks=(track, track)))
    assert not clip.has_motion_of(replace(clip, rotation="nlerp"))
    assert not clip.has_motion_of(replace(clip, rest=rest_pose(1)))
