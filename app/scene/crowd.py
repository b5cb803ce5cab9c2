"""A crowd of one character: who stands where on the ground, which clip each plays, and since when.

All of it follows from a few numbers, so that the same crowd stands in every picture.
"""

from dataclasses import dataclass, field

import numpy as np

from ..animation.crowd import Crowd
from ..animation.playback import wrap
from ..animation.types import F32, F64, I32
from .bounds import PosedBounds
from .character import Character, clip_begin

GAP = 0.1  # of the widest one's width: between two
DEEP = 0.5  # of that width: the least room from row to row
SEED = 20  # of who plays what since when


@dataclass
class CrowdLayout:
    """Characters in rows and columns, each at a phase of its own.

    The first one, at the front on the left, plays as the character alone does; the phases of all
    are spread evenly over a pass. They go on for as long as that character's playback runs, around
    and around whatever its loop says, and pause and travel in time with it.

    Attributes
    ----------
    rows, columns
        Of the grid; rows go backwards, the last one may be shorter.
    count
        Of characters, N.
    clips
        What they play, in even shares; empty: what the character plays.
    """

    rows: int
    columns: int
    count: int
    clips: tuple[int, ...] = ()
    # whose crowd was made, its clip and trim
    _made_for: tuple[Character, int, bool] | None = field(default=None, init=False, repr=False)
    _crowd: Crowd | None = field(default=None, init=False, repr=False)
    _begin: F64 = field(init=False, repr=False)  # [N] seconds of their clips
    _length: F64 = field(init=False, repr=False)  # [N] seconds of a pass
    _phases: F64 = field(init=False, repr=False)  # [N] shares of a pass, 0 to 1
    _swept: F32 = field(init=False, repr=False)  # [points, 3] as `swept` returns it

    @property
    def text(self) -> str:
        """As --crowd has it."""
        whole = self.count == self.rows * self.columns
        return f"{self.rows}x{self.columns}" if whole else str(self.count)

    def crowd(self, character: Character, bounds: PosedBounds) -> Crowd:
        """Return the crowd of a character, made anew where it plays another clip."""
        key = character, character.clip, character.trim
        if self._crowd is None or self._made_for != key:
            self._made_for, self._crowd = key, self._gathered(character, bounds)
        return self._crowd

    def swept(self, character: Character, bounds: PosedBounds) -> F32:
        """Return corner points [points, 3] of what one of them sweeps, model space, metres."""
        self.crowd(character, bounds)
        return self._swept

    def update(self, character: Character, bounds: PosedBounds, tau: float) -> None:
        """Bring all to the global time `tau`, seconds."""
        crowd, playback = self.crowd(character, bounds), character.playback
        passes = 2.0 if playback.mode == "pingpong" else 1.0  # until it begins again
        x = playback.x(tau) + self._phases * passes * self._length
        times = self._begin + wrap(x, self._length, playback.mode, np.asarray(np.inf))[1]
        times[0] = playback.time(tau)
        crowd.go(times)

    def _gathered(self, character: Character, bounds: PosedBounds) -> Crowd:
        model, rng = character.model, np.random.default_rng(SEED)
        playable = self._playable(character)
        points = np.concatenate([bounds.sweep(clip) for clip in np.unique(playable).tolist()])
        self._swept = points if len(points) else np.zeros((1, 3), np.float32)
        shares = np.resize(playable, self.count)
        chosen = np.concatenate([shares[:1], rng.permutation(shares[1:])])
        later = rng.permutation(np.arange(1, self.count))
        self._phases = np.concatenate([[0], later]) / self.count
        spans = [_span(character, clip) for clip in chosen.tolist()]
        self._begin, self._length = np.array(spans, np.float64).T
        world = self._places(np.ptp(self._swept, axis=0))
        return Crowd(model.skeleton, model.skins, model.clips, chosen, world)

    def _playable(self, character: Character) -> I32:
        """Return the clips of all: those that were asked for as long as the first of them plays."""
        own = character.clip
        return np.array(self.clips if own in self.clips[:1] else [own], np.int32)

    def _places(self, size: F32) -> F32:
        """Return where each stands [N, 4, 4] about the origin; each has `room` [3], metres."""
        across = (1.0 + GAP) * float(size[0])
        back = (1.0 + GAP) * max(float(size[2]), DEEP * float(size[0]))
        number = np.arange(self.count)
        row, column = number // self.columns, number % self.columns
        full = np.where(row == row[-1], self.count - row[-1] * self.columns, self.columns)
        world: F32 = np.tile(np.eye(4, dtype=np.float32), (self.count, 1, 1))
        world[:, 0, 3] = (column - (full - 1) / 2) * across
        world[:, 2, 3] = ((self.rows - 1) / 2 - row) * back
        return world


def _span(character: Character, clip: int) -> tuple[float, float]:
    """Return where a pass of a clip begins and how long it is, seconds."""
    if clip < 0:
        return 0.0, 0.0
    if clip == character.clip:
        return float(character.playback.start), float(character.playback.duration)
    chosen = character.model.clips[clip]
    begin = clip_begin(chosen, trim=character.trim)
    return begin, chosen.end - begin
