"""A sampled clip: every joint's transform at a fixed rate, read back by one lerp."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from app.animation import quat
from app.animation.clip import Clip
from app.animation.pose import Pose
from app.animation.types import F32, F64, Bool, Index


@dataclass(frozen=True, slots=True, eq=False)
class SampledClip:
    """N + 1 whole poses for N frames; a looping one N, as its end is its start again.

    Unlike a `Clip` it writes every joint and value: what no track touched is at rest.
    """

    name: str
    start: float  # seconds, of the first sample
    end: float  # seconds, where frame N ends
    loop: bool
    poses: Pose  # [N + 1] or, looping, [N] in front
    step: Bool  # [P] values that are never blended: the sample before holds

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
        """Return a clip sampled at even steps.

        Parameters
        ----------
        rest
            Pose of the skeleton at rest, without a batch.
        rate
            Samples a second. A whole number of frames fits the clip, so the true `rate` may be a
            little off: N = max(1, round(T rate)).
        loop
            Whether the end meets the start; None: as the clip says.
        begin
            Seconds of the first sample; None: 0, or an earlier first key.
        step
            [P] values that jump, as `Rig.step`; None: all blend.

        Raises
        ------
        ValueError
            A rate that is not above 0.
        """
        if not rate > 0:
            raise ValueError(f"rate must be above 0, not {rate}")
        loop = clip.loop if loop is None else loop
        start = min(clip.start, 0.0) if begin is None else begin
        length = max(clip.end - start, 0.0)
        frames = max(1, round(length * rate)) if length > 0 else 0
        count = max(frames + (not loop), 1)
        times = start + np.arange(count) * length / max(frames, 1)
        poses = Pose.like(rest, (count,))
        clip.sample(times, poses)
        if step is None:
            step = np.zeros(rest.values.shape[-1], bool)
        return cls(clip.name, start, start + length, loop, poses, step)

    @property
    def frames(self) -> int:
        """N, the number of steps from the start to the end; 0 for a clip of no length."""
        if self.duration <= 0:
            return 0
        return len(self.poses.translation) - (not self.loop)

    @property
    def duration(self) -> float:
        """Seconds from the start to the end."""
        return self.end - self.start

    @property
    def rate(self) -> float:
        """Samples a second; 0 for a clip of no length."""
        return self.frames / self.duration if self.frames else 0.0

    @property
    def nbytes(self) -> int:
        """Size of the samples in memory."""
        poses = self.poses
        parts = (poses.translation, poses.rotation, poses.scale, poses.values)
        return sum(part.nbytes for part in parts)

    def sample(self, time: ArrayLike, out: Pose) -> F64:
        """Write the whole pose at a time [...]; a looping clip wraps, another one clamps.

        Returns
        -------
        F64
            [...] seconds, as wrapped or clamped.
        """
        seconds = self._place(np.asarray(time, np.float64))
        row, after, u = self._find(seconds)
        poses, column = self.poses, u[..., None]
        _lerp(poses.translation, row, after, column[..., None], out.translation)
        _lerp(poses.scale, row, after, column[..., None], out.scale)
        out.rotation[...] = quat.nlerp(poses.rotation[row], poses.rotation[after], column)
        if out.values.shape[-1]:
            _lerp(poses.values, row, after, column, out.values)
            if self.step.any():
                out.values[..., self.step] = poses.values[row][..., self.step]
        return seconds

    def _place(self, time: F64) -> F64:
        if self.loop and self.duration > 0:
            return self.start + np.mod(time - self.start, self.duration)
        return np.clip(time, self.start, self.end)

    def _find(self, seconds: F64) -> tuple[Index, Index, F32]:
        """Return the samples before and after each time, and how far it is between them."""
        count = len(self.poses.translation)
        if count == 1:
            still = np.zeros(seconds.shape, np.intp)
            return still, still, np.zeros(seconds.shape, np.float32)
        place = (seconds - self.start) * (self.frames / self.duration)
        row = np.clip(np.floor(place), 0, self.frames - 1).astype(np.intp)
        u = np.clip(place - row, 0, 1).astype(np.float32)
        return row, (row + 1) % count, u


def _lerp(samples: F32, row: Index, after: Index, u: F32, out: F32) -> None:
    a = samples[row]
    out[...] = a + (samples[after] - a) * u
