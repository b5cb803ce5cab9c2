"""Undo and redo: a stack of documents, each with the label of its edit."""

import operator
from dataclasses import dataclass

from .document import MotionDoc
from .live_values import with_live_values

DEEPEST = 500  # edits that can be undone


@dataclass(frozen=True, slots=True)
class Edit:
    """A document and the label of the edit that made it."""

    document: MotionDoc
    label: str = ""  # "Weight of wave"


class History:
    """The undo stack of a document.

    Edits of one drag share a `merge` key and count as one, until `close` or another key. A drag
    that ends at its start leaves no entry.

    Parameters
    ----------
    document
        The initial document.
    saved
        The document in the file; None: `document`.
    deepest
        Largest number of edits that can be undone; older ones are dropped.
    """

    def __init__(
        self, document: MotionDoc, *, saved: MotionDoc | None = None, deepest: int = DEEPEST
    ) -> None:
        self._edits = [Edit(document)]
        self._place = 0
        self._deepest = deepest
        self._merge = ""  # merge key of the current drag
        self._saved = document if saved is None else saved
        self._compared: tuple[tuple[MotionDoc, MotionDoc], bool] | None = None  # and if they differ

    @property
    def document(self) -> MotionDoc:
        """The current document."""
        return self._edits[self._place].document

    @property
    def differs(self) -> bool:
        """Whether the current document differs from the saved one."""
        return self.document is not self._saved and self.document != self._saved

    @property
    def dirty(self) -> bool:
        """Whether the current document differs from the saved one, apart from live values."""
        compared = self.document, self._saved
        if self._compared is None or any(map(operator.is_not, compared, self._compared[0])):
            changed = self.differs and with_live_values(*compared) != self._saved
            self._compared = compared, changed
        return self._compared[1]

    @property
    def undo_label(self) -> str:
        """The label of the edit that `undo` would revert, "" for none."""
        return self._edits[self._place].label if self._place else ""

    @property
    def redo_label(self) -> str:
        """The label of the edit that `redo` would repeat, "" for none."""
        ahead = self._place + 1
        return self._edits[ahead].label if ahead < len(self._edits) else ""

    def put(self, document: MotionDoc, label: str, merge: str = "") -> bool:
        """Add a document and drop the redo entries; returns False if nothing changed."""
        joined = bool(merge) and merge == self._merge and self._place > 0
        before = self._edits[self._place - 1 if joined else self._place].document
        if document == before:
            if joined:  # dragged back to the start: remove the edit, continue the drag
                del self._edits[self._place :]
                self._place -= 1
                self._merge = ""
            return joined
        del self._edits[self._place + (0 if joined else 1) :]
        self._edits.append(Edit(document, label))
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

    def mark_saved(self) -> None:
        """Mark the current document as saved."""
        self._saved = self.document
        self._merge = ""
