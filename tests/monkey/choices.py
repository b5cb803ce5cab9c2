"""Draws the next action from what is on the screen."""

from random import Random

from imgui_bundle import imgui

from rigview.session.commands.actions import ACTIONS
from tests.support.window_driver import SYMBOLS
from tests.support.window_stand_ins import Dialog, PromptJobs

from .deeds import LIMITS

MOST_CHARACTERS = 4
WORDS = (  # typed into fields
    "0", "1", "-1", "0.5", "1e9", "1e38", "-1e38", "99999999999", "nan", "inf",
    "-", "walk", "Walk", "hand", "ä", "歩く", "🙂",
    "a" * 300, " ", "x = 1", '"', "\\", "layer 2", "Left", "%s", "##", "a\tb", "\u202ename",
)  # fmt: skip
MODIFIERS = ("left_ctrl", "left_shift", "left_alt")
EDITING = ("enter", "escape", "tab", "space", "left_arrow", "right_arrow", "up_arrow")
EDITING += ("down_arrow", "backspace", "delete", "home", "end", "page_up", "page_down")
NAMES = {"Left": "left_arrow", "Right": "right_arrow", "Up": "up_arrow", "Down": "down_arrow"}
NAMES |= {"PageUp": "page_up", "PageDown": "page_down", "Esc": "escape"}
HELD = {"Ctrl": "left_ctrl", "Shift": "left_shift", "Alt": "left_alt"}
DENSITIES = ((0.25, 96), (0.25, 192), (0.25, 120), (0.5, 96), (0.5, 192), (1.0, 96), (2.0, 96))
RARE = {"quit": 0.1, "full screen": 0.3}  # how often their keys are pressed, to others
WEIGHTS = {
    "click": 30, "drag": 12, "look": 6, "stray": 6, "move": 5, "wheel": 5, "shortcut": 18,
    "edit": 8, "key": 4, "fill": 4, "menu": 6, "drop": 2.5, "content": 4, "remove": 0.7,
    "resize": 1.5, "density": 0.7, "focus": 1.5, "leave": 0.7, "expose": 0.5, "show": 0.5,
    "wait": 4, "slow": 0.5, "hold": 1, "button": 1.5, "answer": 0.5, "gate": 0.7,
    "dialogs": 0.3, "clipboard": 0.3, "close": 0.1,
}  # fmt: skip


def shortcut_keys():
    """Return `(key, modifiers, typed text, weight)` of every keyboard shortcut."""
    found = []
    for action in ACTIONS:
        for chord in action.keys:
            *held, name = chord.split("+") if chord != "+" else (chord,)
            key = NAMES.get(name, f"_{name}" if name.isdigit() else name.lower())
            key = {"[": "left_bracket", "]": "right_bracket", "?": "slash"}.get(key, key)
            if key in SYMBOLS:
                typed = name.lower() if len(name) == 1 and not held else ""
                weight = RARE.get(action.name, 1.0)
                found.append((key, [HELD[each] for each in held], typed, weight))
    return found


