"""The list of sources that a layer can play."""

from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from ..motion.document import Play
from ..motion.layer_content import groups, label
from ..session.search import matches
from ..session.session import Session
from . import short_names, theme, widgets

FADABLE = ("Blend spaces", "Clips", "Poses")


@dataclass(slots=True)
class PlaySearch:
    """What is searched for in the open list."""

    text: str = ""


def choose(
    session: Session,
    name: str,
    shown: str,
    chosen: Play | None = None,
    only: Sequence[str] = (),
) -> Play | None:
    """Draw a drop-down of sources; return the one chosen in this frame, else None.

    Enter in the search field chooses the first match.

    Parameters
    ----------
    only
        Groups to list; all if empty.
    """
    model = session.model
    if model is None:
        return None
    result: Play | None = None
    opened = imgui.begin_combo(f"##{name}", shown, imgui.ComboFlags_.height_large)
    widgets.mark(session, name)
    if not opened:
        return None
    search = session.interface.of(PlaySearch)
    if imgui.is_window_appearing():
        search.text = ""
        imgui.set_keyboard_focus_here()
    search.text = widgets.search_field(session, f"{name} search", search.text, "Search")
    prefix = short_names.clip_prefix(model)
    takes_first = widgets.entered() and bool(search.text.strip())
    found = matches(search.text)
    for group, plays in groups(session.editor.document, model):
        listed = [play for play in plays if found(label(play))]
        if not listed or (only and group not in only):
            continue
        with widgets.colored((imgui.Col_.text, theme.palette().quiet)):
            imgui.separator_text(group)
        for number, play in enumerate(listed):
            shown = label(play).removeprefix(prefix)
            if imgui.selectable(f"{shown}##{group}{number}", play == chosen)[0]:
                result = play
            widgets.hint(label(play) if shown != label(play) else "")
            widgets.mark(session, f"{name} {label(play)}")
            if takes_first:
                takes_first, result = False, play
                imgui.close_current_popup()
    imgui.end_combo()
    return result
