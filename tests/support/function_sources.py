"""Pose sources that are defined by a function of time."""

import numpy as np

from rigview.animation.pose import Pose
from rigview.blending.sources import FiredEvent, Source, Step
from tests.support.clips import about


class FunctionSource(Source):
    """A source that writes `show(tau)`, moves along x, and fires an event each step."""

    changing = ("tau",)

    def __init__(self, show, tau=0.0, speed=0.0, name="", hurried=False):
        self.show, self.tau, self.speed, self.name, self.hurried = show, tau, speed, name, hurried
        self.last = Step()
        self.advanced = 0

    def advance(self, tau0, tau1):
        assert self.tau == tau0
        self.tau = tau1
        self.advanced += 1
        event = FiredEvent(tau1, self.name, self.name, "", 0.8, 0)
        travel = np.array([self.speed * (tau1 - tau0), 0.0, 0.0])
        self.last = Step(travel, np.array(2 * travel[0]), [event] if self.name else [])

    def sample(self, out):
        self.show(self.tau, out)

    def step(self, *, events=True):  # noqa: ARG002
        return self.last

    def needs_small_steps(self, tau0, tau1):  # noqa: ARG002
        return self.hurried


def spin(axis, degrees, rate=0.0, base=None):
    """A function that rotates joint 0 about an axis at a rate in degrees a second."""

    def show(tau, out):
        if base is not None:
            out.assign(base)
        out.rotation[..., 0, :] = about(axis, degrees + rate * tau)

    return show


def clip_at(clip, rest, start=0.0, rate=1.0):
    """A function that plays a clip in a loop."""

    def show(tau, out):
        out.assign(rest)
        clip.sample((start + rate * tau) % clip.end if clip.end else 0.0, out)

    return show


def constant_pose(pose):
    return lambda _, out: out.assign(pose)


def sampled(source, like):
    out = Pose.like(like)
    source.sample(out)
    return out
