"""Deviations that `bake` reports, against the evaluation of the written file in float64."""

import numpy as np
import pytest

from rigview.gltf.bake import DEGREES, METRES_PER_HEIGHT, bake
from rigview.gltf.document import open_document
from rigview.gltf.read_model import read_model
from rigview.model.skinned_vertices import height, vertex_blocks
from rigview.resources import asset_path
from tests.support.gltf_validator import validated
from tests.support.shared import MODELS, needs_shared
from tests.tools.oracle.document import read
from tests.tools.oracle.evaluate import Evaluation, Reading

FILES = [
    pytest.param((asset_path("mannequin.glb"), "Wave"), id="mannequin"),
    pytest.param((MODELS / "Fox.glb", "Walk"), id="Fox", marks=needs_shared),
    pytest.param((MODELS / "CesiumMan.glb", 0), id="CesiumMan", marks=needs_shared),
]
WAYS = {
    "reduced": {},
    "resampled": {"fps": 12},
    "resampled and reduced": {"fps": 24, "degrees": 0.5},
    "reduced, 16 bits": {"quantize_rotations": True},
    "kept, 16 bits": {"keep_keys": True, "quantize_rotations": True},
}
TIMES = 40  # moments that are compared
SAME = 1e-6  # of the height: between float32 and float64


def moments(one, other, clip, loudest):
    """Keys of both clips and the middles between them, evenly thinned, and the worst time."""
    channels = [*one.channels(clip), *other.channels(clip)]
    keys = np.unique(np.concatenate([each.times for each in channels]))
    times = np.union1d(keys, (keys[1:] + keys[:-1]) / 2)
    return np.union1d(times[:: max(1, len(times) // TIMES)], [loudest])


def greatest(one, other, clip, times):
    """The greatest distance of vertices and nodes, metres."""
    far = 0.0
    for t in times:
        locals_ = [each.local(clip, float(t)) for each in (one, other)]
        worlds = [each.world(pose) for each, pose in zip((one, other), locals_, strict=True)]
        found = [worlds[1][:, :3, 3] - worlds[0][:, :3, 3]]
        for instance in one.instances:
            a, b = (
                each.vertices(instance, pose, world, slice(None))
                for each, pose, world in zip((one, other), locals_, worlds, strict=True)
            )
            found.append(b - a)
        far = max(far, *(float(np.linalg.norm(each, axis=-1).max()) for each in found))
    return far


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("way", WAYS)
def test_reported_deviation_is_that_of_the_file(tmp_path, file, way):
    path, name = file
    document = open_document(path)
    model = read_model(document)
    clip = model.clips.find(name).index
    out = bake(document, model, clips=[clip], **WAYS[way])
    target = tmp_path / "out.glb"
    target.write_bytes(out.data)
    (report,) = out.reports
    tall = height(model, vertex_blocks(model))
    one, other = (Evaluation(read(each), Reading(unit_rotations=True)) for each in (path, target))
    found = greatest(one, other, clip, moments(one, other, clip, report.deviation.time))
    assert report.deviation.metres == pytest.approx(found, abs=SAME * tall)
    if way.startswith("reduced"):
        assert found <= (METRES_PER_HEIGHT + SAME) * tall
        assert report.deviation.degrees <= DEGREES


@pytest.mark.parametrize("file", FILES)
def test_16_bits_are_valid(tmp_path, file):
    path, _ = file
    document = open_document(path)
    model = read_model(document)
    out = bake(document, model, quantize_rotations=True, keep_keys=True)
    target = tmp_path / "out.glb"
    target.write_bytes(out.data)
    rotations = [track for clip in model.clips for track in clip.tracks if track.path == "rotation"]
    cubic = sum(track.interpolation == "CUBICSPLINE" for track in rotations)
    assert sum(report.not_quantized for report in out.reports) == cubic < len(rotations)
    assert len(out.data) < out.before
    before, after = validated(path, target)
    assert {(i.severity, i.code) for i in after} <= {(i.severity, i.code) for i in before}


@pytest.mark.parametrize("file", FILES)
def test_other_animations_keep_their_bytes(tmp_path, file):
    path, name = file
    document = open_document(path)
    model = read_model(document)
    clip = model.clips.find(name).index
    out = bake(document, model, clips=[clip], fps=10, quantize_rotations=True)
    target = tmp_path / "out.glb"
    target.write_bytes(out.data)
    before, after = keys_of(read(path)), keys_of(read(target))
    assert before.pop(clip) != after.pop(clip)
    assert before == after


def keys_of(document):
    """Target, interpolation, and types and bytes of the keys of all channels, by animation."""
    return {
        a: [
            (channel["target"], sampler.get("interpolation"), *elements(document, sampler))
            for channel in row["channels"]
            for sampler in [row["samplers"][channel["sampler"]]]
        ]
        for a, row in enumerate(document.all("animations"))
    }


def elements(document, sampler):
    """Type and bytes of the times and of the values of a sampler."""
    for end in ("input", "output"):
        accessor = document.json["accessors"][sampler[end]]
        yield accessor["componentType"], accessor["type"]
        yield document.accessor(sampler[end]).tobytes()
