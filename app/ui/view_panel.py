"""The panel "View": overlays, pose, camera, variant, view mode, tone mapping."""

from typing import cast

from imgui_bundle import imgui

from ..animation.track import Rotation
from ..fields.readers import MAX_STOPS
from ..model.lookup import joint_prefix, variant_reference
from ..model.skin_joints import weighted_joints
from ..scene.selected import Selected
from ..scenedoc.look import (
    MOST_SKINS,
    MOST_STEP,
    BoneStyle,
    Overlays,
    Shading,
    Still,
    ToneMapping,
)
from ..scenedoc.shown import Show
from ..scenedoc.view_modes import VIEWS, ViewMode
from ..session.commands.actions import POSES
from ..session.commands.camera_actions import camera_name
from ..session.session import Session
from ..wording import counted
from . import widgets

VIEW_MODES: dict[str, str] = {name: view.label for name, view in VIEWS.items()}
VIEW_HINTS: dict[str, str] = {name: view.what for name, view in VIEWS.items()}
TONE_MAPPINGS = {"neutral": "Neutral", "aces": "ACES", "linear": "Linear", "none": "None"}
EXPOSURES = -4.0, 4.0  # EV, range of the slider
SLIDER_SKINS, SLIDER_STEP = 10, 30  # ranges of the sliders; more can be typed
SWITCH_HINTS = {
    "path": "Where the selected joint goes in the clip: a dot at each frame, a diamond at "
    "each key, wide and green while its foot is on the ground",
    "axes": "X red, Y green, Z blue",
    "overlay depth": "Skeleton, axes and ghost are hidden by the mesh in front of them; else bones "
    "there are dimmed",
}
GHOST_HINTS = {
    "none": "The skeleton in the rest or bind pose, dashed, over the current one",
    "rest": "The skeleton in the rest pose of the nodes, with the current root",
    "bind": "The skeleton in the bind pose of the skin, with the current root",
}
GHOSTS = {"none": "None", "rest": "Rest pose", "bind": "Bind pose"}
BONES = {"octahedra": "Octahedra", "lines": "Lines"}
BONE_HINTS = dict.fromkeys(
    BONES, "Left: blue with diamonds, right: red with squares, middle: amber with discs"
)
KEY_ROTATIONS = {"slerp": "Slerp", "nlerp": "Nlerp"}
KEY_ROTATION_HINTS = {
    "slerp": "Rotations between LINEAR keys at constant speed, as in glTF",
    "nlerp": "Rotations between LINEAR keys as their normalised mean, as in many game engines",
}
SWITCHES = (
    "bones",
    "names",
    "axes",
    "overlay depth",
    "wireframe",
    "bounds",
    "grid",
    "shadow",
)


def draw(session: Session) -> None:
    """Draw the panel."""
    shading = session.scene.look.shading
    for name in SWITCHES:
        widgets.switch(session, name, tip=SWITCH_HINTS.get(name, ""))
    widgets.switch(session, "weights", "Weights")
    if session.scene.weights_joint >= 0:
        _joints(session, session.scene.weights_joint)
    _crowd(session)
    imgui.spacing()
    _pose(session)
    _file(session)
    _view_mode(session, shading.view_mode)
    with widgets.Disabled(shading.view_mode != "lit"):
        mapping = widgets.choice(
            session, "tone mapping", TONE_MAPPINGS, shading.tone_mapping, "Tone mapping: "
        )
        session.change(Shading, "Tone mapping", tone_mapping=cast(ToneMapping, mapping))
        ev = shading.exposure
        words = ("Exposure", f"{ev:+.1f} EV")
        ev = widgets.slider(session, "exposure", words, ev, EXPOSURES)
        ev = min(max(ev, -MAX_STOPS), MAX_STOPS)
        session.change(Shading, "Exposure", "exposure", exposure=ev)
    camera = session.scene.camera
    with widgets.Disabled(not camera.uses_orbit):
        widgets.switch(session, "orthographic")
    widgets.switch(session, "path", tip=SWITCH_HINTS["path"])
    _onion_skins(session, session.scene.look.overlays)


def _bones(session: Session, overlays: Overlays) -> None:
    """Draw the list of shapes of bones."""
    now = overlays.bones
    shape = widgets.choice(session, "bone shape", BONES, now, "Bones: ", hints=BONE_HINTS)
    session.change(Overlays, bones=cast(BoneStyle, shape))


