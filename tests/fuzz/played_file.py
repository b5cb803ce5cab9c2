"""What is done with a loaded file: it is played and described, or all rules run on it."""

import numpy as np

from rigview.animation.morph import morph_points
from rigview.animation.pose import Pose
from rigview.animation.skin import skin_points
from rigview.blending.clip_mixer import clip_mixer
from rigview.checks.check_context import CheckContext
from rigview.checks.examine import examine
from rigview.cli.info import as_text
from rigview.model.pointer_values import PointerValues
from rigview.model.statistics import describe
from rigview.scene.bounds import PosedBounds

TIMES = np.array([-1.0, 0.0, 0.1, 0.5, 1e6])
SECONDS = (-1.0, 0.0, 0.3, 1.0, 1e9)


def play_model(model):
    """Sample the clips; compute matrices, palettes, vertices and bounds."""
    rest = model.skeleton.rest
    last = clip_mixer(model.clips, rest, len(model.clips) - 1)
    PosedBounds(model).sweep(last.sweep().poses)
    model.skeleton.to_model(rest)
    for clip in model.clips:
        pose = Pose.like(rest, TIMES.shape)
        clip.sample(TIMES * max(clip.end, 1e-3), pose)
        clip.sample_key(np.array([0, 1, 2, 3, 10**6]), pose)
        one = Pose.like(rest)
        clip.sample(clip.end / 3, one)
        matrices = model.skeleton.to_model(one)
        palettes = [skin.palette(matrices) for skin in model.skins]
    if model.clips:
        for instance in model.instances:
            _deform(model, instance, one, palettes)


def _deform(model, instance, pose, palettes):
    for primitive in model.meshes[instance.mesh].primitives:
        points = primitive.positions
        if primitive.morph is not None:
            weights = pose.values[model.channels[instance.channel].slice]
            points = morph_points(points, primitive.morph.positions, weights)
        if instance.skin >= 0 and primitive.joints is not None:
            skin_points(points, primitive.joints, primitive.weights, palettes[instance.skin])
        if primitive.indices is not None and primitive.indices.size:
            points[primitive.indices]


def sample_properties(model):
    """Sample all animated properties at several times of each clip, and describe the model."""
    moving = PointerValues(model)
    for clip in model.clips:
        for time in SECONDS:
            pose = Pose.like(model.skeleton.rest)
            clip.sample(time, pose)
            moving.hidden(pose.values)
            for number, material in enumerate(model.materials):
                at = moving.material(number, pose.values)
                assert at.textures.keys() == material.textures.keys()
            lights = [moving.light(each, pose.values) for each in model.lights]
            assert all(each.intensity >= 0 and each.range >= 0 for each in lights)
            views = [moving.camera(each, pose.values) for each in model.cameras]
            assert all(0 < each.yfov < np.pi and each.zfar > each.znear for each in views)
    assert as_text({"file": "x", **describe(model)})


def run_rules(model):
    """Run all rules on a model."""
    for finding in examine(CheckContext(model)):
        assert finding.message.isprintable(), finding
        assert len(finding.message) < 1000, finding
        assert finding.limit is None or np.isfinite(finding.limit), finding
