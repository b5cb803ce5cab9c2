"""The undo history of a session: edits of the stage and of all motion documents, in their order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

DEEPEST = 500  # edits that can be undone; older ones are dropped


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """An edit of one subject, which has the values before and after it.

    Attributes
    ----------
    show
        Gives the subject a value; returns False if that fails, and says why.
    label
        Of the menu: "Weight of wave".
    """

    subject: object
    before: Any
    after: Any
    show: Callable[[Any], object]
    label: str


class UndoHistory:
    """Edits that can be undone and repeated.

    Edits of one drag share a `merge` key and count as one, until `close` or another key. A drag
    that ends at its start leaves no step.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._place = 0  # number of steps that are not undone
        self._merge = ""  # merge key of the current drag

    @property
    def undo_label(self) -> str:
        """The label of the edit that `undo` would revert, "" for none."""
        return self._steps[self._place - 1].label if self._place else ""

    @property
    def redo_label(self) -> str:
        """The label of the edit that `redo` would repeat, "" for none."""
        return self._steps[self._place].label if self._place < len(self._steps) else ""

    def put(self, step: Step, merge: str = "") -> bool:
        """Add an edit and drop the undone ones; returns False if nothing changed."""
        last = self._steps[self._place - 1] if self._place else None
        joined = bool(merge) and merge == self._merge and last is not None
        if joined and last is not None and last.subject is step.subject:
            del self._steps[self._place - 1 :]
            step = Step(step.subject, last.before, step.after, step.show, step.label)
            self._place -= 1
            if step.before == step.after:  # dragged back to the start: the drag goes on
                self._merge = ""
                return True
        elif step.before == step.after:
            return False
        del self._steps[self._place :]
        self._steps.append(step)
        del self._steps[: max(len(self._steps) - DEEPEST, 0)]
        self._place = len(self._steps)
        self._merge = merge
        return True

    @property
    def is_dragging(self) -> bool:
        """Whether the last edit may still be joined by others of its drag."""
        return bool(self._merge)

    def close(self) -> None:
        """End a drag: the next edit is a new step."""
        self._merge = ""

    def undo(self) -> Step | None:
        """Return the last edit, whose value before it is to be shown; None: there is none."""
        self.close()
        if not self._place:
            return None
        self._place -= 1
        return self._steps[self._place]

    def redo(self) -> Step | None:
        """Return the edit that was undone last, to be repeated; None: there is none."""
        self.close()
        if self._place == len(self._steps):
            return None
        self._place += 1
        return self._steps[self._place - 1]

    def keep(self, wanted: Callable[[object], bool]) -> None:
        """Remove the steps of subjects that are not wanted, such as files that are closed."""
        self._place = sum(wanted(step.subject) for step in self._steps[: self._place])
        self._steps = [step for step in self._steps if wanted(step.subject)]
        self.close()

    def forget(self, subject: object) -> None:
        """Remove the steps of a subject."""
        self.keep(lambda other: other is not subject)
