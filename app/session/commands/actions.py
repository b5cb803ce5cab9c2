"""The table of actions: menus, keyboard shortcuts and the help page are made from it."""

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ...errors import AppError
from ...model.model import Model
from ...motion.single_clip import layers_of_all_clips
from ...scenedoc.look import Overlays, Shading
from ...scenedoc.shown import Show
from ...scenedoc.view_modes import VIEWS
from .. import character_files, motion_saving, played_motion, posing
from ..clip_settings import with_cut_clip
from ..curve_keys import delete_key
from ..file_wall import FileWall, next_file, show_wall, toggle_wall
from ..session import Session
from ..settings import Mouse
from ..transport import Transport
from ..ui_state import Popup, Request
from ..undo_history import Step
from . import keys_file
from .action import Action, Check, Run
from .keys_file import UserKeys

POSES: dict[Show, str] = {"clip": "Clip", "rest": "Rest pose", "bind": "Bind pose"}
SKINS = 3  # onion skins before, and as many after the present pose
GROUPS = ("File", "Edit", "Playback", "Characters", "Camera", "View", "Help")
_ANY_MOUSE = (
    ("Double click", "Set the orbit pivot"),
    ("Click", "Select a joint or a part of a mesh"),
    ("Click again", "Select what is behind it"),
    ("View cube", "Click: show that side, drag: orbit"),
    ("Drop files", "Open them, or add their clips"),
    ("Shift+drop", "Add them to the scene"),
)
# for the help page; rigview.ui.mouse_navigation does it
MOUSE_HELP: dict[Mouse, tuple[tuple[str, str], ...]] = {
    "rigview": (
        ("Drag", "Orbit"),
        ("Middle drag, Shift+drag", "Pan"),
        ("Wheel, right drag", "Zoom"),
        ("Alt+left, middle, right", "Orbit, pan, zoom, as in Maya"),
        *_ANY_MOUSE,
    ),
    "blender": (
        ("Middle drag, Alt+drag", "Orbit"),
        ("With Shift", "Pan"),
        ("Wheel, with Ctrl", "Zoom"),
        *_ANY_MOUSE,
    ),
}


def _view_from(side: str) -> Callable[[Session], None]:
    """Return an action that shows a side of the active character."""

    def run(session: Session) -> None:
        camera = session.scene.camera
        camera.file_camera = -1
        camera.view_from(side)

    return run


def _frame_character(session: Session) -> None:
    """Frame the bounds of all visible characters over their whole clips."""
    session.scene.camera.file_camera = -1
    session.scene.frame(session.aspect)


def _frame_active(session: Session) -> None:
    """Frame the active character over its whole clip."""
    session.scene.camera.file_camera = -1
    session.scene.frame(session.aspect, session.active)


def frame_selected(session: Session) -> None:
    """Frame what is selected."""
    session.scene.selected = session.selected
    if not session.scene.frame_selected(session.aspect):
        session.notify("Nothing is selected")


def _follow_selected(session: Session) -> None:
    """Toggle whether the camera follows what is selected."""
    camera = session.scene.camera
    camera.follow_selected = not camera.follow_selected
    if camera.follow_selected and session.selected is None:
        session.notify("The camera follows what is selected next")


def _orthographic(session: Session) -> None:
    """Toggle the orthographic projection of the orbit camera."""
    camera = session.scene.camera
    camera.use_orbit()
    camera.orbit.ortho = not camera.orbit.ortho


def _next_camera(session: Session) -> None:
    """Use the next camera of the file, after the last one the orbit camera."""
    model, camera = session.model, session.scene.camera
    if model is None or not model.cameras:
        session.notify("This file has no cameras")
        return
    after = camera.file_camera + 1
    camera.file_camera = after if after < len(model.cameras) else -1
    session.notify("Orbit" if camera.file_camera < 0 else camera_name(model, camera.file_camera))


def camera_name(model: Model, number: int) -> str:
    """Return a camera's name; with its joint's name if the camera's is not unique."""
    camera = model.cameras[number]
    alike = sum(each.name == camera.name for each in model.cameras)
    return f"{camera.name} on {model.skeleton.names[camera.joint]}" if alike > 1 else camera.name


