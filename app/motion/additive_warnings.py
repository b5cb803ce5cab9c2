"""Warnings about additive layers whose reference pose does not fit the layers below."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.model_space import to_model_rotations
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F32, F64
from ..animation.vectors import dot
from ..blending.blend import PoseStack
from ..blending.cone_limits import LimitViolation
from ..blending.difference_source import DifferenceSource
from ..blending.layers import Layer, Layers
from ..blending.pose_layout import PoseLayout
from ..blending.pose_modifiers import AdditiveModifier, OverrideModifier
from ..blending.sources import ClipSource
from ..blending.space_source import SpaceSource
from ..blending.state import parts_of_type
from ..model.model import Model
from ..retargeting.hips import guess_hips
from ..retargeting.joint_aliases import body_parts, normalized_names
from ..tomlfile.toml_errors import quoted

ARMS = ("shoulder", "upperarm", "lowerarm")
TRUNK = ("hips", "spine")  # compared between core poses; legs and arms swing in every gait
LOWER = 0.15  # of the hips' height: a difference above this means another core pose
_LISTED = 3  # joints named in a warning
_STILL = math.cos(math.radians(1.0) / 2)  # cosine of half the smallest angle that counts
_MIN_BASE_WEIGHT = 0.5  # least weight of a layer that counts as the base of an additive
_PHASES = 12  # samples of a clip for its mean pose
MAX_HIPS = np.radians(10.0)  # greatest hip rotation of a reference pose; more makes the result lean
MAX_ARMS = np.radians(20.0)  # the same for shoulders and elbows; breathing moves them by less
SAME_CORE = np.radians(20.0)  # greatest difference per joint of poses that count as one core pose


def additive_warnings(model: Model, layers: Layers, clips: Sequence[Clip]) -> Iterator[str]:
    """Yield a warning for each additive layer that is likely to look wrong.

    Parameters
    ----------
    layers
        In their initial state.
    clips
        All clips that the replacing layers play or fade to; additives are compared with the first
        one where no other layer covers it.
    """
    added = [
        (layer.name, layer.operation, layer.mask, stack.layers[:k], played)
        for stack, played in _stacks(layers, clips)
        for k, layer in enumerate(stack.layers)
        if isinstance(layer.operation, AdditiveModifier) and played
    ]
    if not added:
        return
    skeleton = model.skeleton
    used = np.arange(skeleton.count, dtype=np.int32)
    if model.skins:
        used = np.unique(np.concatenate([skin.joints for skin in model.skins]))
    hips = guess_hips(skeleton, used, model.clips)
    named = body_parts(normalized_names([skeleton.names[joint] for joint in used]))
    arms = [int(used[k]) for k, role in named.items() if role.part in ARMS]
    trunk = [int(used[k]) for k, role in named.items() if role.part in TRUNK]
    for name, operation, mask, below, played in added:
        neutral = _pose_below(model, _first(model, played[0]), below)
        shown = [joint for joint in arms if mask is None or mask.joints[joint] > 0]
        for each in parts_of_type(operation.source, DifferenceSource):
            moved = [joint for joint in shown if _rotates(each, joint)]
            reference = each.poses_at(0.0)[1]
            found = unfit_reference(reference, neutral, skeleton, [hips], moved)
            if not found:
                continue
            turned = ", ".join(
                f"{skeleton.names[past.joint]} by {math.degrees(past.angle):.0f} degrees"
                for past in found[:_LISTED]
            )
            yield (
                f"layer {quoted(name)}: the reference pose of its additive is rotated from "
                f"{quoted(played[0].name)} ({turned}); the inverse rotation is added to the "
                "layers below"
            )
            break
    stances: dict[int, Pose] = {}
    for name, *_, played in added:
        for clip in played:
            if id(clip) not in stances:
                stances[id(clip)] = _mean(model, clip)
        other = other_core_pose(skeleton, [stances[id(clip)] for clip in played], trunk, hips)
        if other:
            yield (
                f"layer {quoted(name)}: its additive is applied to clips with different core "
                f"poses, such as {quoted(played[0].name)} and {quoted(played[other].name)}"
            )


def _stacks(layers: Layers, clips: Sequence[Clip]) -> Iterator[tuple[Layers, Sequence[Clip]]]:
    """Yield each stack of layers, nested ones too, with the clips that it plays."""
    yield layers, clips
    for layer in layers.layers:
        inner = layer.operation.source if isinstance(layer.operation, OverrideModifier) else None
        if isinstance(inner, Layers):
            sources = [
                inner_layer.operation.source
                for inner_layer in inner.layers
                if isinstance(inner_layer.operation, OverrideModifier)
            ]
            members = [
                member
                for source in sources
                for member in (source.members if isinstance(source, SpaceSource) else (source,))
            ]
            played = {id(m.clip): m.clip for m in members if isinstance(m, ClipSource)}
            yield from _stacks(inner, list(played.values()))


def _rotates(difference: DifferenceSource, joint: int) -> bool:
    """Return whether a difference rotates a joint; its reference matters only there."""
    for phase in np.linspace(0.0, 1.0, _PHASES):
        source, reference = difference.poses_at(phase)
        cosine = abs(float(dot(source.rotation[joint], reference.rotation[joint])))
        if cosine < _STILL:
            return True
    return False


def _pose_below(model: Model, first: Pose, below: Sequence[Layer]) -> Pose:
    """Return the pose below an additive: the first clip's, replaced by the layers above it."""
    neutral = first.copy()
    for layer in below:
        source = layer.operation.source if isinstance(layer.operation, OverrideModifier) else None
        if (
            not isinstance(source, ClipSource)
            or not layer.active
            or layer.weight_at(0.0).min() < _MIN_BASE_WEIGHT
        ):
            continue
        pose = _first(model, source.clip)
        covered = slice(None) if layer.mask is None else layer.mask.joints >= _MIN_BASE_WEIGHT
        neutral.rotation[covered] = pose.rotation[covered]
    return neutral


