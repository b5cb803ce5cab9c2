"""A character: a model with its playback, pose, joint matrices and skin palettes."""

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ..animation.clip import Clip
from ..animation.playback import Mode, Playback, Span
from ..animation.pose import Pose
from ..animation.skin import bind_pose
from ..animation.types import F32
from ..blending.sources import ClipSource, Source, StillSource
from ..blending.step import FiredEvent
from ..errors import MotionError
from ..model.model import Model
from ..model.pointer_values import PointerValues

if TYPE_CHECKING:
    from ..blending.mixer import Mixer
    from ..motion.document import MotionDoc
    from ..motion.single_clip import SingleClip

Show = Literal["clip", "rest", "bind"]
SWEEP = 24  # samples of a motion for its bounds
ENDLESS = 1e9  # duration of a motion, seconds


class PlaybackSettings(NamedTuple):
    """Speed and looping of all clips of a motion."""

    speed: float = 1.0
    loop: tuple[Mode, float] | None = None  # of all clips; None: as in the motion file
    default_loop: tuple[Mode, float] = ("loop", math.inf)  # of clips without a loop setting


class Character:
    """An animated model. Buffers are allocated once; `update` evaluates clip, pose and palettes.

    Attributes
    ----------
    pointer_values
        Materials, lights, cameras and visibility animated by KHR_animation_pointer.
    pose
        Local transforms [J] and other values [P] of the current frame.
    matrices
        [J, 4, 4] model-space matrix of every joint.
    palettes
        For each skin [S, 3, 4], the rows of model x inverse bind.
    placement
        [4, 4] world matrix without root motion.
    root_motion
        [4, 4] displacement and rotation by root motion, before `placement`.
    world
        [4, 4] model space to world space: placement x root_motion.
    clip
        Index of the clip that plays, -1 for none.
    document, mixer
        The motion file that plays instead of a clip, and its mixer; None: a clip plays. The time of
        `playback` is then the time of the motion.
    motion_settings
        The motion file whose settings of clips also apply to a clip that plays clip_settings.
    clip_settings
        Its settings for the clip that plays alone; None: no settings.
    fired
        Events that fired between the previous and the current frame.
    settings
        Speed and looping of the motion, from the command line.
    root_rotates
        Whether root motion or a pivot rotates the motion that was swept last.
    variant
        Index of the material variant (KHR_materials_variants), -1: the default materials.
    override
        [P] values set by the user (morph sliders); NaN: not set.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.pointer_values = PointerValues(model)
        self.pose = Pose.like(model.skeleton.rest)
        self.matrices: F32 = np.zeros((model.skeleton.count, 4, 4), np.float32)
        self.palettes: tuple[F32, ...] = tuple(
            np.zeros((len(skin.joints), 3, 4), np.float32) for skin in model.skins
        )
        self.placement: F32 = np.eye(4, dtype=np.float32)
        self.root_motion: F32 = np.eye(4, dtype=np.float32)
        self.world: F32 = np.eye(4, dtype=np.float32)
        self.variant = -1
        self.override: F32 = np.full(model.skeleton.rest.values.shape[-1], np.nan, np.float32)
        self.show: Show = "clip"
        self.clip = -1
        self.playback = Playback(0.0)
        self.trim = False
        self.settings = PlaybackSettings()
        self.document: MotionDoc | None = None
        self.mixer: Mixer | None = None
        self.motion_settings: MotionDoc | None = None
        self.clip_settings: SingleClip | None = None
        self.fired: list[FiredEvent] = []
        self._anchor = self._playback_anchor()
        self.root_rotates = False
        self._swept: Pose | None = None
        self._source: Source = StillSource(model.skeleton.rest)
        self._still_sources = {"rest": self._source}

    def set_placement(self, placement: F32) -> None:
        """Set the placement [4, 4]; the current root motion is kept."""
        self.placement, self.world = placement, placement @ self.root_motion

    def play(
        self,
        clip: int,
        tau: float,
        *,
        passes: float = math.inf,
        mode: Mode = "loop",
        rate: float = 1.0,
        trim: bool = False,
        clip_settings: "SingleClip | None" = None,
    ) -> None:
        """Start the clip with index `clip` (-1: the rest pose) at the global time `tau`, seconds.

        With `trim` a pass is [first key, last key] instead of [0, last key]; `clip_settings` are
        the settings of a motion file for the clip.
        """
        self.clip = clip
        self.trim = trim
        self.document = self.mixer = self._swept = None
        self.clip_settings = clip_settings
        self.fired = []
        self._set_root_motion(np.eye(4, dtype=np.float32))
        if clip < 0:
            self.playback = Playback(0.0)
            self._source = self._still_sources["rest"]
            return
        chosen = self.model.clips[clip]
        begin, end = clip_begin(chosen, trim=trim), chosen.end
        if clip_settings is not None:
            begin, end = clip_settings.begin, clip_settings.end
        self.playback = Playback(
            end - begin, passes=passes, mode=mode, rate=rate, start=begin, tau=tau
        )
        root = None if clip_settings is None else clip_settings.root
        self._source = ClipSource(chosen, self.playback, self.model.skeleton.rest, root=root)

    def settings_of_clip(self, clip: int) -> "SingleClip | None":
        """Return the settings of the motion file for a clip; None if they do not fit the model."""
        if self.motion_settings is None:
            return None
        from ..motion.single_clip import single_clip

        try:
            return single_clip(self.model, self.motion_settings, clip, trim=self.trim)
        except MotionError:
            return None

    def continue_from(self, old: "Character", tau: float) -> None:
        """Copy the state of the character before its file was reloaded.

        Clip, time, speed, looping and morph sliders are kept.
        """
        names = [clip.name for clip in self.model.clips]
        previous = old.model.clips[old.clip].name if old.clip >= 0 else ""
        clip = names.index(previous) if previous in names else min(old.clip, len(names) - 1)
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
            clip_settings=self.settings_of_clip(clip),
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
        default_loop: tuple[Mode, float] = ("loop", math.inf),
        trim: bool = False,
    ) -> None:
        """Start a motion file from its beginning at the global time `tau`, seconds.

        Raises
        ------
        MotionError
            It does not fit the model; playback is unchanged.
        """
        from ..motion.bind import bind

        mixer = bind(
            self.model, document, speed=rate, loop=loop, default_loop=default_loop, trim=trim
        )
        self.settings = PlaybackSettings(rate, loop, default_loop)
        self.document, self.mixer, self._swept = document, mixer, None
        self.motion_settings, self.clip_settings = document, None
        self.trim = trim
        self.playback = Playback(ENDLESS, passes=1, tau=tau)
        self.fired = []
        self._anchor = None

    def rebind(self, document: "MotionDoc", *, keep_state: bool = True) -> None:
        """Replace the motion file by an edited one; its time continues.

        Parameters
        ----------
        keep_state
            Continue from the current phases and values, so that the pose does not jump; otherwise
            use the state that the new file reaches when played from 0.

        Raises
        ------
        MotionError
            It does not fit the model; playback is unchanged.
        """
        from ..motion.bind import bind

        settings = self.settings
        mixer = bind(
            self.model,
            document,
            speed=settings.speed,
            loop=settings.loop,
            default_loop=settings.default_loop,
            trim=self.trim,
        )
        if self.mixer is None:
            self.playback = Playback(ENDLESS, passes=1, tau=self.playback.tau0)
        else:
            if keep_state:
                mixer.continue_from(self.mixer)
            mixer.seek(self.mixer.tau)  # events fire only after the current frame
        self.motion_settings, self.clip_settings = document, None
        self.document, self.mixer, self._swept = document, mixer, None

    @property
    def cut(self) -> int | None:
        """Index of the camera of the last cut of the motion, -1: the free camera; None: no cut."""
        from ..motion.document import Cut

        if self.mixer is None or self.document is None or self.show != "clip":
            return None
        past = [at for at in self.document.at if at.time <= self.mixer.tau]
        cuts = [at.do for at in sorted(past, key=lambda at: at.time) if isinstance(at.do, Cut)]
        return self.model.camera_named(cuts[-1].camera) if cuts else None

    @property
    def uses_motion_file(self) -> bool:
        """Whether a motion file affects playback."""
        return self.mixer is not None or self.clip_settings is not None

    def sweep(self) -> Pose:
        """Return poses [T] sampled over the motion, for its bounds; playback is unchanged."""
        document = self.document if self.clip_settings is None else self.clip_settings.document
        if self._swept is None and document is not None:
            from ..motion.bind import bind

            mixer = bind(self.model, document, trim=self.trim)
            taus = np.linspace(0.0, mixer.length, SWEEP)
            self._swept, worlds = mixer.poses(taus, self.model.skeleton.rest)
            self.root_rotates = bool((worlds[..., :3, :3] != np.eye(3)).any())
        return self.model.skeleton.rest if self._swept is None else self._swept

    def update(self, tau: float) -> None:
        """Evaluate pose, matrices and palettes at the global time `tau`, seconds."""
        self.fired = []
        if self.mixer is not None and self.show == "clip":
            self._sample_motion(self.mixer, float(self.playback.advance(tau).time))
        else:
            source = self._source if self.show == "clip" else self._still_source(self.show)
            source.advance(tau, tau)
            source.sample(self.pose)
            self._apply_root_motion(tau)
        if self.override.size:
            np.copyto(self.pose.values, self.override, where=~np.isnan(self.override))
        self.model.skeleton.to_model(self.pose, out=self.matrices)
        for skin, palette in zip(self.model.skins, self.palettes, strict=True):
            skin.palette(self.matrices, out=palette)

    def _sample_motion(self, mixer: "Mixer", time: float) -> None:
        """Evaluate the motion at its time; events fire if it was played up to it without a seek."""
        anchor = self._playback_anchor()
        if anchor == self._anchor:
            mixer.play(time)
        else:  # after a start, a seek or a change of speed no event fires
            mixer.seek(time)
        self._anchor = anchor
        self.fired = mixer.fired
        mixer.sample(self.pose)
        self._set_root_motion(mixer.world)

    def _apply_root_motion(self, tau: float) -> None:
        """Set the root motion of a clip that plays alone with settings of a motion file."""
        if not self.uses_motion_file:
            return
        root = (
            None if self.clip_settings is None or self.show != "clip" else self.clip_settings.root
        )
        if root is None:
            self._set_root_motion(np.eye(4, dtype=np.float32))
            return
        now, x = self.playback, self.playback.x(tau)
        span = Span(np.zeros(()), x, now.duration, now.mode, now.passes, now.time(tau))
        self._set_root_motion(root.transform_over(span).matrix())

    def _set_root_motion(self, matrix: F32) -> None:
        self.root_motion, self.world = matrix, self.placement @ matrix

    def _playback_anchor(self) -> tuple[float, float] | None:
        return float(self.playback.tau0), float(self.playback.t0)

    def _still_source(self, show: str) -> Source:
        if show not in self._still_sources:
            pose = self.model.skeleton.rest.copy()
            for skin in self.model.skins:
                bound = bind_pose(self.model.skeleton, skin)
                pose.translation[skin.joints] = bound.translation[skin.joints]
                pose.rotation[skin.joints] = bound.rotation[skin.joints]
                pose.scale[skin.joints] = bound.scale[skin.joints]
            self._still_sources[show] = StillSource(pose)
        return self._still_sources[show]


def clip_begin(clip: Clip, *, trim: bool) -> float:
    """Return the clip time at which a pass begins, seconds."""
    return clip.start if trim else min(0.0, clip.start)
