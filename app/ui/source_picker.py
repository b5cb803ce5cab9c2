"""The list of sources that a layer can play."""

from collections.abc import Sequence

from imgui_bundle import imgui

from ..model.lookup import clip_prefix
from ..motion.document import Play
from ..motion.layer_content import groups, label
from ..session.session import Session
from . import theme, widgets

FADABLE = ("Blend spaces", "Clips", "Poses")


def choose(
    session: Session,
    name: str,
    shown: str,
    chosen: Play | None = None,
    only: Sequence[str] = (),
    width: float = -1.0,
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
    opened = widgets.begin_searched_list(session, name, shown, width, placeholder="Search")
    if opened is None:
        return None
    prefix = clip_prefix(model)
    for group, plays in groups(session.editor.document, model):
        listed = [play for play in plays if opened.found(label(play))]
        if not listed or (only and group not in only):
            continue
        with widgets.Colored((imgui.Col_.text, theme.palette().quiet)):
            widgets.heading(group)
        for play in listed:
            text, shown = label(play), label(play).removeprefix(prefix)
            if opened.entry(f"{name} {text}", text, shown, chosen=play == chosen):
                result = play
    imgui.end_combo()
    return result
