"""Rows of the inspector: a label with a value, a link, or numbers; a click copies or follows."""

from collections.abc import Sequence

from imgui_bundle import imgui

from ..session.session import Session
from . import theme, widgets

COPIES = "A click copies it"
_DECIMALS = 4  # most digits after the point
_INSET = 0.25  # font heights: between the numbers and the edge of their column


def copy(session: Session, text: str) -> None:
    """Copy a text, and say so."""
    imgui.set_clipboard_text(text)
    session.notify(f"Copied {' '.join(text.split())}")


def fact(
    session: Session, label: str, value: str, hint: str = "", *, copied: str | None = None
) -> None:
    """Draw a label at the left and its value at the right; a click copies it.

    Parameters
    ----------
    hint
        Tooltip, beside the value if that is cut.
    copied
        The copied text; None: the value.
    """
    if _row(session, label, value, hint or COPIES, theme.palette().text):
        copy(session, value if copied is None else copied)


def link(session: Session, label: str, value: str, hint: str) -> bool:
    """Draw a label at the left and a link at the right; return whether it was clicked."""
    return _row(session, label, value, hint, theme.palette().accent)


def paragraph(session: Session, label: str, text: str) -> None:
    """Draw a label with a text in several lines below it; a click copies the text."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    tall = (
        imgui.get_text_line_height_with_spacing() + imgui.calc_text_size(text, wrap_width=width).y
    )
    pressed = widgets.row(session, f"fact {label}", (width, tall), tip=COPIES)
    after = imgui.get_cursor_screen_pos()
    imgui.set_cursor_screen_pos(low)
    widgets.quiet(label)
    imgui.text_wrapped(text)
    imgui.set_cursor_screen_pos(after)
    if pressed:
        copy(session, text)


def _row(session: Session, label: str, value: str, hint: str, ink: theme.Color) -> bool:
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    tall, em = imgui.get_text_line_height(), widgets.em()
    shown = widgets.shortened(value, width - imgui.calc_text_size(label).x - em)
    tip = f"{value}\n{hint}" if shown != value else hint
    pressed = widgets.row(session, f"fact {label}", (width, tall), tip=tip)
    imgui.get_window_draw_list().add_text(low, theme.packed(theme.palette().quiet), label)
    widgets.text_before(low.x + width, low.y, shown, ink)
    return pressed


def numbers(
    session: Session, label: str, unit: str, values: Sequence[Sequence[float]], hint: str
) -> None:
    """Draw a label with rows of numbers below it; a click copies one number, or all by the label.

    Parameters
    ----------
    values
        Rows of equally many numbers.
    """
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    tall = imgui.get_text_line_height()
    tip = f"{hint}. A click copies all numbers" if hint else "A click copies all numbers"
    if widgets.row(session, f"fact {label}", (width, tall), tip=tip):
        copy(session, "\n".join(", ".join(map(_exact, row)) for row in values))
    quiet = theme.palette().quiet
    imgui.get_window_draw_list().add_text(low, theme.packed(quiet), label)
    if unit:
        widgets.text_before(low.x + width - _INSET * widgets.em(), low.y, unit, quiet)
    for k, row in enumerate(values):
        _cells(session, f"{label} {k}" if len(values) > 1 else label, row)


def _cells(session: Session, name: str, row: Sequence[float]) -> None:
    """Draw a row of numbers, which are aligned at their points; a click copies one."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    tall, inset = imgui.get_text_line_height(), _INSET * widgets.em()
    wide = width / len(row)
    pressed = widgets.area(session, f"numbers {name}", (width, tall))
    lines = imgui.get_window_draw_list()
    if imgui.is_item_hovered():
        k = min(max(int((imgui.get_io().mouse_pos.x - low.x) / wide), 0), len(row) - 1)
        left = low.x + k * wide
        color = imgui.get_color_u32(imgui.Col_.header_hovered)
        lines.add_rect_filled((left, low.y), (left + wide, low.y + tall), color, 3.0)
        widgets.hint(f"{_exact(row[k])}\n{COPIES}")
        if pressed:
            copy(session, _exact(row[k]))
    ink, left = theme.palette().text, low.x
    for value in row:
        text = _short(value)
        left += wide
        room = wide - inset - imgui.calc_text_size(text).x
        after = imgui.calc_text_size("." + "0" * _DECIMALS).x
        after -= imgui.calc_text_size(text[text.find(".") :]).x if "." in text else 0.0
        widgets.text_before(left - inset - min(max(after, 0.0), room), low.y, text, ink)


def _exact(value: float) -> str:
    """Return a number with all digits of a file."""
    return f"{value + 0.0:.9g}"


def _short(value: float) -> str:
    """Return a number with at most seven characters: ``-0.1234``, ``123.46``, ``1.2e+09``."""
    size = abs(value)
    if not size < 1e6:
        return f"{value:.2g}"
    text = f"{value:.{_DECIMALS if size < 10 else 3 if size < 100 else 2 if size < 1000 else 0}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text
