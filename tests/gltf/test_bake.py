import numpy as np
import pytest

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.animation.vectors import dot
from rigview.gltf.bake import DEGREES, METRES, METRES_PER_HEIGHT, bake
from rigview.gltf.document import open_document
from rigview.gltf.read_model import read_model
from rigview.loading.load import load
from rigview.model.clip_deviation import deviation
from rigview.model.skinned_vertices import height, vertex_blocks
from rigview.resources import asset_path
from tests.support.character_versions import character
from tests.support.gltf_documents import Builder
from tests.support.light_mannequin import light_mannequin
from tests.support.shared import MODELS, needs_shared

SMALL = ["CesiumMan.glb", "Fox.glb", "RiggedSimple.gltf", "SimpleSkin.gltf", "BoxAnimated.gltf"]


def baked(source, **options):
    document = open_document(source)
    return bake(document, read_model(document), **options)


def arm(*, swing=1.0, keys=241, noise=0.0, scale=1.0, rng=None):
    """Return a mesh with two joints; one swings by `swing` degrees in two seconds."""
    b = Builder()
    joints = b.accessor([[0, 1, 0, 0]] * 3, "uint8")
    weights = b.accessor([[0.5, 0.5, 0, 0]] * 3)
    corners = (np.array([[0, 0, 0], [0, 2, 0], [0.2, 2, 0]]) * scale).tolist()
    mesh = b.mesh({"JOINTS_0": joints, "WEIGHTS_0": weights}, positions=corners)
    b.add("nodes", name="Body", mesh=mesh, skin=0)
    b.add("nodes", name="Root", children=[2])
    b.add("nodes", name="Tip", translation=[0, scale, 0])
    b.add("skins", joints=[1, 2])
    times = np.linspace(0, 2, keys)
    angles = np.radians(swing) / 2 * np.sin(np.pi * times)
    if noise:
        angles[1:-1] += rng.normal(scale=noise, size=keys - 2)
    still = np.tile([0, 0, 0, 1.0], (keys, 1))
    bend = np.stack([0 * angles, 0 * angles, np.sin(angles), np.cos(angles)], axis=1)
    b.animation((1, "rotation", times, bend), (2, "rotation", times, still), name="Bend")
    return b


def test_smooth_motion_needs_few_keys():
    out = baked(arm().glb())
    (report,) = out.reports
    assert report.keys[0] == 482
    assert report.keys[1] < 100
    assert 0 < report.deviation.metres <= METRES_PER_HEIGHT * 2
    assert report.deviation.degrees <= DEGREES
    assert len(out.data) < out.before


@pytest.mark.parametrize("metres", [1e-5, 1e-3])
@pytest.mark.parametrize("degrees", [0.001, 1.0])
def test_tolerances_hold_for_all_tracks_together(metres, degrees, rng):
    """Errors of both joints add up, and noise prevents an exact estimate of the shares."""
    (report,) = baked(arm(noise=1e-4, rng=rng).glb(), metres=metres, degrees=degrees).reports
    assert report.deviation.metres <= metres
    assert report.deviation.degrees <= degrees


def test_small_character_has_a_smaller_tolerance():
    (tall,) = baked(arm().glb()).reports
    (tiny,) = baked(arm(scale=0.01).glb(), degrees=10).reports
    assert tiny.deviation.metres <= METRES_PER_HEIGHT * 0.02
    assert tall.deviation.metres > METRES_PER_HEIGHT * 0.02


def test_given_tolerance_is_independent_of_height():
    """The character is 0.02 m tall; 1 mm is 1/20 of its height."""
    data = arm(scale=0.01, keys=241).glb()
    (wide,) = baked(data, metres=1e-3, degrees=90).reports
    (narrow,) = baked(data, degrees=90).reports
    assert METRES_PER_HEIGHT * 0.02 < wide.deviation.metres <= 1e-3
    assert wide.keys[1] < narrow.keys[1]


def test_report_is_the_deviation_of_the_files():
    data = arm().glb()
    out = baked(data)
    before, after = load(data), load(out.data)
    found = deviation(before, vertex_blocks(before), before.clips[0], after.clips[0])
    assert found == out.reports[0].deviation


def test_clip_ends_and_loop_seam_are_preserved():
    b = arm()
    before, after = b.load(), load(baked(b.glb()).data)
    assert (after.clips[0].start, after.clips[0].end) == (before.clips[0].start, 2)
    for one, two in zip(before.clips[0].tracks, after.clips[0].tracks, strict=True):
        np.testing.assert_allclose(one.values[[0, -1]], two.values[[0, -1]], atol=1e-7)


def test_only_chosen_clips_are_baked():
    b = arm()
    b.json["animations"].append(b.json["animations"][0] | {"name": "Second"})
    out = baked(b.glb(), clips=[1])
    assert [report.name for report in out.reports] == ["Second"]
    first, second = load(out.data).clips
    assert len(first.tracks[0].times) == 241
    assert len(second.tracks[0].times) < 100


