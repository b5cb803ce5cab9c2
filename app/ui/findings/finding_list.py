"""The list of findings: a row for each cause, those seen best first, and the opened one."""

from bisect import bisect_right
from collections.abc import Sequence

from imgui_bundle import imgui

from ...checks.finding import Finding
from ...model.lookup import clip_prefix, joint_prefix
from ...session.findings.findings_view import FindingRow, FindingsView, Group, Run
from ...session.findings.go_to_finding import open_finding
from ...session.findings.muted_findings import accept, mute, why_not
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from ...wording import capitalized
from .. import theme, widgets
from . import finding_marks, muted_list

LEAST_ROWS = 6  # of the list; in a lower panel the panel scrolls
MANY = 8  # findings; from this count on there is a search field
Prefixes = tuple[str, str]  # of the names of joints, and of clips
TIPS: dict[Group, str] = {
    "file": "About the file alone: nothing of it is seen",
    "known": "Findings that the baseline lists",
}
SMALL = 0.82  # font heights: the second line of a cause


def draw(session: Session, active: OpenedCharacter) -> None:
    """Draw the search field and the rows in sight, with the details of the opened finding.

    In the search field Enter opens the first match, ↓ and ↑ the next ones.
    """
    view, check = session.interface.of(FindingsView), active.check
    takes_first, step = False, 0
    if check.count >= MANY or view.filter:
        view.filter, takes_first, step = widgets.search_field(
            session, "search findings", view.filter, steps=True
        )
    rows = view.rows(check.report)
    if not rows:
        widgets.quiet("No matching findings")
        return
    found = [k for k, row in enumerate(rows) if row.finding is not None]
    at = next((k for k in found if rows[k].finding is view.opened), -1)
    if found and (takes_first or step):
        near = found.index(at) + step if at >= 0 and step else 0
        at = found[min(max(near, 0), len(found) - 1)]
        finding = rows[at].finding
        if finding is not None:
            open_finding(session, active, finding)
    _rows(session, active, rows, at)


def _rows(session: Session, active: OpenedCharacter, rows: list[FindingRow], at: int) -> None:
    view, model = session.interface.of(FindingsView), active.model
    prefixes = joint_prefix(model), clip_prefix(model)
    runs, details = view.runs(rows), view.details_height if at >= 0 else 0.0
    wanted, above = _tall(runs, len(rows)) + details, _tall(runs, at)
    below = widgets.room_below(session) - muted_list.room(session, active.check.report)
    height = min(wanted, max(below, LEAST_ROWS * imgui.get_frame_height()))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (theme.metrics().gap, 0.0))
    if imgui.begin_child("findings", imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened):
        _clipped(session, active, rows, runs, (0, at + 1 if at >= 0 else len(rows)), prefixes)
        if at >= 0:
            top = imgui.get_cursor_pos_y()
            _details(session, active, rows[at])
            view.details_height = imgui.get_cursor_pos_y() - top
            if view.scroll_to_opened:
                _scroll_to(above, _tall(runs, at + 1) + view.details_height, height)
                view.scroll_to_opened = False
            _clipped(session, active, rows, runs, (at + 1, len(rows)), prefixes)
    imgui.end_child()
    imgui.pop_style_var()


def _height(*, cause: bool) -> float:
    """Return the height of a row, points: that of a cause has two lines."""
    return imgui.get_frame_height() + (SMALL * widgets.em() if cause else 0.0)


def _tall(runs: Sequence[Run], count: int) -> float:
    """Return the height of the first rows, points."""
    return sum(max(min(run.end, count) - run.begin, 0) * _height(cause=run.cause) for run in runs)


def _scroll_to(top: float, bottom: float, height: float) -> None:
    """Scroll a part of the list into sight, its upper end first; points of the contents."""
    now = imgui.get_scroll_y()
    if top < now or bottom > now + height:
        imgui.set_scroll_y(min(top, max(bottom - height, 0.0)))


def _clipped(
    session: Session,
    active: OpenedCharacter,
    rows: list[FindingRow],
    runs: Sequence[Run],
    part: tuple[int, int],
    prefixes: Prefixes,
) -> None:
    """Draw the rows in sight of a part of the list, from its first index to before its last."""
    for run in runs:
        begin, end = max(run.begin, part[0]), min(run.end, part[1])
        for k in widgets.in_sight(max(end - begin, 0), _height(cause=run.cause)):
            row = rows[begin + k]
            if row.found:
                _cause(session, active, row, prefixes)
            elif row.finding is not None:
                _one_of_several(session, active, row, row.finding, prefixes)
            elif row.left_out:
                _left_out(session, row)
            else:
                _group(session, row)


