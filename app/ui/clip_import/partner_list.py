"""The drop-down list of joints, with a search field."""

from collections.abc import Sequence

from imgui_bundle import imgui

from ...session.session import Session
from .. import icons, widgets


def choose(session: Session, name: str, shown: str, joints: Sequence[str], none: str) -> str | None:
    """Draw a drop-down of joints; return the one chosen in this frame, "" for none, else None.

    Enter in the search field chooses the first match.

    Parameters
    ----------
    none
        Label of the entry for no joint; "": there is no such entry.
    """
    view, key = session.interface.clip_import, f"partner {name}"
    imgui.set_next_item_width(-1.0)
    opened = imgui.begin_combo(f"##{key}", shown, imgui.ComboFlags_.height_large)
    widgets.mark(session, key)
    if not opened:
        return None
    if imgui.is_window_appearing():
        view.search_partner = ""
        imgui.set_keyboard_focus_here()
    view.search_partner = widgets.search_field(
        session, f"{key} search", view.search_partner, f"{icons.SEARCH}  Search"
    )
    takes_first = widgets.entered() and bool(view.search_partner.strip())
    found, picked = widgets.matches(view.search_partner), None
    if none and not view.search_partner.strip():
        picked = "" if imgui.selectable(none, shown == none)[0] else None
        widgets.mark(session, f"{key} none")
    for joint in joints:
        if not found(joint):
            continue
        if imgui.selectable(joint, joint == shown)[0] or takes_first:
            picked = joint
        widgets.mark(session, f"{key} {joint}")
        if takes_first:
            imgui.close_current_popup()
            break
    imgui.end_combo()
    return picked
