"""Outcomes for golden files: same, loose, written, kept, failed."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.golden.files import as_png, read_npz, read_png, read_shot
from rigview.golden.golden import Golden, Rules
from rigview.golden.pose_comparison import Limits
from rigview.golden.shot import Picture, Shot
from rigview.images.picture_difference import Similarity
from rigview.scene.camera import OrbitCamera

HERE, ELSEWHERE = "Mesa 1", "GeForce 2"
POSE = {"times": np.zeros(1), "node_names": np.array(["Hips"]), "node_local": np.zeros((1, 1, 10))}


def image():
    pixels = np.zeros((32, 32, 4), np.uint8)
    pixels[8:24, 10:22] = (200, 120, 40, 255)
    return pixels


def nearly(by):
    pixels = image()
    pixels[10, 12, 0] += by
    return pixels


@pytest.fixture
def golden(tmp_path):
    def make(name="hero", **rules):
        return Golden(tmp_path / "goldens" / name, tmp_path / "out" / name, Rules(**rules))

    return make


@pytest.fixture
def stored(golden):
    assert golden().picture(image(), HERE).kind == "written"
    return golden


def left(tmp_path):
    folder = tmp_path / "out"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_same(stored, tmp_path):
    assert stored().picture(image(), HERE).kind == "same"
    assert left(tmp_path) == []


def test_missing_golden_that_must_exist(golden, tmp_path):
    found = golden(must_exist=True).picture(image(), HERE)
    assert found.kind == "failed"
    assert "missing golden file" in found.words
    assert "--update-goldens" in found.words
    assert not (tmp_path / "goldens").exists()
    assert left(tmp_path) == ["hero-actual.png"]
    assert read_png((tmp_path / "out" / "hero-actual.png").read_bytes())[1] == HERE


def test_update_writes_missing_golden_files(golden):
    assert golden(must_exist=True, update=True).picture(image(), HERE).kind == "written"


def test_one_of_255_is_a_difference(stored, tmp_path):
    found = stored().picture(nearly(1), HERE)
    assert found.kind == "failed"
    assert "greatest difference 1 of 255 (at most 0), 0.10% of the pixels" in found.words
    assert left(tmp_path) == ["hero-actual.png", "hero-difference.png", "hero-expected.png"]
    for name in left(tmp_path):
        assert name in found.words
    pixels = {
        name: read_png((tmp_path / "out" / f"hero-{name}.png").read_bytes())[0]
        for name in ("expected", "actual", "difference")
    }
    assert (pixels["expected"] == image()).all()
    assert (pixels["actual"] == nearly(1)).all()
    colourful = np.ptp(pixels["difference"][..., :3].astype(int), axis=-1) > 30
    assert np.argwhere(colourful).tolist() == [[10, 12]]


def test_files_of_a_failure_are_deleted_after_a_success(stored, tmp_path):
    stored().picture(nearly(9), HERE)
    assert left(tmp_path)
    stored().picture(image(), HERE)
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("rule", "own", "kind"),
    [(4, None, "failed"), (5, None, "same"), (0, 5, "same"), (9, 4, "failed")],
)
def test_tolerance(stored, rule, own, kind):
    assert stored(tolerance=rule).picture(nearly(5), HERE, own).kind == kind


def test_another_renderer_is_compared_loosely(stored):
    found = stored().picture(nearly(50), ELSEWHERE)
    assert found.kind == "loose"
    assert HERE in found.words
    assert ELSEWHERE in found.words


@pytest.mark.parametrize(
    ("there", "here", "steps", "kind"),
    [
        (" on A 6 85", " on A 6 85", 1, "failed"),
        (" on A 6 85", " on B 25 1", 8, "same"),
        (" on A 6 85", " on B 25 1", 9, "failed"),
        ("", " on B 25 1", 8, "same"),
    ],
)
def test_another_processor_may_round_otherwise(golden, there, here, steps, kind):
    golden().picture(image(), HERE + there)
    assert golden().picture(nearly(steps), HERE + here).kind == kind


def test_strict(stored):
    found = stored(strict=True).picture(nearly(50), ELSEWHERE)
    assert found.kind == "failed"
    assert "--golden-strict" in found.words


@pytest.mark.parametrize("strict", [True, False])
def test_loose_comparison_can_fail(stored, strict, tmp_path):
    found = stored(strict=strict).picture(np.roll(image(), 2, axis=1), ELSEWHERE)
    assert found.kind == "failed"
    assert "silhouettes overlap by 0." in found.words
    assert f"made by {HERE}, drawn by {ELSEWHERE}" in found.words
    assert len(left(tmp_path)) == 3


@pytest.mark.parametrize(
    ("mean", "overlap", "kind"),
    [(0.02, 0.985, "loose"), (0.0201, 1.0, "failed"), (0.0, 0.9849, "failed")],
)
def test_limits_of_the_loose_comparison(stored, monkeypatch, mean, overlap, kind):
    found = Similarity(False, 255, mean, overlap)
    monkeypatch.setattr("rigview.golden.golden.similarity", lambda *_: found)
    assert stored().picture(image(), ELSEWHERE).kind == kind


def test_loose_comparison_includes_colour(stored):
    other = image()
    other[..., :3] = np.where(other[..., 3:] > 0, (40, 120, 200), 0)
    assert "mean difference 0." in stored().picture(other, ELSEWHERE).words


@pytest.mark.parametrize(("maker", "here"), [("", ""), (HERE, ""), ("", HERE)])
def test_unknown_renderer_is_compared_loosely(golden, maker, here):
    golden().picture(image(), maker)
    assert golden().picture(image(), here).kind == "loose"


def test_another_size(stored, tmp_path):
    found = stored().picture(image()[:30, :20], HERE)
    assert found.kind == "failed"
    assert "20 x 30 pixels, not 32 x 32" in found.words
    assert len(left(tmp_path)) == 3


def test_update_keeps_equal_files(stored, tmp_path):
    path = tmp_path / "goldens" / "hero.png"
    before = path.stat().st_mtime_ns
    assert stored(update=True).picture(image(), HERE).kind == "kept"
    assert stored(update=True, tolerance=3).picture(nearly(3), HERE).kind == "kept"
    assert path.stat().st_mtime_ns == before
    assert stored(update=True).picture(nearly(1), HERE).kind == "written"
    assert stored(update=True).picture(nearly(1), ELSEWHERE).kind == "written"
    assert path.read_bytes() == as_png(nearly(1), ELSEWHERE)


def test_unreadable_golden(golden, tmp_path):
    (tmp_path / "goldens").mkdir()
    for ending in (".png", ".npz"):
        (tmp_path / "goldens" / f"hero{ending}").write_bytes(b"nothing")
    for found in (golden().picture(image(), HERE), golden().pose(POSE, Limits())):
        assert found.kind == "failed"
        assert "cannot read the golden" in found.words
    assert left(tmp_path) == ["hero-actual.npz", "hero-actual.png"]
    assert golden(update=True).picture(image(), HERE).kind == "written"
    assert golden(update=True).pose(POSE, Limits()).kind == "written"


def test_pose(golden, tmp_path):
    assert golden().pose(POSE, Limits()).kind == "written"
    assert golden().pose(POSE, Limits()).kind == "same"
    assert golden(update=True).pose(POSE, Limits()).kind == "kept"
    other = POSE | {"node_local": np.full((1, 1, 10), 0.01)}
    found = golden().pose(other, Limits())
    assert found.kind == "failed"
    assert "'Hips' moved by 17.32 mm (local) at 0 s (at most 0.01 mm)" in found.words
    assert left(tmp_path) == ["hero-actual.npz", "hero-expected.npz"]
    kept = read_npz((tmp_path / "out" / "hero-actual.npz").read_bytes())
    assert (kept["node_local"] == other["node_local"]).all()
    assert golden(update=True).pose(other, Limits()).kind == "written"
    assert golden().pose(other, Limits()).kind == "same"
    assert left(tmp_path) == []


FAR, NEAR = OrbitCamera(distance=3.0), OrbitCamera(distance=2.0)


def drawn(camera, at=0, redrawn=None, **options):
    """A picture of which the square is in column 10 + `at`, or elsewhere when drawn again."""
    pixels = np.roll(image(), at, axis=1)
    shot = Shot({"fit": "rest"} | options, camera, [{"Hips": [at / 1e3, 0.0, 0.0]}])
    return Picture.of(pixels, shot, lambda other: drawn(other, redrawn, **options))


def test_a_picture_is_compared_with_the_camera_of_its_golden(golden, tmp_path):
    golden().picture(drawn(FAR), HERE)
    assert golden().picture(drawn(NEAR, 5, redrawn=0), HERE).kind == "same"
    found = golden().picture(drawn(NEAR, 0, redrawn=1), HERE)
    assert found.kind == "failed"
    assert "joints moved: 'Hips' 1 mm" in found.words
    actual = (tmp_path / "out" / "hero-actual.png").read_bytes()
    assert read_shot(actual).camera.distance == FAR.distance
    assert (read_png(actual)[0] == np.roll(image(), 1, axis=1)).all()


@pytest.mark.parametrize(
    "picture",
    [
        drawn(replace(FAR, distance=3.0 + 1e-12)),
        drawn(NEAR, view="right"),
        drawn(NEAR).copy(),
        image(),
    ],
)
def test_a_picture_with_a_camera_of_its_own_is_compared_as_it_is(golden, picture):
    golden().picture(drawn(FAR), HERE)
    assert golden().picture(picture, HERE).kind == "same"


def test_a_picture_of_another_size_is_not_drawn_again(golden):
    golden().picture(image()[:30, :20], HERE)
    assert "32 x 32 pixels, not 20 x 30" in golden().picture(drawn(NEAR), HERE).words


def test_an_update_stores_the_new_camera(golden, tmp_path):
    golden().picture(drawn(FAR), HERE)
    assert golden(update=True).picture(drawn(NEAR, 5, redrawn=0), HERE).kind == "kept"
    assert golden(update=True).picture(drawn(NEAR, 5, redrawn=1), HERE).kind == "written"
    stored = (tmp_path / "goldens" / "hero.png").read_bytes()
    assert read_shot(stored).camera.distance == NEAR.distance
    assert (read_png(stored)[0] == np.roll(image(), 5, axis=1)).all()


def test_an_update_adds_the_camera_to_an_older_golden(stored, tmp_path):
    assert stored().picture(drawn(FAR), HERE).kind == "same"
    assert stored().picture(drawn(FAR, 1), HERE).kind == "failed"
    assert stored(update=True).picture(drawn(FAR), HERE).kind == "written"
    now = read_shot((tmp_path / "goldens" / "hero.png").read_bytes())
    assert now.camera.distance == FAR.distance
    assert stored(update=True).picture(image(), HERE).kind == "kept"


def test_only_an_update_adds_new_arrays(golden, tmp_path):
    golden().pose(POSE, Limits())
    more = POSE | {"event_time": np.zeros(2)}
    assert golden().pose(more, Limits()).kind == "same"
    assert golden(update=True).pose(more, Limits()).kind == "written"
    found = golden().pose(POSE, Limits())
    assert "missing arrays: 'event_time'" in found.words


def test_many_differences_are_summarised(golden):
    golden().pose({f"weights_{k}": np.zeros((1, 1)) for k in range(30)}, Limits())
    found = golden().pose({f"weights_{k}": np.ones((1, 1)) for k in range(30)}, Limits())
    assert "and 22 more" in found.words


def test_picture_and_pose_with_the_same_name(stored, tmp_path):
    stored().pose(POSE, Limits())
    stored().picture(nearly(1), HERE)
    stored().pose(POSE, Limits())
    assert "hero-actual.png" in left(tmp_path)
