"""An action of the user interface, and the actions that a search finds."""

from collections.abc import Callable, Sequence
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
    run: Run
    checked: Check | None = None  # of a toggle: returns whether it is on
    repeat: bool = False  # repeats while the key is held
    modal: bool = False  # also runs while a pop-up is open
    group: str = ""  # the menu that has it


def found_commands(actions: Sequence[Action], text: str) -> list[Action]:
    """Return the actions whose label, group or name contain all words of a text.

    Those whose label begins with the text come first, then those with a word of the label that
    begins with the first word of the text; otherwise they keep their order.
    """
    typed = text.casefold().strip()
    words = typed.split()
    ranked: list[tuple[int, int, Action]] = []
    for number, each in enumerate(actions):
        label = each.label.casefold()
        whole = f"{each.group} {each.label} {each.name}".casefold()
        if not all(word in whole for word in words):
            continue
        begins = any(part.startswith(words[0]) for part in label.split()) if words else True
        ranked.append((0 if label.startswith(typed) else 1 if begins else 2, number, each))
    return [each for _, _, each in sorted(ranked, key=lambda row: row[:2])]
