"""Waiting input events, in groups that the panels handle correctly in one pass.

A pass knows of every key and button only whether it was pressed or released, not how often and not
in which order. So a frame runs a pass for each group, and a press and its release are in two.
"""

from collections import deque
from dataclasses import dataclass

MODIFIERS = frozenset(
    f"{side}_{name}" for side in ("left", "right") for name in ("ctrl", "shift", "alt", "super")
)


@dataclass(frozen=True, slots=True)
class MouseMove:
    """The mouse position, points from the upper left corner."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class MouseButton:
    """A press or release of button 0 left, 1 right, 2 middle."""

    button: int
    down: bool


@dataclass(frozen=True, slots=True)
class MouseWheel:
    """Notches of the wheel, positive away from the user."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Key:
    """A press or release of a key by ImGui's name of it."""

    name: str
    down: bool


@dataclass(frozen=True, slots=True)
class Text:
    """Typed characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Focus:
    """A change of the keyboard focus."""

    focused: bool


Event = MouseMove | MouseButton | MouseWheel | Key | Text | Focus


class InputQueue:
    """Events in the order of their arrival, taken in groups."""

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque()

    def __len__(self) -> int:
        """Return the number of waiting events."""
        return len(self._waiting)

    @property
    def only_moves(self) -> bool:
        """Whether all waiting events are moves of the mouse."""
        return all(isinstance(event, MouseMove) for event in self._waiting)

    def add(self, event: Event) -> None:
        """Append an event."""
        self._waiting.append(event)

    def take(self) -> list[Event]:
        """Remove and return the events of the next pass, none if none wait.

        Consecutive moves become one. A group has one press at most: of a button alone, of a key
        preceded by other keys' releases and by modifiers, and followed by its text.
        """
        group: list[Event] = []
        while self._waiting and (not group or _fits(group, self._waiting[0])):
            event = self._waiting.popleft()
            if isinstance(event, MouseMove) and group:
                group[-1] = event
            else:
                group.append(event)
        return group


def _fits(group: list[Event], event: Event) -> bool:
    """Return whether an event can be handled in the same pass as those before it."""
    match event:
        case MouseMove():
            return all(isinstance(each, MouseMove) for each in group)
        case MouseWheel():
            return all(isinstance(each, MouseWheel) for each in group)
        case Key(name):
            return all(
                isinstance(each, Key)
                and each.name != name
                and (not each.down or each.name in MODIFIERS)
                for each in group
            )
        case Text():
            return isinstance(group[-1], Key | Text)
        case _:
            # A slider ignores the move in the pass of its release. A row with a button over it
            # takes a press only if the pointer was on it in the pass before.
            return False
