"""Undo and redo: a stack of documents, each with the words of the edit that made it."""

from dataclasses import dataclass

from .document import MotionDoc

DEEPEST = 500  # edits that can be undone


@dataclass(frozen=True, slots=True)
class Edit:
    """A document and what was done to come to it."""

    document: MotionDoc
    label: str = ""  # "Weight of wave"


class History:
    """The documents of a sitting, one of which is the present one.

    Edits of one drag carry one `merge` key and count as one, until `close` or another key. An edit
    that ends where it began leaves no trace.

    Parameters
    ----------
    document
        What it begins with.
    saved
        What the file holds; None: the same.
    deepest
        How many edits can be undone; older ones are forgotten.
    """

    def __init__(
        self, document: MotionDoc, *, saved: MotionDoc | None = None, deepest: int = DEEPEST
    ) -> None:
        self._edits = [Edit(document)]
        self._place = 0
        self._deepest = deepest
        self._merge = ""  # key of the edits that still count as one
        self._saved = document if saved is None else saved

    @property
    def document(self) -> MotionDoc:
        """The present document."""
        return self._edits[self._place].document

    @property
    def dirty(self) -> bool:
        """Whether the present document differs from what is saved."""
        return self.document is not self._saved and self.document != self._saved

    @property
    def undo_label(self) -> str:
        """What `undo` would take back, "" for nothing."""
        return self._edits[self._place].label if self._place else ""

    @property
    def redo_label(self) -> str:
        """What `redo` would do again, "" for nothing."""
        ahead = self._place + 1
        return self._edits[ahead].label if ahead < len(self._edits) else ""

    def put(self, document: MotionDoc, label: str, merge: str = "") -> bool:
        """Go to a new document; what was undone before is forgotten. False: it is the same."""
        joined = bool(merge) and merge == self._merge and self._place > 0
        before = self._edits[self._place - 1 if joined else self._place].document
        if document == before:
            if joined:  # dragged back to where it began: the edit goes, the drag goes on
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
        """End a drag: the next edit is one of its own, whatever its key."""
        self._merge = ""

    def undo(self) -> str:
        """Go back by one edit; returns what was taken back, "" for nothing."""
        label = self.undo_label
        self._place -= bool(self._place)
        self._merge = ""
        return label

    def redo(self) -> str:
        """Do again what was taken back; returns its words, "" for nothing."""
        label = self.redo_label
        self._place = min(self._place + 1, len(self._edits) - 1)
        self._merge = ""
        return label

    def mark_saved(self) -> None:
        """Take note that the present document is what the file holds."""
        self._saved = self.document
        self._merge = ""
