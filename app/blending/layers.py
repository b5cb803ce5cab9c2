"""Layers: a stack of operations on a pose, the first the base."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from ..animation.pose import Pose
from ..animation.types import F64
from ..animation.vectors import some
from .cross_fade import FadeSource
from .mask import Mask
from .pose_layout import PoseLayout
from .pose_modifiers import (
    AdditiveModifier,
    LookAtModifier,
    OverrideModifier,
    PoseModifier,
    SourceModifier,
)
from .sources import MIN_EVENT_WEIGHT, Source, Step
from .state import Node


@dataclass(slots=True, eq=False)
class Layer:
    """One layer: its operation, weight and mask.

    Examples
    --------
    >>> mixer = rigview.bind(model, rigview.read_motion("steps.motion.toml").document)
    >>> [layer.name for layer in mixer.layers.layers]
    ['base']
    """

    name: str
    operation: PoseModifier
    weight_at: Callable[[float], F64]  # tau to the weight [...]
    mask: Mask | None = None
    active: bool = True  # not muted, and no other layer is solo
    root_weight: float = 1.0  # weight of its root motion: the mask's weight of the root
    root_turns: bool = False  # whether its root motion may turn
    speed_at: Callable[[float], F64] | None = None  # tau to clip seconds per second, if it changes


class Layers(Source):
    """A stack of layers; itself a source, so that stacks can be nested."""

    changing = ("_tau", "_pending_seconds")

    def __init__(
        self, layers: Sequence[Layer], rig: PoseLayout, batch: tuple[int, ...] = ()
    ) -> None:
        self.layers = tuple(layers)
        self._rig = rig
        self._scratch = Pose.like(rig.skeleton.rest, batch)
        self._tau0 = 0.0  # start of the last step
        self._tau = 0.0
        self._pending_seconds = 0.0  # seconds not yet applied to aims of limited speed
        self._skip_until = -np.inf  # global time up to which aims of limited speed are not applied
        self._coarse = -np.inf  # the end of a long step: from there on they are applied

    @property
    def rest(self) -> Pose:
        """The rest pose, without a batch."""
        return self._rig.skeleton.rest

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""
        self._tau0, self._tau = tau0, tau1
        for layer in self.layers:
            if layer.speed_at is not None and isinstance(layer.operation, SourceModifier):
                mean = (layer.speed_at(tau0) + layer.speed_at(tau1)) / 2  # exact: ramps are linear
                layer.operation.source.set_rate(mean, tau0)
            layer.operation.advance(tau0, tau1)
        minding = [layer for layer in self.layers if layer.operation.pose_dependent]
        if minding:
            self._pending_seconds += max(tau1 - tau0, 0.0)
            if (
                tau1 > self._skip_until
                and self._pending_seconds > 0
                and tau1 >= self._coarse
                and not all(_has_no_weight(layer, tau0, tau1) for layer in minding)
            ):
                self._turn_aims(self._pending_seconds)
                self._pending_seconds = 0.0

    def sample(self, out: Pose) -> None:
        """Write the whole pose at the current time."""
        self._apply(out, 0.0)

    def _apply(self, pose: Pose, seconds: float, first: int | None = None) -> None:
        """Write the pose of all layers, or of the `first` ones."""
        pose.assign(self.rest)
        for layer in self.layers[:first]:
            if not layer.active:
                continue
            weight = layer.weight_at(self._tau)
            if some(weight > 0) or (seconds and layer.operation.pose_dependent):
                layer.operation.apply(pose, weight, layer.mask, self._tau, seconds)

    def _turn_aims(self, seconds: float) -> None:
        """Turn the aims of limited speed; the last one needs no pose, nor do layers after it."""
        for k in reversed(range(len(self.layers))):
            operation = self.layers[k].operation
            if self.layers[k].active and _has_limited_speed(operation):
                self._apply(self._scratch, seconds, k)
                operation.turn(self._scratch, self._tau, seconds)
                return

    def step(self, *, events: bool = True) -> Step:
        """Return the root motion blended by the layers' weights, and their events.

        Root motion is weighted in the middle of the step, events when they fire.
        """
        middle = (self._tau0 + self._tau) / 2
        total = Step()
        for layer in self.layers:
            if not layer.active or _has_no_weight(layer, self._tau0, self._tau):
                continue
            weight = layer.weight_at(middle)
            step = layer.operation.step(events=events)
            if isinstance(layer.operation, OverrideModifier) and layer.root_weight:
                share = weight * layer.root_weight
                move = step.translation - total.translation
                total.translation = total.translation + share[..., None] * move
                total.yaw = total.yaw + share * (step.yaw - total.yaw)
            for fired in step.events:
                heavy = float(layer.weight_at(fired.tau).reshape(-1)[fired.character])
                if heavy >= MIN_EVENT_WEIGHT:
                    total.events.append(
                        fired._replace(layer=fired.layer or layer.name, weight=fired.weight * heavy)
                    )
        total.events.sort(key=lambda event: event.tau)
        return total

    def needs_small_steps(self, tau0: float, tau1: float) -> bool:
        """Return whether a layer needs small steps, or a weight of root motion changes."""
        return any(
            layer.operation.needs_small_steps(tau0, tau1)
            or _root_weight_changes(layer, tau0, tau1)
            or _speed_changes(layer, tau0, tau1)
            for layer in self.layers
            if layer.active
            and not (
                layer.operation.pose_dependent
                and (
                    tau1 <= max(self._skip_until, self._coarse) or _has_no_weight(layer, tau0, tau1)
                )
            )
        )

    @property
    def memory(self) -> float:
        """Seconds after which the earlier state of aims of limited speed is negligible."""
        own = [layer.operation.memory for layer in self.layers]
        return max([*own, *(stack.memory for stack in self._inner())], default=0.0)

    def skip_aims_until(self, tau: float, coarse: float = -np.inf) -> None:
        """Skip aims of limited speed up to a global time; their seconds are applied later.

        From there on up to a second time, `coarse`, they take one long step.
        """
        self._skip_until, self._coarse = tau, coarse
        for stack in self._inner():
            stack.skip_aims_until(tau, coarse)

    def _inner(self) -> "Iterator[Layers]":
        for layer in self.layers:
            if isinstance(layer.operation, OverrideModifier):
                yield from stacks(layer.operation.source)

    def parts(self) -> Iterable[tuple[str, Node]]:
        """Return the operations of the layers, by the layers' names."""
        return [(layer.name, layer.operation) for layer in self.layers]

    def weighted_parts(self, tau: float) -> Iterable[tuple[float, Source]]:
        """Yield the sources of active layers with the layers' weights."""
        for layer in self.layers:
            if layer.active and isinstance(layer.operation, SourceModifier):
                yield float(layer.weight_at(tau)), layer.operation.source

    def find(self, name: str) -> Layer | None:
        """Return a layer by name, including nested layers; the newest one during a fade."""
        own = next((layer for layer in self.layers if layer.name == name), None)
        if own is not None:
            return own
        return next(filter(None, (inner.find(name) for inner in self._inner())), None)


