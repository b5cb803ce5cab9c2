"""Changes the stage of a session, with undo; environments are read in the background."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ...errors import AppError
from ...motion.undo_stack import UndoStack
from ...scene.display_settings import BACKGROUND, LIGHT_BACKGROUND, Display
from ...scene.environment import Environment
from ..background_call import BackgroundCall
from .stage_settings import Stage, show, stage_of

CANNOT_READ = "The environment cannot be read"
ReadEnvironment = Callable[[Path, float], Environment]


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
    read
        Reads an environment.
    """

    def __init__(
        self,
        display: Callable[[], Display],
        theme: Callable[[], str],
        fail: Callable[[AppError, str], object],
        read: ReadEnvironment = read_environment,
    ) -> None:
        self._display, self._theme, self._fail, self._read = display, theme, fail, read
        self.history: UndoStack[Stage] | None = None  # None: nothing was changed
        self._reading: tuple[tuple[str, float], BackgroundCall[Environment | AppError]] | None = (
            None
        )

    @property
    def stage(self) -> Stage:
        """The stage as it was set; its environment may still be read."""
        shown = stage_of(self._display())
        if self.history is None:
            return shown
        return replace(shown, environment=self.history.value.environment)

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
        source, call = self._reading
        self._reading = None
        found = call.result()
        if isinstance(found, AppError):
            self._fail(found, CANNOT_READ)
            if self.history is not None:
                self.history.put(
                    replace(self.stage, environment=self._display().environment_from), "Stage"
                )
            return True
        display = self._display()
        display.environment, display.environment_from = found, source
        return True

    def _go(self, step: Callable[[UndoStack[Stage]], str]) -> str:
        if self.history is None:
            return ""
        label = step(self.history)
        self._show(self.history.value)
        return label

    def _show(self, stage: Stage) -> None:
        display = self._display()
        show(stage, display, BACKGROUND if self._theme() == "dark" else LIGHT_BACKGROUND)
        if stage.environment == display.environment_from:
            self._reading = None
            return
        if stage.environment is None:
            self._reading = None
            display.environment = display.environment_from = None
            return
        path, turn = stage.environment
        self._reading = stage.environment, BackgroundCall(lambda: self._found(Path(path), turn))

    def _found(self, path: Path, turn: float) -> Environment | AppError:
        try:
            return self._read(path, turn)
        except AppError as error:
            return error
