"""Every pose of an independent program, for our own files and those beside this checkout.

The numbers, what they mean and how far they may be off are explained in tests/oracle/README.md.
"""

import ast
import hashlib
import json
import math
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

from rigview.animation.morph import morph_points
from rigview.animation.playback import Playback
from rigview.animation.pose import Pose
from rigview.animation.skin import skin_points
from rigview.blending.sources import ClipSource
from rigview.loading.load import load
from rigview.model.model import Model
from rigview.resources import asset_path
from tests.support.shared import MODELS, ORACLE, needs_shared
from tests.tools.oracle.make import SMALL

OWN = Path(__file__).resolve().parent / "oracle"
TOOL = Path(__file__).resolve().parent / "tools" / "oracle"
BUNDLED = "mannequin.glb"
TOLERANCE = 1e-4
LOCAL, WORLD, PALETTE, WEIGHTS, VERTICES, AABB = range(6)  # columns of `ambiguity`


def keys(folder):
    return [row["key"] for row in json.loads((folder / "index.json").read_text())["models"]]


def sources():
    """Where numbers lie, and of which file: ours always, those beside the checkout if they do."""
    own = [pytest.param((OWN, key), id=key) for key in keys(OWN)]
    beside = keys(ORACLE) if ORACLE.is_dir() else ["absent"]
    return own + [
        pytest.param((ORACLE, key), id=f"shared-{key}", marks=needs_shared) for key in beside
    ]


def model_path(folder, file):
    if folder == ORACLE:
        return MODELS / file
    return asset_path(BUNDLED) if file == BUNDLED else OWN / "models" / file


@dataclass(frozen=True)
class Case:
    """A model, the reference numbers [S, ...], and our pose of every sample."""

    model: Model
    numbers: dict[str, np.ndarray]
    meta: dict
    pose: Pose  # [S, J]

    @cached_property
    def matrices(self):
        return self.model.skeleton.to_model(self.pose)

    @cached_property
    def palettes(self):
        return [skin.palette(self.matrices) for skin in self.model.skins]

    @property
    def nodes(self):
        """Joints in the order of glTF's nodes."""
        return self.model.skeleton.joint_of_node

    def allowed(self, quantity):
        """[S, 1, 1, ...] the tolerance of each sample, to be shaped by the caller."""
        return TOLERANCE + self.numbers["ambiguity"][:, quantity]

    def points(self, instance, primitive, vertices, k):
        """Vertices of one sample in world space: morphed, then skinned."""
        moved = primitive.positions[vertices]
        if primitive.morph is not None:
            weights = self.pose.values[k, self.model.channels[instance.channel].slice]
            moved = morph_points(moved, primitive.morph.positions[:, vertices], weights)
        if instance.skin < 0:
            matrix = self.matrices[k, instance.joint]
            return moved @ matrix[:3, :3].T + matrix[:3, 3]
        palette = self.palettes[instance.skin][k]
        return skin_points(moved, primitive.joints[vertices], primitive.weights[vertices], palette)


def sampled(model, clip, time, *, loop):
    """Return the pose of many times of one clip, in one call, as a playback shows them."""
    pose = Pose.like(model.skeleton.rest, np.shape(time))
    if clip < 0:
        return pose
    chosen = model.clips[clip]
    playback = Playback(chosen.end, passes=np.where(loop, math.inf, 1.0), tau=np.zeros_like(time))
    source = ClipSource(chosen, playback, model.skeleton.rest)
    source.advance(0.0, time)
    source.sample(pose)
    return pose


@pytest.fixture(scope="module", params=sources())
def case(request):
    folder, key = request.param
    with np.load(folder / f"{key}.npz") as archive:
        numbers = dict(archive)
    meta = json.loads(numbers.pop("meta").tobytes())
    path = model_path(folder, meta["file"])
    assert hashlib.sha256(path.read_bytes()).hexdigest() == meta["sha256"], (
        f"{path.name} has changed since its numbers were made: "
        "python -m tests.tools.oracle.make makes them again (tests/oracle/README.md)"
    )
    model = load(path)
    pose = Pose.like(model.skeleton.rest, numbers["clip"].shape)
    for clip in np.unique(numbers["clip"]).tolist():
        rows = numbers["clip"] == clip
        part = sampled(model, clip, numbers["time"][rows], loop=numbers["loop"][rows])
        for name in ("translation", "rotation", "scale", "values"):
            getattr(pose, name)[rows] = getattr(part, name)
    return Case(model, numbers, meta, pose)


def assert_matrices(ours, reference, size, allowed):
    """3x3 parts relative to the largest entry of the reference's, translations to the size."""
    largest = np.abs(reference[..., :3, :3]).max(axis=(-2, -1))
    turned = np.abs(ours[..., :3, :3] - reference[..., :3, :3]).max(axis=(-2, -1)) / largest
    moved = np.abs(ours[..., :3, 3] - reference[..., :3, 3]).max(axis=-1) / size
    assert ours.shape[:-2] == reference.shape[:-2]
    assert (turned <= allowed[:, None]).all()
    assert (moved <= allowed[:, None]).all()


def test_samples_cover_every_clip(case):
    assert set(case.numbers["clip"].tolist()) == {-1, *range(len(case.model.clips))}
    names = [name for name in case.meta["node_names"] if name]
    assert len(case.model.skeleton.names) == len(case.meta["node_names"])
    assert set(names) <= set(case.model.skeleton.names)


