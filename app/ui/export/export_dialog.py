"""The pop-up "Export": what is written, its size, times, format, background and name."""

from collections.abc import Mapping

from imgui_bundle import imgui
from imgui_bundle.imgui import FLT_MAX

from ...images.stills import LINEAR, OPAQUE
from ...images.video import FASTEST
from ...options.table import options_by_name
from ...session.export.animation_export import (
    PREVIEW,
    AnimationExport,
    Keys,
    What,
    chosen_clips,
    end_preview,
    has_mix,
    mix_name,
    own_clips,
    summary,
)
from ...session.export.export_command import (
    existing,
    export_path,
    is_open_file,
    missing_folder,
    open_dialog,
    possible_kinds,
    proposed_name,
    type_name,
    update_preview,
    with_ending,
)
from ...session.export.export_view import (
    CELLS,
    FORMATS,
    SIZES,
    STILLS,
    Background,
    ExportView,
    Repeat,
)
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from ...wording import capitalized, joined
from .. import icons, theme, widgets
from ..widgets import Value

WIDTH, LABELS = 32.0, 7.5  # font heights: of the dialog, and of the labels at its left
ROWS, BESIDES = 8, 5  # rows of fields that may scroll, and of what stays
ROWS_OF_CLIPS, BESIDES_CLIPS = 16, 6  # of animations
BACKGROUNDS: dict[Background, str] = {
    "view": "As in the view",
    "transparent": "Transparent",
    "colour": "Colour",
}
REPEATS: dict[Repeat, str] = {"loop": "Loop", "pingpong": "Ping-pong", "once": "Once"}
MOST_PASSES = 999
DECADES = -2.0, 2.0  # of the tolerance, around the usual one
CLIPS_SHOWN = 6  # others are scrolled to
_QUANTIZES = "Half the size; rotations of clips that would exceed the tolerance keep 32 bits"
_OPAQUE = {".mp4": "the background is black", **dict.fromkeys(OPAQUE, "it is dark grey")}
_FRAMES_ALL = "The camera looks from the same direction and shows the whole motion"


def draw(session: Session) -> None:
    """Draw the fields, what is wrong with them, and the buttons."""
    if imgui.is_window_appearing():
        open_dialog(session)
    view, kinds = session.interface.of(ExportView), possible_kinds(session)
    if not kinds:
        widgets.quiet("No file is open")
        _buttons(session, "No file is open", replaces=False)
        return
    if view.kind not in kinds:
        view.kind = next(iter(kinds))
    view.kind = _choice(session, "Export", "kind", kinds, view.kind)
    _fields(session, view)
    problem = _problem(session, view)
    found = existing(session)
    _note(session, view, problem, exists=found is not None)
    _buttons(session, problem, replaces=found is not None)


def _fields(session: Session, view: ExportView) -> None:
    """Draw the fields of what is exported; in a low window they scroll above the buttons."""
    row, style = imgui.get_frame_height_with_spacing(), imgui.get_style()
    made = view.kind == "animation"
    rows, besides = (ROWS_OF_CLIPS, BESIDES_CLIPS) if made else (ROWS, BESIDES)
    room = imgui.get_main_viewport().size.y - besides * row - 2.0 * style.window_padding.y
    scrolls = room < rows * row
    width = _width() + (style.scrollbar_size if scrolls else 0.0)
    imgui.set_next_window_size_constraints((0.0, 0.0), (FLT_MAX, max(room, 2.0 * row)))
    imgui.begin_child("fields", (width, 0.0), widgets.BODY)
    if view.kind == "animation":
        _animation(session, view)
    else:
        _picture(session, view)
    _name(session, view)
    imgui.end_child()


def _picture(session: Session, view: ExportView) -> None:
    """Draw the fields of a picture or a video."""
    if view.kind != "page":
        _size(session, view)
    if view.is_moving:
        _times(session, view)
    if len(FORMATS[view.kind]) > 1:
        _format(session, view)
    _background(session, view)
    if not view.has_all_clips:
        _label("Camera")
        name, label = "export framed", "Frame the whole motion"
        view.framed = widgets.checkbox(session, name, label, view.framed, _FRAMES_ALL)