def _group(session: Session, row: FindingRow) -> None:
    """Draw the heading of a group; a click folds it."""
    view = session.interface.of(FindingsView)
    opened = row.group not in view.folded or bool(view.filter.strip())
    name, tip = f"findings {row.group}", TIPS[row.group]
    if widgets.fold(session, name, row.label, row.count, opened=opened, tip=tip):
        view.folded ^= {row.group}


def _left_out(session: Session, row: FindingRow) -> None:
    """Draw how many findings of a group are not listed."""
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    imgui.dummy(imgui.ImVec2(width, imgui.get_frame_height()))
    widgets.mark(session, f"left out {row.group}", "`rigview check` lists them")
    place = low.x + widgets.INDENT * widgets.em(), low.y + imgui.get_style().frame_padding.y
    text = theme.packed(theme.palette().quiet)
    imgui.get_window_draw_list().add_text(place, text, row.label)


def _cause(session: Session, active: OpenedCharacter, row: FindingRow, prefixes: Prefixes) -> None:
    """Draw a cause: severity, sentence, size, and if there is room group; a click goes there."""
    first, em, palette = row.found[0], widgets.em(), theme.palette()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    opened = session.interface.of(FindingsView).opened is row.finding
    imgui.push_id(str(id(first)))  # the rule may find more in the subject
    name = f"finding {first.rule} {subject(first)}"
    size = width, _height(cause=True)
    if widgets.row(session, name, size, selected=opened and row.finding is not None):
        open_finding(session, active, first)  # a second click goes there again
    imgui.pop_id()
    if widgets.hinted():
        widgets.hint(_tip(active, first, opened=opened))
    quiet = row.group != "seen"
    ink, y = palette.quiet if quiet else palette.text, low.y + imgui.get_style().frame_padding.y
    icon, color = finding_marks.sign(row.group if quiet else first.severity)
    lines, font = imgui.get_window_draw_list(), imgui.get_font()
    lines.add_text((low.x, y), theme.packed(color), icon)
    left, right = low.x + widgets.INDENT * em, low.x + width - 0.4 * em
    words, more = in_two_lines(short_names(row.label, prefixes), right - left)
    lines.add_text((left, y), theme.packed(ink), cut(words, right - left))
    y += imgui.get_text_line_height()
    end = right - widgets.text_before(right, y, row.size, ink) - 0.6 * em
    small, shift = SMALL * em, (1.0 - SMALL) * em / 2.0
    if row.extent:
        end -= imgui.calc_text_size(row.extent).x * SMALL
        lines.add_text(font, small, (end, y + shift), theme.packed(palette.quiet), row.extent)
        end -= 0.6 * em
    if more:
        lines.add_text((left, y), theme.packed(ink), cut(more, end - left))
    else:
        lines.add_text(font, small, (left, y + shift), theme.packed(palette.quiet), first.group)


def _tip(active: OpenedCharacter, finding: Finding, *, opened: bool) -> str:
    """Return the tooltip of a cause: the message unless it is shown below, group and rule."""
    report = active.check.report
    about = "" if report is None else report.rules.get(finding.rule, "")
    rule = f"{finding.group}, {finding.rule}: {about}".removeprefix(", ").removesuffix(": ")
    return rule if opened else f"{capitalized(finding.message)}\n{rule}"


def _one_of_several(
    session: Session,
    active: OpenedCharacter,
    row: FindingRow,
    finding: Finding,
    prefixes: Prefixes,
) -> None:
    """Draw one of several findings of a cause: its clip, its time, and its visible size."""
    opened = session.interface.of(FindingsView).opened is finding
    em, palette = widgets.em(), theme.palette()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    size, tip = (width, imgui.get_frame_height()), "" if opened else capitalized(finding.message)
    imgui.push_id(str(id(finding)))
    pressed = widgets.row(session, f"finding in {row.label}", size, selected=opened, tip=tip)
    imgui.pop_id()
    if pressed:
        open_finding(session, active, finding)
    lines, y = imgui.get_window_draw_list(), low.y + imgui.get_style().frame_padding.y
    left, right = low.x + widgets.INDENT * em, low.x + width
    if row.size:
        right -= _at_right(row.size, low, width, palette.text) + em
    label = cut(row.label.removeprefix(prefixes[1]) or row.label, right - left)
    lines.add_text((left, y), theme.packed(palette.text), label)
    left += imgui.calc_text_size(label).x + 0.6 * em
    if row.extent and right - left > 3.0 * em:
        lines.add_text((left, y), theme.packed(palette.quiet), row.extent)