def stacks(source: Source) -> list[Layers]:
    """Return the layer stacks in a source and in the fades of a source, newest first."""
    if isinstance(source, FadeSource):
        return [*stacks(source.new), *stacks(source.old)]
    return [source] if isinstance(source, Layers) else []


def additives(layers: Layers) -> Iterator[tuple[Layer, AdditiveModifier]]:
    """Yield the additive layers, including nested ones, with their operations."""
    for layer in layers.layers:
        if isinstance(layer.operation, AdditiveModifier):
            yield layer, layer.operation
        elif isinstance(layer.operation, OverrideModifier):
            for inner in stacks(layer.operation.source):
                yield from additives(inner)


def limited_aims(layers: Layers) -> Iterator[LookAtModifier]:
    """Yield the aims of limited speed of active layers, including nested ones."""
    for layer in layers.layers:
        operation = layer.operation
        if not layer.active:
            continue
        if _has_limited_speed(operation):
            yield operation
        elif isinstance(operation, OverrideModifier):
            for inner in stacks(operation.source):
                yield from limited_aims(inner)


def _has_limited_speed(operation: PoseModifier) -> TypeGuard[LookAtModifier]:
    return isinstance(operation, LookAtModifier) and operation.pose_dependent


def _has_no_weight(layer: Layer, tau0: float, tau1: float) -> bool:
    """Return whether a layer has weight 0 between two times; ramps do not end within steps."""
    before, after = layer.weight_at(tau0), layer.weight_at(tau1)
    return not (some(before) or (after is not before and some(after)))


def _speed_changes(layer: Layer, tau0: float, tau1: float) -> bool:
    """Return whether the speed of a layer changes between two times."""
    if layer.speed_at is None:
        return False
    return bool(np.any(layer.speed_at(tau0) != layer.speed_at(tau1)))


def _root_weight_changes(layer: Layer, tau0: float, tau1: float) -> bool:
    """Return whether a layer's root motion has a changing weight, or turns at a partial weight."""
    if not isinstance(layer.operation, OverrideModifier):
        return False
    before, after = layer.weight_at(tau0), layer.weight_at(tau1)
    if after is not before and np.any(before != after):
        return True
    if not layer.root_turns:
        return False
    share = before * layer.root_weight
    return some((share > 0) & (share < 1))
