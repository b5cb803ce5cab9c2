"""The motion panels: the mixer on the left; blend spaces, masks and events on the right."""

from collections.abc import Mapping

from imgui_bundle import imgui

from ..session.session import Session
from . import blend_spaces, icons, masks, mixer, widgets
from .layout import Panel
from .timeline import events, schedule


def _events(session: Session) -> None:
    count = len(session.editor.document.at)
    if widgets.section(f"Schedule  {count}###moments"):
        schedule.draw(session)
    if widgets.section("Events"):
        events.draw(session)


TABS: tuple[Panel, ...] = (
    ("Space", blend_spaces.draw),
    ("Mask", masks.draw),
    ("Events", _events),
)


def mixer_panel(session: Session) -> None:
    """Draw the mixer."""
    mixer.heading(session)
    mixer.draw(session)


def single_panel(session: Session, listed: tuple[Panel, ...], titles: Mapping[str, str]) -> None:
    """Draw one panel, chosen from a list, for narrow windows; a button collapses it."""
    mixer = session.interface.mixer_panels
    panels = dict(listed)
    if mixer.tab in panels:
        mixer.panel, mixer.tab = mixer.tab, ""
    default = MIXER[0] if MIXER[0] in panels else listed[0][0]
    now = mixer.panel if mixer.panel in panels else default
    button = imgui.get_frame_height()
    width = imgui.get_content_region_avail().x - button - 4.0
    chosen = widgets.choice(
        session, "panel", {name: titles.get(name, name) for name in panels}, now, width=width
    )
    if chosen != now:
        mixer.panel = now = chosen
    imgui.same_line(0.0, 4.0)
    arrow, words = (icons.CLOSED, "Expand") if mixer.collapsed else (icons.OPENED, "Collapse")
    if widgets.toggle(session, "collapse", arrow, False, f"{words} the panel", button):
        mixer.collapsed = not mixer.collapsed
    if not mixer.collapsed:
        panels[now](session)
    if now != "Mask" or mixer.collapsed:
        session.scene.mask = ()


MIXER: Panel = ("Mixer", mixer_panel)
