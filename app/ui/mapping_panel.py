"""The tab Mapping: which joint of another file moves which joint of the character."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from ..errors import UsageError
from ..model.lookup import joint_prefix
from ..retargeting.name_affixes import prefix_of
from ..scene.selected import Selected
from ..session.clip_import import add_clips
from ..session.clip_import.mapping_rows import (
    HOW,
    ClipImportView,
    JointRow,
    searched_rows,
    source_joints,
    with_pair,
    without_changes,
)
from ..session.opened_character import OpenedCharacter
from ..session.search import matches
from ..session.session import Session
from . import theme, widgets

if TYPE_CHECKING:
    from ..loading.import_clips import ImportedFile

NONE = "none: rest pose"
_NAME = 0.42  # part of a row: the name of the joint
_REMARKED = widgets.TALL_LIST | int(imgui.ComboFlags_.no_arrow_button)


def listed(session: Session) -> bool:
    """Return whether the active character has clips of other files."""
    return session.active is not None and bool(session.active.imports)


def draw(session: Session) -> None:
    """Draw the file, how many joints match, and a row for each joint with its source joint."""
    own = session.active
    if own is None or not own.imports:
        widgets.quiet("Drop a file with clips here")
        return
    view = session.interface.of(ClipImportView)
    view.file = min(max(view.file, 0), len(own.imports) - 1)
    if len(own.imports) > 1:
        names = {k: Path(each.file).name for k, each in enumerate(own.imports)}
        view.file = widgets.choice(session, "mapping file", names, view.file)
    imported = own.imports[view.file]
    _summary(session, own, imported)
    _buttons(session, own, imported)
    view.filter, _, _ = widgets.search_field(session, "search mapping", view.filter)
    only = view.only_unmatched
    view.only_unmatched = widgets.checkbox(session, "only unmatched", "Only unmatched", only)
    _rows(session, own, imported)
    _extra(session, own, imported)


def _summary(session: Session, own: OpenedCharacter, imported: "ImportedFile") -> None:
    """Draw the name of the file, and the numbers of joints."""
    room = imgui.get_content_region_avail().x
    if len(own.imports) == 1:
        imgui.text(widgets.shortened(Path(imported.file).name, room))
        widgets.hint(imported.file)
    if own.clip_import is not None:
        accent = theme.palette().accent
        widgets.text(session, "mapping count", "Importing the clips…", accent)
    else:
        words = f"{len(imported.matched)} of {imported.total} joints matched"
        widgets.text(session, "mapping count", words)
    rest, extra = len(imported.unmatched), len(imported.extra)
    widgets.quiet(f"{rest} at rest, {extra} of the source unused")
    if imported.verbatim:
        widgets.quiet("Equal skeletons: tracks are copied")


def _buttons(session: Session, own: OpenedCharacter, imported: "ImportedFile") -> None:
    """Draw the buttons that reset the mapping and remove the clips."""
    number = session.interface.of(ClipImportView).file
    in_document = number < len(own.document.anims.files)
    changed = without_changes(own.document, imported)
    tip = "Match all joints by name again; patterns of the motion file stay"
    with widgets.Disabled(changed == own.document):
        if widgets.button(session, "reset mapping", "Reset", tip=tip):
            add_clips.edit_mapping(own, changed, "")
    imgui.same_line()
    tip = "Remove the clips of this file from the character"
    if not in_document:
        tip = "These clips were given by --anims"
    with widgets.Disabled(not in_document):
        if widgets.button(session, "remove clips", "Remove the clips", tip=tip):
            add_clips.remove_file(own, number)


def _rows(session: Session, own: OpenedCharacter, imported: "ImportedFile") -> None:
    """Draw the joints of the character; of a long list only the rows in sight."""
    view = session.interface.of(ClipImportView)
    rows = searched_rows(imported, own.model.skeleton, view.filter, view.only_unmatched)
    if not rows:
        widgets.quiet("No matching joints" if imported.total else "No joints")
        return
    sources, prefix = source_joints(imported), joint_prefix(own.model)
    for number in widgets.in_sight(len(rows)):
        _row(session, own, imported, rows[number], sources, prefix)


def _row(
    session: Session,
    own: OpenedCharacter,
    imported: "ImportedFile",
    row: JointRow,
    sources: tuple[str, ...],
    prefix: str,
) -> None:
    """Draw a joint: its name, and the drop-down of source joints with how it was found.

    Both are without the prefix of their file's joints; `prefix` is that of the character.
    """
    imgui.begin_group()
    room, palette = imgui.get_content_region_avail().x, theme.palette()
    left = imgui.get_cursor_pos_x()
    joint = own.model.skeleton.find(row.target)
    marked = joint == session.selected_joint
    color = palette.accent if marked else palette.text if row.source else palette.warning
    name = row.target.removeprefix(prefix)
    widgets.label(widgets.shortened(name, _NAME * room - 0.5 * widgets.em()), color)
    widgets.mark(session, f"mapping {row.target}", f"{row.target}: click to select it")
    if imgui.is_item_clicked():
        session.selections.select(own, Selected(joint))
    imgui.same_line(left + _NAME * room)
    shown = row.source or NONE
    how = f"{shown}: {HOW[row.kind]}" if row.kind else ""
    theirs = prefix_of(sources)
    picked = _partner(session, row.target, shown, sources, theirs, NONE, row.kind, how)
    imgui.end_group()
    if picked is not None and picked != row.source:
        _set(session, own, imported, (row.target, picked))


def _partner(
    session: Session,
    name: str,
    shown: str,
    joints: Sequence[str],
    prefix: str,
    none: str,
    remark: str = "",
    tip: str = "",
) -> str | None:
    """Draw a drop-down of joints; return the one chosen in this frame, "" for none, else None.

    Parameters
    ----------
    prefix
        Of the joints; it is not shown.
    none
        Label of the entry for no joint; "": there is no such entry.
    remark
        Drawn in place of the arrow.
    tip
        Tooltip while the list is closed.
    """
    key, wide = f"partner {name}", imgui.get_content_region_avail().x
    padding = imgui.get_style().frame_padding
    taken = imgui.calc_text_size(remark).x + padding.x if remark else imgui.get_frame_height()
    text = widgets.shortened(shown.removeprefix(prefix), wide - taken - 2.0 * padding.x)
    flags = _REMARKED if remark else widgets.TALL_LIST
    opened = widgets.begin_searched_list(session, key, text, wide, flags)
    if opened is None:
        widgets.hint(tip)
        if remark:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            place = (high.x - taken, low.y + padding.y)
            quiet = theme.packed(theme.palette().quiet)
            imgui.get_window_draw_list().add_text(place, quiet, remark)
        return None
    picked, offered = None, none and not opened.text.strip()
    if offered and widgets.selectable(session, f"{key} none", none, chosen=shown == none):
        picked = ""
    for joint in joints:
        name = joint.removeprefix(prefix)
        if opened.entry(f"{key} {joint}", joint, name, chosen=joint == shown):
            picked = joint
    imgui.end_combo()
    return picked


def _extra(session: Session, own: OpenedCharacter, imported: "ImportedFile") -> None:
    """Draw the joints of the source that move nothing, with drop-downs of the target joints."""
    if not imported.extra:
        return
    label = f"Unused source joints ({len(imported.extra)})###extra joints"
    if not widgets.section(session, label, "extra joints", opened=False):
        return
    found = matches(session.interface.of(ClipImportView).filter)
    targets = (*imported.unmatched, *(target for _, target in imported.matched))
    ours, theirs = joint_prefix(own.model), prefix_of(source_joints(imported))
    for source in imported.extra:
        if not found(source):
            continue
        name = source.removeprefix(theirs)
        imgui.text(widgets.shortened(name, imgui.get_content_region_avail().x))
        widgets.hint(source)
        target = _partner(session, source, "moves nothing", targets, ours, "")
        if target:
            _set(session, own, imported, (target, source))


def _set(
    session: Session, own: OpenedCharacter, imported: "ImportedFile", pair: tuple[str, str]
) -> None:
    """Map a target joint to a source joint, "" for none."""
    try:
        document = with_pair(own.document, imported, *pair)
    except UsageError as error:
        session.notify(error.message)
        return
    add_clips.edit_mapping(own, document, pair[0])
