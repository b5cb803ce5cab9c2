"""Changes the stage of a session, with undo; environments are read in the background."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ...animation.types import F16
from ...errors import AppError
from ...motion.undo_stack import UndoStack
from ...scene.display_settings import BACKGROUND, LIGHT_BACKGROUND, Display
from ...scene.environment import Environment
from ..background_call import BackgroundCall
from .stage_settings import Stage, show, stage_of

CANNOT_READ = "The environment cannot be read"
Source = tuple[str, float]  # file and rotation, degrees
ReadEnvironment = Callable[[Path, float], Environment]
ReadBackground = Callable[[Path, float], F16]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is read of an environment: its light, and its blurred map if that is shown."""

    source: Source | None
    blur: float | None  # None: not the background

    @property
    def file(self) -> str:
        """The file, "" for the studio."""
        return "" if self.source is None else self.source[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What was read; None where it is shown already, or not needed."""

    environment: Environment | None
    background: F16 | None


def read_environment(path: Path, turn: float) -> Environment:
    """Return the environment of a file rotated by `turn` degrees; a new one is prefiltered.

    Raises
    ------
    AppError
        The file cannot be read.
    """
    from ...scene.hdri import load_cached, prefilter_and_cache, read

    cached = load_cached(path, turn)
    return cached if cached is not None else prefilter_and_cache(path, read(path), turn)[0]


def read_background(path: Path, blur: float) -> F16:
    """Return the map [H, W, 3] of a file, blurred.

    Raises
    ------
    AppError
        The file cannot be read.
    """
    from ...scene.hdri import background

    return background(path, blur)


class StageEditor:
    """The stage of a scene, with undo.

    Parameters
    ----------
    display
        Returns the display options of the scene.
    theme
        Returns the name of the theme, "dark" or "light".
    fail
        Shows an error with a title.
    read, read_background
        Read an environment, and its map as a background.
    """

    def __init__(
        self,
        display: Callable[[], Display],
        theme: Callable[[], str],
        fail: Callable[[AppError, str], object],
        read: ReadEnvironment = read_environment,
        read_background: ReadBackground = read_background,
    ) -> None:
        self._display, self._theme, self._fail = display, theme, fail
        self._read, self._read_background = read, read_background
        self.history: UndoStack[Stage] | None = None  # None: nothing was changed
        self._reading: tuple[_Shown, BackgroundCall[_Found | AppError]] | None = None

    @property
    def stage(self) -> Stage:
        """The stage as it was set; its environment may still be read."""
        shown = stage_of(self._display())
        if self.history is None:
            return shown
        given = self.history.value
        return replace(
            shown,
            environment=given.environment,
            environment_background=given.environment_background,
            environment_blur=given.environment_blur,
        )

    @property
    def reading(self) -> bool:
        """Whether an environment is being read."""
        return self._reading is not None

    def set(self, stage: Stage, label: str, merge: str = "") -> None:
        """Show another stage; one undo step. Edits of a drag share a `merge` key."""
        if self.history is None or self.history.value != self.stage:
            self.history = UndoStack(self.stage)
        if self.history.put(stage, label, merge):
            self._show(stage)

    def undo(self) -> str:
        """Undo one change; returns its label."""
        return self._go(UndoStack.undo)

    def redo(self) -> str:
        """Redo one change; returns its label."""
        return self._go(UndoStack.redo)

    def end_drag(self) -> None:
        """End a drag: the next change is a new undo step."""
        if self.history is not None:
            self.history.close()

    def poll(self) -> bool:
        """Show an environment that was read; return whether the scene has changed."""
        if self._reading is None or not self._reading[1].done:
            return False
        read, call = self._reading
        self._reading = None
        found, wanted = call.result(), _wanted(self.stage)
        if wanted.file == read.file:
            if isinstance(found, AppError):
                self._fail(found, CANNOT_READ)
                self._forget_environment()
                return True
            self._apply(read, found, wanted)
        self._read_missing(wanted)
        return True

    def _go(self, step: Callable[[UndoStack[Stage]], str]) -> str:
        if self.history is None:
            return ""
        label = step(self.history)
        self._show(self.history.value)
        return label

    def _show(self, stage: Stage) -> None:
        display, wanted = self._display(), _wanted(stage)
        show(stage, display, BACKGROUND if self._theme() == "dark" else LIGHT_BACKGROUND)
        if wanted.source is None:
            display.environment = display.environment_from = None
        if wanted.blur is None:
            display.environment_map, display.environment_blur = None, 0.0
        self._read_missing(wanted)

    def _read_missing(self, wanted: _Shown) -> None:
        """Start to read the files that are not shown yet; a file is read once at a time."""
        shown = _wanted(stage_of(self._display()))
        if wanted == shown or wanted.source is None:
            self._reading = None
        elif self._reading is None or self._reading[0].file != wanted.file:
            self._reading = wanted, BackgroundCall(lambda: self._found(wanted, shown))

    def _found(self, wanted: _Shown, shown: _Shown) -> _Found | AppError:
        """Read what is wanted and not shown; called in a thread."""
        path, environment, background = Path(wanted.file), None, None
        try:
            if wanted.source is not None and wanted.source != shown.source:
                environment = self._read(path, wanted.source[1])
            if wanted.blur is not None and (wanted.file, wanted.blur) != (shown.file, shown.blur):
                background = self._read_background(path, wanted.blur)
        except AppError as error:
            return error
        return _Found(environment, background)

    def _apply(self, read: _Shown, found: _Found, wanted: _Shown) -> None:
        """Show what was read, as far as it is still wanted."""
        display = self._display()
        if found.environment is not None:
            display.environment, display.environment_from = found.environment, read.source
        if found.background is not None and read.blur is not None and wanted.blur is not None:
            display.environment_map, display.environment_blur = found.background, read.blur

    def _forget_environment(self) -> None:
        """Set the environment that is shown in place of one that cannot be read."""
        if self.history is None:
            return
        shown = stage_of(self._display())
        self.history.put(
            replace(
                self.stage,
                environment=shown.environment,
                environment_background=shown.environment_background,
                environment_blur=shown.environment_blur,
            ),
            "Stage",
        )


def _wanted(stage: Stage) -> _Shown:
    """Return what a stage shows of its environment."""
    is_background = stage.environment is not None and stage.environment_background
    return _Shown(stage.environment, stage.environment_blur if is_background else None)
