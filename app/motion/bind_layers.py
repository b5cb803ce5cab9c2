"""Bind the layers of a motion file to a model: sources, additives, aims and IK."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..animation.clip import Clip
from ..animation.rotation_mean import Blend
from ..animation.types import F64
from ..blending.aim import AimChain
from ..blending.cone_limits import ConeLimits
from ..blending.layers import Layer, Layers
from ..blending.pose_modifiers import (
    AdditiveModifier,
    LookAtModifier,
    OverrideModifier,
    PoseModifier,
    SourceModifier,
    Target,
    TwoBoneModifier,
    joint_target,
)
from ..blending.sources import ClipSource, Source
from ..blending.state import parts_of_type
from ..blending.strafe import StrafeSource
from ..blending.two_bone_ik import TwoBone
from ..errors import KeyPath, MotionError
from ..model.facing import forward_axis
from ..tomlfile.toml_errors import motion_error, quoted
from .bind_names import NameResolver
from .bind_sources import AT_ONCE, SourceBuilder, Start
from .cross_references import TOUCHED, WEIGHT, differences
from .document import (
    Aim,
    Fade,
    Ik,
    LayerSettings,
    MotionDoc,
    Nested,
    Play,
    Space,
    StillClip,
    StillPose,
    StrafeSpace,
)


class Covered(NamedTuple):
    """A layer that plays a source."""

    speed: float
    time: str | None  # the parameter that sets the time of its clip
    rotation: Blend
    strafes: bool  # it starts with a strafe space


class LayerBuilder:
    """Builds the layers of a motion file for a model."""

    def __init__(self, source_builder: SourceBuilder) -> None:
        self.source_builder = source_builder
        self.names = source_builder.names
        self.length = 0.0  # of the longest pass, seconds
        self.clips: dict[str, Clip] = {}  # all clips played or faded to, in file order
        self.covered: dict[str, Covered] = {}  # the layers that play a source, by name
        self.clocked: list[str] = []  # names of layers that play the additive of a clip with time
        self.others: dict[str, str] = {}  # names of the other layers, and what they play

    def check(self) -> None:
        """Raise MotionError for any unknown name in the document."""
        doc, names = self.names.doc, self.names
        for clip in names.settings:
            self.source_builder.clip(clip)
        for name in doc.masks:
            names.mask(name)
        for name, space in doc.spaces.items():
            self._check_clips(space, ("spaces", name, "clips"))
        for name in doc.additives:
            self._added(LayerSettings("", name), AT_ONCE)
        for name in doc.poses:
            names.posed(name)
        for name, aim in doc.aims.items():
            self._aim(aim, ("aims", name), "nlerp")
        for name, ik in doc.iks.items():
            self._reach(ik, ("iks", name), "nlerp")

    def _check_clips(self, space: Space | StrafeSpace, path: KeyPath) -> None:
        """Raise MotionError for an unknown clip of a space."""
        names = self.names
        if isinstance(space, StrafeSpace):
            for role, text in (*space.clips.items(), *space.transitions.items()):
                names.clip(text, (*path, role))
            return
        for k, each in enumerate(space.clips):
            if each.clip not in names.doc.additives:
                names.clip(each.clip, (*path, k, "clip"))

    def layers(
        self, settings: tuple[LayerSettings, ...], path: KeyPath, start: Start = AT_ONCE
    ) -> Layers:
        """Return a layer stack; phase and time are those of its layers."""
        alone = any(layer.solo and not layer.mute for layer in settings)
        made = [
            self._layer(
                layer, (*path, k), start, active=not layer.mute and (layer.solo or not alone)
            )
            for k, layer in enumerate(settings)
        ]
        return Layers(made, self.names.rig, self.names.batch)

    def _layer(self, layer: LayerSettings, path: KeyPath, start: Start, *, active: bool) -> Layer:
        start, speed_at = start._replace(phase=layer.phase, time=layer.time), None
        if isinstance(layer.speed, str):
            speed_at = self._speed_at(layer.speed, start.rate)
        else:
            start = start._replace(rate=layer.speed * start.rate)
        operation = self._act(layer, path, start)
        if speed_at is not None and isinstance(operation, SourceModifier):
            operation.source.set_rate(speed_at(start.tau), start.tau)
        mask = None
        if layer.mask is not None:
            touched, posed = [], []
            if layer.mask == TOUCHED:
                names = self.names
                plays = list(_played(names.doc, layer, path))
                numbers = {k for place, play in plays for k in _numbers(names, play, place)}
                touched = [names.model.clips[number] for number in sorted(numbers)]
                poses = [play.pose for _, play in plays if isinstance(play, StillPose)]
                posed = [
                    joint
                    for name in poses
                    if name in names.doc.poses
                    for joint in names.posed_joints(name)
                ]
            mask = self.names.mask(layer.mask, touched, posed)
        root_weight = 1.0
        joints = [
            source.root.joint
            for source in parts_of_type(operation, ClipSource)
            if source.root is not None
        ]
        if mask is not None:
            joints = joints or self.source_builder.roots  # of clips that it may fade to
            root_weight = float(mask.joints[joints[0]]) if joints else 0.0
        root_turns = any(
            each.root is not None and each.root.turn and each.root.mode == "accumulate"
            for each in self.names.doc.clips.values()
        )
        return Layer(
            layer.name,
            operation,
            self._weight_at(layer),
            mask,
            active,
            root_weight,
            root_turns,
            speed_at,
        )

    def _weight_at(self, layer: LayerSettings) -> Callable[[float], F64]:
        """Return the weight [...] of a layer by global time."""
        parameters, key = self.names.parameters, f"{layer.name}{WEIGHT}"
        if not isinstance(layer.weight, str):
            return lambda tau: parameters.at(key, tau)
        by = layer.weight
        most = np.inf if differences(self.names.doc, layer.play) else 1.0
        return lambda tau: np.clip(parameters.at(by, tau), 0.0, most)

    def _speed_at(self, by: str, rate: float) -> Callable[[float], F64]:
        """Return the clip seconds per second [...] by global time of a layer's speed parameter."""
        parameters, factor = self.names.parameters, rate * self.source_builder.speed
        return lambda tau: parameters.at(by, tau) * factor

    def _act(self, layer: LayerSettings, path: KeyPath, start: Start) -> PoseModifier:
        doc, names = self.names.doc, self.names
        play, place = layer.play, (*path, "play")
        if isinstance(play, str):
            self._note_others(layer.name, play)
            if differences(doc, play):
                return self._added(layer, start)
            if play in doc.aims:
                return self._aim(doc.aims[play], ("aims", play), layer.rotation)
            if play in doc.iks:
                return self._reach(doc.iks[play], ("iks", play), layer.rotation)
        source = self.source(play, place, start)
        strafes = isinstance(source, StrafeSource)
        self.covered[layer.name] = Covered(start.rate, layer.time, layer.rotation, strafes)
        return OverrideModifier(source, names.rig, layer.rotation, names.batch)

    def _note_others(self, layer: str, play: str) -> None:
        """Note a layer that plays neither a clip nor a space of clips."""
        doc = self.names.doc
        for kind in ("additive", "aim", "ik"):
            if play in getattr(doc, f"{kind}s"):
                self.others[layer] = f"the {kind} {quoted(play)}"
        if play in doc.spaces and differences(doc, play):
            self.others[layer] = f"the space of additives {quoted(play)}"

    def source(self, play: Play, path: KeyPath, start: Start) -> Source:
        """Return the source that a layer plays."""
        doc = self.names.doc
        if isinstance(play, Nested):
            if start.phase:
                raise motion_error(
                    (*path[:-1], "phase"), "nested layers have no phase; set it on the inner layers"
                )
            return self.layers(play.layers, (*path, "layers"), start)
        if isinstance(play, StillClip | StillPose):
            return self.source_builder.still(play, path)
        if play in doc.spaces and not differences(doc, play):
            source = self.source_builder.space(play, start)
        elif differences(doc, play) or play in doc.aims or play in doc.iks:
            raise motion_error(
                path, f"{quoted(play)} is neither a clip nor a space; a fade cannot lead to it"
            )
        else:
            source = self.source_builder.clip(self._clip(play, path), start)
        for each in parts_of_type(source, ClipSource):
            self.clips.setdefault(each.clip.name, each.clip)
            self.length = max(self.length, float(np.max(each.playback.duration)))
        return source

    def _clip(self, play: str, path: KeyPath) -> int:
        names = [clip.name for clip in self.names.model.clips]
        doc = self.names.doc
        others = [*doc.spaces, *doc.additives, *doc.aims, *doc.iks]
        if play in names and play in others:
            raise motion_error(
                path, f"{quoted(play)} is ambiguous: a clip and another entry have this name"
            )
        try:
            return self.names.clip(play, path)
        except MotionError:
            raise motion_error(
                path, f"nothing has the name {quoted(play)}", wrong=play, known=[*others, *names]
            ) from None

    def _added(self, layer: LayerSettings, start: Start) -> PoseModifier:
        """Return the operation that adds the additive, or the space of additives, of a layer."""
        names, play = self.names, layer.play
        assert isinstance(play, str)
        source = self.source_builder.difference(play, start)
        clips = list(parts_of_type(source, ClipSource))
        if clips:
            self.length = max(self.length, *(float(np.max(c.playback.duration)) for c in clips))
            self.clocked.append(layer.name)
        first = differences(names.doc, play)[0]
        limits = {
            names.joint(joint, ("additives", play, "limits", joint)): math.radians(degrees)
            for joint, degrees in first.limits.items()
        }
        return AdditiveModifier(
            source,
            first.space,
            names.rig,
            limits=ConeLimits(limits, names.rest) if limits else None,
            rotation=layer.rotation,
            batch=names.batch,
        )

    def _aim(self, aim: Aim, path: KeyPath, rotation: Blend) -> PoseModifier:
        joints = [self.names.joint(name, (*path, "chain", name)) for name in aim.chain]
        skeleton = self.names.model.skeleton
        end = max(joints, key=lambda joint: int(skeleton.depths[joint]))
        try:
            chain = AimChain(
                skeleton,
                joints,
                list(aim.chain.values()),
                aim.forward or forward_axis(skeleton, end, self.names.facing),
                up=aim.up,
                limit=None if aim.limit is None else math.radians(aim.limit),
                speed=None if aim.speed is None else math.radians(aim.speed),
            )
        except ValueError as error:
            raise motion_error((*path, "chain"), str(error)) from None
        target = self._target(aim.target, (*path, "target"))
        names = self.names
        return LookAtModifier(
            chain,
            target,
            names.rig,
            pose_dependent=aim.speed is not None,
            memory=720.0 / aim.speed if aim.speed else 0.0,
            rotation=rotation,
            batch=names.batch,
        )

    def _reach(self, ik: Ik, path: KeyPath, rotation: Blend) -> PoseModifier:
        names = self.names
        joints = [names.joint(name, (*path, "chain", k)) for k, name in enumerate(ik.chain)]
        try:
            pole = ik.pole or names.facing
            bones = TwoBone(names.model.skeleton, joints, pole, keep=ik.keep)
        except ValueError as error:
            raise motion_error((*path, "chain"), str(error)) from None
        target = self._target(ik.target, (*path, "target"))
        return TwoBoneModifier(bones, target, names.rig, rotation=rotation, batch=names.batch)

    def _target(self, name: str, path: KeyPath) -> Target:
        names = self.names
        if name not in names.doc.parameters:
            try:
                return joint_target(names.rig, names.joint(name, path))
            except MotionError as error:
                if not error.message.startswith("no joint"):
                    raise
                known = [*names.doc.parameters, *names.model.skeleton.names]
                message = f"no parameter and no joint {quoted(name)}"
                raise motion_error(path, message, wrong=name, known=known) from None
        parameters = names.parameters
        return lambda tau, _pose: parameters.at(name, tau)

    def advice(self, layers: Layers) -> Iterator[str]:
        """Yield warnings about layers that are likely to look wrong."""
        if self.names.doc.additives:
            from .additive_warnings import additive_warnings

            yield from additive_warnings(self.names.model, layers, list(self.clips.values()))

    def pivot(self) -> Callable[[float], F64] | None:
        """Return the turn rate about +Y by global time, radians per second; None: no pivot."""
        spec = self.names.doc.pivot
        if spec is None:
            return None
        rate = self.source_builder.value(spec.rate)
        return lambda tau: np.radians(rate(tau))


