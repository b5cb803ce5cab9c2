"""A model in motion: what is played, the pose, the matrices and the palettes of one character."""

import math
from typing import Literal

import numpy as np

from app.animation.clip import Clip
from app.animation.playback import Mode, Playback
from app.animation.pose import Pose
from app.animation.skin import bind_pose
from app.animation.sources import ClipSource, Source, StillSource
from app.animation.types import F32
from app.model import Model

Show = Literal["clip", "rest", "bind"]


class Character:
    """What moves. Buffers are allocated once; `update` fills them (three of a frame's four hops).

    Attributes
    ----------
    pose
        Local transforms [J] and other values [P] of the present frame.
    matrices
        [J, 4, 4] model-space matrix of every joint.
    palettes
        For each skin [S, 3, 4], the rows of model x inverse bind.
    world
        [4, 4] model space to world space.
    clip
        Index of the clip that plays, -1 for none.
    override
        [P] values held by hand (morph sliders); NaN where the clip decides.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.pose = Pose.like(model.skeleton.rest)
        self.matrices: F32 = np.zeros((model.skeleton.count, 4, 4), np.float32)
        self.palettes: tuple[F32, ...] = tuple(
            np.zeros((len(skin.joints), 3, 4), np.float32) for skin in model.skins
        )
        self.world: F32 = np.eye(4, dtype=np.float32)
        self.override: F32 = np.full(model.skeleton.rest.values.shape[-1], np.nan, np.float32)
        self.show: Show = "clip"
        self.clip = -1
        self.playback = Playback(0.0)
        self.trim = False
        self._source: Source = StillSource(model.skeleton.rest)
        self._stills = {"rest": self._source}

    def play(
        self,
        clip: int,
        tau: float,
        *,
        passes: float = math.inf,
        mode: Mode = "loop",
        rate: float = 1.0,
        trim: bool = False,
    ) -> None:
        """Start clip number `clip` (-1: none, the rest pose) at the global time `tau`, seconds.

        With `trim` a pass is [first key, last key] instead of [0, last key] (SPEC C1, C3).
        """
        self.clip = clip
        self.trim = trim
        if clip < 0:
            self.playback = Playback(0.0)
            self._source = self._stills["rest"]
            return
        chosen = self.model.clips[clip]
        begin = clip_begin(chosen, trim=trim)
        self.playback = Playback(
            chosen.end - begin, passes=passes, mode=mode, rate=rate, start=begin, tau=tau
        )
        self._source = ClipSource(chosen, self.playback, self.model.skeleton.rest)

    def update(self, tau: float) -> None:
        """Fill pose, matrices and palettes for the global time `tau`, seconds."""
        source = self._source if self.show == "clip" else self._still(self.show)
        source.advance(tau)
        source.sample(self.pose)
        if self.override.size:
            np.copyto(self.pose.values, self.override, where=~np.isnan(self.override))
        self.model.skeleton.to_model(self.pose, out=self.matrices)
        for skin, palette in zip(self.model.skins, self.palettes, strict=True):
            skin.palette(self.matrices, out=palette)

    def _still(self, show: str) -> Source:
        if show not in self._stills:
            pose = self.model.skeleton.rest.copy()
            for skin in self.model.skins:
                bound = bind_pose(self.model.skeleton, skin)
                pose.translation[skin.joints] = bound.translation[skin.joints]
                pose.rotation[skin.joints] = bound.rotation[skin.joints]
                pose.scale[skin.joints] = bound.scale[skin.joints]
            self._stills[show] = StillSource(pose)
        return self._stills[show]


def clip_begin(clip: Clip, *, trim: bool) -> float:
    """Return the clip's own time where a pass begins, seconds (RULINGS M3)."""
    return clip.start if trim else min(0.0, clip.start)
