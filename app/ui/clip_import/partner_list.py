"""The drop-down list of joints, with a search field."""

from collections.abc import Sequence

from imgui_bundle import imgui

from ...session.clip_import.import_view import ClipImportView
from ...session.search import matches
from ...session.session import Session
from .. import icons, theme, widgets

_FLAGS = int(imgui.ComboFlags_.height_large)
_REMARKED = _FLAGS | int(imgui.ComboFlags_.no_arrow_button)


def choose(
    session: Session,
    name: str,
    shown: str,
    joints: Sequence[str],
    none: str,
    remark: str = "",
    hint: str = "",
) -> str | None:
    """Draw a drop-down of joints; return the one chosen in this frame, "" for none, else None.

    Enter in the search field chooses the first match.

    Parameters
    ----------
    none
        Label of the entry for no joint; "": there is no such entry.
    remark
        Drawn in place of the arrow.
    hint
        Tooltip while the list is closed.
    """
    view, key = session.interface.of(ClipImportView), f"partner {name}"
    wide, padding = imgui.get_content_region_avail().x, imgui.get_style().frame_padding
    imgui.set_next_item_width(wide)
    taken = imgui.calc_text_size(remark).x + padding.x if remark else imgui.get_frame_height()
    text = widgets.shortened(shown, wide - taken - 2.0 * padding.x)
    opened = imgui.begin_combo(f"##{key}", text, _REMARKED if remark else _FLAGS)
    widgets.mark(session, key)
    if not opened:
        widgets.hint(hint)
        if remark:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            place = (high.x - taken, low.y + padding.y)
            quiet = theme.packed(theme.palette().quiet)
            imgui.get_window_draw_list().add_text(place, quiet, remark)
        return None
    if imgui.is_window_appearing():
        view.search_partner = ""
        imgui.set_keyboard_focus_here()
    view.search_partner = widgets.search_field(
        session, f"{key} search", view.search_partner, f"{icons.SEARCH}  Search"
    )
    takes_first = widgets.entered() and bool(view.search_partner.strip())
    found, picked = matches(view.search_partner), None
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
