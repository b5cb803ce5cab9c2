import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.pose import Pose
from rigview.errors import AppError, BvhError
from rigview.loading import bvh
from rigview.loading.bvh import load_bvh
from rigview.loading.load import load
from tests.support.clips import about, same_rotation

HEAD = """HIERARCHY
ROOT Hips
{
  OFFSET 1 2 3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg {
    OFFSET 0 -40 0
    CHANNELS 3 %s
    End Site
    {
      OFFSET 0 -45 5
    }
  }
  JOINT Chest
  {
    OFFSET 0 20 0
    CHANNELS 1 Yrotation
  }
}
"""
MOTION = """MOTION
Frames: 2
Frame Time: 0.25
0 100 0 0 0 0 10 20 30 90
5 101 7 0 0 90 10 20 30 -90
"""
SOUND = HEAD % "Zrotation Xrotation Yrotation" + MOTION


def read(text):
    return load_bvh(text.encode())


def at(model, time):
    pose = Pose.like(model.skeleton.rest)
    model.clips[0].sample(time, pose)
    return pose


def test_hierarchy_and_motion():
    model = read(SOUND)
    assert model.skeleton.names == ("Hips", "Left Leg", "Chest", "Left Leg_End")
    assert model.skeleton.parents.tolist() == [-1, 0, 0, 1]
    assert model.skeleton.rest.translation.tolist() == [
        [1, 2, 3],
        [0, -40, 0],
        [0, 20, 0],
        [0, -45, 5],
    ]
    clip = model.clips[0]
    assert (clip.start, clip.end) == (0.0, 0.25)
    pose = at(model, 0.25)
    assert pose.translation[0].tolist() == [5, 101, 7]  # instead of the offset
    assert same_rotation(pose.rotation[2], about((0, 1, 0), -90))
    assert same_rotation(at(model, 0.125).rotation[0], about((0, 1, 0), 45))


@pytest.mark.parametrize("order", ["ZXY", "XYZ", "YZX", "ZYX", "XZY", "YXZ"])
def test_rotations_multiply_in_file_order(order):
    names = " ".join(f"{axis}rotation" for axis in order)
    pose = at(read(HEAD % names + MOTION), 0.0)
    axes = {"X": (1, 0, 0), "Y": (0, 1, 0), "Z": (0, 0, 1)}
    first, second, third = (about(axes[a], d) for a, d in zip(order, (10, 20, 30), strict=True))
    want = quat.multiply(quat.multiply(first, second), third)
    assert same_rotation(pose.rotation[1], want)


def test_known_rotation_matrix():
    """Rz(90) Rx(90) maps X to Y, Y to Z and Z to X."""
    text = SOUND.replace("0 100 0 0 0 0 10", "0 100 0 90 90 0 10")
    turned = quat.to_matrix(at(read(text), 0.0).rotation[0])
    np.testing.assert_allclose(turned, [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-6)


def test_axes_without_position_channel_keep_the_offset():
    head = HEAD % "Zrotation Yposition Xrotation"
    pose = at(read(head + MOTION), 0.0)
    assert pose.translation[1].tolist() == [0, 20, 0]
    text = SOUND.replace("CHANNELS 1 Yrotation", "CHANNELS 1 Xposition")
    assert at(read(text), 0.0).translation[2].tolist() == [90, 20, 0]


def test_line_ends_and_letter_cases():
    for text in (SOUND.replace("\n", "\r\n"), SOUND.replace("\n", "\n\n"), "\ufeff" + SOUND):
        assert read(text).skeleton.count == 4
    low = SOUND.lower().replace("hips", "Hips")
    assert read(low).clips[0].end == 0.25
    assert (
        read(SOUND.replace("\nMOTION", "\nMOTION ").replace(" 30 ", "\t3e1 ")).skeleton.count == 4
    )


def test_repeated_names_become_unique():
    model = read(SOUND.replace("JOINT Chest", "JOINT Left Leg"))
    assert model.skeleton.names[:3] == ("Hips", "Left Leg", "Left Leg #2")


def test_several_roots_and_no_frames():
    two = SOUND.replace("MOTION", "ROOT Other\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION")
    assert read(two).skeleton.parents.tolist().count(-1) == 2
    assert read(SOUND.split("Frames")[0] + "Frames: 0\nFrame Time: 0.1\n").clips == ()


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("HIERARCHY", "HIERARCHIE"), 1, "HIERARCHY"),
        (("OFFSET 1 2 3", "OFFSET 1 2"), 4, "three numbers"),
        (("OFFSET 1 2 3", "OFFSET 1 2 1e30"), 4, "too large"),
        (("OFFSET 1 2 3", "OFFSET 1 2 nan"), 4, "too large"),
        (("CHANNELS 6", "CHANNELS 5"), 5, "CHANNELS"),
        (("Xposition", "Wposition"), 5, "CHANNELS"),
        (("Xposition", "Yposition"), 5, "CHANNELS"),
        (("JOINT Chest", "CHEST"), 14, "is not expected here"),
        (("Frames: 2", "Frames: two"), 21, "Frames"),
        (("Frame Time: 0.25", "Frame Time: 0"), 22, "Frame Time"),
        (("Frame Time: 0.25", "Frame Time: -1"), 22, "Frame Time"),
        (("5 101 7", "5 x 7"), 24, "not a number"),
        (("5 101 7", "5 inf 7"), 24, "not a number"),
    ],
)
def test_errors_have_a_line_number(change, line, words):
    with pytest.raises(BvhError) as caught:
        read(SOUND.replace(*change))
    assert caught.value.place == f"line {line}"
    assert words in str(caught.value)


