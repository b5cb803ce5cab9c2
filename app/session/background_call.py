"""A function that runs in a thread, beside the frames of the window."""

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

Result = TypeVar("Result")


class BackgroundCall(Generic[Result]):
    """Runs a function of no arguments in a thread that ends with the process."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._found: list[Result] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether it has returned or failed."""
        return not self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, for some seconds at most if given; return whether it is done."""
        self._thread.join(seconds)
        return self.done

    def result(self) -> Result:
        """Wait, and return what the function returned; what it raised is raised here."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found[0]

    def _run(self) -> None:
        try:
            self._found.append(self._work())
        except BaseException as error:  # raised again by `result`
            self._error = error
