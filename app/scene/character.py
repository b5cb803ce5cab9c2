"""A model in motion: what is played, the pose, the matrices and the palettes of one character."""

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ..animation.clip import Clip
from ..animation.ground_motion import Ground
from ..animation.playback import Mode, Playback, Span
from ..animation.pose import Pose
from ..animation.skin import bind_pose
from ..animation.types import F32
from ..blending.sources import ClipSource, Source, StillSource
from ..blending.step import Fired
from ..errors import MotionError
from ..model.animated_values import Moving
from ..model.model import Model

if TYPE_CHECKING:
    from ..blending.mixer import Mixer
    from ..motion.document import MotionDoc
    from ..motion.single_clip import Alone

Show = Literal["clip", "rest", "bind"]
SWEEP = 24  # times of a motion that are looked at to frame it
ENDLESS = 1e9  # seconds: a motion has no end


class Run(NamedTuple):
    """How all clips of a motion run."""

    speed: float = 1.0
    loop: tuple[Mode, float] | None = None  # None: as the document says of each, else:
    otherwise: tuple[Mode, float] = ("loop", math.inf)


class Character:
    """What moves. Buffers are allocated once; `update` fills them (three of a frame's four hops).

    Attributes
    ----------
    moving
        What its other values move: materials, lights, cameras, visibility.
    pose
        Local transforms [J] and other values [P] of the present frame.
    matrices
        [J, 4, 4] model-space matrix of every joint.
    palettes
        For each skin [S, 3, 4], the rows of model x inverse bind.
    place
        [4, 4] where it was put: from where root motion begins to world space.
    travel
        [4, 4] how far root motion has carried it from there.
    world
        [4, 4] model space to world space: place x travel.
    clip
        Index of the clip that plays, -1 for none.
    document, mixer
        The motion that plays instead of a clip, as it is said and at work; None: a clip plays.
        The time of `playback` is then tau of the motion.
    said
        The motion file's document: what it says of clips holds for one that plays alone too.
    alone
        What it says of the clip that plays alone, None for nothing.
    fired
        Events that fired on the way to the present frame.
    run
        How all clips of the motion run, by the command line.
    turns
        Whether root motion or a pivot turns the motion that was swept last.
    variant
        Of KHR_materials_variants, -1: the file's own materials.
    override
        [P] values held by hand (morph sliders); NaN where the clip decides.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.moving = Moving(model)
        self.pose = Pose.like(model.skeleton.rest)
        self.matrices: F32 = np.zeros((model.skeleton.count, 4, 4), np.float32)
        self.palettes: tuple[F32, ...] = tuple(
            np.zeros((len(skin.joints), 3, 4), np.float32) for skin in model.skins
        )
        self.place: F32 = np.eye(4, dtype=np.float32)
        self.travel: F32 = np.eye(4, dtype=np.float32)
        self.world: F32 = np.eye(4, dtype=np.float32)
        self.variant = -1
        self.override: F32 = np.full(model.skeleton.rest.values.shape[-1], np.nan, np.float32)
        self.show: Show = "clip"
        self.clip = -1
        self.playback = Playback(0.0)
        self.trim = False
        self.run = Run()
        self.document: MotionDoc | None = None
        self.mixer: Mixer | None = None
        self.motion_settings: MotionDoc | None = None
        self.alone: Alone | None = None
        self.fired: list[Fired] = []
        self._anchor = self._anchored()
        self.turns = False
        self._swept: Pose | None = None
        self._source: Source = StillSource(model.skeleton.rest)
        self._stills = {"rest": self._source}

    def stand(self, place: F32) -> None:
        """Put it at `place` [4, 4]; root motion goes on from there."""
        self.place, self.world = place, place @ self.travel

    def play(
        self,
        clip: int,
        tau: float,
        *,
        passes: float = math.inf,
        mode: Mode = "loop",
        rate: float = 1.0,
        trim: bool = False,
        alone: "Alone | None" = None,
    ) -> None:
        """Start clip number `clip` (-1: none, the rest pose) at the global time `tau`, seconds.

        With `trim` a pass is [first key, last key] instead of [0, last key] (SPEC C1, C3); `alone`
        is what a motion file says of the clip.
        """
        self.clip = clip
        self.trim = trim
        self.document = self.mixer = self._swept = None
        self.alone = alone
        self.fired = []
        self._go(np.eye(4, dtype=np.float32))
        if clip < 0:
            self.playback = Playback(0.0)
            self._source = self._stills["rest"]
            return
        chosen = self.model.clips[clip]
        begin, end = clip_begin(chosen, trim=trim), chosen.end
        if alone is not None:
            begin, end = alone.begin, alone.end
        self.playback = Playback(
            end - begin, passes=passes, mode=mode, rate=rate, start=begin, tau=tau
        )
        root = None if alone is None else alone.root
        self._source = ClipSource(chosen, self.playback, self.model.skeleton.rest, root=root)

    def settings_of_clip(self, clip: int) -> "Alone | None":
        """Return what the motion file says of a clip alone; None where it does not fit."""
        if self.motion_settings is None:
            return None
        from ..motion.single_clip import alone

        try:
            return alone(self.model, self.motion_settings, clip, trim=self.trim)
        except MotionError:
            return None

    def continue_from(self, old: "Character", tau: float) -> None:
        """Go on as another one of the model read again: clip, time, speed, loop, sliders."""
        names = [clip.name for clip in self.model.clips]
        wanted = old.model.clips[old.clip].name if old.clip >= 0 else ""
        clip = names.index(wanted) if wanted in names else min(old.clip, len(names) - 1)
        if old.clip < 0 and names and not old.model.clips:
            clip = 0
        playback = old.playback
        self.motion_settings, self.trim = old.motion_settings, old.trim
        self.play(
            clip,
            tau,
            passes=float(playback.passes),
            mode=playback.mode,
            rate=float(playback.rate),
            trim=old.trim,
            alone=self.settings_of_clip(clip),
        )
        self.playback.seek(playback.time(tau), tau)
        if playback.paused:
            self.playback.pause(tau)
        self.show = old.show
        if self.override.shape == old.override.shape:
            np.copyto(self.override, old.override)

    def play_motion(
        self,
        document: "MotionDoc",
        tau: float,
        *,
        rate: float = 1.0,
        loop: tuple[Mode, float] | None = None,
        otherwise: tuple[Mode, float] = ("loop", math.inf),
        trim: bool = False,
    ) -> None:
        """Put a motion document to work, from its beginning at the global time `tau`, seconds.

        Raises
        ------
        MotionError
            It does not fit the model; what played plays on.
        """
        from ..motion.bind import bind

        mixer = bind(self.model, document, speed=rate, loop=loop, otherwise=otherwise, trim=trim)
        self.run = Run(rate, loop, otherwise)
        self.document, self.mixer, self._swept = document, mixer, None
        self.motion_settings, self.alone = document, None
        self.trim = trim
        self.playback = Playback(ENDLESS, passes=1, tau=tau)
        self.fired = []
        self._anchor = None

    def rebind(self, document: "MotionDoc", *, adopt: bool = True) -> None:
        """Put an edited document in place of the one at work; its time goes on.

        Parameters
        ----------
        adopt
            Go on from the phases and values of the one at work, so that nothing jumps; else be
            where a run of the new one from 0 would be.

        Raises
        ------
        MotionError
            It does not fit the model; what played plays on.
        """
        from ..motion.bind import bind

        run = self.run
        mixer = bind(
            self.model,
            document,
            speed=run.speed,
            loop=run.loop,
            otherwise=run.otherwise,
            trim=self.trim,
        )
        if self.mixer is None:
            self.playback = Playback(ENDLESS, passes=1, tau=self.playback.tau0)
        else:
            if adopt:
                mixer.adopt(self.mixer)
            mixer.go(self.mixer.tau)  # what fires next is what fires after the present frame
        self.motion_settings, self.alone = document, None
        self.document, self.mixer, self._swept = document, mixer, None

    @property
    def cut(self) -> int | None:
        """Camera that the motion has cut to by now, -1: back to the free one; None: no cut yet."""
        from ..motion.document import Cut

        if self.mixer is None or self.document is None or self.show != "clip":
            return None
        done = [at for at in self.document.at if at.time <= self.mixer.tau]
        cuts = [at.do for at in sorted(done, key=lambda at: at.time) if isinstance(at.do, Cut)]
        return self.model.camera_named(cuts[-1].camera) if cuts else None

    @property
    def uses_motion_file(self) -> bool:
        """Whether a motion file has a say in what plays."""
        return self.mixer is not None or self.alone is not None

    def sweep(self) -> Pose:
        """Return poses [T] over the motion that plays, for bounds; it is not disturbed."""
        document = self.document if self.alone is None else self.alone.document
        if self._swept is None and document is not None:
            from ..motion.bind import bind

            mixer = bind(self.model, document, trim=self.trim)
            taus = np.linspace(0.0, mixer.length, SWEEP)
            self._swept, worlds = mixer.poses(taus, self.model.skeleton.rest)
            self.turns = bool((worlds[..., :3, :3] != np.eye(3)).any())
        return self.model.skeleton.rest if self._swept is None else self._swept

    def update(self, tau: float) -> None:
        """Fill pose, matrices and palettes for the global time `tau`, seconds."""
        self.fired = []
        if self.mixer is not None and self.show == "clip":
            self._perform_at(self.mixer, float(self.playback.advance(tau).time))
        else:
            source = self._source if self.show == "clip" else self._still(self.show)
            source.advance(tau, tau)
            source.sample(self.pose)
            self._travel(tau)
        if self.override.size:
            np.copyto(self.pose.values, self.override, where=~np.isnan(self.override))
        self.model.skeleton.to_model(self.pose, out=self.matrices)
        for skin, palette in zip(self.model.skins, self.palettes, strict=True):
            skin.palette(self.matrices, out=palette)

    def _perform_at(self, mixer: "Mixer", time: float) -> None:
        """Take the pose of a motion's own time; events fire where it was played up to there."""
        anchor = self._anchored()
        if anchor == self._anchor:
            mixer.play(time)
        else:  # started, sought, or at another speed: nothing fires
            mixer.go(time)
        self._anchor = anchor
        self.fired = mixer.fired
        mixer.sample(self.pose)
        self._go(mixer.world)

    def _travel(self, tau: float) -> None:
        """Go where a clip alone has carried the character; what is still is where it was put."""
        if not self.uses_motion_file:
            return
        root = None if self.alone is None or self.show != "clip" else self.alone.root
        if root is None:
            self._go(np.eye(4, dtype=np.float32))
            return
        now, x = self.playback, self.playback.x(tau)
        span = Span(np.zeros(()), x, now.duration, now.mode, now.passes, now.time(tau))
        self._go(Ground.still(()).then(*root.travel(span)).matrix())

    def _go(self, travel: F32) -> None:
        self.travel, self.world = travel, self.place @ travel

    def _anchored(self) -> tuple[float, float] | None:
        return float(self.playback.tau0), float(self.playback.t0)

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
