"""Converted files against Blender's own evaluated meshes; skipped where there is no Blender."""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.conversion.conversion_settings import Settings, using
from rigview.conversion.find_blender import Blender, environment, find_blender
from rigview.errors import ConversionError
from rigview.loading.load import load
from rigview.model.pose_arrays import pose_arrays

ROOT = Path(__file__).resolve().parents[2]
MAKER = Path(__file__).with_name("make_files.py")
MOST = 100  # vertices that are compared, about
SHARE = 1e-3  # largest distance of a vertex, of the size
CASES = {  # what is made, and the formats that it survives
    "rig": (".blend", ".fbx", ".dae", ".usdc"),
    "shapes": (".blend",),
    "masked": (".blend",),
    "keyed_skin": (".blend", ".fbx", ".usdc"),
    "centimetres": (".blend", ".fbx"),
    "scaled": (".blend", ".fbx"),
    "unscaled": (".blend",),
    "constrained": (".blend", ".fbx"),
    "crowd_of_bones": (".blend", ".fbx"),
    "linked": (".blend",),
}


def blenders() -> list[Blender]:
    """Return the Blenders of this machine: that of the system, and that of `make blender`."""
    found = []
    for named in (os.environ.get("RIGVIEW_BLENDER"), "blender", str(ROOT / "build/blender")):
        try:
            found += [find_blender(named)] if named else []
        except ConversionError:
            continue
    return list({each.program: each for each in found}.values())


BLENDERS = blenders()


def run(blender: Blender, script: Path, folder: Path) -> None:
    """Run a script in Blender with a folder."""
    ran = subprocess.run(
        blender.command(script, folder), capture_output=True, env=environment(folder), check=False
    )
    assert ran.returncode == 0, (ran.stdout + ran.stderr).decode()[-3000:]
    assert list(folder.glob("file.*")), (ran.stdout + ran.stderr).decode()[-3000:]


@pytest.fixture(scope="module", params=BLENDERS or [None], ids=lambda each: each and each.version)
def blender(request, tmp_path_factory):
    """Each Blender of this machine, with a cache of its own."""
    if request.param is None:
        pytest.skip("there is no Blender (apt-get install blender, or make blender)")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        with using(Settings(request.param.program)):
            yield request.param


def reads(blender: Blender, ending: str) -> bool:
    """Return whether a Blender writes and reads a format with its skeleton."""
    return {".usdc": blender.number >= (4, 1), ".dae": blender.number < (5, 0)}.get(ending, True)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("case", "ending"), [(case, ending) for case, endings in CASES.items() for ending in endings]
)
def test_vertices_are_those_of_blender(blender, tmp_path, case, ending):
    if not reads(blender, ending):
        pytest.skip(f"Blender {blender.version} does not write {ending} with skeletons")
    model, errors = compared(blender, tmp_path, case, ending)
    assert max(errors.values()) < SHARE, (case, ending, errors)
    assert not [warning for warning in model.warnings if "size" in warning]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["CORRECTIVE_SMOOTH", "PRESERVE_VOLUME", "SOLIDIFY", "SUBSURF"])
def test_a_warning_says_how_far_modifiers_are_off(blender, tmp_path, kind):
    model, errors = compared(blender, tmp_path, f"after_{kind}", ".blend")
    worst = max(errors.values())
    (warning,) = model.warnings
    found = re.search(
        r"身体 differs by ([\d.]+)% .* at frame (\d+) of 走る: a skin cannot hold", warning
    )
    assert worst > SHARE
    assert float(found[1]) / 3 < 100 * worst < 1.5 * float(found[1])
    assert warning.endswith("Preserve Volume" if kind == "PRESERVE_VOLUME" else "After")


@pytest.mark.timeout(300)
def test_a_warning_says_how_far_sheared_bones_are_off(blender, tmp_path):
    model, errors = compared(blender, tmp_path, "sheared", ".blend")
    (worst,) = errors.values()
    found = re.fullmatch(
        r"shear is lost, .*: Hat and 2 more, by ([\d.]+)% of the size at frame .* of Grow",
        model.warnings[1],
    )
    assert SHARE < worst < float(found[1]) / 100 < 3 * worst


