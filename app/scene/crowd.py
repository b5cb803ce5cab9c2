"""The layout of a crowd: positions, clips and phases of its characters.

It is a function of a few numbers, so that every picture shows the same crowd.
"""

from dataclasses import dataclass, field

import numpy as np

from ..animation.crowd import Crowd
from ..animation.distinct import distinct
from ..animation.playback import Playback, wrap
from ..animation.types import F32, F64, I32
from ..animation.vectors import extent
from ..blending.clip_mixer import clip_mixer
from ..blending.mixer import Mixer, clip_begin
from ..model.morph_weights import apply_weights
from .character import Character
from .instance import Instance

GAP = 0.1  # between two characters, of the widest one's width
MIN_DEPTH = 0.5  # least distance of rows, of that width
SEED = 20  # of clips and phases
_STEPS = np.arange(-2, 3)
_DIRECTIONS = np.stack(np.meshgrid(_STEPS, _STEPS, _STEPS), axis=-1).reshape(-1, 3)  # of hulls


@dataclass
class CrowdLayout:
    """Characters in rows and columns, each at its own phase or all in step.

    The first one, at the front left, plays exactly like the character itself; the phases are
    spread evenly over a pass. The others always loop, and pause and seek with the character's
    playback. In step, all play like the character: one pose is evaluated and shared.

    Attributes
    ----------
    rows, columns
        Of the grid; rows run from front to back, the last one may be shorter.
    count
        Number of characters, N.
    clips
        Clips that they play, evenly distributed; empty: the clip of the character.
    in_step
        Whether all are in one pose, that of the character's clip; `clips` is not used then.
    """

    rows: int
    columns: int
    count: int
    clips: tuple[int, ...] = ()
    in_step: bool = False
    _made_for: tuple[Mixer, bytes, bool] | None = field(  # mixer, override, `in_step` of `_crowd`
        default=None, init=False, repr=False
    )
    _crowd: Crowd | None = field(default=None, init=False, repr=False)
    _begin: F64 = field(init=False, repr=False)  # [N] start of their passes, seconds of their clips
    _length: F64 = field(init=False, repr=False)  # [N] duration of a pass, seconds
    _phases: F64 = field(init=False, repr=False)  # [N] 0 to 1
    _swept: F32 = field(init=False, repr=False)  # [points, 3] cached for `swept`

    def crowd(self, instance: Instance) -> Crowd:
        """Return the crowd of an instance, rebuilt when it plays something else."""
        character = instance.character
        made_for = character.mixer, character.override.tobytes(), self.in_step
        if self._crowd is None or self._made_for != made_for:
            self._made_for, self._crowd = made_for, self._new_crowd(instance)
        return self._crowd

    def swept(self, instance: Instance) -> F32:
        """Return corner points [points, 3] swept by one of them, model space, metres."""
        self.crowd(instance)
        return self._swept

    def update(self, instance: Instance, tau: float) -> None:
        """Evaluate all characters at the global time `tau`, seconds."""
        crowd, character = self.crowd(instance), instance.character
        crowd.pose_at(self._times(character.playback, tau))
        apply_weights(crowd.values, character.override)

    def _times(self, playback: Playback, tau: float) -> F64:
        """Return the clip times [N], or one time in step, seconds."""
        if self.in_step:
            return playback.time(tau)
        passes = 2.0 if playback.mode == "pingpong" else 1.0  # per period
        x = playback.x(tau) + self._phases * passes * self._length
        times = self._begin + wrap(x, self._length, playback.mode, np.asarray(np.inf))[1]
        times[0] = playback.time(tau)
        return times

    def _new_crowd(self, instance: Instance) -> Crowd:
        character, bounds = instance.character, instance.bounds
        model, rng = character.model, np.random.default_rng(SEED)
        playable = self._playable(character)
        sweeps = [
            character.with_override(clip_mixer(model.clips, model.skeleton.rest, clip).sweep())
            for clip in distinct(playable).tolist()
        ]
        points = np.concatenate([bounds.sweep(sweep.poses) for sweep in sweeps])
        self._swept = points if len(points) else np.zeros((1, 3), np.float32)
        world = self._world_matrices(np.ptp(self._swept, axis=0))
        if self.in_step:
            return Crowd(model.skeleton, model.skins, model.clips, playable[0], world)
        shares = np.resize(playable, self.count)
        chosen = np.concatenate([shares[:1], rng.permutation(shares[1:])])
        others = rng.permutation(np.arange(1, self.count))
        self._phases = np.concatenate([[0], others]) / self.count
        spans = [_span(character, clip) for clip in chosen.tolist()]
        self._begin, self._length = np.array(spans, np.float64).T
        return Crowd(model.skeleton, model.skins, model.clips, chosen, world)

    def _playable(self, character: Character) -> I32:
        """Return the clips to distribute: `clips` while the first of them plays."""
        playing = character.mixer.clip
        if self.in_step:
            return np.array([playing], np.int32)
        return np.array(self.clips if playing in self.clips[:1] else [playing], np.int32)

    def _world_matrices(self, size: F32) -> F32:
        """Return world matrices [N, 4, 4] about the origin for characters of `size` [3], metres."""
        across = (1.0 + GAP) * float(size[0])
        back = (1.0 + GAP) * max(float(size[2]), MIN_DEPTH * float(size[0]))
        number = np.arange(self.count)
        row, column = number // self.columns, number % self.columns
        full = np.where(row == row[-1], self.count - row[-1] * self.columns, self.columns)
        world: F32 = np.tile(np.eye(4, dtype=np.float32), (self.count, 1, 1))
        world[:, 0, 3] = (column - (full - 1) / 2) * across
        world[:, 2, 3] = ((self.rows - 1) / 2 - row) * back
        return world


def _span(character: Character, clip: int) -> tuple[float, float]:
    """Return begin and duration of a pass of a clip, seconds."""
    if clip == character.mixer.clip:
        return float(character.playback.start), float(character.playback.duration)
    chosen = character.model.clips[clip]
    begin = clip_begin(chosen, trim=character.trim)
    return begin, chosen.end - begin


def measure_crowd(instance: Instance, points: F32, crowd: Crowd) -> None:
    """Measure a crowd in place of its instance, by points [points, 3] of one, model space."""
    outermost = points[distinct((points @ _DIRECTIONS.T).argmax(axis=0))]
    world = crowd.world
    placed = outermost @ np.swapaxes(world[:, :3, :3], 1, 2) + world[:, None, :3, 3]
    swept = instance.swept_in_place = placed.reshape(-1, 3).astype(np.float64)
    instance.extent = extent(swept)
