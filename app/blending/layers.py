"""Layers: a stack of operations on a pose, the first the base."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..animation.pose import Pose
from ..animation.types import F64
from .cross_fade import FadeSource
from .layer_kinds import Act, Add, Cover, Look
from .mask import Mask
from .skeleton_channels import Rig
from .sources import SILENT, Source
from .step import Step


@dataclass(slots=True, eq=False)
class Layer:
    """One layer: its operation, weight and mask."""

    name: str
    act: Act
    weigh: Callable[[float], F64]  # tau to the weight [...]
    mask: Mask | None = None
    heard: bool = True  # not muted, and no other layer is solo
    travels: float = 1.0  # weight of its root motion: the mask's weight of the root
    turns: bool = False  # whether its root motion may turn


class Layers:
    """A stack of layers; itself a source, so that stacks can be nested."""

    def __init__(self, layers: Sequence[Layer], rig: Rig, batch: tuple[int, ...] = ()) -> None:
        self.layers = tuple(layers)
        self._rig = rig
        self._scratch = Pose.like(rig.skeleton.rest, batch)
        self._tau0 = 0.0  # start of the last step
        self._tau = 0.0
        self._owed = 0.0  # seconds not yet applied to aims of limited speed
        self._hasty = -np.inf  # global time up to which aims of limited speed are not applied

    def find(self, name: str) -> Layer:
        """Return the layer of a name; raises KeyError for an unknown one."""
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise KeyError(name)

    def advance(self, tau0: float, tau1: float) -> None:
        """Advance from one global time to another, seconds."""
        self._tau0, self._tau = tau0, tau1
        for layer in self.layers:
            layer.act.advance(tau0, tau1)
        minding = [layer for layer in self.layers if layer.act.minds]
        if minding:
            self._owed += max(tau1 - tau0, 0.0)
            if (
                tau1 > self._hasty
                and self._owed > 0
                and not all(_silent(layer, tau0, tau1) for layer in minding)
            ):
                self._apply(self._scratch, self._owed)
                self._owed = 0.0

    def sample(self, out: Pose) -> None:
        """Write the whole pose at the current time."""
        self._apply(out, 0.0)

    def _apply(self, pose: Pose, seconds: float) -> None:
        pose.assign(self._rig.skeleton.rest)
        for layer in self.layers:
            if not layer.heard:
                continue
            weight = layer.weigh(self._tau)
            if np.any(weight > 0) or (seconds and layer.act.minds):
                layer.act.apply(pose, weight, layer.mask, seconds)

    def step(self) -> Step:
        """Return the root motion blended by the layers' weights, and their events.

        Root motion is weighted in the middle of the step, events when they fire.
        """
        middle = (self._tau0 + self._tau) / 2
        total = Step()
        for layer in self.layers:
            if not layer.heard or _silent(layer, self._tau0, self._tau):
                continue
            weight = layer.weigh(middle)
            step = layer.act.step()
            if isinstance(layer.act, Cover) and layer.travels:
                share = weight * layer.travels
                total.travel = total.travel + share[..., None] * (step.travel - total.travel)
                total.turn = total.turn + share * (step.turn - total.turn)
            for each in step.events:
                heavy = float(layer.weigh(each.tau).reshape(-1)[each.character])
                if heavy >= SILENT:
                    total.events.append(
                        replace(each, layer=each.layer or layer.name, weight=each.weight * heavy)
                    )
        total.events.sort(key=lambda event: event.tau)
        return total

    def restless(self, tau0: float, tau1: float) -> bool:
        """Return whether a layer needs small steps, or a weight of root motion changes."""
        return any(
            layer.act.restless(tau0, tau1) or _bends(layer, tau0, tau1)
            for layer in self.layers
            if layer.heard
            and not (layer.act.minds and (tau1 <= self._hasty or _silent(layer, tau0, tau1)))
        )

    @property
    def memory(self) -> float:
        """Seconds after which the earlier state of aims of limited speed is negligible."""
        own = [layer.act.memory for layer in self.layers if isinstance(layer.act, Look)]
        return max([*own, *(stack.memory for stack in self._inner())], default=0.0)

    def hasten(self, tau: float) -> None:
        """Skip aims of limited speed up to a global time; their seconds are applied later."""
        self._hasty = tau
        for stack in self._inner():
            stack.hasten(tau)

    def _inner(self) -> "list[Layers]":
        covers = [layer.act.source for layer in self.layers if isinstance(layer.act, Cover)]
        return [stack for source in covers for stack in stacks(source)]

    @property
    def minds(self) -> bool:
        """Whether a layer's state depends on the poses in between."""
        return any(layer.act.minds for layer in self.layers)

    def save(self) -> object:
        """Return the state, for `restore`."""
        return self._tau, self._owed, [layer.act.save() for layer in self.layers]

    def restore(self, state: object) -> None:
        """Restore a state that `save` returned."""
        self._tau, self._owed, acts = cast(tuple[Any, ...], state)
        for layer, saved in zip(self.layers, acts, strict=True):
            layer.act.restore(saved)


def stacks(source: Source) -> list[Layers]:
    """Return the layer stacks in a source and in the fades of a source, newest first."""
    if isinstance(source, FadeSource):
        return [*stacks(source.new), *stacks(source.old)]
    return [source] if isinstance(source, Layers) else []


def additives(layers: Layers) -> Iterator[tuple[Layer, Add]]:
    """Yield the additive layers, including nested ones, with their operations."""
    for layer in layers.layers:
        if isinstance(layer.act, Add):
            yield layer, layer.act
        elif isinstance(layer.act, Cover):
            for inner in stacks(layer.act.source):
                yield from additives(inner)


def _silent(layer: Layer, tau0: float, tau1: float) -> bool:
    """Return whether a layer has weight 0 between two times; ramps do not end within steps."""
    return not (layer.weigh(tau0).any() or layer.weigh(tau1).any())


def _bends(layer: Layer, tau0: float, tau1: float) -> bool:
    """Return whether a layer's root motion has a changing weight, or turns at a partial weight."""
    if not isinstance(layer.act, Cover):
        return False
    weight = layer.weigh(tau0)
    if np.any(weight != layer.weigh(tau1)):
        return True
    share = weight * layer.travels
    return layer.turns and bool(np.any((share > 0) & (share < 1)))