def test_missing_and_extra_frames_warn():
    short = read(SOUND.rsplit("5 101", 1)[0])
    assert len(short.clips[0].key_times) == 1
    assert len(short.warnings) == 1
    more = read(SOUND + "5 101 7 0 0 90 10 20 30 -90\n")
    assert len(more.clips[0].key_times) == 2
    assert len(more.warnings) == 1
    assert read(SOUND).warnings == []


def test_huge_frame_count_allocates_no_memory():
    model = read(SOUND.replace("Frames: 2", "Frames: 999999999999999999"))
    assert len(model.clips[0].key_times) == 2


def test_deep_hierarchies():
    deep = "".join(f"JOINT j{k} {{\nOFFSET 0 1 0\n" for k in range(3000)) + "}\n" * 3000
    text = "HIERARCHY\nROOT r {\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n" + deep + "}\nMOTION\n"
    model = read(text + "Frames: 1\nFrame Time: 1\n5\n")
    assert model.skeleton.count == 3001
    many = "".join(f"JOINT j{k} {{\n}}\n" for k in range(10_000))
    with pytest.raises(BvhError, match="more than 10000"):
        read("HIERARCHY\nROOT r {\n" + many)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_corrupt_files_raise_or_load(data):
    """Removed, repeated, swapped, changed and truncated lines raise only AppError."""
    lines = SOUND.splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        k = data.draw(st.integers(0, len(lines) - 1))
        how = data.draw(st.sampled_from(["drop", "twice", "swap", "word", "cut"]))
        if how == "drop" and len(lines) > 1:
            del lines[k]
        elif how == "twice":
            lines.insert(k, lines[k])
        elif how == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[k], lines[other] = lines[other], lines[k]
        elif how == "word":
            words = lines[k].split() or [""]
            at = data.draw(st.integers(0, len(words) - 1))
            words[at] = data.draw(
                st.sampled_from(["{", "}", "JOINT", "1e999", "-1", "nan", "End", "²", "\0", ""])
            )
            lines[k] = " ".join(words)
        else:
            lines[k] = lines[k][: data.draw(st.integers(0, len(lines[k])))]
    raises_or_loads("\n".join(lines).encode())


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_noise_raises_or_loads(noise):
    raises_or_loads(noise)
    raises_or_loads(b"HIERARCHY\n" + noise)
    raises_or_loads(SOUND.encode()[:-20] + noise)


def raises_or_loads(data):
    try:
        model = load_bvh(data)
    except AppError:
        return
    pose = Pose.like(model.skeleton.rest, (3,))
    for clip in model.clips:
        clip.sample(np.array([0.0, 0.1, 9.0]), pose)
    assert np.isfinite(model.skeleton.to_model(pose)).all()


def test_formats(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(SOUND)
    assert load(path).clips[0].name == "walk"
    assert load(str(path)).name == "walk"
    assert load(path.read_bytes()).skeleton.count == 4
    for source in (path, path.read_bytes()):  # not a glTF document
        assert load(source).document is None
    for name in ("a.fbx", "a.usdz"):
        (tmp_path / name).write_bytes(b"anything")
        with pytest.raises(AppError, match=r"empty, or no \.(fbx|usdz)"):
            load(tmp_path / name)
    with pytest.raises(AppError, match="no such file"):
        load(tmp_path / "none.bvh")
    (tmp_path / "d.bvh").mkdir()
    with pytest.raises(AppError, match="not a file"):
        load(tmp_path / "d.bvh")


def test_long_lines_are_refused(monkeypatch):
    monkeypatch.setattr(bvh, "_LONGEST", 200)
    read(SOUND)
    with pytest.raises(BvhError, match="line 25: a line of 300 characters; at most 200 are read"):
        read(SOUND.rstrip() + "\n" + "1 " * 150)


def test_lines_are_parsed_in_slices(monkeypatch):
    whole = read(SOUND)
    monkeypatch.setattr(bvh, "_SLICE", 100)
    part = read(SOUND)
    for one, other in zip(whole.clips[0].tracks, part.clips[0].tracks, strict=True):
        np.testing.assert_array_equal(one.values, other.values)
