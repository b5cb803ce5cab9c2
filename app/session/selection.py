"""The selection that all panels share, and the selections before it."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from ..scene.scene import Scene
from ..scene.selected import Hit, MeshPart, Selected, name_of, primitive_of
from ..scene.versions import PicturePart

if TYPE_CHECKING:
    from .opened_character import OpenedCharacter

MOST = 100  # remembered selections

Point = tuple[float, float]  # of the view, from the top left, points
Picked = tuple["OpenedCharacter", Selected]


# of a scene in a size, at a pixel, without omitted parts: the nearest surface; see `Renderer.pick`
PickSurface = Callable[
    [Scene, tuple[int, int], tuple[int, int], Collection[MeshPart], PicturePart | None], Hit | None
]


@dataclass(slots=True)
class Clicks:
    """What the clicks at one place have selected, nearest first."""

    place: Point = (-math.inf, -math.inf)
    found: list[Picked] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Selection:
    """Something selected of an open character; `node` is the name of its joint or node."""

    character: "OpenedCharacter"
    node: str
    chosen: Selected

    @classmethod
    def of(cls, character: "OpenedCharacter", chosen: Selected) -> Self:
        """Return a selection by indices of the present model."""
        return cls(character, character.model.skeleton.names[chosen.joint], chosen)

    @property
    def is_joint(self) -> bool:
        """Whether it is a joint, rather than a part of a mesh or a vertex."""
        return self.chosen.primitive < 0

    @property
    def name(self) -> str:
        """Its name: of the joint; of mesh and material; number of the vertex."""
        return name_of(self.character.model, self.chosen)

    def current(self) -> Self | None:
        """Return it in the present model, found by the node's name; None if it is gone."""
        model, chosen = self.character.model, self.chosen
        names = model.skeleton.names
        if chosen.joint >= len(names) or names[chosen.joint] != self.node:
            chosen = chosen._replace(joint=model.skeleton.index_of.get(self.node, -1))
        if chosen.joint < 0:
            return None
        if not self.is_joint:
            part = primitive_of(model, chosen)
            if part is None or chosen.vertex >= len(part.positions):
                return None
        return self if chosen is self.chosen else replace(self, chosen=chosen)


class Selections:
    """The selection and its history.

    Parameters
    ----------
    is_open
        Whether a character is still open.
    shown
        Called with every new selection, None if nothing is selected.

    Attributes
    ----------
    pick_surface
        Finds the surface at a pixel; None: without OpenGL.
    clicks
        The clicks at the last place of the view.
    """

    def __init__(
        self,
        is_open: "Callable[[OpenedCharacter], bool]",
        shown: Callable[[Selection | None], object],
    ) -> None:
        self.pick_surface: PickSurface | None = None
        self.clicks = Clicks()
        self._is_open = is_open
        self._shown = shown
        self._entries: list[Selection] = []
        self._at = -1  # index of the selection
        self._empty = True  # nothing is selected, `_at` was before

    @property
    def current(self) -> Selection | None:
        """What is selected; None if nothing is, or while its file lacks it."""
        return None if self._empty else self._entry(self._at)

    def select(self, character: "OpenedCharacter", chosen: Selected) -> None:
        """Select a joint, part or vertex of a character."""
        new = Selection.of(character, chosen)
        if new != self.current:
            self._entries = [*self._entries[: self._at + 1], new][-MOST:]
            self._at = len(self._entries) - 1
        self._empty = False
        self._shown(new)

    def clear(self) -> None:
        """Select nothing."""
        self._empty = True
        self._shown(None)

    def forget_closed(self) -> None:
        """Forget the selections of characters that are not open any more, and all clicks."""
        kept = [self._is_open(entry.character) for entry in self._entries]
        if self._at >= 0 and not kept[self._at]:
            self._empty = True
        self._at = sum(kept[: self._at + 1]) - 1
        self._entries = [entry for entry, there in zip(self._entries, kept, strict=True) if there]
        self.clicks = Clicks()

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
        return self._entries[row].current()
