"""An undo stack: values, each with the label of the edit that made it."""

from dataclasses import dataclass
from itertools import count
from typing import Generic, TypeVar

Value = TypeVar("Value")

DEEPEST = 500  # edits that can be undone
_numbers = count(1)  # of the edits of all stacks, in their order


@dataclass(frozen=True, slots=True)
class Edit(Generic[Value]):
    """A value, the label of the edit that made it, and the number of that edit."""

    value: Value
    label: str = ""  # "Weight of wave"
    number: int = 0  # greater than those of all earlier edits, also of other stacks


class UndoStack(Generic[Value]):
    """The undo stack of a value.

    Edits of one drag share a `merge` key and count as one, until `close` or another key. A drag
    that ends at its start leaves no entry.

    Parameters
    ----------
    value
        The initial value.
    deepest
        Largest number of edits that can be undone; older ones are dropped.
    """

    def __init__(self, value: Value, *, deepest: int = DEEPEST) -> None:
        self._edits = [Edit(value)]
        self._place = 0
        self._deepest = deepest
        self._merge = ""  # merge key of the current drag

    @property
    def value(self) -> Value:
        """The current value."""
        return self._edits[self._place].value

    @property
    def undo_label(self) -> str:
        """The label of the edit that `undo` would revert, "" for none."""
        return self._edits[self._place].label if self._place else ""

    @property
    def redo_label(self) -> str:
        """The label of the edit that `redo` would repeat, "" for none."""
        return "" if self._next is None else self._next.label

    @property
    def undo_number(self) -> int:
        """The number of the edit that `undo` would revert, 0 for none."""
        return self._edits[self._place].number if self._place else 0

    @property
    def redo_number(self) -> int:
        """The number of the edit that `redo` would repeat, 0 for none."""
        return 0 if self._next is None else self._next.number

    def put(self, value: Value, label: str, merge: str = "") -> bool:
        """Add a value and drop the redo entries; returns False if nothing changed."""
        joined = bool(merge) and merge == self._merge and self._place > 0
        before = self._edits[self._place - 1 if joined else self._place].value
        if value == before:
            if joined:  # dragged back to the start: remove the edit, continue the drag
                del self._edits[self._place :]
                self._place -= 1
                self._merge = ""
            return joined
        del self._edits[self._place + (0 if joined else 1) :]
        self._edits.append(Edit(value, label, next(_numbers)))
        del self._edits[: max(len(self._edits) - 1 - self._deepest, 0)]
        self._place = len(self._edits) - 1
        self._merge = merge
        return True

    def close(self) -> None:
        """End a drag: the next edit is a new entry."""
        self._merge = ""

    def undo(self) -> str:
        """Undo one edit; returns its label, "" for none."""
        label = self.undo_label
        self._place -= bool(self._place)
        self._merge = ""
        return label

    def redo(self) -> str:
        """Redo one edit; returns its label, "" for none."""
        label = self.redo_label
        self._place = min(self._place + 1, len(self._edits) - 1)
        self._merge = ""
        return label

    @property
    def _next(self) -> Edit[Value] | None:
        ahead = self._place + 1
        return self._edits[ahead] if ahead < len(self._edits) else None
