"""How files are converted in a context: which Blender, its limits, progress and cancelling."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from ..errors import AppError

SECONDS = 120.0  # of one conversion
MEMORY = 8 << 30  # bytes of Blender's process: 8 GiB


@dataclass(frozen=True, slots=True)
class Settings:
    """How files are converted.

    Attributes
    ----------
    blender
        A Blender, a Python that has `bpy`, or the folder of one; None: it is searched for.
    seconds
        The longest time of one conversion.
    memory
        Bytes of Blender's process (Linux only).
    report
        Called with what is being done: "Blender 4.5.15 is reading: hero.fbx"; at the end with "".
    cancelled
        Whether to stop; called several times a second.
    failures
        Errors of files that are not tried again; None: every file is.
    """

    blender: str | None = None
    seconds: float = SECONDS
    memory: int = MEMORY
    report: Callable[[str], object] = str
    cancelled: Callable[[], bool] = bool
    failures: dict[str, AppError] | None = field(default=None, repr=False)


_DEFAULT = Settings()
_present: ContextVar[Settings] = ContextVar("conversion", default=_DEFAULT)


def present() -> Settings:
    """Return the settings of this context."""
    return _present.get()


@contextmanager
def using(settings: Settings) -> Iterator[None]:
    """Convert files by these settings in the block; threads have settings of their own."""
    token = _present.set(settings)
    try:
        yield
    finally:
        _present.reset(token)
