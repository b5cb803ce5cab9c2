"""A form for one entry of a motion file, drawn from the declarations of its keys.

Each key has a row: its name, with the help of the manual as its tooltip, and a widget by the kind
of its value. A key without a value is set by its + button, and unset by its × button.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from imgui_bundle import imgui

from ..errors import MotionError
from ..model.model import Model
from ..model.skin_joints import joint_reference, weighted_joints
from ..motion.document import (
    CLIP_NAME,
    CONE,
    EVENT,
    JOINT_NAME,
    LAYER_NAME,
    PARAMETER_NAME,
    PLAY_NAME,
    REFERENCE,
    REFERENCE_CLIP,
    REFERENCE_POSE,
    ROOT,
    TARGET,
    ClipEvent,
    MotionDoc,
    Reference,
)
from ..motion.layer_content import groups
from ..session.clip_settings import LoopKind, default_root, loop_kind, loop_setting
from ..session.session import Session
from ..tomlfile.tables import Block, Key, ListOf, TableOf, Union
from ..tomlfile.value_types import (
    Axes,
    Boolean,
    Choice,
    Either,
    Integer,
    Kind,
    Loop,
    Number,
    Numbers,
    Phases,
    SpacePosition,
    Text,
)
from . import icons, theme, widgets

LABELS = 6.0  # font heights: of the names of keys
LISTED = 200  # joints or clips offered at most; the search finds the others
MOST_PASSES = 999_999_999
_LOOPS: dict[LoopKind, str] = {
    "loop": "Loop",
    "pingpong": "Ping-pong",
    "once": "Once",
    "times": "N times",
    "pingpong times": "Ping-pong, N times",
}
FINE, SHARE = 0.01, 0.004  # step of a dragged number for a pixel; where it has limits, of its range
MOST = 1e6  # greatest number that can be dragged to


@dataclass(slots=True)
class TypedKeys:
    """Names typed for new entries of tables, by the place of the table."""

    names: dict[str, str] = field(default_factory=dict)


class Form:
    """Draws values of one document; names of clips, joints and parameters are chosen from lists."""

    def __init__(self, session: Session, model: Model, document: MotionDoc) -> None:
        self.session, self.model, self.document = session, model, document

    def block(self, place: str, block: Block, value: Any, without: tuple[str, ...] = ()) -> Any:  # noqa: ANN401
        """Draw a row for each key of a table; return the changed value.

        Parameters
        ----------
        place
            Begins the names of the widgets: "aims.look".
        without
            Keys that are not drawn.
        """
        for key in block.keys:
            if key.name not in without:
                now = getattr(value, key.attribute)
                new = self._row(f"{place}.{key.name}", block, key, now)
                if new is not now:
                    value = replace(value, **{key.attribute: new})
        return value

    def _row(self, place: str, block: Block, key: Key, now: Any) -> Any:  # noqa: ANN401
        """Draw a key; return its value."""
        left, em = imgui.get_cursor_pos_x(), widgets.em()
        widgets.label(widgets.shortened(key.name, LABELS * em - theme.metrics().gap))
        widgets.hint(f"{key.help}. {_words(key.kind)}")
        imgui.same_line(left + LABELS * em)
        default = block.default(key)
        if now is None:
            if widgets.toggle(self.session, f"set {place}", icons.ADD, False, key.help):
                return self.first(key.kind)
            imgui.same_line()
            widgets.quiet("not set")
            return now
        nested = isinstance(key.kind, Block | ListOf | TableOf | Union)
        if default is None or (default is not MISSING and now != default and not nested):
            words = "Remove" if default is None else f"Default: {default}"
            if widgets.toggle(self.session, f"unset {place}", icons.REMOVE, False, words):
                return default
            widgets.beside()
        return self.value(place, key.kind, now)

    def value(self, place: str, kind: Kind, now: Any) -> Any:  # noqa: ANN401
        """Draw the widget of a value; return the changed value."""
        if isinstance(kind, Union):
            return self._union(place, kind, now)
        if isinstance(kind, Block):
            return self._nested(place, kind, now)
        if isinstance(kind, ListOf):
            return self._list(place, kind, now)
        if isinstance(kind, TableOf):
            return self._table(place, kind, now)
        if isinstance(kind, Either):
            return self._either(place, kind, now)
        return self._plain(place, kind, now)

    def _nested(self, place: str, block: Block, now: Any) -> Any:  # noqa: ANN401
        imgui.new_line()
        imgui.indent(widgets.em())
        now = self.block(place, block, now)
        imgui.unindent(widgets.em())
        return now

    def _union(self, place: str, union: Union, now: Any) -> Any:  # noqa: ANN401
        """Draw a reference pose: a still pose, or a clip at the same phase or at a time."""
        kind = union.of_value(now)
        if union is REFERENCE:
            kinds = {"pose": "a pose", "clip": "a clip"}
            is_clip = kind is REFERENCE_CLIP
            chosen = widgets.choice(self.session, place, kinds, "clip" if is_clip else "pose")
            if chosen == "clip" and not is_clip:
                return Reference(clip=self.first(CLIP_NAME))
            if chosen == "pose" and is_clip:
                return Reference(pose="rest")
            kind = REFERENCE_CLIP if is_clip else REFERENCE_POSE
            imgui.indent(widgets.em())
            now = self.block(place, kind, now)
            imgui.unindent(widgets.em())
            return now
        return self.value(place, kind, now)

    def _list(self, place: str, items: ListOf, now: tuple[Any, ...]) -> tuple[Any, ...]:
        """Draw the items of a list, each with a button that removes it, and one that adds one."""
        imgui.new_line()
        for k, item in enumerate(now):
            if not items.count and len(now) > items.least:
                if widgets.toggle(
                    self.session, f"remove {place} {k}", icons.REMOVE, False, "Remove"
                ):
                    return now[:k] + now[k + 1 :]
                widgets.beside()
            new = self.value(f"{place} {k}", items.kind, item)
            if new is not item:
                now = (*now[:k], new, *now[k + 1 :])
        if not items.count and widgets.button(self.session, f"add {place}", icons.ADD):
            now = (*now, self.first(items.kind))
        return now

    def _table(self, place: str, table: TableOf, now: Mapping[str, Any]) -> Mapping[str, Any]:
        """Draw the entries of a table by name, each with a button that removes it."""
        imgui.new_line()
        em = widgets.em()
        for name, item in now.items():
            if len(now) > table.least:
                if widgets.toggle(
                    self.session, f"remove {place} {name}", icons.REMOVE, False, "Remove"
                ):
                    return MappingProxyType({k: v for k, v in now.items() if k != name})
                widgets.beside()
            left = imgui.get_cursor_pos_x()
            widgets.label(widgets.shortened(name, 6.5 * em))
            widgets.hint(name)
            imgui.same_line(left + 7.0 * em)
            new = self.value(f"{place} {name}", table.kind, item)
            if new is not item:
                return MappingProxyType({**now, name: new})
        if isinstance(table.kind, Phases):  # added at the present phase of the clip
            return now
        added = self._new_name(place, table, now)
        if added and added not in now:
            return MappingProxyType({**now, added: self.first(table.kind)})
        return now

    def _new_name(self, place: str, table: TableOf, now: Mapping[str, Any]) -> str:
        """Draw what adds an entry to a table: a list of joints or names, or a text field."""
        label = f"{icons.ADD}  {table.name}…"
        if table.name == "joint" or table.names:
            names = table.names or self._joints()
            free = [name for name in names if name not in now]
            return self._listed(f"add {place}", label, free, "") if free else ""
        typed = self.session.interface.of(TypedKeys)
        text = typed.names.get(place, "")
        text = widgets.text_field(self.session, f"add {place}", text, placeholder=label)
        typed.names[place] = text
        if widgets.entered() and text.strip():
            typed.names[place] = ""
            return text.strip()
        return ""

    def _either(self, place: str, either: Either, now: Any) -> Any:  # noqa: ANN401
        """Draw a number, three numbers or the name of a parameter, and a list that changes it."""
        if either.text is not None:
            options = {"": "a number", **{name: name for name in self._numbers()}}
            own = now if isinstance(now, str) else ""
            wide = -1.0 if own else 6.0 * widgets.em()
            chosen = widgets.choice(self.session, f"{place} by", options, own, width=wide)
            if chosen != own:
                return chosen or 0.0
            if own:
                return now
            imgui.same_line()
        kind = either.vector if isinstance(now, tuple) else either.number
        assert kind is not None
        return self._plain(place, kind, now)

    def _plain(self, place: str, kind: Kind, now: Any) -> Any:  # noqa: ANN401
        """Draw a value without parts."""
        imgui.set_next_item_width(-1)
        if isinstance(kind, Boolean):
            return widgets.checkbox(self.session, place, "", now)
        if isinstance(kind, Choice):
            return widgets.choice(self.session, place, {each: each for each in kind.choices}, now)
        if isinstance(kind, Loop):
            return self._loop(place, now)
        if isinstance(kind, Axes):
            return self._axes(place, now)
        if isinstance(kind, Integer):
            changed, number = imgui.input_int(f"##{place}", now)
            widgets.mark(self.session, place)
            return self._valid(kind, number, now) if changed else now
        if isinstance(kind, Number | Numbers):
            return self._drag(place, kind, now)
        if isinstance(kind, SpacePosition):
            return self._drag(place, Numbers(len(now)) if len(now) > 1 else Number(), now)
        names = self._names(kind)
        if names is not None:
            return self._listed(place, now, names, now) or now
        shown = kind.plain(now)
        shown = ", ".join(f"{each:g}" for each in now) if isinstance(kind, Phases) else shown
        typed = widgets.text_field(self.session, place, str(shown))
        if not imgui.is_item_deactivated_after_edit():
            return now
        return self._valid(kind, _numbers(typed) if isinstance(kind, Phases) else typed, now)

    def _loop(self, place: str, now: str) -> str:
        """Draw a loop mode, and its number of passes."""
        kind, times = loop_kind(now)
        new = widgets.choice(self.session, place, _LOOPS, kind)
        if new in ("times", "pingpong times"):
            imgui.set_next_item_width(-1)
            _, times = imgui.input_int(f"##{place} times", times)
            widgets.mark(self.session, f"{place} times")
        return loop_setting(new, min(max(times, 2), MOST_PASSES)) or now

    def _axes(self, place: str, now: str) -> str:
        """Draw a check box for each axis, of which one stays."""
        axes = set(now)
        for k, axis in enumerate("xyz"):
            if k:
                imgui.same_line()
            on = widgets.checkbox(self.session, f"{place} {axis}", axis.upper(), axis in axes)
            if on or len(axes) > 1:
                axes = axes | {axis} if on else axes - {axis}
        return now if axes == set(now) else "".join(sorted(axes))

    def _drag(self, place: str, kind: Number | Numbers, now: Any) -> Any:  # noqa: ANN401
        """Draw one or several numbers that are dragged or typed."""
        several = isinstance(now, tuple)
        numbers = list(now) if several else [now]
        low, high = max(kind.low, -MOST), min(kind.high, MOST)
        step = (high - low) * SHARE if kind.low > -MOST and kind.high < MOST else FINE
        drag = {1: imgui.drag_float, 2: imgui.drag_float2, 3: imgui.drag_float3}[len(numbers)]
        given: Any = numbers if len(numbers) > 1 else numbers[0]
        changed, new = drag(f"##{place}", given, step, low, high, "%.4g")  # type: ignore[operator]
        widgets.mark(self.session, place)
        values = new if isinstance(new, list) else [new]
        if not changed or not widgets.is_finite(*values):
            return now
        rounded = [round(float(each), 4) for each in values]
        wanted = rounded if isinstance(kind, Numbers) else rounded[0]
        valid = self._valid(kind, wanted, now)
        return (valid,) if several and not isinstance(valid, tuple) else valid

    def _valid(self, kind: Kind, given: Any, now: Any) -> Any:  # noqa: ANN401
        """Return a given value as the file would be read; the present one if it is invalid."""
        try:
            return kind.read(given, ("value",))
        except MotionError as error:
            self.session.notify(error.message)
            return now

    def _listed(self, place: str, shown: str, names: list[str] | tuple[str, ...], now: str) -> str:
        """Draw a list of names with a search field; return the chosen one, else the present one."""
        opened = widgets.begin_searched_list(self.session, place, shown)
        if opened is None:
            return now
        for name in [name for name in names if opened.found(name)][:LISTED]:
            if opened.entry(f"{place} {name}", name, chosen=name == now):
                now = name
        imgui.end_combo()
        return now

    def _names(self, kind: Kind) -> list[str] | None:
        """Return the names that a text chooses from; None: any text."""
        document = self.document
        points = [name for name, p in document.parameters.items() if isinstance(p.default, tuple)]
        if kind is CLIP_NAME:
            return [clip.name for clip in self.model.clips]
        if kind is JOINT_NAME:
            return self._joints()
        if kind is PARAMETER_NAME:
            return self._numbers()
        if kind is LAYER_NAME:
            return [layer.name for layer in document.layers]
        if kind is PLAY_NAME:
            plays = chain.from_iterable(plays for _, plays in groups(document, self.model))
            return [play for play in plays if isinstance(play, str)]
        if kind is TARGET:
            return [*points, *self._joints()]
        words = kind.words if isinstance(kind, Text) else ""
        if words == "the name of a clip or space":
            return [*document.spaces, *(clip.name for clip in self.model.clips)]
        return None

    def _joints(self) -> list[str]:
        joints = weighted_joints(self.model) or range(self.model.skeleton.count)
        return [joint_reference(self.model, joint) for joint in joints]

    def _numbers(self) -> list[str]:
        """Return the parameters of one number."""
        parameters = self.document.parameters.items()
        return [name for name, each in parameters if not isinstance(each.default, tuple)]

    def first(self, kind: Kind) -> Any:  # noqa: ANN401
        """Return a valid value of a kind: the first of its choices, or its smallest."""
        if kind is EVENT:
            return ClipEvent("event", phase=0.0)
        if kind is ROOT and (root := default_root(self.model)) is not None:
            return root
        if isinstance(kind, Block):
            required = {
                key.attribute: self.first(key.kind)
                for key in kind.keys
                if kind.default(key) is MISSING
            }
            return kind.make(**required)
        if isinstance(kind, ListOf | TableOf):
            return () if isinstance(kind, ListOf) else MappingProxyType({})
        names = self._names(kind)
        return names[0] if names else _first_plain(kind)


def _first_plain(kind: Kind) -> Any:  # noqa: ANN401
    """Return a valid value of a kind without parts."""
    if kind is CONE:  # as without a limit
        return CONE.high
    if isinstance(kind, Number):
        return min(max(1.0 if kind.above else 0.0, kind.low), kind.high)
    if isinstance(kind, Numbers):
        return (0.0, 1.0, 0.0)[: kind.count] if not kind.level else (0.0, 0.0, 1.0)
    if isinstance(kind, Integer):
        return kind.low
    if isinstance(kind, Choice):
        return kind.choices[0]
    fixed = {Boolean: True, Loop: "loop", Axes: "xz", Phases: (0.0,), SpacePosition: (0.0,)}
    return fixed.get(type(kind), "name")


def _words(kind: Kind) -> str:
    return kind.words if len(kind.words) < 80 else ""


def _numbers(text: str) -> list[float] | str:
    """Return typed phases as numbers; the text itself if it is something else."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        return text
