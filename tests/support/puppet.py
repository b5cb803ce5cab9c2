"""A small puppet with clips that can be reckoned by hand, and motions put to work on it."""

import numpy as np

from rigview.animation.clip import Clip
from rigview.animation.quat import dot
from rigview.animation.track import Track
from rigview.model.model import Channel
from rigview.motion.bind import bind
from rigview.motion.read import document_from
from tests.support.models import make_model, square

NAMES = ("Root", "Hips", "Spine", "Arm", "Head")
SPINE = 2


def track(target, path, times, values, interpolation="LINEAR", **fields):
    values = np.asarray(values, np.float32).reshape(len(times), -1)
    return Track(target, path, interpolation, np.asarray(times, np.float32), values, **fields)


def about(axis, degrees):
    """A quaternion."""
    half = np.radians(degrees) / 2
    return np.array([*(np.eye(3)["xyz".index(axis)] * np.sin(half)), np.cos(half)], np.float32)


def slide(name, seconds, way, joint=1):
    """A joint that goes `way` along x in one pass."""
    return Clip.of(name, [track(joint, "translation", [0, seconds], [[0, 1, 0], [way, 1, 0]])])


def turn(name, seconds, degrees, joint=2, axis="z"):
    keys = [about(axis, degrees * u) for u in (0, 0.5, 1)]
    return Clip.of(name, [track(joint, "rotation", [0, seconds / 2, seconds], keys)])


def puppet(*clips):
    """Root, Hips (1 m up), Spine, Arm to the left of it and Head above it."""
    model = make_model(
        [square()],
        (-1, 0, 1, 2, 2),
        translations=[[0, 0, 0], [0, 1, 0], [0, 0.3, 0], [0.4, 0.2, 0], [0, 0.5, 0]],
        clips=clips,
    )
    object.__setattr__(model.skeleton, "names", NAMES)
    return model


def with_value(model, default=0.0, kind="linear"):
    """The puppet with one more value, owned by the head."""
    rest = model.skeleton.rest
    pose = type(rest)(rest.translation, rest.rotation, rest.scale, np.array([default], np.float32))
    object.__setattr__(model.skeleton, "rest", pose)
    channel = Channel("/nodes/4/weights", 0, 1, kind, 4, np.array([default], np.float32))
    object.__setattr__(model, "channels", (channel,))
    return model


def motion(model, text, **options):
    return bind(model, document_from("version = 1\n" + text), **options)


def shown(mixer, model, tau):
    """The pose at a global time."""
    pose = model.skeleton.rest.copy()
    mixer.go(tau)
    mixer.sample(pose)
    return pose


def shown_now(mixer, model):
    """The pose at the time it stands at."""
    pose = model.skeleton.rest.copy()
    mixer.sample(pose)
    return pose


def same_turn(a, b, within=2e-6):
    """Return whether two quaternions are the same rotation."""
    return 1 - abs(float(dot(np.asarray(a, np.float64), np.asarray(b, np.float64)))) < within
