"""The pop-up "Find a command": what menus, panels, exports, presets, clips and joints offer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from imgui_bundle import imgui

from ..animation.playback import Mode
from ..images.video import ENDINGS
from ..model.lookup import variant_reference
from ..model.model import Model
from ..scene.selected import Selected
from ..scenedoc.look import Lighting, Shading
from ..scenedoc.view_modes import VIEWS
from ..session import played_motion
from ..session.commands.action import Action, Run, found_commands
from ..session.commands.actions import ACTIONS, camera_name
from ..session.export.export_command import possible_kinds
from ..session.export.export_view import ExportView, Kind
from ..session.session import Session
from ..session.stage import PRESETS, Part
from ..session.transport import LOOPS
from . import icons, menu, motion_panel, shortcuts, side_panels, stage_panel, theme, widgets

WIDTH, ROWS = 30.0, 14  # font heights; rows of the list
BESIDES = 4.0  # rows of the pop-up besides the list
_OMITTED = {"close", "commands"}


@dataclass(slots=True)
class CommandSearch:
    """What is searched for, and the chosen row.

    Attributes
    ----------
    offers
        What can be found, since the pop-up was opened.
    found
        Of them what the text finds.
    """

    text: str = ""
    row: int = 0
    offers: tuple[Action, ...] = ()
    found: list[Action] = field(default_factory=list)


def draw(session: Session) -> None:
    """Draw the search field and the list; Enter or a click runs, the arrows choose."""
    search = session.interface.of(CommandSearch)
    opened = imgui.is_window_appearing()
    if opened:
        imgui.set_keyboard_focus_here()
        search.text, search.row, search.offers = "", 0, tuple(offers(session))
    wide = min(WIDTH * widgets.em(), imgui.get_main_viewport().size.x - 4.0 * widgets.em())
    before = search.text
    search.text = widgets.text_field(session, "search commands", before, wide, widgets.SEARCH)
    runs, step = widgets.entered(), widgets.arrow_step()
    if opened or search.text != before:
        search.found = found_commands(search.offers, search.text)
    found = search.found
    search.row = 0 if search.text != before else search.row + step
    search.row = min(max(search.row, 0), max(len(found) - 1, 0))
    row = imgui.get_text_line_height_with_spacing()
    room = imgui.get_main_viewport().size.y - BESIDES * imgui.get_frame_height_with_spacing()
    if imgui.begin_child("commands", (wide, min(ROWS * row, max(room, row)))):
        for number in widgets.in_sight(len(found), row, search.row if step else -1):
            if _command(session, found[number], wide, chosen=number == search.row):
                search.row, runs = number, True
            if step and number == search.row:
                imgui.set_scroll_here_y(0.5)
        if not found:
            widgets.quiet("No matching commands")
    imgui.end_child()
    if runs and found:
        session.interface.popup = ""
        found[search.row].run(session)


def _command(session: Session, each: Action, wide: float, *, chosen: bool) -> bool:
    """Draw an action: its label, group and key; return whether it was clicked."""
    top, em = imgui.get_cursor_screen_pos(), widgets.em()
    label = widgets.shortened(each.label, wide - 14.0 * em)
    pressed = widgets.selectable(session, f"command {each.name}", label, chosen=chosen)
    key = shortcuts.first_key(session, each)
    state = icons.CHECK if each.checked is not None and each.checked(session) else ""
    quiet, right = theme.palette().quiet, top.x + wide - 1.2 * em
    widgets.text_before(right, top.y, key, quiet)
    widgets.text_before(right - 8.0 * em, top.y, each.group, quiet)
    if state:
        place = right - 16.0 * em, top.y
        imgui.get_window_draw_list().add_text(place, theme.packed(quiet), state)
    return pressed


def offers(session: Session) -> Iterator[Action]:
    """Yield all that can be found: the actions, and what panels, lists and dialogs offer now."""
    yield from (each for each in ACTIONS if each.name not in _OMITTED)
    for label in side_panels.labels(session):
        yield _offer("Panels", label, partial(_open_panel, label))
    for loop, mode, passes in LOOPS:
        yield _offer("Playback", f"Loop mode: {loop}", partial(_loop, mode, passes))
    yield from _of_stage()
    yield from _of_settings()
    if session.model is not None:
        for kind, label in possible_kinds(session).items():
            yield _offer("Export", label, partial(_export, kind, ""))
        for ending in ENDINGS:
            label = f"Video of the clip as {ending}"
            yield _offer("Export", label, partial(_export, "video", ending))
        yield from _of_model(session.model)


def _of_stage() -> Iterator[Action]:
    """Yield presets, and choices of the surface and of the light."""
    for mode, view in VIEWS.items():
        run = partial(_look, Shading, "View mode", view_mode=mode, weights=None)
        yield _offer("View modes", view.label, run)
    for name, (label, _) in PRESETS.items():
        yield _offer("Stage", label, partial(_stage, name))
    for mapping, label in stage_panel.TONE_MAPPINGS.items():
        run = partial(_look, Shading, "Tone mapping", tone_mapping=mapping)
        yield _offer("Stage", f"Tone mapping: {label}", run)
    for light, label in stage_panel.LIGHTS.items():
        run = partial(_look, Lighting, "Light", light=light or None, azimuth=None, elevation=None)
        yield _offer("Stage", f"Light: {label}", run)


def _of_settings() -> Iterator[Action]:
    """Yield the values of the settings in the menu."""
    for setting in menu.SETTINGS:
        for value, label in setting.labels.items():
            run = partial(_set, setting.field, value)
            yield _offer("Settings", f"{setting.label}: {label}", run)


def _of_model(model: Model) -> Iterator[Action]:
    """Yield what can be added to the motion, and the clips, joints and variants of a model."""
    for new in motion_panel.NEW:
        yield _offer("Motion", f"New {new.label}", partial(_new, new), new.help)
    for k, clip in enumerate(model.clips):
        yield _offer("Clips", clip.name, partial(_play, k))
    for k in range(len(model.cameras)):
        yield _offer("Cameras", camera_name(model, k), partial(_show_camera, k))
    for k, name in enumerate(model.variants):
        yield _offer("Variants", name, partial(_show_variant, k))
    for k, name in enumerate(model.skeleton.names):
        yield _offer("Joints", name, partial(_select, k))


def _offer(group: str, label: str, run: Run, tip: str = "") -> Action:
    return Action(f"{group} {label}", (), label, run, group=group, tip=tip)


def _open_panel(label: str, session: Session) -> None:
    session.interface.mixer_panels.tab, session.interface.hidden = label, False


def _stage(name: str, session: Session) -> None:
    session.stage.use(name)


def _look(part: type[Part], step: str, session: Session, **fields: Any) -> None:  # noqa: ANN401
    session.change(part, step, **fields)


def _loop(mode: Mode, passes: float, session: Session) -> None:
    session.transport.set_loop(mode, passes)


def _show_camera(number: int, session: Session) -> None:
    session.scene.camera.file_camera = number


def _set(name: str, value: object, session: Session) -> None:
    setattr(session.settings, name, value)


def _export(kind: Kind, ending: str, session: Session) -> None:
    view = session.interface.of(ExportView)
    view.kind = kind
    if ending:
        view.choose(ending)
    session.interface.popup = "export"


def _new(new: motion_panel.NewEntry, session: Session) -> None:
    if session.model is not None:
        new.make(session, session.model)


def _play(clip: int, session: Session) -> None:
    played_motion.start_clip(session.transport, clip)
    session.interface.scroll_to_clip = True


def _show_variant(number: int, session: Session) -> None:
    if session.model is not None:
        session.show(variant=variant_reference(session.model, number))


def _select(joint: int, session: Session) -> None:
    if session.active is not None:
        session.selections.select(session.active, Selected(joint))
