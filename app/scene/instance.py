"""A character on stage: where it stands, how much room it takes, and whether it is seen."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from ..animation.types import F32, F64
from ..model.model import Model
from .bounds import PosedBounds
from .character import Character

FAR_APART = 10.0  # times: of such different size, the small one is hard to find
FLAT = 0.25  # of the longest edge: what is lower than this lies


def _nothing() -> F32:
    return np.zeros((1, 3), np.float32)


@dataclass(eq=False)
class Actor:
    """A character, and the points that it sweeps while its clip or motion plays.

    Attributes
    ----------
    hidden
        It is not drawn and lights nothing; its place stays free.
    room
        [N, 3] what it sweeps from where it was put, world space.
    extent
        [2, 3] low and high of `room`.
    """

    character: Character
    bounds: PosedBounds
    hidden: bool = False
    room: F32 = field(default_factory=_nothing)
    extent: F32 = field(default_factory=lambda: np.zeros((2, 3), np.float32))
    _swept: tuple[tuple[object, ...], F32] | None = None  # points, and what plays over them
    _measured: tuple[object, ...] = ()  # what played when `room` was measured

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return a new character of a model, in its rest pose."""
        return cls(Character(model), PosedBounds(model))

    def recast(self, model: Model) -> Character:
        """Take another model in place of the one before; returns its character."""
        place = self.character.place
        self.character, self.bounds = Character(model), PosedBounds(model)
        self.character.stand(place)
        self._swept = None
        return self.character

    @property
    def model(self) -> Model:
        """The model of the character."""
        return self.character.model

    @property
    def way(self) -> F32:
        """How far [3] root motion has carried it from where it was put, metres of the world."""
        return self.character.world[:3, 3] - self.character.place[:3, 3]

    @property
    def size(self) -> float:
        """How tall it is at rest, metres of the file; of what lies flat, how long."""
        rest = self.bounds.corners(self.model.skeleton.rest)
        if not len(rest):
            return 0.0
        edges = np.ptp(rest, axis=0)
        tall, longest = float(edges[1]), float(edges.max())
        return tall if tall > FLAT * longest else longest

    @property
    def stale(self) -> bool:
        """Whether something else plays than when its room was measured."""
        return self._measured != self._playing

    @property
    def _playing(self) -> tuple[object, ...]:
        character = self.character
        return character.show, character.clip, character.directed

    def points(self) -> F32:
        """Return corner points [N, 3] of what it sweeps, in model space.

        Where the rest or the bind pose is shown, they are those of the present pose.
        """
        character = self.character
        if character.show != "clip":
            found = self.bounds.corners(character.pose)
            return found if len(found) else _nothing()
        key = (character.clip, character.trim, character.document, character.alone)
        if self._swept is not None and _same(self._swept[0], key):
            return self._swept[1]
        if character.directed:
            found = self.bounds.corners(character.sweep())
            if character.turns:
                found = _all_around(found)
        else:
            found = self.bounds.sweep(character.clip)
        found = found if len(found) else _nothing()  # a file with nothing in it
        self._swept = key, found
        return found

    def measure(self, points: F32) -> None:
        """Take the room of what it sweeps [N, 3], model space, where it was put."""
        place = self.character.place
        self.room = points @ place[:3, :3].T + place[:3, 3]
        self.extent = np.stack([self.room.min(axis=0), self.room.max(axis=0)])
        self._measured = self._playing

    def floor(self) -> float:
        """Return the height of the ground: 0, or under what hangs below it at rest, metres."""
        rest, place = self.bounds.corners(self.model.skeleton.rest), self.character.place
        if not len(rest):
            return 0.0
        lowest = float((rest @ place[1, :3] + place[1, 3]).min())
        high = float(np.linalg.norm(np.ptp(rest, 0))) * float(np.linalg.norm(place[1, :3]))
        return lowest if lowest < -0.1 * high else 0.0

    def far(self, point: F64) -> float:
        """Return how far a point [3] of the world is from the box about it as it stands, metres."""
        boxes = self.bounds.boxes(self.character.pose, self.character.world)
        if not len(boxes):
            return float("inf")
        low, high = boxes[:, 0], boxes[:, 1]
        out = np.maximum(np.maximum(low - point, point - high), 0.0)
        return float(np.sqrt((out.astype(np.float64) ** 2).sum(axis=-1)).min())

    def near(self, point: F64) -> float:
        """Return how far a point [3] of the world is from the nearest of its joints, metres."""
        placed = self.character.world @ self.character.matrices
        away = placed[:, :3, 3].astype(np.float64) - point
        return float(np.sqrt((away**2).sum(axis=-1)).min())


def sizes_apart(named: Iterable[tuple[Actor, str]]) -> str:
    """Say so where somebody is too small to be found beside another one; "" where nobody is."""
    sized = sorted((actor.size, name) for actor, name in named if actor.size > 0.0)
    if len(sized) < 2 or sized[-1][0] < FAR_APART * sized[0][0]:
        return ""
    (small, name), (large, other) = sized[0], sized[-1]
    return f"{other} is {large / small:.0f} times as tall as {name}"


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Tell whether the same plays: numbers are compared, documents are the same object."""
    return one[:2] == other[:2] and all(a is b for a, b in zip(one[2:], other[2:], strict=True))


def _all_around(points: F32, slices: int = 8) -> F32:
    """Return the corners of rings, one a slice of height, that hold points however they turn."""
    height, far = points[:, 1], np.hypot(points[:, 0], points[:, 2])
    part = (height - height.min()) / max(float(np.ptp(height)), 1e-12) * slices
    part = np.minimum(part.astype(np.intp), slices - 1)
    angles = np.arange(8) * (np.pi / 4)
    ring = np.stack([np.sin(angles), np.zeros(8), np.cos(angles)], axis=-1) / np.cos(np.pi / 8)
    found = []
    for k in np.unique(part).tolist():
        here = part == k
        for level in (height[here].min(), height[here].max()):
            found.append(far[here].max() * ring + [0.0, level, 0.0])
    return np.concatenate(found).astype(np.float32)