def _request(request: Request) -> Run:
    return lambda session: session.interface.ask(request)


def _toggle(part: type[Overlays] | type[Shading], switch: str, label: str) -> tuple[Run, Check]:
    """Return functions that toggle and read a switch of the look."""

    def is_on(session: Session) -> bool:
        look = session.scene.look
        return look.grid if switch == "grid" else getattr(look.part(part), switch)

    def flip(session: Session) -> None:
        session.change(part, label, "", **{switch: not is_on(session)})

    return flip, is_on


def _flip(path: str, *, panel: bool = False) -> tuple[Run, Check]:
    """Return functions that toggle and read what a path of attributes of the session leads to.

    A panel that is shown ends hiding of panels.
    """
    owner, _, name = path.rpartition(".")
    is_on = attrgetter(path)

    def flip(session: Session) -> None:
        setattr(attrgetter(owner)(session) if owner else session, name, not is_on(session))
        if panel and is_on(session):
            session.interface.hidden = False

    return flip, is_on


def _popup(name: Popup) -> Run:
    """Return an action that opens a pop-up, which prepares itself when it appears."""
    return lambda session: setattr(session.interface, "popup", name)


def _reload(session: Session) -> None:
    if session.interface.of(FileWall).shown:
        show_wall(session)
        return
    character_files.reload(session)
    read_keys(session)


def _next_file(step: int) -> Run:
    return lambda session: next_file(session, step)


def read_keys(session: Session) -> None:
    """Read the keys file; an error pop-up lists what is wrong in it."""
    session.interface.of(UserKeys).bindings, wrong = keys_file.load(ACTIONS)
    if wrong:
        session.fail(AppError("\n".join(wrong)), "The keys file has errors")


def keys_of(session: Session, each: Action) -> tuple[str, ...]:
    """Return the keys of an action, as the user has set them."""
    return session.interface.of(UserKeys).bindings.of(each.name, each.keys)


def _help(session: Session) -> None:
    session.interface.popup = "" if session.interface.popup == "help" else "help"


def _close(session: Session) -> None:
    """Close what is open over the scene; if nothing is, go back to the wall that was shown."""
    interface = session.interface
    rests = not (interface.popup or interface.start.shown or interface.keyboard_navigation)
    if rests and not interface.typing and interface.of(FileWall).folder is not None:
        toggle_wall(session)
    session.interface.popup = ""
    session.interface.start.shown = False
    session.interface.notice = ""
    session.interface.keyboard_navigation = False


def _go_to_frame(session: Session) -> None:
    if session.transport.playable is not None:
        session.interface.frame = session.transport.frame
        session.interface.popup = "go to frame"


def _mixer(session: Session) -> None:
    mixer = session.interface.mixer_panels
    mixer.shown = not mixer.shown
    session.interface.scroll_to_character = True
    if mixer.shown:
        session.interface.hidden = False
        if session.editor.has_layers and not session.editor.shown:
            session.editor.show()


def _cut_range(session: Session) -> None:
    """Make a clip of the range between the in and the out point."""
    span, model, character = session.transport.chosen_range, session.model, session.character
    if span is None or model is None or character is None or character.mixer.layered:
        session.notify("Mark a range of a single clip first: Ctrl+[ starts it, Ctrl+] ends it")
        return
    document, name = with_cut_clip(model, session.document, character.clip, span)
    if session.editor.edit(document, f"Cut {name}"):
        session.notify(f"Made the clip {name}; its settings have name and range")


def undo(session: Session) -> None:
    """Undo the last edit."""
    session.editor.end_drag()
    step = session.history.undo()
    _show_step(session, step, None if step is None else step.before, "Undo")


def redo(session: Session) -> None:
    """Repeat the edit that was undone last."""
    session.editor.end_drag()
    step = session.history.redo()
    _show_step(session, step, None if step is None else step.after, "Redo")


def _show_step(session: Session, step: Step | None, value: Any, word: str) -> None:  # noqa: ANN401
    """Show a value of the subject of a step; a character that it belongs to becomes active."""
    if step is None:
        session.notify(f"Nothing to {word.lower()}")
        return
    words = f"{word}: {step.label}"
    of = next(
        (each for each in session.open_characters if step.subject in (each, *each.editors)), None
    )
    if of is not None and of is not session.active:
        session.activate(of)
        words = f"{words} ({of.name})"
    if step.show(value) is not False:
        session.notify(words)


