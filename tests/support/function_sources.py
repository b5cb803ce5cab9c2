"""Sources for tests that need nothing but a function of time."""

import numpy as np

from rigview.animation.pose import Pose
from rigview.blending.step import Fired, Step
from tests.support.clips import about


class Moving:
    """Shows what a function of time writes; travels along x; fires once a step, at its end."""

    def __init__(self, show, tau=0.0, speed=0.0, name="", hurried=False):
        self.show, self.tau, self.speed, self.name, self.hurried = show, tau, speed, name, hurried
        self.last = Step()
        self.advanced = 0

    def advance(self, tau0, tau1):
        assert self.tau == tau0
        self.tau = tau1
        self.advanced += 1
        event = Fired(tau1, self.name, self.name, "", 0.8, 0)
        travel = np.array([self.speed * (tau1 - tau0), 0.0, 0.0])
        self.last = Step(travel, np.array(2 * travel[0]), [event] if self.name else [])

    def sample(self, out):
        self.show(self.tau, out)

    def step(self):
        return self.last

    def restless(self, tau0, tau1):  # noqa: ARG002
        return self.hurried

    def save(self):
        return self.tau

    def restore(self, state):
        self.tau = state


def spin(axis, degrees, rate=0.0, base=None):
    """A function that turns joint 0 about an axis at a rate, degrees a second."""

    def show(tau, out):
        if base is not None:
            out.assign(base)
        out.rotation[..., 0, :] = about(axis, degrees + rate * tau)

    return show


def clip_at(clip, rest, start=0.0, rate=1.0):
    """A function that plays a clip for ever."""

    def show(tau, out):
        out.assign(rest)
        clip.sample((start + rate * tau) % clip.end if clip.end else 0.0, out)

    return show


def still(pose):
    return lambda _, out: out.assign(pose)


def shown(source, like):
    out = Pose.like(like)
    source.sample(out)
    return out
