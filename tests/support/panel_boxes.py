"""The boxes of windows and widgets of the panels: what is outside, cut, or over something else."""

from itertools import combinations
from typing import NamedTuple

from imgui_bundle import imgui

from rigview.ui import widgets

FLOATING = ("Overlays", "View cube", "Legend")  # windows over the scene
PANELS = ("Clips", "Mixer", "Right", "Column", "Curves", "Playback", "##MainMenuBar", *FLOATING)
FREE = ("key ", "curve", "joint name", "caption", "version", "badge", "value of")  # over others
SLACK = 3.5  # points: of rounding, and of rows that reach into the gap beside them


class Widget(NamedTuple):
    """A widget of a frame: its box, and the window that it is in."""

    name: str
    box: tuple[float, float, float, float]
    window: str
    ends: tuple[float, float]  # of the window


class Boxes:
    """The widgets of the last frame, and the labels that do not fit into their buttons."""

    def __init__(self, monkeypatch):
        self.widgets, self.cut = [], []
        self._mark, self._button = widgets.mark, widgets.button
        monkeypatch.setattr(widgets, "mark", self.mark)
        monkeypatch.setattr(widgets, "button", self.button)

    def clear(self):
        self.widgets.clear()
        self.cut.clear()

    def mark(self, session, name, tip=""):
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        if imgui.is_item_visible():
            window = imgui.internal.get_current_window_read()
            beyond = imgui.get_style().item_spacing.x / 2.0  # rows of lists touch each other
            ends = window.pos.x - beyond, window.pos.x + window.size.x + beyond
            box = (low.x, low.y, high.x, high.y)
            self.widgets.append(Widget(name, box, window.name, ends))
        self._mark(session, name, tip)

    def button(self, session, name, label, width=0.0, tip=""):
        pressed = self._button(session, name, label, width, tip)
        room, taken = imgui.get_item_rect_size().x, imgui.calc_text_size(label, True).x
        if taken > room + SLACK and imgui.is_item_visible():
            self.cut.append(f"{label} in {name}: {taken:.0f} of {room:.0f}")
        return pressed

    def wrong(self):
        """Sentences about widgets of the last frame that are cut, or partly over others."""
        found = list(self.cut)
        by_window = {}
        for each in self.widgets:
            if each.box[0] < each.ends[0] - SLACK or each.box[2] > each.ends[1] + SLACK:
                found.append(f"{each.name} is cut by its panel: {each.box} in {each.ends}")
            if not each.name.startswith(FREE):
                by_window.setdefault(each.window, []).append(each)
        for listed in by_window.values():
            for one, other in combinations(listed, 2):
                if one.name != other.name and partly_over(one.box, other.box):
                    found.append(f"{one.name} {one.box} is over {other.name} {other.box}")
        return found


def over(one, other):
    """Whether two boxes share more than their edges."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > SLACK
        and min(one[3], other[3]) - max(one[1], other[1]) > SLACK
    )


def inside(one, other):
    """Whether a box lies in another one."""
    low = all(a >= b - SLACK for a, b in zip(one[:2], other[:2], strict=True))
    return low and all(a <= b + SLACK for a, b in zip(one[2:], other[2:], strict=True))


def partly_over(one, other):
    """Whether boxes overlap, and none lies in the other, as a mark in its row does."""
    return over(one, other) and not inside(one, other) and not inside(other, one)


def windows():
    """ImGui's windows of the last frame by name."""
    listed = imgui.get_current_context().windows
    return {each.name: each for each in listed if each.was_active and not each.hidden}


def box_of(window):
    low, size = window.pos, window.size
    return low.x, low.y, low.x + size.x, low.y + size.y


def check(driver, *, panels=True, frames=5):
    """Assert that every window lies in the display, or scrolls in one that does."""
    driver.frames(frames)
    wide, high = driver.size
    shown = windows()
    for name, window in shown.items():
        if name.startswith("Debug##") or window.is_explicit_child:
            continue
        low, top = window.pos.x, window.pos.y
        assert min(low, top) >= -1, f"{name} begins outside the window"
        assert low + window.size.x <= wide + 1, f"{name} ends beyond the right edge"
        assert top + window.size.y <= high + 1, f"{name} ends below the window"
    for name, window in shown.items():
        over = [getattr(window.content_size, axis) for axis in "xy"]
        room = [
            window.inner_rect.max.x - window.inner_rect.min.x - 2 * window.window_padding.x,
            window.inner_rect.max.y - window.inner_rect.min.y - 2 * window.window_padding.y,
        ]
        if name == "##MainMenuBar":
            continue
        cut = f"{name} is cut: {over} in {room}"
        assert over[0] <= room[0] + 2 or window.scrollbar_x, cut
        assert over[1] <= room[1] + 2 or window.scrollbar_y, cut
    for name, (left, _, right, _) in driver.marks.items():
        if not name.startswith("key "):
            assert left >= -1, name
            assert right <= wide + 1, name
    bar = shown["Playback"].pos.y
    for name in ("Clips", "Mixer", "Right", "Column", "Curves") if panels else ():
        if name in shown:
            assert shown[name].pos.y + shown[name].size.y <= bar + 1, f"{name} covers the bar"
    return shown


def panels_apart(shown):
    """Assert that no panel is over another one."""
    boxes = {name: box_of(shown[name]) for name in PANELS if name in shown}
    for one, other in combinations(boxes, 2):
        assert not over(boxes[one], boxes[other]), f"{one} is over {other}: {boxes}"
