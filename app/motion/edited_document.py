"""A motion document that is edited, and whether it differs from the saved one."""

import operator

from .document import MotionDoc
from .live_values import NOTHING_GIVEN, Given, with_live_values


class EditedDocument:
    """A document, and the one in its file.

    Parameters
    ----------
    saved
        The document in the file; None: `document`.
    given
        Values of the command line, which are live.
    """

    def __init__(
        self,
        document: MotionDoc,
        *,
        saved: MotionDoc | None = None,
        given: Given = NOTHING_GIVEN,
    ) -> None:
        self.document, self.given = document, given
        self._saved = document if saved is None else saved
        self._compared: tuple[tuple[MotionDoc, MotionDoc], bool] | None = None  # and if they differ

    @property
    def differs(self) -> bool:
        """Whether the document differs from the saved one."""
        return self.document is not self._saved and self.document != self._saved

    @property
    def dirty(self) -> bool:
        """Whether the document differs from the saved one, apart from live values."""
        compared = self._saved, self.document
        if self._compared is None or any(map(operator.is_not, compared, self._compared[0])):
            changed = self.differs and self.document != with_live_values(
                *compared, given=self.given
            )
            self._compared = compared, changed
        return self._compared[1]

    def live_values_in(self, document: MotionDoc) -> MotionDoc:
        """Return a new version of the saved document, with the live values that were changed."""
        return with_live_values(document, self.document, self._saved, self.given)

    def mark_saved(self) -> None:
        """Mark the document as saved."""
        self._saved = self.document
