"""Humanoid skeletons and random clips for tests of retargeting."""

from dataclasses import replace

import numpy as np

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.skeleton import Skeleton
from rigview.animation.skin import Skin
from rigview.animation.track import Track
from tests.support.models import make_model

HUMANOID = {  # joint: parent and position in T-pose, metres
    "Hips": ("", (0, 1.0, 0)),
    "Spine": ("Hips", (0, 1.2, 0)),
    "Head": ("Spine", (0, 1.6, 0)),
    "LeftArm": ("Spine", (0.2, 1.45, 0)),
    "LeftForeArm": ("LeftArm", (0.5, 1.45, 0)),
    "LeftHand": ("LeftForeArm", (0.75, 1.45, 0)),
    "RightArm": ("Spine", (-0.2, 1.45, 0)),
    "RightForeArm": ("RightArm", (-0.5, 1.45, 0)),
    "RightHand": ("RightForeArm", (-0.75, 1.45, 0)),
    "LeftUpLeg": ("Hips", (0.1, 0.95, 0)),
    "LeftLeg": ("LeftUpLeg", (0.1, 0.52, 0.01)),
    "LeftFoot": ("LeftLeg", (0.1, 0.08, 0)),
    "LeftToe": ("LeftFoot", (0.1, 0.0, 0.12)),
    "RightUpLeg": ("Hips", (-0.1, 0.95, 0)),
    "RightLeg": ("RightUpLeg", (-0.1, 0.52, 0.01)),
    "RightFoot": ("RightLeg", (-0.1, 0.08, 0)),
    "RightToe": ("RightFoot", (-0.1, 0.0, 0.12)),
}


def turned_places(degrees):
    """The joints of the humanoid, turned about +Y."""
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return {
        name: (parent, (cosine * x + sine * z, y, cosine * z - sine * x))
        for name, (parent, (x, y, z)) in HUMANOID.items()
    }


def humanoid(places=None, *, rename=str, size=1.0, turned=None, seed=None, clips=(), skin=True):
    """A model with joints at `places`, by default a humanoid in T-pose.

    With a `seed`, the axes of the joints are random. `turned` are rotations [J, 4] in model space
    from the bind pose to the rest pose.
    """
    places = HUMANOID if places is None else places
    depth = {"": -1}
    for name, (parent, _) in places.items():
        depth[name] = depth[parent] + 1
    order = sorted(places, key=depth.__getitem__)
    index = {name: k for k, name in enumerate(order)}
    parents = np.array([index.get(places[name][0], -1) for name in order], np.int32)
    at = np.array([places[name][1] for name in order], np.float64) * size
    count = len(order)
    model = np.tile([0.0, 0, 0, 1], (count, 1))
    if seed is not None:
        model = quat.normalize(np.random.default_rng(seed).normal(size=(count, 4)))
    above = np.where(parents[:, None] >= 0, model[parents], [0.0, 0, 0, 1])
    local = quat.multiply(quat.conjugate(above), model)
    offset = quat.rotate(
        quat.conjugate(above), at - np.where(parents[:, None] >= 0, at[parents], 0)
    )
    rest = Pose(
        offset.astype(np.float32),
        local.astype(np.float32),
        np.ones((count, 3), np.float32),
        np.zeros(0, np.float32),
    )
    skeleton = Skeleton(
        tuple(rename(name) for name in order), parents, np.arange(count, dtype=np.int32), rest
    )
    bind = np.linalg.inv(skeleton.to_model(rest).astype(np.float64)).astype(np.float32)
    skins = (Skin("Skin", np.arange(count, dtype=np.int32), bind),) if skin else ()
    return make_model(
        [], parents, skins=skins, clips=tuple(clips), instances=(), meshes=(), skeleton=skeleton
    )


def random_clip(skeleton, seed, *, name="Move", keys=5, wild=0.6, interpolation="LINEAR"):
    """A random clip that rotates all joints and moves the first."""
    rng = np.random.default_rng(seed)
    times = np.linspace(0, 1, keys).astype(np.float32)
    tracks = []
    for joint in range(skeleton.count):
        noise = rng.normal(size=(keys, 4)) * wild * [1, 1, 1, 0] + [0, 0, 0, 1]
        turns = quat.multiply(
            skeleton.rest.rotation[joint].astype(np.float64)[None], quat.normalize(noise)
        ).astype(np.float32)
        tracks.append(Track(joint, "rotation", interpolation, times, quat.normalize(turns)))
    path = skeleton.rest.translation[0] + rng.normal(size=(keys, 3)) * 0.2
    tracks.append(Track(0, "translation", interpolation, times, path.astype(np.float32)))
    return Clip.of(name, tracks)


def sampled_pose(model, clip, times):
    """The local poses of a clip at some times."""
    pose = Pose.like(model.skeleton.rest, np.shape(times))
    clip.sample(times, pose)
    return pose


def joint_positions(model, clip, times):
    """The positions [T, J, 3] of all joints in model space."""
    return model.skeleton.to_model(sampled_pose(model, clip, times))[..., :3, 3].astype(np.float64)


def with_clips(model, *clips):
    return replace(model, clips=clips)