def _played(
    doc: MotionDoc, layer: LayerSettings, path: KeyPath
) -> Iterator[tuple[KeyPath, str | StillClip | StillPose]]:
    """Yield what a layer and those nested in it play and fade to, with key paths."""
    plays: list[tuple[KeyPath, Play]] = [((*path, "play"), layer.play)]
    plays += [
        (("at", k, "fade", "to"), at.do.to)
        for k, at in enumerate(doc.at)
        if isinstance(at.do, Fade) and at.do.layer == layer.name
    ]
    for place, play in plays:
        if isinstance(play, Nested):
            for k, inner in enumerate(play.layers):
                yield from _played(doc, inner, (*place, "layers", k))
        else:
            yield place, play


def _numbers(
    names: NameResolver, play: str | StillClip | StillPose, path: KeyPath
) -> Iterator[int]:
    """Yield the indices of the clips of what a layer plays."""
    doc = names.doc
    if isinstance(play, StillClip):
        yield names.clip(play.clip, path)
    elif not isinstance(play, str) or play in doc.aims or play in doc.iks:
        return
    elif play in doc.additives:
        yield from _numbers(names, doc.additives[play].source, path)
    elif play in doc.spaces:
        space = doc.spaces[play]
        if isinstance(space, StrafeSpace):
            clips = [*space.clips.values(), *space.transitions.values()]
        else:
            clips = [space_clip.clip for space_clip in space.clips]
        for clip in clips:
            yield from _numbers(names, clip, path)
    else:
        yield names.clip(play, path)