def test_times_are_clamped_or_wrapped_alike(case):
    for k, clip in enumerate(case.numbers["clip"].tolist()):
        if clip >= 0:
            chosen = case.model.clips[clip]
            passes = math.inf if case.numbers["loop"][k] else 1
            time = Playback(chosen.end, passes=passes).time(case.numbers["time"][k])
            assert time == pytest.approx(case.numbers["t_eff"][k], abs=1e-12)


def test_local_transforms(case):
    allowed = case.allowed(LOCAL)[:, None, None]
    pose, nodes, size = case.pose, case.nodes, case.meta["scene_size"]
    reference = case.numbers
    assert (np.abs(pose.translation[:, nodes] - reference["T"]) <= allowed * size).all()
    largest = np.abs(reference["S"]).max(axis=-1, keepdims=True)
    assert (np.abs(pose.scale[:, nodes] - reference["S"]) <= allowed * largest).all()
    rotation = pose.rotation[:, nodes]
    apart = np.abs(rotation - reference["R"]).max(axis=-1)
    opposite = np.abs(rotation + reference["R"]).max(axis=-1)
    assert (np.minimum(apart, opposite) <= allowed[..., 0]).all()


def test_world_matrices(case):
    ours = case.matrices[:, case.nodes]
    assert_matrices(ours, case.numbers["world"], case.meta["scene_size"], case.allowed(WORLD))


def test_palettes(case):
    assert len(case.palettes) == len(case.meta["skins"])
    for s, palette in enumerate(case.palettes):
        reference = case.numbers[f"palette_{s}"]
        assert_matrices(palette, reference, case.meta["scene_size"], case.allowed(PALETTE))


def test_morph_weights(case):
    allowed = case.allowed(WEIGHTS)[:, None]
    layout = case.meta["weights_layout"]
    assert len(layout) == len(case.model.channels)
    for row in layout:
        joint = case.nodes[row["node"]]
        channel = next(c for c in case.model.channels if c.joint == joint)
        reference = case.numbers["weights"][:, row["offset"] : row["offset"] + row["count"]]
        assert (np.abs(case.pose.values[:, channel.slice] - reference) <= allowed).all()


def instances(case):
    """Yield number, our instance and our primitive for each of the reference's instances."""
    at = {instance.joint: instance for instance in case.model.instances}
    for i, row in enumerate(case.meta["instances"]):
        instance = at[case.nodes[row["node"]]]
        yield i, instance, case.model.meshes[instance.mesh].primitives[row["primitive"]]


def test_vertices(case):
    allowed = case.allowed(VERTICES) * case.meta["scene_size"]
    for i, instance, primitive in instances(case):
        assert len(primitive.positions) == case.meta["instances"][i]["vertex_count"]
        vertices = case.numbers[f"vidx_{i}"]
        for k, reference in enumerate(case.numbers[f"verts_{i}"]):
            ours = case.points(instance, primitive, vertices, k)
            assert np.abs(ours - reference).max() <= allowed[k]


def test_bounds_of_all_vertices(case):
    allowed = case.allowed(AABB) * case.meta["scene_size"]
    drawn = [(inst, primitive) for _, inst, primitive in instances(case) if inst.in_scene]
    for k, reference in enumerate(case.numbers["aabb"]):
        points = np.concatenate([case.points(*each, slice(None), k) for each in drawn])
        assert np.abs(points.min(axis=0) - reference[0]).max() <= allowed[k]
        assert np.abs(points.max(axis=0) - reference[1]).max() <= allowed[k]


@pytest.mark.parametrize(
    "path",
    [
        OWN / "models" / "interpolations.gltf",
        OWN / "models" / "skins.gltf",
        asset_path(BUNDLED),
        pytest.param(MODELS / "robot.glb", marks=needs_shared),
        pytest.param(MODELS / "InterpolationTest/interpolation_test.gltf", marks=needs_shared),
    ],
    ids=lambda path: path.name,
)
def test_one_by_one_equals_batched(path):
    model = load(path)
    time = np.linspace(-0.3, 4.1, 23)
    for clip in range(len(model.clips)):
        batch = sampled(model, clip, time, loop=True)
        matrices = model.skeleton.to_model(batch)
        palettes = [skin.palette(matrices) for skin in model.skins]
        for k, one_time in enumerate(time):
            one = sampled(model, clip, one_time, loop=True)
            for field in ("translation", "rotation", "scale", "values"):
                np.testing.assert_allclose(
                    getattr(one, field), getattr(batch, field)[k], rtol=0, atol=1e-6
                )
            world = model.skeleton.to_model(one)
            np.testing.assert_allclose(world, matrices[k], rtol=1e-5, atol=1e-5)
            for skin, palette in zip(model.skins, palettes, strict=True):
                np.testing.assert_allclose(skin.palette(world), palette[k], rtol=1e-5, atol=1e-5)


def test_every_file_of_ours_has_numbers():
    made = {path.stem for path in (OWN / "models").iterdir()}
    assert made == set(SMALL)
    assert set(keys(OWN)) == made | {Path(BUNDLED).stem}
    assert {path.stem for path in OWN.glob("*.npz")} == set(keys(OWN))


@pytest.mark.parametrize("name", SMALL)
def test_the_tool_makes_the_files_that_are_here(name):
    path = OWN / "models" / f"{name}.gltf"
    assert SMALL[name]().text() == path.read_text(encoding="utf-8")


def test_the_oracle_knows_nothing_of_the_program():
    for path in TOOL.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                foreign = name.split(".")[0] not in {*sys.stdlib_module_names, "numpy"}
                assert not foreign or name.startswith("tests.tools.oracle"), f"{path.name}: {name}"