def _animation(session: Session, view: ExportView) -> None:
    """Draw which clips are written, with which keys, and what that changes."""
    made, active = session.interface.of(AnimationExport), session.active
    assert active is not None  # `possible_kinds`
    made.begin(active)
    playing = active.character.clip
    whats: dict[What, str] = {}
    if has_mix(active):
        whats["mix"] = f"What plays, as a new clip: {mix_name(active)}"
    if playing >= 0:
        whats["clip"] = f"This clip: {active.model.clips[playing].name}"
    whats["chosen"] = "Several clips"
    if made.what not in whats:
        made.what = next(iter(whats))
    made.what = _choice(session, "Clips", "what", whats, made.what)
    if made.what == "chosen":
        _ticks(session, made, active)
    _keys(session, view, made)
    _label("Rotations")
    made.quantizes = widgets.checkbox(
        session, "export quantize", "16 bits in place of 32", made.quantizes, _QUANTIZES
    )
    update_preview(session)
    _figures(session, made)


def _keys(session: Session, view: ExportView, made: AnimationExport) -> None:
    """Draw which keys are written, with their tolerance or their rate."""
    even = "At a fixed rate" if made.what != "mix" else "All of the rate"
    keys: dict[Keys, str] = {"reduce": "As few as the tolerance allows", "resample": even}
    if made.what != "mix":
        keys["keep"] = "All that there are"
    if made.keys not in keys:
        made.keys = "resample"
    made.keys = _choice(session, "Keys", "keys", keys, made.keys)
    if made.keys == "reduce":
        tip = "Greatest distance on the surface from the clip; in the middle 6/100000 of the height"
        words, width = ("", f"{made.millimetres:g} mm"), _label("Tolerance")
        decades = made.decades
        given = widgets.slider(session, "export tolerance", words, decades, DECADES, width, tip=tip)
        if given != decades:
            made.decades = min(max(given, DECADES[0]), DECADES[1])
    if made.keys == "resample" or made.what == "mix":
        width = 0.3 * _label("Rate")
        view.frame_rate = _text(session, view, "frame rate", view.frame_rate, width, "fps")
        imgui.same_line()
        widgets.quiet("keys per second")
    if made.keys == "resample":
        _label("")
        made.leaves_out_end = widgets.checkbox(
            session,
            "export loop",
            "Leave out the last key, which closes a loop",
            made.leaves_out_end,
            "N keys for N frames; glTF players show N + 1",
        )


def _ticks(session: Session, made: AnimationExport, active: OpenedCharacter) -> None:
    """Draw a box for each clip; those of other files are marked."""
    names, own = active.model.clips.names, own_clips(active)
    width = _label("")
    high = min(len(names), CLIPS_SHOWN) * imgui.get_frame_height_with_spacing()
    imgui.begin_child("clips", (width, high))
    for clip, name in enumerate(names):
        label = name if clip < own else f"{name}  (imported)"
        ticked = widgets.checkbox(session, f"export clip {clip}", label, clip in made.chosen)
        made.chosen = made.chosen | {clip} if ticked else made.chosen - {clip}
    imgui.end_child()


def _figures(session: Session, made: AnimationExport) -> None:
    """Draw errors and sizes of what would be written; grey while newer ones are computed."""
    found, old = made.figures, session.jobs.is_running(PREVIEW)
    lines = [("Error", made.problem or "…"), ("Size", ""), ("", "")]
    if found is not None:
        before, after = found.bytes
        error = f"{found.metres * 1000:.2g} mm on the surface, {found.degrees:.2g}°"
        share = 100 * after / max(before, 1)
        size = f"{before / 1000:,.1f} kB to {after / 1000:,.1f} kB ({share:.0f} %), "
        size += f"{found.keys[0]:,} keys to {found.keys[1]:,}"
        rest = "; ".join(found.rest)
        lines = [("Error", error), ("Size", size), ("", rest)]
    for label, words in lines:
        room = _label(label)
        shown = widgets.shortened(words, room)
        if old or not label:
            widgets.quiet(shown)
        else:
            imgui.text(shown)
        widgets.hint(words if shown != words else "")
    widgets.mark(session, "export figures")