def _first(model: Model, clip: Clip) -> Pose:
    pose = model.skeleton.rest.copy()
    clip.sample(min(clip.start, 0.0), pose)
    return pose


def _mean(model: Model, clip: Clip) -> Pose:
    """Return the mean pose of a clip."""
    stack = PoseStack(PoseLayout.bare(model.skeleton), _PHASES)
    for row, time in zip(stack.rows, np.linspace(0.0, clip.end, _PHASES), strict=True):
        row.assign(model.skeleton.rest)
        clip.sample(time, row)
    out = model.skeleton.rest.copy()
    stack.mean(np.ones(_PHASES), out)
    return out


def other_core_pose(
    skeleton: Skeleton, poses: Sequence[Pose], trunk: Sequence[int], hips: int
) -> int:
    """Return the index of a pose whose core pose differs from the first one's, 0 for none.

    An additive is made for one core pose; clips with others are poses that it was not made for.

    Parameters
    ----------
    poses
        Without a batch: one of each clip that the additive is applied to.
    trunk
        The joints whose rotations are compared.
    hips
        The joint whose height is.
    """
    compared, first = np.array(trunk, np.intp), poses[0]
    heights = [float(skeleton.to_model(pose)[hips, 1, 3]) for pose in poses]
    turned = [
        _angles(first.rotation[compared], pose.rotation[compared]).max(initial=0.0) > SAME_CORE
        for pose in poses
    ]
    lower = [abs(high - heights[0]) > LOWER * heights[0] for high in heights]
    return next((each.index(True) for each in (turned, lower) if any(each)), 0)


def unfit_reference(
    reference: Pose,
    neutral: Pose,
    skeleton: Skeleton,
    hips: Sequence[int],
    arms: Sequence[int],
) -> list[LimitViolation]:
    """Return the joints that make a pose unsuitable as an additive reference.

    The difference from a reference that leans or raises its arms adds the opposite of that to
    every target pose.

    Parameters
    ----------
    reference
        R, without a batch: the first pose of a clip.
    neutral
        The pose to compare with: the core pose that the additive is applied to, which is the first
        pose of the base layer's clip. (The rest pose is unsuitable if its arms are stretched out.)
    skeleton
        Of both.
    hips
        Joints limited to MAX_HIPS in model space.
    arms
        Shoulders and elbows, limited to MAX_ARMS relative to their parents.
    """
    shown = to_model_rotations(skeleton, reference.rotation)
    ought = to_model_rotations(skeleton, neutral.rotation)
    return [
        *_exceeding(hips, _angles(shown, ought), float(MAX_HIPS)),
        *_exceeding(arms, _angles(reference.rotation, neutral.rotation), float(MAX_ARMS)),
    ]


def _angles(a: F32, b: F32) -> F64:
    """Return the angles between rotations [..., 4], radians."""
    near: F64 = np.where(dot(a, b)[..., None] < 0, -b, b).astype(np.float64)
    begin: F64 = a.astype(np.float64)
    return 2 * quat.arc(begin, near)


def _exceeding(joints: Sequence[int], angles: F64, limit: float) -> list[LimitViolation]:
    return [LimitViolation(j, float(angles[j]), limit) for j in joints if angles[j] > limit]
