"""The layout of a crowd: positions, clips and phases of its characters.

It is a function of a few numbers, so that every picture shows the same crowd.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..animation.crowd import Crowd
from ..animation.distinct import distinct
from ..animation.playback import Playback, wrap
from ..animation.types import F32, F64, I32
from ..animation.vectors import extent
from ..blending.clip_mixer import clip_mixer
from ..blending.mixer import Mixer, clip_begin
from ..memo import Memo
from ..model.morph_weights import apply_weights
from ..scenedoc.scene_doc import Crowd as CrowdDoc
from .character import Character
from .instance import Instance

GAP = 0.1  # between two characters, of the widest one's width
MIN_DEPTH = 0.5  # least distance of rows, of that width
SEED = 20  # of clips and phases
_STEPS = np.arange(-2, 3)
_DIRECTIONS = np.stack(np.meshgrid(_STEPS, _STEPS, _STEPS), axis=-1).reshape(-1, 3)


class _Members(NamedTuple):
    """The characters of a crowd, and what one of them sweeps.

    Attributes
    ----------
    swept
        Outermost corner points [points, 3], model space, metres.
    begin, length
        [N] start and duration of their passes, seconds of their clips; in step [0].
    phases
        [N] 0 to 1; in step [0].
    """

    crowd: Crowd
    swept: F32
    begin: F64 = np.zeros(0)
    length: F64 = np.zeros(0)
    phases: F64 = np.zeros(0)


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
    _kept: Memo[[Instance, Mixer, bytes, bool], _Members] = field(
        init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, record: CrowdDoc, clips: tuple[int, ...]) -> "CrowdLayout | None":
        """Return the layout of a record whose clips were found; None: no crowd."""
        return None if record.size is None else cls(*record.size, clips, in_step=record.in_step)

    @property
    def record(self) -> CrowdDoc:
        """The grid, and the clips if they differ."""
        size = self.rows, self.columns, self.count
        clips = () if self.in_step else tuple(f"#{clip}" for clip in self.clips)
        return CrowdDoc(size=size, in_step=self.in_step, clips=clips)

    def __post_init__(self) -> None:
        self._kept = Memo(self._new_members)

    def crowd(self, instance: Instance) -> Crowd:
        """Return the crowd of an instance, rebuilt when it plays something else."""
        return self._members(instance).crowd

    def swept(self, instance: Instance) -> F32:
        """Return the outermost corner points [points, 3] swept by one, model space, metres."""
        return self._members(instance).swept

    def update(self, instance: Instance, tau: float) -> None:
        """Evaluate all characters at the global time `tau`, seconds."""
        members, character = self._members(instance), instance.character
        members.crowd.pose_at(self._times(members, character.playback, tau))
        apply_weights(members.crowd.values, character.override)

    def _times(self, members: _Members, playback: Playback, tau: float) -> F64:
        """Return the clip times [N], or one time in step, seconds."""
        if self.in_step:
            return playback.time(tau)
        passes = 2.0 if playback.mode == "pingpong" else 1.0  # per period
        x = playback.x(tau) + members.phases * passes * members.length
        times = members.begin + wrap(x, members.length, playback.mode, np.asarray(np.inf))[1]
        times[0] = playback.time(tau)
        return times

    def _members(self, instance: Instance) -> _Members:
        character = instance.character
        override = character.override.tobytes()  # it is written in place
        return self._kept(instance, character.mixer, override, self.in_step)

    def _new_members(
        self, instance: Instance, _mixer: Mixer, _override: bytes, in_step: bool
    ) -> _Members:
        character, bounds = instance.character, instance.bounds
        model, rng = character.model, np.random.default_rng(SEED)
        playable = self._playable(character)
        sweeps = [
            character.with_override(clip_mixer(model.clips, model.skeleton.rest, clip).sweep())
            for clip in distinct(playable).tolist()
        ]
        points = np.concatenate([_outermost(bounds.sweep(sweep.poses)) for sweep in sweeps])
        swept = points if len(points) else np.zeros((1, 3), np.float32)
        world = self._world_matrices(np.ptp(swept, axis=0))
        if in_step:
            crowd = Crowd(model.skeleton, model.skins, model.clips, playable[0], world)
            return _Members(crowd, swept)
        shares = np.resize(playable, self.count)
        chosen = np.concatenate([shares[:1], rng.permutation(shares[1:])])
        others = rng.permutation(np.arange(1, self.count))
        phases = np.concatenate([[0], others]) / self.count
        spans = [_span(character, clip) for clip in chosen.tolist()]
        begin, length = np.array(spans, np.float64).T
        crowd = Crowd(model.skeleton, model.skins, model.clips, chosen, world)
        return _Members(crowd, swept, begin, length, phases)

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


def _outermost(points: F32) -> F32:
    """Return the points [points, 3] that are the farthest in at least one of some directions."""
    return points[distinct((_DIRECTIONS @ points.T).argmax(axis=1))] if len(points) else points


def measure_crowd(instance: Instance, points: F32, crowd: Crowd) -> None:
    """Measure a crowd in place of its instance, by points [points, 3] of one, model space."""
    world = crowd.world
    placed = _outermost(points) @ np.swapaxes(world[:, :3, :3], 1, 2) + world[:, None, :3, 3]
    swept = instance.swept_in_place = placed.reshape(-1, 3).astype(np.float64)
    instance.extent = extent(swept)