class Choices:
    """Draws actions by a seed."""

    def __init__(self, driver, disk, seed):
        self.driver, self.disk = driver, disk
        self._random = Random(seed)
        self._shortcuts = shortcut_keys()
        self._names = [*WEIGHTS]
        self._weights = [*WEIGHTS.values()]

    def next(self):
        """Return the next action."""
        random = self._random
        name = random.choices(self._names, self._weights)[0]
        if Dialog.shown is not None and random.random() < 0.5:
            name = "answer"
        if not PromptJobs.gate.is_set() and random.random() < 0.2:
            name = "gate"
        if self.driver.session.interface.popup and random.random() < 0.4:
            action = self._pop_up()
        else:
            action = getattr(self, f"_{name}")()
        action["frames"] = random.choices((1, 2, 3, 6), (14, 4, 1, 0.5))[0]
        return action

    # -- places -----------------------------------------------------------------------------------

    def _share(self):
        return round(self._random.choice((0.5, 0.5, self._random.uniform(0.02, 0.98))), 3)

    def _seen(self):
        """Return the names of the widgets on the screen."""
        width, height = self.driver.viewer.window.size
        return [
            name
            for name, (left, top, right, bottom) in self.driver.boxes.items()
            if 0 <= (left + right) / 2 < width and 0 <= (top + bottom) / 2 < height
        ]

    def _widget(self, seen=None):
        """Return a place on a widget; in an open menu mostly one of its items."""
        seen = self._seen() if seen is None else seen
        items = [name for name in seen if name.startswith("menu ")]
        opened = imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
        if opened and items and self._random.random() < 0.6:
            seen = items
        if not seen:
            return self._anywhere()
        return [self._one_of(seen), self._share(), self._share()]

    def _one_of(self, names):
        """Return a name by its first word, as there are many keys and few sliders."""
        groups = {}
        for name in names:
            groups.setdefault(name.partition(" ")[0], []).append(name)
        return self._random.choice(groups[self._random.choice([*groups])])

    def _anywhere(self):
        width, height = self.driver.viewer.window.size
        return [self._random.randrange(width), self._random.randrange(height)]

    def _in_scene(self):
        left, top, right, bottom = self.driver.session.interface.viewport.box
        random = self._random
        return [round(random.uniform(left, right)), round(random.uniform(top, bottom))]

    def _held(self):
        return [key for key in MODIFIERS if self._random.random() < 0.08]

    def _which(self):
        return self._random.choices((0, 1, 2), (8, 1, 1))[0]

    # -- mouse ------------------------------------------------------------------------------------

    def _click(self):
        count = self._random.choices((1, 2), (9, 1))[0]
        at = self._widget()
        return {"do": "click", "at": at, "button": self._which(), "count": count} | self._keys()

    def _keys(self):
        held = self._held()
        return {"keys": held} if held else {}

    def _drag(self):
        start = self._widget()
        end = self._random.choice((self._widget, self._anywhere, lambda: self._beside(start)))()
        steps = self._random.choice((1, 2, 4))
        made = {"do": "drag", "start": start, "end": end, "button": self._which(), "steps": steps}
        return made | self._keys()

    def _beside(self, place):
        """Return another place on the same widget, or beyond its ends."""
        if len(place) == 2:
            return self._anywhere()
        return [place[0], round(self._random.uniform(-0.3, 1.3), 3), place[2]]

    def _look(self):
        made = {"do": "drag", "start": self._in_scene(), "end": self._in_scene()}
        return made | {"button": self._random.randrange(3)} | self._keys()

    def _stray(self):
        return {"do": "click", "at": self._anywhere(), "button": self._which()} | self._keys()

    def _move(self):
        return {"do": "move", "to": self._random.choice((self._widget, self._anywhere))()}

    def _wheel(self):
        at = self._random.choice((self._widget, self._in_scene))()
        by = [0, self._random.choice((-30, -3, -1, 1, 3, 30))]
        return {"do": "wheel", "at": at, "by": by}

    def _button(self):
        down = self._random.random() < 0.5
        return {"do": "button", "button": self._random.randrange(3), "down": down}

    def _leave(self):
        return {"do": "leave"}

    # -- keys -------------------------------------------------------------------------------------

    def _shortcut(self):
        weights = [each[3] for each in self._shortcuts]
        key, held, text, _ = self._random.choices(self._shortcuts, weights)[0]
        times = self._random.choices((1, 2, 9), (12, 2, 1))[0]
        return {"do": "press", "key": key, "keys": held, "text": text, "times": times}

    def _edit(self):
        return {"do": "press", "key": self._random.choice(EDITING)} | self._keys()

    def _key(self):
        return {"do": "press", "key": self._random.choice([*SYMBOLS])} | self._keys()

    def _hold(self):
        key = self._random.choice((*MODIFIERS, *EDITING, "b"))
        return {"do": "hold", "key": key, "down": self._random.random() < 0.5}

    def _fill(self):
        at, end = self._widget(), self._random.choice(("enter", "tab", "escape", ""))
        keys = self._random.choice(([], ["left_ctrl"]))
        return {"do": "fill", "at": at, "text": self._random.choice(WORDS), "end": end} | {
            "keys": keys
        }

    def _focus(self):
        return {"do": "focus", "focused": self._random.random() < 0.6}

    def _menu(self):
        seen = [name for name in self._seen() if name.startswith("menu ")]
        return {"do": "click", "at": self._widget(seen)}

    def _pop_up(self):
        """Return an action that answers the pop-up of the window."""
        seen = [name for name in self._seen() if name.endswith("pop-up")]
        if seen and self._random.random() < 0.8:
            return {"do": "click", "at": [self._random.choice(seen), 0.5, 0.5]}
        return {"do": "press", "key": self._random.choice(("escape", "enter", "space", "tab"))}

    # -- the system -------------------------------------------------------------------------------

    def _drop(self):
        names = self._random.choices(self.disk.droppable, k=self._random.choice((1, 1, 2)))
        few = len(self.driver.session.open_characters) + len(names) <= MOST_CHARACTERS
        return {"do": "drop", "names": names, "shift": few and self._random.random() < 0.5}

    def _answer(self):
        if Dialog.shown is not None and Dialog.shown.saving:
            names = ["figure.motion.toml", "other.motion.toml", "other", "missing/other"]
        else:
            names = self.disk.droppable
        count = self._random.choice((0, 1)) if len(names) == 4 else self._random.choice((0, 1, 2))
        return {"do": "answer", "names": self._random.choices(names, k=count)}

    def _dialogs(self):
        return {"do": "dialogs", "available": self._random.random() < 0.5}

    def _clipboard(self):
        return {"do": "clipboard", "text": self._random.choice((*WORDS, "", "\n\n"))}

    def _resize(self):
        return {"do": "resize", "size": [self._random.randint(*LIMITS) for _ in range(2)]}

    def _density(self):
        ratio, dpi = self._random.choice(DENSITIES)
        return {"do": "density", "ratio": ratio, "dpi": dpi}

    def _expose(self):
        return {"do": "expose"}

    def _show(self):
        return {"do": "show", "visible": self._random.random() < 0.7}

    def _close(self):
        return {"do": "close"}

    # -- time and files ---------------------------------------------------------------------------

    def _wait(self):
        return {"do": "wait", "seconds": self._random.choice((0.1, 0.5, 1.0, 3.0, 20.0))}

    def _slow(self):
        return {"do": "slow", "seconds": self._random.choice((1 / 60, 1 / 60, 0.1, 0.5))}

    def _gate(self):
        return {"do": "gate", "opened": not PromptJobs.gate.is_set()}

    def _file(self):
        disk = self.disk
        return self._random.choice((*disk.names, disk.names[0], *["figure.motion.toml"] * 4))

    def _content(self):
        name = self._file()
        content = self._random.choice(self.disk.contents(name))
        return {"do": "write", "name": name, "content": content}

    def _remove(self):
        return {"do": "remove", "name": self._file()}
