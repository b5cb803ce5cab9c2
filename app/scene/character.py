"""A character: a model with what it plays, its pose, joint matrices and skin palettes."""

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..animation.playback import Mode, Playback
from ..animation.pose import Pose
from ..animation.skin import common_bind_pose
from ..animation.types import F32, F64
from ..blending.clip_mixer import clip_mixer
from ..blending.mixer import IN_PLACE, Mixer, StillMixer, Sweep
from ..blending.sources import FiredEvent
from ..errors import UsageError
from ..memo import Memo
from ..model.lookup import find_clip
from ..model.model import Model
from ..model.morph_weights import apply_weights, no_weights_set
from ..model.pointer_values import PointerValues
from ..scenedoc.look import Still
from ..scenedoc.shown import Show
from .clip_traces import ClipTraces
from .contact_spans import ContactSpans
from .drawn_joints import DrawnJoints
from .origin import place_matrix, relative_to

if TYPE_CHECKING:
    from .layer_traces import LayerTraces

VertexValues = tuple[tuple[F32, ...], ...]


class Character:
    """An animated model. Buffers are allocated once; `update` evaluates pose and palettes.

    Attributes
    ----------
    pointer_values
        Animated materials, lights, cameras and visibility of the model.
    pose
        Local transforms [J] and other values [P] of the current frame.
    matrices
        [J, 4, 4] model-space matrix of every joint.
    palettes
        For each skin [S, 3, 4], the rows of model x inverse bind.
    placement
        [4, 4] world matrix without root motion, float64.
    root_motion
        [4, 4] displacement and rotation by root motion, before `placement`.
    world
        [4, 4] model space to world space: placement x root_motion.
    mixer
        What it plays while `show` is "clip".
    clip
        Index of the clip that was played last, -1 for none.
    trim
        Whether clips play from their first key instead of from 0.
    fired
        Events that fired between the previous and the current frame.
    variant
        Index of the material variant (KHR_materials_variants), -1: the default materials.
    hidden_parts
        Node and primitive of the parts of meshes that are not drawn.
    vertex_values
        For each mesh instance of the model, [V] values of each primitive, 0 to 1, that colour its
        vertices in place of the view mode; (): none.
    hidden_joints
        Joints whose bones, names and meshes are not drawn.
    foot_contacts
        Foot contacts of a clip, which paths of joints show; None: unknown.
    traces
        The path of a joint, and the joints before and after the present time, of the clip that
        plays alone.
    preview
        What is shown in place of what plays, None: what plays. It is not part of any record.
    override
        [P] values set in place of what plays (morph weights); NaN: not set.

    Examples
    --------
    >>> character = rigview.Character(model)
    >>> character.play_clip("Walk", 0.0)
    >>> character.update(0.25)
    >>> character.matrices.shape == (model.skeleton.count, 4, 4)
    True
    """

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model):
            kind = type(model).__name__
            raise UsageError(f"a Character has a Model, not {kind}", hint="load(path) returns one")
        self.model = model
        self.pointer_values = PointerValues(model)
        self.pose = Pose.like(model.skeleton.rest)
        self.matrices: F32 = np.zeros((model.skeleton.count, 4, 4), np.float32)
        self.palettes: tuple[F32, ...] = tuple(
            np.zeros((len(skin.joints), 3, 4), np.float32) for skin in model.skins
        )
        self.placement: F64 = np.eye(4)
        self.root_motion: F64 = IN_PLACE
        self.world: F64 = np.eye(4)
        self.variant = -1
        self.hidden_parts: frozenset[tuple[int, int]] = frozenset()
        self.vertex_values: VertexValues = ()
        self.hidden_joints: frozenset[int] = frozenset()
        self.foot_contacts: ContactSpans | None = None
        self.traces = ClipTraces(model)
        self.override = no_weights_set(model)
        self.show: Show = "clip"
        self.mixer: Mixer = StillMixer(model.skeleton.rest)
        self.preview: Mixer | None = None
        self.clip = -1
        self.trim = False
        self.fired: list[FiredEvent] = []
        self._relative_to = Memo(relative_to)
        self._stills: dict[Still, tuple[Pose, StillMixer, F32]] = {}

    @cached_property
    def layer_traces(self) -> "LayerTraces":
        """The path of a joint, and the joints before and after the present time, of layers."""
        from .layer_traces import LayerTraces  # imported late: all sources of layers

        return LayerTraces(self.model)

    def use(self, model: Model) -> None:
        """Use its model with other clips, weights of vertices or materials; what plays stays."""
        self.model, self.pointer_values = model, PointerValues(model)
        self.traces = ClipTraces(model)
        self.__dict__.pop("layer_traces", None)

    @property
    def playback(self) -> Playback:
        """From the global time to the time of what plays."""
        return self.mixer.playback

    def set_placement(self, placement: F32 | F64) -> None:
        """Set the placement [4, 4]; the current root motion is kept."""
        self.placement = placement.astype(np.float64)
        self.world = self.placement @ self.root_motion

    def world_from(self, origin: F64) -> F32:
        """Return `world` [4, 4] relative to an origin [3] of world space, in float32.

        The last one is cached, for the many parts of a frame that read it.
        """
        return self._relative_to(self.world, origin)

    def joint_world(self, joint: int) -> F64:
        """Return the world matrix [4, 4] of a joint."""
        return place_matrix(self.world, self.matrices[joint])

    def play(self, mixer: Mixer, tau: float) -> None:
        """Start a mixer at the global time `tau`, seconds."""
        mixer.playback.start_at(tau)
        self.mixer = mixer
        self.fired = []
        self._set_root_motion(mixer.world)

    def play_clip(
        self,
        clip: str | int,
        tau: float,
        *,
        passes: float = math.inf,
        mode: Mode = "loop",
        rate: float = 1.0,
        trim: bool = False,
    ) -> None:
        """Start a clip at the global time `tau`, seconds.

        Parameters
        ----------
        clip
            Name, index or pattern; -1: the rest pose.
        trim
            Whether a pass is [first key, last key] instead of [0, last key].

        Raises
        ------
        UsageError
            The clip does not exist.
        """
        number = -1 if clip == -1 else find_clip(self.model, clip).index
        self.clip, self.trim = number, trim
        clips, rest = self.model.clips, self.model.skeleton.rest
        self.play(clip_mixer(clips, rest, number, loop=(mode, passes), speed=rate, trim=trim), tau)

    def set_morphs(self, values: F32 | None) -> None:
        """Set values [P] in place of what plays, NaN and None: not set."""
        self.override[:] = np.nan if values is None else values

    def sweep(self) -> Sweep:
        """Return poses over everything that it plays, with the values set in place of it."""
        return self.with_override(self.mixer.sweep())

    def with_override(self, sweep: Sweep) -> Sweep:
        """Return a sweep with the values of `override`."""
        if np.isnan(self.override).all():
            return sweep
        poses = [pose.copy() for pose in sweep.poses]
        for pose in poses:
            apply_weights(pose.values, self.override)
        return sweep._replace(poses=poses)

    def replace_mixer(self, mixer: Mixer, *, keep_state: bool = True) -> None:
        """Replace what plays by an edited version of it; its time continues.

        With `keep_state` the pose does not jump; otherwise it is that of a run from 0.
        """
        mixer.continue_from(self.mixer, keep_state=keep_state)
        self.mixer = mixer

    @property
    def cut(self) -> int | None:
        """Index of the camera of the last cut of the motion, -1: the free camera; None: no cut."""
        return self.mixer.cut if self.show == "clip" else None

    def update(self, tau: float) -> None:
        """Evaluate pose, matrices and palettes at the global time `tau`, seconds."""
        played = self.mixer if self.show == "clip" else self._still(self.show)[1]
        mixer: Mixer = self.preview or played
        mixer.update(tau)
        mixer.sample(self.pose)
        self.fired = [] if self.preview is not None else mixer.fired
        root_motion = mixer.world
        if root_motion is not self.root_motion:
            self._set_root_motion(root_motion)
        if self.override.size:
            apply_weights(self.pose.values, self.override)
        self.model.skeleton.to_model(self.pose, out=self.matrices)
        for skin, palette in zip(self.model.skins, self.palettes, strict=True):
            skin.palette(self.matrices, out=palette)

    def _set_root_motion(self, matrix: F64) -> None:
        self.root_motion, self.world = matrix, self.placement @ matrix

    @cached_property
    def drawn_joints(self) -> DrawnJoints:
        """The joints that overlays draw."""
        return DrawnJoints(self.model)

    def still_matrices(self, pose: Still) -> F32:
        """Return the model-space matrices [J, 4, 4] of the rest or the bind pose."""
        return self._still(pose)[2]

    def ghost(self, pose: Still, matrices: F32) -> F32:
        """Return positions [..., D, 3] of the drawn joints in the rest or bind pose, model space.

        The root joints keep their transforms in `matrices` [..., J, 4, 4], model space.
        """
        drawn = self.drawn_joints
        still = self.still_matrices(pose)[drawn.joints].astype(np.float64)
        roots, row = np.unique(drawn.roots, return_inverse=True)
        moved = matrices[..., drawn.joints[roots], :, :] @ np.linalg.pinv(still[roots])
        placed = moved[..., row, :, :] @ still[:, :, 3:]
        return placed[..., :3, 0].astype(np.float32)

    def still_pose(self, pose: Still) -> Pose:
        """Return the rest pose of the nodes, or the bind pose of the skins [J]."""
        return self._still(pose)[0]

    def _still(self, name: Still) -> tuple[Pose, StillMixer, F32]:
        if name not in self._stills:
            skeleton, skins = self.model.skeleton, self.model.skins if name == "bind" else ()
            pose = common_bind_pose(skeleton, skins)
            self._stills[name] = pose, StillMixer(pose), skeleton.to_model(pose)
        return self._stills[name]
