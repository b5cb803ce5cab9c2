"""A sampled clip: whole poses at a fixed rate, interpolated linearly."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from . import quat
from .clip import Clip
from .pose import Pose
from .types import F32, F64, Bool, Index
from .vectors import length


@dataclass(frozen=True, slots=True, eq=False)
class SampledClip:
    """Whole poses at a fixed rate: N + 1 for N frames; a loop's last equals its first.

    Unlike a `Clip` it writes every joint and value: those without a track are at rest.
    """

    name: str
    start: float  # seconds, of the first sample
    end: float  # seconds, end of frame N
    loop: bool
    rows: Pose  # batch shape [N + 1]: one pose per sample
    step: Bool  # [P] values without interpolation: the sample before is used

    @classmethod
    def of(
        cls,
        clip: Clip,
        rest: Pose,
        rate: float,
        *,
        loop: bool | None = None,
        begin: float | None = None,
        step: Bool | None = None,
    ) -> Self:
        """Return a clip sampled at a fixed rate.

        Parameters
        ----------
        rest
            Pose of the skeleton at rest, without a batch.
        rate
            Samples per second; adjusted so that a whole number of frames fits the clip,
            N = max(1, round(T rate)).
        loop
            Whether the end equals the start; None: the clip's default.
        begin
            Time of the first sample, seconds; None: 0, or an earlier first key.
        step
            [P] values without interpolation, as `PoseLayout.step`; None: none.

        Raises
        ------
        ValueError
            `rate` is not above 0.
        """
        if not rate > 0:
            raise ValueError(f"rate must be above 0, not {rate}")
        loop = clip.loop if loop is None else loop
        start = min(clip.start, 0.0) if begin is None else begin
        length = max(clip.end - start, 0.0)
        frames = max(1, round(length * rate)) if length > 0 else 0
        times = start + np.arange(frames + 1) * length / max(frames, 1)
        rows = Pose.like(rest, times.shape)
        clip.sample(times, rows)
        if loop:
            rows.data[-1] = rows.data[0]
        rows.rotation[...] = quat.align_signs(rows.rotation)  # a lerp then takes the shorter arc
        if step is None:
            step = np.zeros(rest.values.shape[-1], bool)
        return cls(clip.name, start, start + length, loop, rows, step)

    @property
    def poses(self) -> Pose:
        """The samples, [N + 1] in front; [N] for a loop, whose end is its start."""
        if not self.loop or not self.frames:
            return self.rows
        return Pose.over(self.rows.data[:-1], self.rows.count)

    @property
    def frames(self) -> int:
        """N, the number of steps from start to end; 0 for a clip of no length."""
        return len(self.rows.data) - 1

    @property
    def duration(self) -> float:
        """Seconds from the start to the end."""
        return self.end - self.start

    @property
    def rate(self) -> float:
        """Samples per second; 0 for a clip of no length."""
        return self.frames / self.duration if self.frames else 0.0

    @property
    def nbytes(self) -> int:
        """Size of the samples in memory."""
        return self.rows.data.nbytes

    def sample(self, time: ArrayLike, out: Pose | None = None) -> Pose:
        """Return the pose at a time [...], wrapped in a loop, otherwise clamped.

        It is written into `out`, which needs the batch of `time`; None: into a new pose.
        """
        seconds = self.local_time(time)
        row, u = self._find(seconds)
        if out is None:
            out = Pose.over(
                np.empty((*row.shape, self.rows.data.shape[-1]), np.float32), self.rows.count
            )
        samples = self.rows.data
        before = samples.take(row, axis=0)
        after = samples.take(np.minimum(row + 1, self.frames), axis=0)
        after -= before
        after *= u[..., None]
        np.add(before, after, out=out.data)
        size = length(out.rotation)
        out.rotation[...] /= size[..., None]
        if self.step.any():
            held = self.rows.values.take(row, axis=0)
            np.copyto(out.values, held, where=self.step)
        return out

    def local_time(self, time: ArrayLike) -> F64:
        """Return times [...] wrapped in a loop, otherwise clamped, seconds."""
        time = np.asarray(time, np.float64)
        if self.loop and self.duration > 0:
            return self.start + np.mod(time - self.start, self.duration)
        return np.clip(time, self.start, self.end)

    def _find(self, seconds: F64) -> tuple[Index, F32]:
        """Return the sample at or before each time, and the fraction towards the next."""
        place = (seconds - self.start) * self.rate
        row = np.clip(np.floor(place), 0, max(self.frames - 1, 0)).astype(np.intp)
        return row, np.clip(place - row, 0, 1).astype(np.float32)
