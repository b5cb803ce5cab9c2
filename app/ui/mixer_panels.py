"""The motion panels: the mixer on the left; blend spaces, masks and events on the right."""

from collections.abc import Callable

from imgui_bundle import imgui

from ..session.session import Session
from . import blend_spaces, events, masks, mixer, schedule, widgets

WIDTH = 18.0  # font heights, of each of the two panels
Body = Callable[[Session], None]


def _events(session: Session) -> None:
    count = len(session.editor.document.at)
    if widgets.section(f"Schedule  {count}###moments"):
        schedule.draw(session)
    if widgets.section("Events"):
        events.draw(session)


TABS: tuple[tuple[str, Body], ...] = (
    ("Space", blend_spaces.draw),
    ("Mask", masks.draw),
    ("Events", _events),
)


def mixer_panel(session: Session) -> None:
    """Draw the mixer."""
    mixer.heading(session)
    mixer.draw(session)


def tabs(session: Session, first: tuple[tuple[str, Body], ...]) -> None:
    """Draw panels as tabs: those in `first`, then those of the motion."""
    if not imgui.begin_tab_bar("motion"):
        return
    mixer = session.interface.mixer_panels
    shown = ""
    for label, body in (*first, *TABS):
        asked = mixer.tab == label
        flags = imgui.TabItemFlags_.set_selected if asked else 0
        opened = imgui.begin_tab_item_simple(label, flags)
        if asked:
            mixer.tab = ""
        widgets.mark(session, f"tab {label}")
        if not opened:
            continue
        shown = label
        body(session)
        imgui.end_tab_item()
    imgui.end_tab_bar()
    if shown != "Mask":
        session.scene.display.mask = ()


def single_panel(session: Session, first: tuple[tuple[str, Body], ...]) -> None:
    """Draw one panel, chosen from a list: for narrow windows."""
    mixer = session.interface.mixer_panels
    panels = dict((*first, *TABS))
    if mixer.tab in panels:
        mixer.panel, mixer.tab = mixer.tab, ""
    now = mixer.panel if mixer.panel in panels else MIXER[0]
    mixer.panel = widgets.choice(session, "panel", {name: name for name in panels}, now)
    imgui.separator()
    panels[mixer.panel](session)
    if mixer.panel != "Mask":
        session.scene.display.mask = ()


MIXER: tuple[str, Body] = ("Mixer", mixer_panel)
