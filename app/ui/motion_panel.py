"""The panel "Motion": every entry of the motion file as a form, with the lines that it writes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from imgui_bundle import imgui

from ..errors import KeyPath, UsageError
from ..model.lookup import find_clip
from ..model.model import Model
from ..motion import edit, new_entries
from ..motion.document import (
    ADDITIVE,
    AIM,
    ANY_SPACE,
    ATTACHMENT,
    CLIP,
    IK,
    PARAMETER,
    PIVOT,
    RETARGET,
    STRAFE,
    Additive,
    ClipSettings,
    LayerSettings,
    MotionDoc,
    Parameter,
    Pivot,
    Reference,
    RetargetSettings,
    StillPose,
)
from ..motion.layer_content import with_base
from ..session.clip_settings import clip_key, even_phases, with_cycles, with_mark
from ..session.session import Session
from ..tomlfile import format
from ..tomlfile.tables import Block, Union
from ..wording import counted
from . import icons, theme, widgets
from .record_form import Form
from .shown_clip import shown_clip


class Table(NamedTuple):
    """A table of the motion file with named entries."""

    name: str  # its key in the file
    label: str
    one: str  # what an entry is
    kind: Block | Union
    without: tuple[str, ...] = ()  # keys that another panel draws


class NewEntry(NamedTuple):
    """An entry of the list "New"."""

    label: str
    help: str
    make: Callable[[Session, Model], None]


@dataclass(slots=True)
class OpenEntry:
    """Which entry has an open form, and its name as typed.

    Attributes
    ----------
    opened
        Table and name.
    typed
        The name, and what is typed in its field.
    mark
        The typed name of a new sync mark.
    """

    opened: tuple[str, str] = ("", "")
    typed: tuple[str, str] = ("", "")
    mark: str = ""


def draw(session: Session) -> None:
    """Draw a list that adds entries, and the tables of the motion file with their entries."""
    model, document = session.model, session.editor.document
    if model is None:
        return
    _new(session, model)
    for table in TABLES:
        entries: Mapping[str, Any] = getattr(document, table.name)
        kind, name = session.interface.of(OpenEntry).opened
        if kind == table.name == "clips" and name and name not in entries:
            entries = {**entries, name: ClipSettings()}  # which gets its first settings
        label = f"{table.label}  {len(entries)}###table {table.name}"
        if entries and widgets.section(session, label, f"table {table.name}"):
            imgui.push_id(table.name)
            for name, entry in entries.items():
                _entry(session, model, table, name, entry)
            imgui.pop_id()
    if document.pivot is not None and widgets.section(session, "Pivot", "table pivot"):
        _pivot(session, model, document.pivot)
    if widgets.section(session, "Retargeting###table retarget", "table retarget", opened=False):
        form = Form(session, model, document)
        changed = form.block("retarget", RETARGET, document.retarget)
        _put(session, replace(document, retarget=changed), "Retargeting", "retarget")
        if changed != RetargetSettings():
            _lines(session, "retarget", written(("retarget",), RETARGET, changed))


def _new(session: Session, model: Model) -> None:
    """Draw the list of entries that can be added."""
    if not widgets.begin_combo(session, "new entry", f"{icons.ADD}  New…", -1.0, widgets.TALL_LIST):
        return
    for new in NEW:
        if widgets.selectable(session, f"new {new.label}", new.label, tip=new.help):
            new.make(session, model)
    imgui.end_combo()


def _entry(session: Session, model: Model, table: Table, name: str, entry: object) -> None:
    """Draw an entry: a row that opens its form."""
    state, place = session.interface.of(OpenEntry), f"{table.name}.{name}"
    opened = state.opened == (table.name, name)
    arrow = icons.OPENED if opened else icons.CLOSED
    room = imgui.get_content_region_avail().x
    shown = f"{arrow}  {widgets.shortened(name, room - 2.0 * widgets.em())}"
    if widgets.selectable(session, f"entry {place}", shown, chosen=opened, tip=name):
        state.opened = ("", "") if opened else (table.name, name)
        state.typed = (name, name)
    if not opened:
        return
    imgui.indent(0.6 * widgets.em())
    if not _name(session, table, name):
        kind = table.kind.of_value(entry) if isinstance(table.kind, Union) else table.kind
        assert isinstance(kind, Block)
        form = Form(session, model, session.editor.document)
        changed = form.block(place, kind, entry, table.without if kind is not STRAFE else ())
        if isinstance(changed, ClipSettings):
            assert isinstance(entry, ClipSettings)
            changed = _clip(session, model, name, entry, changed)
            document = edit.with_clip_settings(session.editor.document, name, changed)
        else:
            document = edit.with_entry(session.editor.document, table.name, name, changed)
        if changed is not entry:
            _put(session, document, f"{table.one.capitalize()} {name}", place)
        _lines(session, place, written((table.name, name), kind, changed))
    imgui.unindent(0.6 * widgets.em())


def _name(session: Session, table: Table, name: str) -> bool:
    """Draw the name of an entry, and a button that removes it; return whether it went."""
    state, document = session.interface.of(OpenEntry), session.editor.document
    small = theme.metrics().icon
    gone = False
    room = imgui.get_content_region_avail().x - small - theme.metrics().gap
    entry = getattr(document, table.name).get(name)
    if isinstance(entry, ClipSettings) and entry.source is None:  # named by the file
        widgets.label("Settings of the clip", theme.palette().quiet)
        imgui.same_line(imgui.get_cursor_start_pos().x + room)
    else:
        typed = widgets.text_field(session, f"name {table.name}", state.typed[1], room, "Name")
        state.typed = (name, typed)
        typed = typed.strip()
        if imgui.is_item_deactivated_after_edit() and typed and typed != name:
            taken = {*getattr(document, table.name)}
            taken |= {*new_entries.play_names(document, session.model)} if session.model else set()
            new = edit.free_name(typed, taken)
            renamed = edit.renamed_entry(document, table.name, name, new)
            if session.editor.edit(renamed, f"Rename {name}"):
                state.opened, state.typed, gone = (table.name, new), (new, new), True
        widgets.beside()
    tip = f"Remove the {table.one} from the motion file"
    if widgets.toggle(session, f"remove {table.name}", icons.REMOVE, False, tip, small):
        removed = edit.without_entry(document, table.name, name)
        gone |= session.editor.edit(removed, f"Remove {name}")
    return gone


def open_clip(session: Session, clip: int) -> None:
    """Show the settings of a clip."""
    if session.model is not None:
        name = clip_key(session.model, session.document, clip)
        state = session.interface.of(OpenEntry)
        state.opened, state.typed = ("clips", name), (name, name)
        session.interface.mixer_panels.tab = "Motion"


def _clip(
    session: Session, model: Model, name: str, before: ClipSettings, now: ClipSettings
) -> ClipSettings:
    """Draw what sets range and sync marks of a clip from the timeline; return its settings."""
    try:
        clip = find_clip(model, name).index
    except UsageError:  # it is being cut out
        return now
    if now.cycles != before.cycles:
        now = with_cycles(replace(now, cycles=before.cycles), now.cycles)
    plays = session.character is not None and session.character.mixer.clip == clip
    active = session.active
    span = None if active is None else active.transport.play_range
    if now.source is None:
        with widgets.Disabled(span is None or not plays):
            tip = "Takes the in and out point of the timeline, while the clip plays"
            pressed = widgets.button(
                session, "range from timeline", "Range of the timeline", tip=tip
            )
        if pressed and span is not None:
            begin, end = (round(max(each, 0.0), 4) for each in span)
            now = replace(now, range=(begin, end))
    state, em = session.interface.of(OpenEntry), widgets.em()
    room = imgui.get_content_region_avail().x - 9.0 * em
    state.mark = widgets.text_field(session, "sync mark name", state.mark, room, "Sync mark")
    imgui.same_line()
    phase, mark = _phase(session, model, clip), state.mark.strip()
    with widgets.Disabled(not mark or mark in now.sync):
        tip = "Adds a mark at the present phase of the clip"
        label = f"{icons.ADD}  Mark at {phase:.2f}"
        if widgets.button(session, "add sync mark", label, -1.0, tip):
            now, state.mark = with_mark(now, mark, even_phases(phase, now.cycles)), ""
    return now


def _phase(session: Session, model: Model, number: int) -> float:
    """Return the present phase of a clip, 0 while it does not play."""
    character = session.character
    if character is None or character.mixer.clip != number:
        clip = model.clips[number]
        seconds = 0.0 if character is None else character.mixer.time_in_clip(clip, session.tau)
        begin, end = min(clip.start, 0.0), clip.end
    else:
        seconds, (begin, end) = session.transport.time, session.transport.span
    return min(max((seconds - begin) / (end - begin), 0.0), 1.0) if end > begin else 0.0


def _pivot(session: Session, model: Model, pivot: Pivot) -> None:
    document = session.editor.document
    changed = Form(session, model, document).block("pivot", PIVOT, pivot)
    _put(session, replace(document, pivot=changed), "Pivot", "pivot")
    _lines(session, "pivot", written(("pivot",), PIVOT, changed))
    if widgets.button(session, "remove pivot", f"{icons.REMOVE}  Remove", -1.0):
        session.editor.edit(replace(document, pivot=None), "Remove the pivot")


def _put(session: Session, document: MotionDoc, label: str, place: str) -> None:
    """Edit the document; the changes of one drag are one undo step."""
    if document != session.editor.document:
        session.editor.edit(document, label, place if imgui.is_any_item_active() else "")
    if not imgui.is_any_item_active():
        session.history.close()


def _lines(session: Session, place: str, text: str) -> None:
    """Draw the lines of an entry as the file has them, and a button that copies them."""
    imgui.spacing()
    with widgets.Colored((imgui.Col_.child_bg, (*theme.palette().ink[:3], 0.06))):
        imgui.begin_child(f"lines {place}", (0.0, 0.0), widgets.BODY)
        with widgets.Colored((imgui.Col_.text, theme.palette().quiet)):
            imgui.text_wrapped(text)
        imgui.end_child()
    if widgets.button(session, f"copy {place}", f"{icons.COPY}  Copy the lines"):
        imgui.set_clipboard_text(text)
        session.notify(f"Copied {counted(len(text.splitlines()), 'line')}")


def written(path: KeyPath, kind: Block | Union, entry: object) -> str:
    """Return an entry as the lines of a motion file."""
    table = kind.plain(entry)
    if path[0] == "parameters":
        return "[parameters]\n" + format.line(format.key(str(path[1])), table)
    return format.block(f"[{format.dotted(path)}]", table)


def _new_parameter(session: Session, _model: Model) -> None:
    document = session.editor.document
    name = edit.free_name("value", document.parameters)
    made = edit.with_entry(document, "parameters", name, Parameter(0.0, (0.0, 1.0)))
    _open(session, made, "parameters", name)


def _new_drive(session: Session, model: Model) -> None:
    """Drive the time of the shown clip by a new parameter."""
    clip = _shown(session, model)
    if clip < 0:
        session.notify("This character has no clip")
        return
    made, _ = new_entries.with_drive(session.editor.document, model, clip)
    _open(session, made, "clips", clip_key(model, made, clip))


def _new_strafe(session: Session, model: Model) -> None:
    if not model.clips:
        session.notify("This character has no clip")
        return
    made, name = new_entries.with_strafe(session.editor.document, model)
    _open(session, made, "spaces", name)


def _new_additive(session: Session, model: Model) -> None:
    """Add the difference of the shown clip in a new layer.

    Without layers it is that from the rest pose, on the rest pose: the clip itself. On layers it is
    that from its first pose.
    """
    clip, document = _shown(session, model), session.editor.document
    if clip < 0:
        session.notify("This character has no clip")
        return
    source = model.clips[clip].name
    name = edit.free_name(f"{source} added", new_entries.play_names(document, model))
    reference = Reference(clip=source, time=0.0) if document.layers else Reference(pose="rest")
    base = document if document.layers else with_base(document, StillPose("rest"))
    made = edit.with_entry(base, "additives", name, Additive(source, reference))
    _open(session, edit.with_layer(made, LayerSettings(name, name)), "additives", name)


def _new_aim(session: Session, model: Model) -> None:
    chosen = session.selected_joint
    joint = chosen if chosen >= 0 else new_entries.find_head(model)
    if joint is None:
        session.notify("Select the joint that is to point at the target")
        return
    made, layer, point = new_entries.with_look_at(_with_base(session, model), model, joint)
    _open(session, made, "aims", _played(made, layer), point)


def _new_ik(session: Session, model: Model) -> None:
    joint, found = session.selected_joint, None
    if joint >= 0:
        found = new_entries.with_reach(_with_base(session, model), model, joint)
    if found is None:
        session.notify("Select the end of a limb, such as a hand or a foot")
        return
    made, layer, point = found
    _open(session, made, "iks", _played(made, layer), point)


def _with_base(session: Session, model: Model) -> MotionDoc:
    """Return the document; without layers with one that plays the shown clip, which goes on."""
    document, clip = session.editor.document, _shown(session, model)
    if document.layers or clip < 0:
        return document
    return with_base(document, model.clips[clip].name)


def _played(document: MotionDoc, layer: str) -> str:
    found = edit.find_layer(document, layer)
    return str(found.play) if found is not None else ""


def _shown(session: Session, model: Model) -> int:
    """Return the clip that is shown, else the first; -1 without clips."""
    shown, names = shown_clip(session), [clip.name for clip in model.clips]
    if shown is not None and shown.name in names:
        return names.index(shown.name)
    return 0 if names else -1


def _open(session: Session, document: MotionDoc, table: str, name: str, handle: str = "") -> None:
    """Edit the document and open the form of a new entry, and the handle of its target."""
    if not session.editor.edit(document, f"New {name}"):
        return
    state = session.interface.of(OpenEntry)
    state.opened, state.typed = (table, name), (name, name)
    if table == "spaces":
        session.interface.mixer_panels.space = name
    if handle:
        session.interface.mixer_panels.handle = handle


def _new_attachment(session: Session, _model: Model) -> None:
    if session.selected is None or session.selected.primitive >= 0:
        session.notify("Select the joint that carries the file first")
    else:
        session.interface.ask("attach")


def _new_pivot(session: Session, _model: Model) -> None:
    document = session.editor.document
    if document.pivot is not None:
        session.notify("The motion has a pivot")
        return
    session.editor.edit(new_entries.with_pivot(document), "New pivot")


TABLES = (
    Table("parameters", "Parameters", "parameter", PARAMETER),
    Table("clips", "Clips", "settings of the clip", CLIP),
    Table("spaces", "Blend spaces", "blend space", ANY_SPACE, ("clips",)),
    Table("additives", "Additives", "additive", ADDITIVE),
    Table("aims", "Aims", "aim", AIM),
    Table("iks", "IK", "IK", IK),
    Table("attachments", "Attachments", "attachment", ATTACHMENT),
)
NEW = (
    NewEntry("Attachment", "A file, such as a prop, on the selected joint", _new_attachment),
    NewEntry("Parameter", "A number that drives spaces, layers and clips", _new_parameter),
    NewEntry("Drive", "A parameter sets the time of the shown clip", _new_drive),
    NewEntry("Strafe space", "Walks in any direction, facing forward", _new_strafe),
    NewEntry("Additive", "The shown clip, added as a difference, with cone limits", _new_additive),
    NewEntry("Aim", "The selected joint, else the head, points at a target", _new_aim),
    NewEntry("IK", "The selected joint reaches a target; two joints above it bend", _new_ik),
    NewEntry("Pivot", "The character turns at the rate of a parameter", _new_pivot),
)
