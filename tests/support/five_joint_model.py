"""A model with five joints, clips with simple values, and motion files for it."""

import numpy as np

from rigview.animation.clip import Clip
from rigview.animation.track import Track
from rigview.animation.vectors import dot
from rigview.model.model import Channel
from rigview.motion.bind import bind
from tests.support.models import make_model, square
from tests.support.motion_texts import document_from

NAMES = ("Root", "Hips", "Spine", "Arm", "Head")
SPINE = 2


def track_of(target, path, times, values, interpolation="LINEAR", **fields):
    values = np.asarray(values, np.float32).reshape(len(times), -1)
    return Track(target, path, interpolation, np.asarray(times, np.float32), values, **fields)


def rotation_about(axis, degrees):
    """The quaternion of a rotation about a coordinate axis."""
    half = np.radians(degrees) / 2
    return np.array([*(np.eye(3)["xyz".index(axis)] * np.sin(half)), np.cos(half)], np.float32)


def slide_clip(name, seconds, way, joint=1):
    """A clip that moves a joint by `way` along x in one pass."""
    return Clip.of(name, [track_of(joint, "translation", [0, seconds], [[0, 1, 0], [way, 1, 0]])])


def turn_clip(name, seconds, degrees, joint=2, axis="z"):
    """A clip that rotates a joint by `degrees` in one pass."""
    keys = [rotation_about(axis, degrees * u) for u in (0, 0.5, 1)]
    return Clip.of(name, [track_of(joint, "rotation", [0, seconds / 2, seconds], keys)])


def five_joint_model(*clips):
    """A model with the joints Root, Hips (at 1 m), Spine, Arm at its left and Head above it."""
    model = make_model(
        [square()],
        (-1, 0, 1, 2, 2),
        translations=[[0, 0, 0], [0, 1, 0], [0, 0.3, 0], [0.4, 0.2, 0], [0, 0.5, 0]],
        clips=clips,
    )
    object.__setattr__(model.skeleton, "names", NAMES)
    return model


def with_value(model, default=0.0, kind="linear"):
    """Add an animated value of the head to a model."""
    rest = model.skeleton.rest
    pose = type(rest)(rest.translation, rest.rotation, rest.scale, np.array([default], np.float32))
    object.__setattr__(model.skeleton, "rest", pose)
    channel = Channel("/nodes/4/weights", 0, 1, kind, 4, np.array([default], np.float32))
    object.__setattr__(model, "channels", (channel,))
    return model


def bind_motion(model, text, **options):
    """Bind the text of a motion file, without its version, to a model."""
    return bind(model, document_from("version = 1\n" + text), **options)


def pose_at(mixer, model, tau):
    """The pose of a mixer after it went on to a time."""
    pose = model.skeleton.rest.copy()
    mixer.seek(tau)
    mixer.sample(pose)
    return pose


def current_pose(mixer, model):
    """The pose at the current time of a mixer."""
    pose = model.skeleton.rest.copy()
    mixer.sample(pose)
    return pose


def is_same_rotation(a, b, within=2e-6):
    """Return whether two quaternions are the same rotation."""
    return 1 - abs(float(dot(np.asarray(a, np.float64), np.asarray(b, np.float64)))) < within


def look_at_eye(chain, speed=None):
    """Return a motion file with a layer that aims a chain at the parameter `eye`."""
    return f"""
    [parameters]
    eye = {{ default = [2.0, 1.8, 0.0] }}
    [aims.look]
    chain = {chain}
    target = "eye"
    {"" if speed is None else f"speed = {speed}"}
    [[layers]]
    name = "look"
    play = "look"
    """
