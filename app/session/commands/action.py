"""An action of the user interface."""

from collections.abc import Callable
from dataclasses import dataclass

from ..session import Session

Run = Callable[[Session], None]
Check = Callable[[Session], bool]


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the user interface.

    Keys are written as in "Ctrl+Shift+Left". Characters other than letters ("[", "?", "1") are
    matched against the typed character, whatever the keyboard layout. Ctrl is Cmd on macOS.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    group: str
    run: Run
    checked: Check | None = None  # of a toggle: returns whether it is on
    repeat: bool = False  # repeats while the key is held
    modal: bool = False  # also runs while a pop-up is open