def test_clips_of_other_files_are_added():
    keys = np.array([[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], np.float32)
    track = Track(1, "translation", "LINEAR", np.array([0, 1, 2], np.float32), keys)
    steps = []
    out = baked(arm().glb(), extra_clips=[Clip.of("Walk", [track])], step=lambda: steps.append(1))
    assert [report.name for report in out.reports] == ["Bend", "Walk"]
    assert out.reports[1].keys == (3, 2)
    assert [clip.name for clip in load(out.data).clips] == ["Bend", "Walk"]
    assert len(steps) == 2


def test_fixed_rate():
    out = baked(arm(swing=60).glb(), fps=10)
    for track in load(out.data).clips[0].tracks:
        np.testing.assert_allclose(track.times, np.arange(21) / 10, atol=1e-6)
        assert (dot(track.values[1:], track.values[:-1]) > 0).all()
    assert out.reports[0].deviation.degrees > DEGREES  # reported, without a limit


def test_fixed_rate_of_a_loop():
    """A loop has N keys; between the last and the first the player interpolates."""
    data = character(clips=("Wave",)).glb()
    out = baked(data, fps=10, loop=True)
    np.testing.assert_allclose(load(out.data).clips[0].tracks[0].times, np.arange(20) / 10)
    assert out.reports[0].keys == (3, 20)
    assert out.reports[0].deviation.degrees < 1e-3, "measured with the closing key"
    odd = baked(data, fps=7.6, loop=True)  # 15.2 frames
    times = load(odd.data).clips[0].tracks[0].times
    np.testing.assert_allclose(times, np.arange(15) * 2 / 15, rtol=1e-6)


def test_morph_weights_are_baked():
    b = Builder()
    lift = b.accessor([[0, 0, 0], [0, 0, 0], [0, 0, 1]])
    b.add("nodes", mesh=b.mesh(targets=[{"POSITION": lift}]), weights=[0.5])
    times = np.linspace(0, 1, 11)
    b.animation((0, "weights", times, times[:, None]))
    out = baked(b.glb())
    assert out.reports[0].keys == (11, 2)
    assert load(out.data).clips[0].tracks[0].values.ravel().tolist() == [0, 1]


def test_morph_keys_follow_the_tolerance():
    """A weight along a sine moves a vertex by 1 cm: 2 mm are a fifth of that."""
    b = Builder()
    shift = b.accessor([[0, 0, 0], [0, 0, 0], [0, 0, 0.01]])
    b.add("nodes", mesh=b.mesh(targets=[{"POSITION": shift}]))
    times = np.linspace(0, 2, 61)
    b.animation((0, "weights", times, 0.5 + 0.5 * np.sin(np.pi * times)[:, None]))
    counts = []
    for metres in (METRES, 5e-4, 2e-3):
        out = baked(b.glb(), metres=metres)
        counts.append(out.reports[0].keys[1])
        assert out.reports[0].deviation.metres <= metres
    assert 61 > counts[0] > 1.5 * counts[1] > 1.5 * 1.5 * counts[2], counts


def test_huge_translations_do_not_fail():
    b = arm(keys=5)
    b.json["nodes"][1]["translation"] = [1e15, 0, 0]
    assert baked(b.glb()).reports[0].keys[1] <= 10


@pytest.mark.parametrize("options", [{"metres": 0}, {"degrees": -1}])
def test_tolerance_must_be_positive(options):
    with pytest.raises(ValueError, match="above 0"):
        baked(arm().glb(), **options)


def check_real(path):
    out = baked(path)
    before, after = load(path), load(out.data)
    tall = height(before, vertex_blocks(before))
    for report, one, two in zip(out.reports, before.clips, after.clips, strict=True):
        assert report.deviation.metres <= METRES_PER_HEIGHT * tall
        assert report.deviation.degrees <= DEGREES
        assert (one.start, one.end, one.name) == (two.start, two.end, two.name)
        assert report.keys[1] <= report.keys[0]
        assert [t.interpolation for t in two.tracks if t.interpolation == "STEP"] == [
            t.interpolation for t in one.tracks if t.interpolation == "STEP"
        ]
    assert len(out.data) < out.before
    return out


@needs_shared
@pytest.mark.parametrize("name", SMALL)
def test_real_file(name):
    check_real(MODELS / name)


@needs_shared
def test_robot_shrinks_by_half():
    out = check_real(MODELS / "robot.glb")
    assert len(out.data) < 0.45 * out.before


def test_mannequin(tmp_path):
    names = [clip.name for clip in load(asset_path("mannequin.glb")).clips]
    path = tmp_path / "mannequin.glb"
    path.write_bytes(light_mannequin(frozenset(names[::3])))
    out = check_real(path)
    before, after = np.sum([report.keys for report in out.reports], axis=0)
    assert after < 0.9 * before  # its exporter reduces keys already
