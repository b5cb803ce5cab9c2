"""The undo stack of a motion document, and whether it differs from the saved one."""

import operator

from .document import MotionDoc
from .live_values import with_live_values
from .undo_stack import DEEPEST, UndoStack


class History(UndoStack[MotionDoc]):
    """The undo stack of a document; see `UndoStack`.

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
        super().__init__(document, deepest=deepest)
        self._saved = document if saved is None else saved
        self._compared: tuple[tuple[MotionDoc, MotionDoc], bool] | None = None  # and if they differ

    @property
    def document(self) -> MotionDoc:
        """The current document."""
        return self.value

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

    def mark_saved(self) -> None:
        """Mark the current document as saved."""
        self._saved = self.document
        self.close()