def subject(finding: Finding) -> str:
    """Return what a finding is about: the joint, mesh or clip."""
    return finding.joint or finding.item or finding.clip or capitalized(finding.message)


def short_names(text: str, prefixes: Prefixes) -> str:
    """Return a sentence whose quoted names lack the prefix that all of them have."""
    for prefix in filter(None, prefixes):
        text = text.replace(f"“{prefix}", "“")
    return text


def in_two_lines(text: str, width: float) -> tuple[str, str]:
    """Return a sentence in two parts at a space: as much as fits into `width` points, the rest."""
    spaces = [k for k, letter in enumerate(text) if letter == " "]
    ends = [*spaces, len(text)]
    fit = bisect_right(ends, width, key=lambda end: imgui.calc_text_size(text[:end]).x)
    end = ends[max(fit - 1, 0)]
    return text[:end], text[end + 1 :]


def cut(text: str, width: float) -> str:
    """Return a sentence, with an ellipsis at its end if it is wider than `width` points."""
    if imgui.calc_text_size(text).x <= width:
        return text
    ends = range(len(text))
    fit = bisect_right(ends, width, key=lambda end: imgui.calc_text_size(f"{text[:end]}…").x)
    return f"{text[: max(fit - 1, 0)].rstrip()}…"


def _at_right(text: str, low: imgui.ImVec2, width: float, color: theme.Color) -> float:
    """Draw text at the right end of a row; return its width, points."""
    right, y = low.x + width - 0.4 * widgets.em(), low.y + imgui.get_style().frame_padding.y
    return widgets.text_before(right, y, text, color)


def _details(session: Session, active: OpenedCharacter, row: FindingRow) -> None:
    """Draw the details of a finding: what is wrong, its limit, the fix, and its buttons."""
    finding, em = row.finding, widgets.em()
    if finding is None:
        return
    imgui.indent(widgets.INDENT * em)
    imgui.spacing()
    imgui.text_wrapped(capitalized(finding.message))
    where = _where(finding)
    if where:
        widgets.quiet(where)
    imgui.dummy(imgui.ImVec2(0.0, 0.2 * em))
    imgui.text_wrapped(f"→ {finding.fix}")
    widgets.mark(session, "finding fix")
    imgui.dummy(imgui.ImVec2(0.0, 0.2 * em))
    if row.group != "known":
        _buttons(session, active, finding)
    imgui.dummy(imgui.ImVec2(0.0, 0.4 * em))
    imgui.unindent(widgets.INDENT * em)


def _buttons(session: Session, active: OpenedCharacter, finding: Finding) -> None:
    """Draw the buttons that accept a finding, in its clip or in all, and that mute its rule."""
    reason, report = why_not(session, active), active.check.report
    found = () if report is None or not finding.clip else report.findings
    clips = len({each.clip for each in found if each.cause == finding.cause})
    file = "It is written to rigview.toml, beside the character or in the nearest folder above"
    with widgets.Disabled(bool(reason)):
        if widgets.button(session, "accept finding", "Accept", tip=reason or file):
            accept(session, active, finding)
        if clips > 1:
            words, tip = f"in all {clips} clips", f"Accept it in all clips. {file}"
            _beside(words)
            if widgets.button(session, "accept in all clips", words, tip=reason or tip):
                accept(session, active, finding, all_clips=True)
        tip = f"Look for {finding.rule} no more, in no character of the folder. {file}"
        _beside("Mute rule")
        if widgets.button(session, "mute rule", "Mute rule", tip=reason or tip):
            mute(session, active, finding.rule)


def _beside(label: str) -> None:
    """Place the next button, with this label, beside the last one if there is room."""
    style = imgui.get_style()
    wide = imgui.calc_text_size(label).x + 2.0 * style.frame_padding.x
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + style.item_spacing.x + wide <= right:
        imgui.same_line()


def _where(finding: Finding) -> str:
    """Return the limit and the time of a finding."""
    limit = "" if finding.limit is None else f"limit {finding.limit_text}"
    time = "" if finding.time is None else f"at {finding.time:.3f} s"
    return ", ".join(filter(None, (limit, time)))