@pytest.mark.timeout(300)
def test_lights_and_default_material_are_those_of_blender(blender, tmp_path):
    model, _ = compared(blender, tmp_path, "lit", ".blend")
    (material,) = model.materials
    assert (material.name, material.double_sided) == ("Default", True)
    found = {light.kind: light.intensity for light in model.lights}
    assert found == pytest.approx({"directional": 3, "point": 100 / (4 * np.pi)})


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["TRIANGULATE", "WELD"])
def test_modifiers_that_are_exact(blender, tmp_path, kind):
    model, errors = compared(blender, tmp_path, f"after_{kind}", ".blend")
    assert max(errors.values()) < SHARE
    assert not model.warnings


def compared(blender, folder, case, ending):
    """Return a case as a model, and the largest error of each clip, of the size."""
    (folder / "case.json").write_text(json.dumps([case, ending]))
    run(blender, MAKER, folder)
    model = load(folder / f"file{ending}")
    errors = {}
    with np.load(folder / "expected.npz") as arrays:
        for name in [key.partition(":")[2] for key in arrays if key.startswith("times:")]:
            times, expected = arrays[f"times:{name}"], arrays[f"vertices:{name}"].astype(float)
            clips = {clip.name: clip for clip in model.clips} | {"": model.clips[0]}
            clip = clips[name]
            assert clip.start == 0.0
            assert clip.end == pytest.approx(times[-1], abs=1e-4)
            ours = vertices(model, clip, times)
            size = np.ptp(expected.reshape(-1, 3), axis=0).max()
            errors[name] = max(farthest(ours, expected), farthest(expected, ours)) / size
    return model, errors


TRIANGLE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
<library_animations><animation id="lost"/></library_animations>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@pytest.mark.timeout(300)
def test_a_warning_says_that_blender_read_no_animation(blender, tmp_path):
    if not reads(blender, ".dae"):
        pytest.skip(f"Blender {blender.version} does not read COLLADA")
    (tmp_path / "file.dae").write_text(TRIANGLE)
    model = load(tmp_path / "file.dae")
    assert not model.clips
    assert list(model.warnings) == ["this Blender reads none of its animations"]


@pytest.mark.timeout(300)
def test_scripts_of_a_file_do_not_run(blender, tmp_path):
    (tmp_path / "case.json").write_text(json.dumps(["scripted", ".blend"]))
    run(blender, MAKER, tmp_path)
    (tmp_path / "ran").unlink(missing_ok=True)
    assert len(load(tmp_path / "file.blend").clips) == 3
    assert not (tmp_path / "ran").exists()


@pytest.mark.timeout(300)
def test_a_file_of_a_newer_blender_says_so(blender, tmp_path):
    newest = max(BLENDERS, key=lambda each: each.number)
    if newest.number[0] == blender.number[0]:
        pytest.skip("there is no newer Blender")
    (tmp_path / "case.json").write_text(json.dumps(["scripted", ".blend"]))
    run(newest, MAKER, tmp_path)
    with pytest.raises(ConversionError, match=r"Blender 4\.5 saved it, which is newer than this"):
        load(tmp_path / "file.blend")


def vertices(model, clip, times):
    """Return the vertices [T, V, 3] of a model at times of a clip."""
    pose = Pose.like(model.skeleton.rest, (len(times),))
    clip.sample(times, pose)
    arrays = pose_arrays(model, pose, times, vertices=True)
    return np.concatenate(
        [rows for key, rows in arrays.items() if key.startswith("vertices_")], axis=1
    ).astype(float)


def farthest(some, others):
    """Return the largest distance of a path of a vertex [T, V, 3] to the nearest of others."""
    worst = 0.0
    for k in range(0, some.shape[1], 1 + some.shape[1] // MOST):
        distance = np.linalg.norm(others - some[:, k : k + 1], axis=2).max(axis=0)
        worst = max(worst, float(distance.min()))
    return worst