def _width() -> float:
    """Return the width of labels and fields, points."""
    em = widgets.em()
    return min(WIDTH * em, imgui.get_main_viewport().size.x - 4.0 * em)


def _label(text: str) -> float:
    """Draw the label of a row and go to its field; return the width of the field, points."""
    em = widgets.em()
    left = imgui.get_cursor_pos_x()
    widgets.label(text, theme.palette().quiet)
    imgui.same_line(left + LABELS * em)
    return max(_width() - LABELS * em, 4.0 * em)


def _choice(
    session: Session,
    label: str,
    name: str,
    options: Mapping[Value, str],
    chosen: Value,
    share: float = 1.0,
) -> Value:
    """Draw a row with a drop-down list over a share of its width; return the chosen value."""
    width = _label(label) * share
    return widgets.choice(session, f"export {name}", options, chosen, "", width)


def _text(
    session: Session, view: ExportView, name: str, text: str, width: float, option: str
) -> str:
    """Draw the text field of an option; return its text."""
    tip = capitalized(options_by_name(view.command)[option].help_for(view.command))
    return widgets.text_field(session, f"export {name}", text, width, tip=tip)


def _size(session: Session, view: ExportView) -> None:
    """Draw the size of a picture, or of a cell of a sheet."""
    sheet = view.kind == "sheet"
    sizes = {} if sheet else {"view": "As in the view"}
    sizes |= {size: size.replace("x", " × ") for size in (CELLS if sheet else SIZES)}
    sizes["custom"] = "Other"
    chosen = view.cell if sheet else view.size
    custom = chosen == "custom"
    label = "Size of a cell" if sheet else "Size"
    chosen = _choice(session, label, "size", sizes, chosen, 0.55 if custom else 1.0)
    if sheet:
        view.cell = chosen
    else:
        view.size = chosen
    if custom:
        imgui.same_line()
        view.custom = _text(session, view, "custom size", view.custom, _rest(), "resolution")


def _rest() -> float:
    """Return the width from the cursor to the right end of the fields, points."""
    return _width() + imgui.get_cursor_start_pos().x - imgui.get_cursor_pos_x()


def _times(session: Session, view: ExportView) -> None:
    """Draw frame rate, and how often a clip plays or how long a turn takes."""
    width = 0.3 * _label("Frame rate")
    view.frame_rate = _text(session, view, "frame rate", view.frame_rate, width, "frame-rate")
    imgui.same_line()
    most = FASTEST.get(view.ending)
    limit = f", at most {most:g} in {view.ending}" if view.ending == ".gif" else ""
    widgets.quiet(f"per second{limit}")
    if view.kind == "turntable":
        width = 0.3 * _label("One turn")
        view.seconds = _text(session, view, "seconds", view.seconds, width, "seconds")
        imgui.same_line()
        widgets.quiet("seconds")
    character = session.transport.playable
    if view.kind == "video" and character is not None and not character.mixer.layered:
        _repeats(session, view)


def _repeats(session: Session, view: ExportView) -> None:
    once = view.repeat == "once"
    view.repeat = _choice(session, "Plays", "repeat", REPEATS, view.repeat, 1.0 if once else 0.55)
    if once:
        return
    imgui.same_line()
    words = "time" if view.passes == 1 else "times"
    em = widgets.em()
    width = min(7.0 * em, _rest() - 3.5 * em)
    imgui.set_next_item_width(width)
    step = 1 if width > 5.5 * em else 0  # no buttons where only the number has room
    changed, passes = imgui.input_int(f"{words}###passes", view.passes, step)
    widgets.mark(session, "export passes")
    if changed:
        view.passes = min(max(passes, 1), MOST_PASSES)


