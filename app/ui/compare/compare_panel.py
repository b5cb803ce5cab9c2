"""The tab Compare: how two versions are shown, and what differs between them."""

from imgui_bundle import imgui

from ...scenedoc.scene_doc import COMPARE_MODES
from ...session.comparison import LABELS, Comparison
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from ...wording import capitalized
from .. import theme, widgets
from . import difference_list

IN_A_ROW = "All characters beside each other"


def listed(session: Session) -> bool:
    """Return whether there is something to compare."""
    return session.comparison.pair is not None


def draw(session: Session) -> None:
    """Draw the choice of the versions, how they are shown, and their differences."""
    comparison = session.comparison
    if comparison.pair is None:
        widgets.quiet("Add a second character to compare")
        return
    _versions(session, comparison)
    _modes(session, comparison)
    _options(session, comparison)
    imgui.spacing()
    difference_list.draw(session)


def _versions(session: Session, comparison: Comparison) -> None:
    """Draw the names of both versions; of more than two characters they can be chosen."""
    opened = session.open_characters
    if comparison.pair is None:
        return
    names = {str(k): f"{k + 1}  {each.name}" for k, each in enumerate(opened)}
    chosen: list[OpenedCharacter] = []
    for label, own in zip(("Old", "New"), comparison.pair, strict=True):
        widgets.label(label, theme.palette().quiet)
        imgui.same_line(3.2 * widgets.em())
        if len(opened) > 2:
            now = str(opened.index(own))
            chosen.append(opened[int(widgets.choice(session, f"compare {label}", names, now))])
            continue
        chosen.append(own)
        room = imgui.get_content_region_avail().x
        imgui.text(widgets.shortened(own.name, room))
        widgets.hint(str(own.path or own.name))
    if tuple(chosen) != comparison.pair:
        (first, second), (old, new) = chosen, comparison.pair
        if first is second:  # the other one takes its place
            first, second = (new, second) if first is old else (first, old)
        comparison.choose(first, second)


def _modes(session: Session, comparison: Comparison) -> None:
    """Draw a button for each mode, in several rows if they do not fit."""
    style = imgui.get_style()
    gap = style.item_inner_spacing.x
    room, left = imgui.get_content_region_avail().x, 0.0
    for mode, label in LABELS.items():
        wide = imgui.calc_text_size(label).x + 2.0 * style.frame_padding.x
        if 0.0 < left <= room - wide:
            imgui.same_line(0.0, gap)
        else:
            left = 0.0
        with widgets.Colored(*(widgets.accented() if comparison.mode == mode else ())):
            pressed = widgets.button(session, f"compare {label}", label, wide)
        widgets.hint(IN_A_ROW if mode is None else capitalized(COMPARE_MODES[mode].what))
        left += wide + gap
        if pressed:
            session.compare(mode)


def _options(session: Session, comparison: Comparison) -> None:
    """Draw the options of the mode, and what cannot be compared."""
    if comparison.mode == "wipe":
        name, label, tip = "edge at the pointer", "Edge at the pointer", "Otherwise drag the edge"
        follows = comparison.follows_pointer
        comparison.follows_pointer = widgets.checkbox(session, name, label, follows, tip)
    missing, warning = comparison.missing, theme.palette().warning
    if missing is not None:
        text = f"{missing[0].name} has no clip {missing[1]}: it shows its rest pose"
        widgets.note(text, warning)
    elif comparison.lengths_differ:
        widgets.label("Same", theme.palette().quiet)
        imgui.same_line()
        options = {"time": "time", "phase": "phase"}
        now = "phase" if comparison.by_phase else "time"
        hints = {
            "time": "The clips have different lengths: the shorter one waits at its end",
            "phase": "The clips have different lengths: both start and end together",
        }
        comparison.by_phase = (
            widgets.choice(session, "compare at the same", options, now, hints=hints) == "phase"
        )
    errors = session.comparison.painted_errors
    if comparison.mode == "error" and errors.by_joints and errors.errors is not None:
        text = "Some vertices do not correspond: they have the errors of their joints"
        widgets.note(text, warning)
