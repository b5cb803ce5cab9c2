"""The selection that all panels share, and the selections before it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..model.model import Model, Primitive
from ..scene.display_settings import Selected

if TYPE_CHECKING:
    from .open_character import OpenCharacter

MOST = 100  # remembered selections


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
        model, chosen = self.model, self.chosen
        if self.is_joint:
            return model.skeleton.names[chosen.joint]
        name = part_name(model, chosen)
        return name if chosen.vertex < 0 else f"vertex {chosen.vertex} of {name}"

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
            part = primitive(now, found)
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


def primitive(model: Model, chosen: Selected) -> Primitive | None:
    """Return the primitive of a selected part or vertex, None if the model lacks it."""
    for instance in model.instances:
        primitives = model.meshes[instance.mesh].primitives
        if instance.joint == chosen.joint and 0 <= chosen.primitive < len(primitives):
            return primitives[chosen.primitive]
    return None


def part_name(model: Model, chosen: Selected) -> str:
    """Return the name of a part of a mesh: that of the mesh, with the material if it has several.

    A mesh with one primitive has the name of its node.
    """
    found = primitive(model, chosen)
    node = model.skeleton.names[chosen.joint]
    if found is None:
        return node
    several = any(
        instance.joint == chosen.joint and len(model.meshes[instance.mesh].primitives) > 1
        for instance in model.instances
    )
    if not several:
        return node
    material = model.materials[found.material].name if found.material >= 0 else ""
    return f"{node}, {material or f'part {chosen.primitive + 1}'}"