def _format(session: Session, view: ExportView) -> None:
    formats = {ending: ending[1:] for ending in FORMATS[view.kind]}
    for ending in STILLS if view.is_moving else ():
        formats[ending] = f"{ending[1:].upper()} sequence"
    view.choose(_choice(session, "Format", "format", formats, view.ending))


def _background(session: Session, view: ExportView) -> None:
    colour = view.background == "colour"
    share = 0.55 if colour else 1.0
    chosen = _choice(session, "Background", "background", BACKGROUNDS, view.background, share)
    view.background = chosen
    if colour:
        imgui.same_line()
        view.colour = _text(session, view, "colour", view.colour, _rest(), "background")


def _name(session: Session, view: ExportView) -> None:
    """Draw the field of the file name; its tooltip is the whole path."""
    shown = with_ending(view, view.name) if view.name.strip() else proposed_name(session)
    typed = widgets.text_field(session, "export name", shown, _label("File"))
    if typed != shown:
        type_name(view, typed)
    widgets.hint(str(export_path(session)))


def _problem(session: Session, view: ExportView) -> str:
    """Return what is wrong with a field; empty if nothing is."""
    made, active = session.interface.of(AnimationExport), session.active
    picks = view.kind == "animation" and active is not None and made.what != "mix"
    if picks and active is not None and not chosen_clips(made, active):
        return "No clip is chosen"
    try:
        view.values()
    except ValueError as error:
        return capitalized(str(error))
    folder = missing_folder(session)
    return "" if folder is None else f"Folder {folder} does not exist"


def _note(session: Session, view: ExportView, problem: str, *, exists: bool) -> None:
    """Draw what is wrong, or what is to be known, in a line that is always there."""
    made = session.interface.of(AnimationExport)
    _label("")
    if problem:
        shown = widgets.shortened(f"{icons.WARNING}  {problem}", _rest())
        imgui.text_colored(theme.palette().warning, shown)
        widgets.hint(problem)
    elif view.running:
        widgets.quiet("An export is running")
    elif view.kind == "animation" and session.active is not None:
        path = export_path(session)
        verb = "Replaces" if exists else "Writes"
        verb += " the open" if is_open_file(session, path) else ""
        widgets.wrapped(summary(made, session.active, f"{verb} {path.name}"), _rest())
    elif exists:
        widgets.quiet("This file exists")
    elif edited := [each for each in session.open_characters if not each.changes.in_file]:
        words = (
            f"Without {joined([each.changes.words for each in edited])}: edits that are not in it"
        )
        widgets.quiet(widgets.shortened(words, _rest()))
        widgets.hint(words)
    elif view.background == "transparent" and view.ending in _OPAQUE:
        widgets.quiet(f"{view.ending[1:]} has no transparency: {_OPAQUE[view.ending]}")
    elif view.ending == LINEAR:
        widgets.quiet("Linear light before tone mapping")
    else:
        widgets.quiet(widgets.shortened(f"in {export_path(session).parent}", _rest()))
    widgets.mark(session, "export note")


def _buttons(session: Session, problem: str, *, replaces: bool) -> None:
    """Draw the buttons that export, copy the command, and close."""
    interface, em = session.interface, widgets.em()
    imgui.spacing()
    with widgets.Disabled(bool(problem or interface.of(ExportView).running)):
        words = "Replace" if replaces else "Export"
        starts = widgets.button(session, "start export", words, 7.0 * em)
    imgui.same_line()
    with widgets.Disabled(bool(problem)):
        tip = "The command that writes the same file"
        copies = widgets.button(session, "copy export", "Copy as command", tip=tip)
    imgui.same_line()
    closes = widgets.button(session, "close export", "Close", 6.0 * em)
    if starts:
        session.interface.ask("export")
    if copies:
        session.interface.ask("copy export")
    if starts or closes:
        interface.popup = ""
        end_preview(session)
