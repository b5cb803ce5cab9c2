"""Steps by hand, in words and as input, for panels without a window and for the real window."""

from pathlib import Path
from typing import Any, NamedTuple

from rigview.session import character_files
from rigview.session.clip_import import add_clips, dropped_files
from rigview.session.commands.actions import BY_NAME
from rigview.window.input_queue import MouseWheel
from tests.support.panels import PanelDriver
from tests.support.xvfb import Window

_KEYS = {
    "Ctrl": "left_ctrl",
    "Shift": "left_shift",
    "Esc": "escape",
    "[": "left_bracket",
    "]": "right_bracket",
    **{way: f"{way.lower()}_arrow" for way in ("Left", "Right", "Up", "Down")},
}
_X_KEYS = {
    "Ctrl": "ctrl",
    "Shift": "shift",
    "Space": "space",
    "Enter": "Return",
    "Esc": "Escape",
    "[": "bracketleft",
    "]": "bracketright",
}
Input = tuple[Any, ...]  # the name of a method of Hands, and its arguments


class Step(NamedTuple):
    """What a user does, as the page says it, and the input that does it."""

    words: str
    inputs: tuple[Input, ...]


def menu(name: str) -> Step:
    """An entry of a menu, by the name of its action."""
    action = BY_NAME[name]
    inputs = ("click", f"menu {action.group}"), ("click", f"menu {name}")
    return Step(f"{action.group} › {action.label}", inputs)


def key(name: str) -> Step:
    """The key of an action, by the name of the action."""
    action = BY_NAME[name]
    return Step(f"{action.keys[0]} ({action.label})", (("press", action.keys[0]),))


def click(words: str, *names: str) -> Step:
    return Step(words, tuple(("click", name) for name in names))


def choose(words: str, name: str, value: str) -> Step:
    """An entry of a list."""
    return Step(words, (("click", name), ("click", f"{name} {value}")))


def find(words: str, name: str, value: str) -> Step:
    """An entry of a list with a search field."""
    return Step(words, (("click", name), ("type", value), ("click", f"{name} {value}")))


def write(words: str, name: str, text: str) -> Step:
    """Text in a field, in place of what is there."""
    return Step(words, (("click", name), ("press", "Ctrl+A"), ("type", text), ("press", "Enter")))


def drag(words: str, name: str, begin: float, end: float) -> Step:
    """A drag across a widget, between two shares of its width."""
    return Step(words, (("drag", name, begin, end),))


def pull(words: str, name: str, x: float, y: float) -> Step:
    """A drag of the middle of a widget, by points of the window."""
    return Step(words, (("pull", name, x, y),))


def clip(name: str) -> Step:
    return click(f"Clips › {name}", f"clip {name}")


def select(joint: str) -> Step:
    """A joint, by the search of the list."""
    field = ("click", "tab Joints"), ("click", "search outliner")
    inputs = *field, ("type", joint), ("press", "Enter")
    return Step(f"Joints › search “{joint}”, Enter", inputs)


class PanelHands:
    """The steps on panels without a window."""

    def __init__(self, driver: PanelDriver, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def open_more(self, *paths: Path) -> None:
        """Open more files beside the first."""
        if paths:
            character_files.add_files(self.driver.session, paths)
            self.driver.frames(3)

    def answer(self, name: str) -> None:
        """Choose a file in the dialog that was asked for."""
        session, path = self.driver.session, self.folder / name
        (asked,) = session.interface.requests
        session.interface.requests.clear()
        dropped_files.TAKES[asked][1](session, path)
        self.settle()

    def settle(self) -> None:
        """Wait for what runs in the background."""
        add_clips.poll(self.driver.session)
        self.driver.frames(2)
        self.driver.session.jobs.wait()
        self.driver.frames(4)

    def click(self, name: str, button: int = 0) -> None:
        self.driver.click(name, button)
        self.driver.frames(3)

    def press(self, chord: str) -> None:
        if len(chord) == 1 and not chord.isalpha():
            self.type(chord)
            return
        self.driver.key(*(_KEYS.get(part, part.lower()) for part in chord.split("+")))
        self.driver.frames(2)

    def type(self, text: str) -> None:
        self.driver.type(text)
        self.driver.frames(2)

    def drag(self, name: str, begin: float, end: float) -> None:
        left, top, right, bottom = self.driver.marks[name]
        wide, middle = right - left, (top + bottom) / 2
        self.driver.drag((left + begin * wide, middle), (left + end * wide, middle))
        self.driver.frames(3)

    def pull(self, name: str, x: float, y: float) -> None:
        place = self.driver.place(name)
        self.driver.move(*place)
        self.driver.frames(2)
        self.driver.drag(place, (place[0] + x, place[1] + y))
        self.driver.frames(3)

    def wheel(self, name: str, notches: int) -> None:
        self.driver.move(*self.driver.place(name))
        self.driver.gui.add(MouseWheel(0, notches))
        self.driver.frames(8)


class WindowHands:
    """The steps in the real window."""

    def __init__(self, window: Window) -> None:
        self.window = window

    def start_again(self) -> None:
        """Undo all edits, empty search fields, close what a key has opened, and play the clip."""
        window, chords = self.window, []
        while window.state()["undo"]:
            self.press("Ctrl+Z")
        state = window.state()
        if "search clips" in state["widgets"] and state["clip"] == "Wave":
            self.click("search clips")
            chords += ["ctrl+a", "BackSpace", "Return"]
        opened = {"make layers": "m", "gizmo": "p"}
        chords += [name for widget, name in opened.items() if widget in state["widgets"]]
        chords += [] if state["running"] else ["space"]
        if chords:
            window.key(*chords)
            window.settle()
        if "tab Clips" in window.state()["widgets"]:
            self.click("tab Clips")

    def click(self, name: str, button: int = 0) -> None:
        self.window.wait(lambda state: name in state["widgets"], name)
        assert button == 0
        self.window.click(name)
        self.window.settle()

    def press(self, chord: str) -> None:
        parts = [_X_KEYS.get(part, part) for part in chord.split("+")]
        self.window.key("+".join(part.lower() if len(part) == 1 else part for part in parts))
        self.window.settle()

    def type(self, text: str) -> None:
        self.window.tool("type", text)
        self.window.settle()

    def drag(self, name: str, begin: float, end: float) -> None:
        left, top, right, bottom = self.window.box(name)
        wide, middle = right - left, (top + bottom) // 2
        self.window.drag((left + round(begin * wide), middle), (left + round(end * wide), middle))
        self.window.settle()

    def pull(self, name: str, x: float, y: float) -> None:
        self.window.wait(lambda state: name in state["widgets"], name)
        left, top, right, bottom = self.window.box(name)
        place = (left + right) // 2, (top + bottom) // 2
        self.window.drag(place, (place[0] + round(x), place[1] + round(y)))
        self.window.settle()


def perform(hands: PanelHands | WindowHands, steps: tuple[Step, ...]) -> None:
    """Do all steps; an error names the step that cannot be done."""
    for step in steps:
        for name, *given in step.inputs:
            try:
                getattr(hands, name)(*given)
            except KeyError as error:
                raise AssertionError(f"{step.words}: no {error} in the window") from error