def _crowd(session: Session) -> None:
    """Draw the phases of a crowd, if there is one."""
    layout = session.scene.crowd_layout
    if session.scene.crowd is None or layout is None:
        return
    tip = "All characters in one pose instead of each at its own phase"
    in_step = widgets.checkbox(session, "in step", "Crowd in step", layout.in_step, tip)
    if in_step != layout.in_step:
        layout.in_step = in_step
        session.scene.measure()


def _view_mode(session: Session, now: ViewMode) -> None:
    """Draw the list of view modes; a new choice hides joint weights."""
    mode = widgets.choice(session, "view mode", VIEW_MODES, now, "Surface: ", hints=VIEW_HINTS)
    if mode != now:
        session.change(Shading, view_mode=cast(ViewMode, mode), weights=None)


def _pose(session: Session) -> None:
    character = session.character
    if character is None:
        return
    chosen = widgets.choice(session, "pose", cast(dict[str, str], POSES), character.show, "Pose: ")
    character.show = cast(Show, chosen)
    _bones(session, session.scene.look.overlays)
    _ghost(session, session.scene.look.overlays)
    _key_rotation(session)


def _ghost(session: Session, overlays: Overlays) -> None:
    """Draw the list of poses whose skeleton is drawn over the current one."""
    now = overlays.ghost or "none"
    ghost = widgets.choice(session, "ghost", GHOSTS, now, "Ghost: ", hints=GHOST_HINTS)
    session.change(Overlays, ghost=None if ghost == "none" else cast(Still, ghost))


def _onion_skins(session: Session, overlays: Overlays) -> None:
    """Draw the number of skeletons around the present one, and the frames between them."""
    skins, step = overlays.onion_skins, overlays.onion_step
    words = ("Onion skins", f"{skins}" if skins else "none")
    tip = "Skeletons of earlier frames, dashed, and of later frames, fading out"
    count = widgets.slider(session, "onion skins", words, skins, (0, SLIDER_SKINS), tip=tip)
    if count != skins:
        session.change(Overlays, onion_skins=min(max(round(count), 0), MOST_SKINS))
    if skins:
        words = ("Every", counted(step, "frame"))
        frames = widgets.slider(session, "onion step", words, step, (1, SLIDER_STEP))
        if frames != step:
            session.change(Overlays, onion_step=min(max(round(frames), 1), MOST_STEP))


def _key_rotation(session: Session) -> None:
    """Draw the list of interpolations between rotation keys."""
    now = session.scene.key_rotation
    chosen = widgets.choice(
        session, "key rotation", KEY_ROTATIONS, now, "Key rotation: ", hints=KEY_ROTATION_HINTS
    )
    if chosen != now:
        session.set_key_rotation(cast(Rotation, chosen))


def _file(session: Session) -> None:
    """Draw the lists of the file's cameras and material variants, if it has some."""
    camera, character = session.scene.camera, session.character
    if character is None:
        return
    model = character.model
    if model.cameras:
        cameras = {"-1": "Orbit"} | {
            str(k): camera_name(model, k) for k in range(len(model.cameras))
        }
        chosen = widgets.choice(session, "camera", cameras, str(camera.file_camera), "Camera: ")
        camera.file_camera = int(chosen)
    if model.variants:
        variants = {"-1": "Default"} | {str(k): n for k, n in enumerate(model.variants)}
        chosen = widgets.choice(session, "variant", variants, str(character.variant), "Variant: ")
        session.show(variant=variant_reference(model, int(chosen)))


def _joints(session: Session, weighted: int) -> None:
    """Draw the list of joints with weights; Enter in its search field takes the first match."""
    model = session.model
    if model is None:
        return
    names, prefix = model.skeleton.names, joint_prefix(model)
    now = names[weighted]
    opened = widgets.begin_searched_list(
        session, "joint", now.removeprefix(prefix), search="search joints"
    )
    if opened is None:
        widgets.hint(now)
        return
    for joint in weighted_joints(model):
        name = names[joint]
        shown = name.removeprefix(prefix)
        taken = opened.entry(f"joint {name}", name, shown, chosen=joint == weighted)
        if taken and session.active is not None:
            session.selections.select(session.active, Selected(joint))
    imgui.end_combo()