def _back(session: Session) -> None:
    if not session.selections.back():
        session.notify("There is no earlier selection")


def _forward(session: Session) -> None:
    if not session.selections.forward():
        session.notify("There is no later selection")


def _save(session: Session) -> None:
    if session.active is not None:
        motion_saving.save(session, session.active)


def _save_as(session: Session) -> None:
    if session.active is not None:
        motion_saving.save_as(session, session.active)


def _save_edits(session: Session) -> None:
    """Ask for the name of a .glb with the edits of the active character's model."""
    if session.active is not None and session.active.changes.words:
        motion_saving.save_edits_as(session, session.active)
    else:
        session.notify("No key, weight or material is edited")


def _navigate_by_keyboard(session: Session) -> None:
    session.interface.keyboard_navigation = True
    session.interface.hidden = False


def _next_character(step: int) -> Run:
    return lambda session: session.next_character(step)


def same_size(session: Session) -> None:
    """Toggle scaling all characters to the height of the first, and frame them."""
    scene = session.scene
    scene.instances.same_size = not scene.instances.same_size
    scene.frame(session.aspect)


def _weights(session: Session) -> None:
    scene, active = session.scene, session.active
    shows = active is not None and scene.weights_joint < 0
    scene.show_weights(active.weights_joint() if active is not None and shows else -1)
    if active is not None and active.joint < 0:
        session.notify("This file has no skinned mesh")


def _weights_on(session: Session) -> bool:
    return session.scene.weights_joint >= 0


def _onion_skins(session: Session) -> None:
    """Show some skeletons before and after the present one, or none."""
    session.change(Overlays, onion_skins=0 if _onion_skins_on(session) else SKINS)


def _onion_skins_on(session: Session) -> bool:
    return session.scene.look.overlays.onion_skins > 0


def _reset_view(session: Session) -> None:
    """Show the present pose again, lit and without overlays, and the panels; the camera stays."""
    session.stage.set(
        replace(session.scene.look, overlays=Overlays(), shading=Shading()), "Reset view"
    )
    session.interface.hidden = False
    if session.character is not None:
        session.character.show = "clip"


def _next_pose(session: Session) -> None:
    character = session.character
    if character is not None:
        order: tuple[Show, ...] = ("clip", "rest", "bind")
        if not character.model.skins:
            order = order[:2]
        after = (order.index(character.show) + 1) % len(order) if character.show in order else 0
        character.show = order[after]
        session.notify(POSES[character.show])


def _next_view(step: int) -> Run:
    """Return an action that shows the view mode `step` further and turns joint weights off."""

    def run(session: Session) -> None:
        names = list(VIEWS)
        now = names.index(session.scene.look.shading.view_mode)
        session.change(Shading, view_mode=names[(now + step) % len(names)], weights=None)

    return run


def _control(do: Callable[..., None], *given: float, **named: bool) -> Run:
    """Return an action that calls a method of the transport."""
    return lambda session: do(session.transport, *given, **named)


def _next_clip(step: int) -> Run:
    def run(session: Session) -> None:
        played_motion.next_clip(session.transport, step)
        session.interface.scroll_to_clip = True

    return run


def _all_clips(session: Session) -> None:
    """Play all clips of the active character at once, each in a layer."""
    model = session.model
    if model is None or not model.clips:
        session.notify("This file has no clips")
        return
    layers = layers_of_all_clips(model)
    if session.editor.edit(replace(session.document, layers=layers, at=()), "All clips at once"):
        session.interface.mixer_panels.shown = True


def _group(name: str, *actions: Action) -> tuple[Action, ...]:
    """Return actions as those of a group."""
    return tuple(replace(each, group=name) for each in actions)


def _switch(
    name: str,
    keys: tuple[str, ...],
    label: str,
    switch: str,
    part: type[Overlays] | type[Shading] = Overlays,
) -> Action:
    run, checked = _toggle(part, switch, label)
    return Action(name, keys, label, run, checked)


