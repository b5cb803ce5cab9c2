"""The bundled character with faults in its clips, for tests of rules."""

from dataclasses import replace

import numpy as np

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.checks.check_context import CheckContext
from rigview.loading.load import load
from rigview.motion.read import parse_motion, read_motion

FILE, MOTION = "assets/mannequin.glb", "assets/mannequin.motion.toml"


def context_of_clip(clip, joint="", path="", change=None, motion=None):
    """A context with one clip; `change` returns new values of one of its tracks."""
    model = load(FILE)
    index = [each.name for each in model.clips].index(clip)
    if change is not None:
        old = model.clips[index]
        target = model.skeleton.names.index(joint)
        tracks = [
            replace(track, values=np.asarray(change(track.values.copy()), np.float32))
            if (track.target, track.path) == (target, path)
            else track
            for track in old.tracks
        ]
        clips = list(model.clips)
        clips[index] = Clip(old.name, old.start, old.end, tuple(tracks), rest=old.rest)
        model = replace(model, clips=tuple(clips))
    return CheckContext(model, clips=[index], motion=motion)


def key_times(clip, joint, path):
    """The key times of a track."""
    model = load(FILE)
    target = model.skeleton.names.index(joint)
    tracks = next(each for each in model.clips if each.name == clip).tracks
    return next(t.times for t in tracks if (t.target, t.path) == (target, path))


def rotate_key(key, degrees, axis=(1, 0, 0)):
    """Return a change that rotates one key of a track."""

    def change(values):
        half = np.radians(degrees) / 2
        turn = np.array([*(np.array(axis) * np.sin(half)), np.cos(half)])
        values[key] = quat.multiply(values[key].astype(float), turn)
        return values

    return change


def move_key(key, by):
    """Return a change that moves one key of a track."""

    def change(values):
        values[key] += by
        return values

    return change


def context_with_motion(edit=lambda text: text, clips=None):
    """A context with the motion file of the mannequin, after an edit of its text."""
    text = edit(read_motion(MOTION).text)
    model = load(FILE)
    names = [each.name for each in model.clips]
    chosen = None if clips is None else [names.index(name) for name in clips]
    return CheckContext(model, clips=chosen, motion=parse_motion(text, "hero.motion.toml"))
