"""Compares the two versions of a session in a thread, as `rigview diff` does."""

from ..diff.compare import compare
from ..diff.difference import Difference
from ..model.model import Model
from ..scenedoc.kept import is_same
from .background_call import BackgroundCall
from .session import Session

COMPARING = "Comparing…"


class BackgroundDiff:
    """Compares the versions once they are wanted, and again when a file or the choice changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._call: BackgroundCall[Difference] | None = None
        self._models: tuple[Model, Model] | None = None  # of the call
        self._failed: tuple[Model, Model] | None = None

    @property
    def working(self) -> bool:
        """Whether something is computed in the background: the difference, or painted errors."""
        return self._call is not None or self._session.comparison.painted_errors.working

    def wait(self) -> None:
        """Wait for what is being computed; `poll` shows it."""
        if self._call is not None:
            self._call.wait()
        self._session.comparison.painted_errors.wait()

    def poll(self) -> bool:
        """Start or end a comparison, show errors; return whether the view changes. Never waits."""
        painted = self._session.comparison.painted_errors.poll()
        return self._finish() or self._start() or painted

    def _start(self) -> bool:
        comparison = self._session.comparison
        pair = comparison.pair
        if self._call is not None or pair is None or comparison.known is not None:
            return False
        if not comparison.wanted and comparison.mode is None:
            return False
        models = old, new = pair[0].model, pair[1].model
        if is_same(self._failed, models):
            return False
        comparison.state, self._models = COMPARING, models
        self._call = BackgroundCall(lambda: compare(old, new))
        return True

    def _finish(self) -> bool:
        if self._call is None or self._models is None or not self._call.done:
            return False
        call, self._call = self._call, None
        comparison = self._session.comparison
        try:
            comparison.difference, comparison.state = call.result(), ""
        except MemoryError:
            comparison.state, self._failed = "Not enough memory to compare them", self._models
            return True
        comparison.compared = self._models
        comparison.set_scale()
        return True
