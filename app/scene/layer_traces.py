"""Traces of layers: the path of a joint, and the joints before and after the present time.

A second mixer of the same motion is sampled, at once or in small steps from frame to frame: over
the common loop, over a motion with a schedule, else over the time around the present moment.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..animation.types import F32, F64, Index
from ..blending.common_loop import SETTLED
from ..blending.layer_mixer import LayerMixer
from ..blending.mixer import Mixer
from ..clock import Clock
from ..memo import Memo
from ..model.model import Model
from .clip_traces import JointPath, OnionSkins

RATE = 60.0  # samples per second, about: each frame has a whole number of them
MOST_SAMPLES = 900
SHORTEST, LONGEST = 0.5, 4.0  # seconds of a window of a motion that does not repeat
LONG_RUN = 60.0  # seconds of small steps after which nothing is sampled any more
DELAY = 0.15  # seconds for which samples are wanted before they are made
_TOGETHER = 4  # poses between two looks at the clock
_NEAR = 1e-6  # samples


class Part(NamedTuple):
    """The part of a motion that is sampled.

    Attributes
    ----------
    begin, end
        Seconds, on the ruler.
    offset
        Added to them for the time of the mixer: a common loop is sampled after its first pass, in
        which layers settle.
    """

    begin: float
    end: float
    offset: float = 0.0

    def on_ruler(self, tau: float) -> float:
        """Return the place of a time of the mixer in this part, seconds."""
        return tau % self.end if self.offset else tau


@dataclass(frozen=True, slots=True, eq=False)
class LayerSamples:
    """Where the joints are over a part of a motion.

    Attributes
    ----------
    times
        [T] seconds, ascending.
    points
        [T, J, 3] metres, relative to `start`.
    start
        [4, 4] the root motion at the first of the times.
    frames
        Rows of the whole frames.
    """

    part: Part
    times: F64
    points: F32
    start: F64
    frames: Index

    def at(self, times: F64, joints: Index) -> F32:
        """Return where joints [D] are at times [S] of the part: [S, D, 3]."""
        after = np.clip(np.searchsorted(self.times, times), 1, len(self.times) - 1)
        first, last = self.times[after - 1], self.times[after]
        share = ((times - first) / (last - first))[:, None, None].astype(np.float32)
        points = self.points[:, joints]
        found: F32 = points[after - 1] * (1 - share) + points[after] * share
        return found


class LayerSampler:
    """Samples a part of a motion with a mixer of its own.

    Parameters
    ----------
    rate
        Frames per second.
    """

    def __init__(self, model: Model, mixer: LayerMixer, part: Part, rate: float) -> None:
        self._model, self._mixer, self._part = model, mixer, part
        many = rate > 2 * RATE  # then frames are too near each other for dots
        own = RATE if many else rate * max(round(RATE / rate), 1)
        first, last = math.ceil(part.begin * own - _NEAR), math.floor(part.end * own + _NEAR)
        numbers = np.arange(first, last + 1)
        self._times = np.unique([part.begin, *(numbers / own).tolist(), part.end])
        whole = np.zeros(0) if many else numbers[numbers % round(own / rate) == 0] / own
        self._frames = np.searchsorted(self._times, whole)
        self._points = np.zeros((len(self._times), model.skeleton.count, 3), np.float32)
        self._start: F64 | None = None
        self._done = 0

    @np.errstate(all="ignore")  # NaN and infinity in files propagate
    def work(self, clock: Clock | None, seconds: float) -> LayerSamples | None:
        """Sample for a duration, without a clock to the end; return the samples when done."""
        end = math.inf if clock is None else clock.now() + seconds
        skeleton = self._model.skeleton
        while self._done < len(self._times):
            rows = slice(self._done, self._done + _TOGETHER)
            poses, worlds = self._mixer.poses(self._times[rows] + self._part.offset, skeleton.rest)
            if self._start is None:
                self._start = worlds[0]
            moved = np.linalg.inv(self._start) @ worlds
            places = skeleton.to_model(poses)[..., :3, 3].astype(np.float64)
            turned = places @ np.swapaxes(moved[:, :3, :3], 1, 2) + moved[:, None, :3, 3]
            self._points[rows] = turned
            self._done += _TOGETHER
            if clock is not None and self._done < len(self._times) and clock.now() >= end:
                return None
        assert self._start is not None
        return LayerSamples(self._part, self._times, self._points, self._start, self._frames)


class Wanted(NamedTuple):
    """Samples that traces need."""

    mixer: LayerMixer
    part: Part
    rate: float  # frames per second
    values: tuple[bytes, ...]  # of the parameters


@dataclass(slots=True)
class LayerTraces:
    """The traces of the layers of a character; the last ones are kept.

    Attributes
    ----------
    in_steps
        Whether `work` samples in small steps; else samples are made when they are needed.
    """

    model: Model
    in_steps: bool = False
    _samples: tuple[Wanted, LayerSamples] | None = None
    _wanted: Wanted | None = None  # what is to be sampled
    _since: float | None = None  # time of the first `work` since then, seconds
    _job: LayerSampler | None = None  # that makes it
    _refused: Wanted | None = None  # what would take too long
    _path: Memo[[LayerSamples, int], JointPath] = field(default_factory=lambda: Memo(_joint_path))

    def joint_path(self, mixer: Mixer, joint: int, frame_rate: float) -> JointPath | None:
        """Return the path of a joint over the sampled part; None: not known, or no layers play."""
        samples = self._find(mixer, frame_rate)
        return None if samples is None or joint < 0 else self._path(samples, joint)

    def onion_skins(
        self, mixer: Mixer, joints: Index, count: int, step: float, frame_rate: float
    ) -> OnionSkins:
        """Return joints [D] at up to `count` times before and after now, `step` seconds apart.

        Times beyond the ends of the sampled part are left out.
        """
        offsets = np.concatenate([np.arange(-count, 0), np.arange(1, count + 1)])
        samples = self._find(mixer, frame_rate)
        if samples is None:
            return OnionSkins(offsets[:0], np.zeros((0, len(joints), 3), np.float32))
        times = self.shown_time(mixer) + offsets * step
        inside = (times >= samples.part.begin - 1e-9) & (times <= samples.part.end + 1e-9)
        return OnionSkins(offsets[inside], samples.at(times[inside], joints))

    def shown_time(self, mixer: Mixer) -> float:
        """Return the present time in the sampled part, seconds."""
        tau = mixer.tau if isinstance(mixer, LayerMixer) else 0.0
        return tau if self._samples is None else self._samples[1].part.on_ruler(tau)

    def start(self, placement: F64) -> F64:
        """Return the matrix [4, 4] from the space of the sampled points to world space."""
        return placement if self._samples is None else placement @ self._samples[1].start

    @property
    def awaited(self) -> bool:
        """Whether samples are being made."""
        return self._wanted is not None

    def work(self, clock: Clock | None = None, seconds: float = 0.0) -> None:
        """Make awaited samples: for a duration, without a clock at once.

        With a clock they are begun when the same ones are wanted for a moment, not at each change.
        """
        wanted = self._wanted
        if wanted is None:
            return
        if clock is not None:
            now = clock.now()
            self._since = now if self._since is None else self._since
            if now < self._since + DELAY:
                return
        if self._job is None:
            self._job = _sampler(self.model, wanted)
        found = self._job.work(clock, seconds) if self._job is not None else None
        if found is not None:
            self._samples, self._wanted, self._job = (wanted, found), None, None
        elif self._job is None:
            self._refused, self._wanted = wanted, None

    def _find(self, mixer: Mixer, frame_rate: float) -> LayerSamples | None:
        """Return the samples of the present part; while they are made, those of the part before."""
        if not isinstance(mixer, LayerMixer):
            return None
        wanted = Wanted(mixer, sampled_part(mixer), frame_rate, _values(mixer))
        known = self._samples is not None and self._samples[0] == wanted
        if known:
            self._wanted = self._job = None
        elif wanted != self._refused:
            if self._wanted != wanted:
                self._wanted, self._since, self._job = wanted, None, None
            if not self.in_steps:
                self.work()
        kept = self._samples
        return None if kept is None or kept[0].mixer is not mixer else kept[1]


def sampled_part(mixer: LayerMixer) -> Part:
    """Return the part of a motion around its present time that traces show."""
    loop, length, tau = mixer.common_loop, mixer.length, max(mixer.tau, 0.0)
    most = MOST_SAMPLES / RATE
    if loop is not None and loop <= most:
        return Part(0.0, loop, loop)
    if mixer.schedule and max(tau, SHORTEST) <= length <= most:
        return Part(0.0, length)
    step = min(max(length, SHORTEST), LONGEST)
    number = math.floor(tau / step)
    return Part(max((number - 0.5) * step, 0.0), (number + 1.5) * step)


def _joint_path(samples: LayerSamples, joint: int) -> JointPath:
    """Return the path of a joint, without keys."""
    none = np.zeros(0, np.intp)
    return JointPath(samples.times, samples.points[:, joint], samples.frames, none)


def _sampler(model: Model, wanted: Wanted) -> LayerSampler | None:
    """Return what makes samples, None if that would take too long."""
    twin, begin = wanted.mixer.twin(), wanted.part.begin
    if twin is None or (begin > LONG_RUN and twin.is_stepped_until(begin)):
        return None
    return LayerSampler(model, twin, wanted.part, wanted.rate)


def _values(mixer: LayerMixer) -> tuple[bytes, ...]:
    """Return the values of the parameters, which live changes move; a schedule sets them itself."""
    names = () if mixer.schedule else mixer.parameters.names()
    return tuple(mixer.parameters.at(name, SETTLED).tobytes() for name in names)