ACTIONS: tuple[Action, ...] = (
    *_group(
        "File",
        Action("open", ("Ctrl+O",), "Open…", _request("open")),
        Action("add", ("Ctrl+Shift+O",), "Add a character…", _request("add")),
        Action("add clips", (), "Add clips of a file…", _request("add clips")),
        Action("attach", (), "Attach a file to a joint…", _request("attach")),
        Action("wall", ("Ctrl+B",), "Files of the folder", toggle_wall),
        Action("next file", ("Ctrl+PageDown",), "Next file of the folder", _next_file(1)),
        Action("previous file", ("Ctrl+PageUp",), "Previous file of the folder", _next_file(-1)),
        Action("reload", ("Ctrl+R",), "Reload", _reload),
        Action("save", ("Ctrl+S",), "Save the motion file", _save),
        Action("save as", ("Ctrl+Shift+S",), "Save the motion file as…", _save_as),
        Action("save edits", (), "Save the edited model as…", _save_edits),
        Action("picture", ("F12",), "Save a picture", _request("picture")),
        Action("export", (), "Export…", _popup("export")),
        Action("copy command", ("Ctrl+Shift+C",), "Copy as command", _request("copy command")),
        Action("copy range", (), "Copy the range as a video command", _request("copy range")),
        Action("copy python", (), "Copy as Python", _request("copy python")),
        Action("copy test", (), "Copy as a pytest case", _request("copy test")),
        Action("copy check", (), "Copy as a check command", _request("copy check")),
        Action("copy diff", (), "Copy as a diff command", _request("copy diff")),
        Action(
            "changed files",
            (),
            "Reload changed files",
            *_flip("settings.reload"),
            tip="Reloads files when another program saves them; clip, time and camera stay",
        ),
        Action(
            "check files",
            (),
            "Check files in the background",
            *_flip("settings.check_files"),
            tip="Shows what `rigview check` finds in the open files in the panel Findings",
        ),
        Action("quit", ("Ctrl+Q",), "Quit", _request("quit"), modal=True),
    ),
    *_group(
        "Edit",
        Action("undo", ("Ctrl+Z",), "Undo", undo, repeat=True),
        Action("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo", redo, repeat=True),
        Action("delete key", ("Delete",), "Delete the selected key", delete_key),
        Action("back", ("Alt+Left",), "Previous selection", _back),
        Action("forward", ("Alt+Right",), "Next selection", _forward),
    ),
    *_group(
        "Playback",
        Action("play", ("Space",), "Play or pause", _control(Transport.toggle)),
        Action("next frame", ("Right",), "Next frame", _control(Transport.step, 1), repeat=True),
        Action(
            "previous frame", ("Left",), "Previous frame", _control(Transport.step, -1), repeat=True
        ),
        Action(
            "first frame", ("Shift+Left",), "First frame", _control(Transport.go_to_end, last=False)
        ),
        Action(
            "last frame", ("Shift+Right",), "Last frame", _control(Transport.go_to_end, last=True)
        ),
        Action(
            "previous key", ("Up",), "Previous key", _control(Transport.go_to_key, -1), repeat=True
        ),
        Action("next key", ("Down",), "Next key", _control(Transport.go_to_key, 1), repeat=True),
        Action("go to frame", ("Ctrl+G",), "Go to frame…", _go_to_frame),
        Action("slower", ("[",), "Slower", _control(Transport.change_speed, -1), repeat=True),
        Action("faster", ("]",), "Faster", _control(Transport.change_speed, 1), repeat=True),
        Action("speed 1", ("Backspace",), "Normal speed", _control(Transport.set_speed, 1.0)),
        Action("loop", ("L",), "Next loop mode", _control(Transport.next_loop)),
        Action("range in", ("Ctrl+[",), "Start the range here", _control(Transport.set_in)),
        Action("range out", ("Ctrl+]",), "End the range here", _control(Transport.set_out)),
        Action("clear range", (), "Clear the range", _control(Transport.clear_play_range)),
        Action("cut range", (), "Make a clip of the range", _cut_range),
        Action("all clips", (), "Play all clips at once", _all_clips),
        Action("previous clip", ("PageUp",), "Previous clip", _next_clip(-1), repeat=True),
        Action("next clip", ("PageDown",), "Next clip", _next_clip(1), repeat=True),
    ),
    *_group(
        "Characters",
        Action("next character", ("A",), "Next character", _next_character(1)),
        Action("previous character", ("Shift+A",), "Previous character", _next_character(-1)),
        Action("together", ("T",), "Play together", *_flip("together")),
        Action(
            "same size",
            ("S",),
            "Same size",
            same_size,
            lambda session: session.scene.instances.same_size,
        ),
        Action("compare", ("E",), "Next way to compare", Session.compare_next),
    ),
    *_group(
        "Camera",
        Action("frame", ("F",), "Frame all", _frame_character),
        Action("frame active", ("Shift+F",), "Frame the active character", _frame_active),
        Action("frame selected", (".",), "Frame the selection", frame_selected),
        Action(
            "follow",
            (),
            "Follow the selection",
            _follow_selected,
            lambda session: session.scene.camera.follow_selected,
        ),
        Action("front", ("1",), "Front view", _view_from("front")),
        Action("back view", ("Ctrl+1",), "Back view", _view_from("back")),
        Action("right", ("3",), "Right view", _view_from("right")),
        Action("left", ("Ctrl+3",), "Left view", _view_from("left")),
        Action("top", ("7",), "Top view", _view_from("top")),
        Action("bottom", ("Ctrl+7",), "Bottom view", _view_from("bottom")),
        Action(
            "orthographic",
            ("5",),
            "Orthographic",
            _orthographic,
            lambda session: session.scene.camera.used.ortho,
        ),
        Action("camera", ("K",), "Next camera of the file", _next_camera),
        Action("view cube", (), "View cube", *_flip("settings.view_cube")),
        Action("zoom to pointer", (), "Zoom to the pointer", *_flip("settings.zoom_to_pointer")),
    ),
    *_group(
        "View",
        _switch("bones", ("B",), "Skeleton", "skeleton"),
        _switch("names", ("N",), "Joint names", "joint_names"),
        _switch("axes", ("X",), "Joint axes", "axes"),
        _switch("path", ("J",), "Path of the selected joint", "joint_path"),
        Action("onion skins", (), "Onion skins", _onion_skins, _onion_skins_on),
        _switch("overlay depth", (), "Hide lines behind the mesh", "overlay_depth"),
        _switch("wireframe", ("W",), "Wireframe", "wireframe"),
        _switch("bounds", ("O",), "Bounding boxes", "bounds"),
        _switch("grid", ("G",), "Grid", "grid"),
        _switch("shadow", ("D",), "Shadow", "shadow", Shading),
        Action("next view", ("V",), "Next view mode", _next_view(1), repeat=True),
        Action("previous view", ("Shift+V",), "Previous view mode", _next_view(-1), repeat=True),
        Action("curves", ("C",), "Curves", *_flip("interface.curves.shown", panel=True)),
        Action("dope sheet", (), "Dope sheet", *_flip("interface.dope_sheet", panel=True)),
        Action(
            "mixer", ("M",), "Mixer", _mixer, lambda session: session.interface.mixer_panels.shown
        ),
        Action("weights", ("H",), "Weights of a joint", _weights, _weights_on),
        Action("reset view", ("Shift+R",), "Reset view", _reset_view),
        Action("pose", ("R",), "Clip, rest or bind pose", _next_pose),
        Action("pose tool", ("P",), "Pose by hand: next tool", posing.next_tool),
        Action("mirror pose", (), "Mirror the pose made by hand", posing.mirror),
        Action("hide", ("Tab",), "Hide the panels", *_flip("interface.hidden")),
        Action("by key", ("Ctrl+Tab",), "Control panels by keyboard", _navigate_by_keyboard),
        Action("full screen", ("F11",), "Full screen", _request("full screen"), modal=True),
    ),
    *_group(
        "Help",
        Action("commands", ("Ctrl+P",), "Find a command…", _popup("commands")),
        Action("help", ("F1", "?"), "Keys and mouse", _help, modal=True),
        Action("close", ("Esc",), "Close a pop-up", _close, modal=True),
    ),
)


def action(name: str) -> Action:
    """Return the action with a name (KeyError if there is none)."""
    return BY_NAME[name]


BY_NAME = {each.name: each for each in ACTIONS}
