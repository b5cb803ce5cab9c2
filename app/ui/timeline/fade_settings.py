"""The settings of a cross-fade: of the next one of a layer, or of one in the schedule."""

from dataclasses import replace

from imgui_bundle import imgui

from ...motion.document import Fade
from ...session.session import Session
from .. import widgets

EASES = {"cubic": "Cubic", "linear": "Linear"}
KINDS = {"smooth": "Smooth", "frozen": "Frozen"}
LONGEST = 3.0  # seconds, upper end of the slider


def draw(session: Session, fade: Fade, key: str) -> Fade:
    """Draw duration, ease, kind and sync; return the changed fade.

    Parameters
    ----------
    key
        Ends the names of the widgets.
    """
    imgui.set_next_item_width(-1)
    words = ("Duration", f"{fade.seconds:.2f} s")
    changed, value = widgets.slider(
        session, f"fade seconds {key}", words, fade.seconds, (0.0, LONGEST)
    )
    if changed:
        fade = replace(fade, seconds=max(round(value, 2), 0.0))
    third = (imgui.get_content_region_avail().x - 2.0 * imgui.get_style().item_spacing.x) / 3.0
    ease = widgets.choice(session, f"ease {key}", EASES, fade.ease, width=third, arrow=False)
    widgets.hint("Cubic: slow at both ends; linear: constant speed")
    imgui.same_line()
    kind = widgets.choice(session, f"kind {key}", KINDS, fade.kind, width=third, arrow=False)
    widgets.hint("Smooth: the old source keeps playing while it fades; frozen: its pose is held")
    imgui.same_line()
    _, in_phase = imgui.checkbox(f"Sync##{key}", fade.in_phase)
    widgets.mark(session, f"in phase {key}")
    widgets.hint("The new source starts at the phase of the old one")
    return replace(
        fade,
        ease="linear" if ease == "linear" else "cubic",
        kind="frozen" if kind == "frozen" else "smooth",
        in_phase=in_phase,
    )
