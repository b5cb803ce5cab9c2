"""The selection that all panels share, and the selections before it."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ..model.model import Model
from ..scene.scene import Scene
from ..scene.selected import Selected, name_of, primitive_of
from ..scene.surface_hit import Hit, MeshPart

if TYPE_CHECKING:
    from .open_character import OpenCharacter

MOST = 100  # remembered selections

Point = tuple[float, float]  # of the view, from the top left, points
Picked = tuple["OpenCharacter", Selected]


class PickSurface(Protocol):
    """Returns the nearest surface at a pixel of a picture; see `Renderer.pick`."""

    def __call__(
        self,
        scene: Scene,
        size: tuple[int, int],
        pixel: tuple[int, int],
        omitted: Collection[MeshPart] = (),
    ) -> Hit | None:
        """Return what a picture of `size` shows at a pixel, apart from omitted parts."""


@dataclass(slots=True)
class Clicks:
    """What the clicks at one place have selected, nearest first."""

    place: Point = (-math.inf, -math.inf)
    found: list[Picked] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Selection:
    """Something selected of an open character; `model` is the one that the indices belong to."""

    character: "OpenCharacter"
    model: Model
    chosen: Selected

    @property
    def is_joint(self) -> bool:
        """Whether it is a joint, rather than a part of a mesh or a vertex."""
        return self.chosen.primitive < 0

    @property
    def name(self) -> str:
        """Its name: of the joint; of mesh and material; number of the vertex."""
        return name_of(self.model, self.chosen)

    def current(self) -> "Selection | None":
        """Return it in the present model of the character, found by names; None if it is gone."""
        now, chosen = self.character.model, self.chosen
        if now is self.model:
            return self
        name, names = self.model.skeleton.names[chosen.joint], now.skeleton.names
        same = chosen.joint < len(names) and names[chosen.joint] == name
        joint = chosen.joint if same else now.skeleton.find(name)
        if joint < 0:
            return None
        found = chosen._replace(joint=joint)
        if not self.is_joint:
            part = primitive_of(now, found)
            if part is None or chosen.vertex >= len(part.positions):
                return None
        return Selection(self.character, now, found)


class Selections:
    """The selection and its history.

    Parameters
    ----------
    is_open
        Whether a character is still open.
    shown
        Called with every new selection, None if nothing is selected.
    """

    def __init__(
        self,
        is_open: "Callable[[OpenCharacter], bool]",
        shown: Callable[[Selection | None], object],
    ) -> None:
        self._is_open = is_open
        self._shown = shown
        self._entries: list[Selection] = []
        self._at = -1  # index of the selection
        self._empty = True  # nothing is selected, `_at` was before

    @property
    def current(self) -> Selection | None:
        """What is selected; None if nothing is, or while its file lacks it."""
        return None if self._empty else self._entry(self._at)

    def select(self, character: "OpenCharacter", chosen: Selected) -> None:
        """Select a joint, part or vertex of a character."""
        new = Selection(character, character.model, chosen)
        if new != self.current:
            self._entries = [*self._entries[: self._at + 1], new][-MOST:]
            self._at = len(self._entries) - 1
        self._empty = False
        self._shown(new)

    def clear(self) -> None:
        """Select nothing."""
        self._empty = True
        self._shown(None)

    def back(self) -> bool:
        """Return to the selection before; returns whether there is one."""
        return self._go(range(self._at - (not self._empty), -1, -1))

    def forward(self) -> bool:
        """Return to the selection after; returns whether there is one."""
        return self._go(range(self._at + 1, len(self._entries)))

    def _go(self, rows: range) -> bool:
        for row in rows:
            found = self._entry(row)
            if found is not None:
                self._at, self._empty = row, False
                self._shown(found)
                return True
        return False

    def _entry(self, row: int) -> Selection | None:
        """Return an entry in the present model of its character, None if it is gone."""
        entry = self._entries[row]
        return entry.current() if self._is_open(entry.character) else None
