"""Resolve the names of a motion file in a model: clips, joints, masks, parameters."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..animation.clip import Clip
from ..animation.euler import from_euler
from ..animation.pose import Pose
from ..animation.skin import common_bind_pose
from ..animation.types import F32, F64
from ..blending.mask import Mask
from ..blending.parameters import Limits, Parameters
from ..blending.pose_layout import PoseLayout
from ..errors import KeyPath, UsageError
from ..model.facing import DEFAULT_FACING, Direction, find_facing
from ..model.lookup import find_clip, find_joint
from ..model.model import Model
from ..model.morph_weights import find_morph_weights, morph_weights, no_weights_set
from ..tomlfile.toml_errors import motion_error, path_text, quoted
from .cross_references import TOUCHED, WEIGHT, all_layers, differences
from .document import ClipSettings, MotionDoc


class NameResolver:
    """Name lookup in a model and a document; unknown names raise MotionError."""

    def __init__(self, model: Model, doc: MotionDoc, batch: tuple[int, ...] = ()) -> None:
        self.model = model
        self.doc = doc
        self.batch = batch
        self.warnings: list[str] = []
        self.poses: dict[str, Pose] = {}  # of the document, those that were asked for

    def check(self) -> None:
        """Raise MotionError where two playable entries share a name, or a morph is unknown."""
        set_morphs(self.model, self.doc)
        clips = {clip.name for clip in self.model.clips}
        for kind in ("spaces", "additives", "aims", "iks"):
            for name in getattr(self.doc, kind):
                if name in clips:
                    message = "a clip of the character has the same name"
                    raise motion_error((kind, name), message, hint="use another name")

    def warn_if_clamped(self, name: str, value: ArrayLike, path: KeyPath) -> None:
        """Add a warning for a value outside a parameter's range, which is clamped."""
        limits = self.parameters.limits[name]
        given = np.asarray(value, np.float64)
        inside = np.clip(given, limits.low, limits.high)
        if (inside != given).any():
            out, kept = (f"{each[inside != given][0]:g}" for each in (given, inside))
            reach = f"{limits.low:g} to {limits.high:g}"
            self.warnings.append(
                f"{path_text(path)}: {out} is outside the range of {quoted(name)}, {reach}: "
                f"clamped to {kept}"
            )

    @cached_property
    def rig(self) -> PoseLayout:
        """The model's skeleton and channels for blending."""
        return model_rig(self.model)

    @cached_property
    def facing(self) -> Direction:
        """The direction that the character faces: by the document, else by the model."""
        return self.doc.facing or find_facing(self.model) or DEFAULT_FACING

    @property
    def rest(self) -> Pose:
        """The rest pose."""
        return self.model.skeleton.rest

    @cached_property
    def bind(self) -> Pose:
        """The bind pose of all skins."""
        return common_bind_pose(self.model.skeleton, self.model.skins)

    def still(self, which: str) -> Pose:
        """Return the "rest" or "bind" pose, or a pose of the document by its name.

        That is one of `poses`, which all sources share.
        """
        if which in self.doc.poses:
            return self.poses.setdefault(which, self.posed(which))
        return self.rest if which == "rest" else self.bind

    def posed(self, name: str) -> Pose:
        """Return a pose of the document, at rest where it has no transform."""
        pose = self.rest.copy()
        for joint, local in zip(
            self.posed_joints(name), self.doc.poses[name].values(), strict=True
        ):
            if local.rotation is not None:
                pose.rotation[joint] = from_euler(np.radians(local.rotation))
            if local.translation is not None:
                pose.translation[joint] = local.translation
            if local.scale is not None:
                pose.scale[joint] = local.scale
        return pose

    def posed_joints(self, name: str) -> list[int]:
        """Return the joints of a pose of the document, in its order."""
        return [self.joint(joint, ("poses", name, joint)) for joint in self.doc.poses[name]]

    def clip(self, text: str, path: KeyPath) -> int:
        """Return the index of a clip by exact name, else index, else pattern."""
        try:
            found = find_clip(self.model, text)
        except UsageError:
            names = [clip.name for clip in self.model.clips]
            raise motion_error(path, f"no clip {quoted(text)}", wrong=text, known=names) from None
        if found.warning:
            self.warnings.append(found.warning)
        return found.index

    def joint(self, text: str, path: KeyPath) -> int:
        """Return the index of a joint; joints of skins take precedence over other nodes."""
        try:
            return find_joint(self.model, text).index
        except UsageError as error:
            if error.message.startswith("no joint"):
                names = self.model.skeleton.names
                raise motion_error(
                    path, f"no joint {quoted(text)}", wrong=text, known=names
                ) from None
            raise motion_error(path, error.message, hint=error.hint) from None

    @cached_property
    def settings(self) -> Mapping[int, tuple[str, ClipSettings]]:
        """Clip settings of the document by clip index, with the name in the document."""
        found: dict[int, tuple[str, ClipSettings]] = {}
        names = {clip.name for clip in self.model.clips}
        for name, settings in self.doc.clips.items():
            if settings.source is not None and name not in names:
                continue  # not cut out yet
            clip = self.clip(name, ("clips", name))
            if clip in found:
                raise motion_error(
                    ("clips", name), f"refers to the same clip as clips.{quoted(found[clip][0])}"
                )
            found[clip] = name, settings
        return found

    def settings_of(self, clip: int) -> tuple[KeyPath, ClipSettings]:
        """Return the key path and settings of a clip."""
        name, settings = self.settings.get(clip, (self.model.clips[clip].name, ClipSettings()))
        return ("clips", name), settings

    def mask(self, name: str, clips: Sequence[Clip] = (), joints: Sequence[int] = ()) -> Mask:
        """Return a mask by name; "touched" is 1 on `joints`, and those with a track in `clips`."""
        if name == TOUCHED and name not in self.doc.masks:
            return Mask.with_tracks(self.rig, clips, others=joints)
        settings = self.doc.masks[name]
        place: KeyPath = ("masks", name, "joints")
        named = {self.joint(joint, (*place, joint)): w for joint, w in settings.joints.items()}
        return Mask.inherited(self.rig, named, settings.space)

    @cached_property
    def parameters(self) -> Parameters:
        """All parameters, and the layer weights as "LAYER.weight"."""
        values: dict[str, F64] = {}
        limits: dict[str, Limits] = {}
        for name, each in self.doc.parameters.items():
            width = np.shape(each.default)
            values[name] = np.broadcast_to(
                np.asarray(each.default, np.float64), (*self.batch, *width)
            )
            low, high = each.range or (-np.inf, np.inf)
            limits[name] = Limits(low, high, each.damp, each.angle)
        for _, layer in all_layers(self.doc):
            if isinstance(layer.weight, str):
                continue
            key = f"{layer.name}{WEIGHT}"
            values[key] = np.broadcast_to(np.float64(layer.weight), self.batch)
            limits[key] = Limits(0.0, np.inf if differences(self.doc, layer.play) else 1.0)
        return Parameters(values, limits)


def set_morphs(model: Model, doc: MotionDoc) -> F32:
    """Return the values [P] that [morphs] sets; NaN: not set.

    Raises
    ------
    MotionError
        The model lacks a name.
    """
    values = no_weights_set(model)
    for name, weight in doc.morphs.items():
        try:
            values[find_morph_weights(model, name)] = weight
        except UsageError:
            known = dict.fromkeys(each.target for each in morph_weights(model))
            raise motion_error(
                ("morphs", name), f"no morph target {quoted(name)}", wrong=name, known=known
            ) from None
    return values


def model_rig(model: Model) -> PoseLayout:
    """Return a model's skeleton and channels for blending."""
    count = model.skeleton.rest.values.shape[-1]
    owner = np.full(count, -1, np.int32)
    step = np.zeros(count, bool)
    rotations = []
    for channel in model.channels:
        owner[channel.slice] = channel.joint
        step[channel.slice] = channel.kind == "step"
        if channel.kind == "rotation":
            rotations.append(channel.start)
    return PoseLayout(model.skeleton, owner, step, tuple(rotations))
