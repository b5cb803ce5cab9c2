"""The panel "View": overlays, pose, camera, surface, clips that follow, facts about the file."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from imgui_bundle import imgui

from ..animation.track import Rotation
from ..batch.jobs import Shows
from ..fields.readers import MAX_STOPS
from ..model.lookup import clip_prefix, joint_prefix, variant_reference
from ..model.model import Model
from ..model.skin_joints import weighted_joints
from ..model.statistics import light_facts, light_power, light_words, texture_bytes
from ..model.transition_continuity import ClipFollowers, Follower
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
from ..scenedoc.view_modes import VIEWS, ViewMode
from ..session.commands.actions import POSES, camera_name
from ..session.opened_character import OpenedCharacter
from ..session.played_motion import play_next
from ..session.session import Session
from ..wording import counted, decimal_size
from . import icons, theme, widgets

VIEW_MODES: dict[ViewMode, str] = {name: view.label for name, view in VIEWS.items()}
VIEW_HINTS: dict[ViewMode, str] = {name: view.what for name, view in VIEWS.items()}
TONE_MAPPINGS: dict[ToneMapping, str] = {
    "neutral": "Neutral",
    "aces": "ACES",
    "linear": "Linear",
    "none": "None",
}
EXPOSURES = -4.0, 4.0  # EV, range of the slider
SLIDER_SKINS, SLIDER_STEP = 10, 30  # ranges of the sliders; more can be typed
SWITCH_HINTS = {
    "path": "Where the selected joint goes in the clip: a dot at each frame, a diamond at "
    "each key, wide and green while its foot is on the ground",
    "axes": "X red, Y green, Z blue",
    "overlay depth": "Skeleton, axes and ghost are hidden by the mesh in front of them; else bones "
    "there are dimmed",
}
GHOST_HINTS: dict[Still | Literal["none"], str] = {
    "none": "The skeleton in the rest or bind pose, dashed, over the current one",
    "rest": "The skeleton in the rest pose of the nodes, with the current root",
    "bind": "The skeleton in the bind pose of the skin, with the current root",
}
GHOSTS: dict[Still | Literal["none"], str] = {
    "none": "None",
    "rest": "Rest pose",
    "bind": "Bind pose",
}
BONES: dict[BoneStyle, str] = {"octahedra": "Octahedra", "lines": "Lines"}
BONE_HINTS = dict.fromkeys(
    BONES, "Left: blue with diamonds, right: red with squares, middle: amber with discs"
)
KEY_ROTATIONS: dict[Rotation, str] = {"slerp": "Slerp", "nlerp": "Nlerp"}
KEY_ROTATION_HINTS: dict[Rotation, str] = {
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
FOLLOWERS_ROWS = 8  # visible rows
FOLLOWERS = "followers"  # key of the job


def draw(session: Session) -> None:
    """Draw the panel."""
    shading = session.scene.look.shading
    for name in SWITCHES:
        widgets.switch(session, name, tip=SWITCH_HINTS.get(name, ""))
    widgets.switch(session, "weights", "Weights")
    if session.scene.weights_joint >= 0:
        _joints(session, session.scene.weights_joint)
    imgui.spacing()
    _pose(session)
    _file(session)
    now = shading.view_mode
    mode = widgets.choice(session, "view mode", VIEW_MODES, now, "Surface: ", hints=VIEW_HINTS)
    if mode != now:  # a new choice hides joint weights
        session.change(Shading, view_mode=mode, weights=None)
    with widgets.Disabled(shading.view_mode != "lit"):
        mapping = widgets.choice(
            session, "tone mapping", TONE_MAPPINGS, shading.tone_mapping, "Tone mapping: "
        )
        session.change(Shading, "Tone mapping", tone_mapping=mapping)
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


def _pose(session: Session) -> None:
    """Draw the lists of poses, shapes of bones, ghosts, and interpolations of rotations."""
    character = session.character
    if character is None:
        return
    character.show = widgets.choice(session, "pose", POSES, character.show, "Pose: ")
    bones, ghost = session.scene.look.overlays.bones, session.scene.look.overlays.ghost or "none"
    bones = widgets.choice(session, "bone shape", BONES, bones, "Bones: ", hints=BONE_HINTS)
    ghost = widgets.choice(session, "ghost", GHOSTS, ghost, "Ghost: ", hints=GHOST_HINTS)
    session.change(Overlays, bones=bones)
    session.change(Overlays, ghost=None if ghost == "none" else ghost)
    now, hints = session.scene.key_rotation, KEY_ROTATION_HINTS
    rotation = widgets.choice(
        session, "key rotation", KEY_ROTATIONS, now, "Key rotation: ", hints=hints
    )
    if rotation != now:
        session.set_key_rotation(rotation)


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


def _file(session: Session) -> None:
    """Draw the lists of the file's cameras and material variants, if it has some."""
    camera, character = session.scene.camera, session.character
    if character is None:
        return
    model = character.model
    if model.cameras:
        names = {k: camera_name(model, k) for k in range(len(model.cameras))}
        names = {-1: "Orbit"} | names
        now = camera.file_camera
        camera.file_camera = widgets.choice(session, "camera", names, now, "Camera: ")
    if model.variants:
        variants = {-1: "Default"} | dict(enumerate(model.variants))
        chosen = widgets.choice(session, "variant", variants, character.variant, "Variant: ")
        session.show(variant=variant_reference(model, chosen))


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


@dataclass(slots=True)
class KeptFollowers:
    """The comparison of the clips of a model, kept from frame to frame.

    Attributes
    ----------
    found
        None while a job compares them.
    ready
        Number of clips that it has evaluated.
    """

    model: Model | None = None
    found: ClipFollowers | None = None
    ready: int = 0


def _follows(session: Session) -> None:
    """Draw the clips by the difference of their start from the end of the present clip.

    A click plays one when the present clip ends, a second click at once.
    """
    active = session.active
    clip = -1 if active is None else active.character.mixer.clip
    if active is None or clip < 0:
        widgets.quiet("Play a single clip")
        return
    kept = _kept(session, active.model)
    if kept.found is None:
        widgets.quiet(f"Comparing: {kept.ready} of {len(active.model.clips)} clips")
        return
    listed = kept.found.after(clip)
    row = imgui.get_text_line_height_with_spacing()
    if imgui.begin_child("follows list", imgui.ImVec2(0.0, min(len(listed), FOLLOWERS_ROWS) * row)):
        for follower in listed:
            _follower(session, active, follower)
    imgui.end_child()


def _kept(session: Session, model: Model) -> KeptFollowers:
    """Return the comparison of the clips of a model, which is started if there is none."""
    kept = session.interface.of(KeptFollowers)
    if kept.model is not model:
        kept.model, kept.found, kept.ready = model, None, 0
        session.jobs.start(
            FOLLOWERS,
            partial(ClipFollowers, model),
            lambda job: setattr(kept, "found", job.result()),
            progress=partial(setattr, kept, "ready"),
            shows=Shows.PANELS,
        )
    return kept


def _follower(session: Session, active: OpenedCharacter, follower: Follower) -> None:
    """Draw a clip and its difference; `=`: it follows without a blend."""
    model, em = active.model, widgets.em()
    entry = model.clips[follower.clip]
    waits = active.next_clip is not None and active.next_clip.clip == follower.clip
    top, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    tip = _follower_words(active, follower)
    pressed = widgets.selectable(session, f"follows {entry.name}", "", chosen=waits, tip=tip)
    amount = f"{follower.metres * 1000:.3g} mm  {follower.degrees:.2g}°"
    amount = f"=  {amount}" if follower.joins else amount
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    ink = palette.text if follower.joins else palette.quiet
    wide = widgets.text_before(top.x + width - 0.4 * em, top.y, amount, ink)
    name = entry.name.removeprefix(clip_prefix(model))
    name = widgets.shortened(name, width - wide - 2.2 * em)
    if waits:
        lines.add_text((top.x + 0.2 * em, top.y), theme.packed(palette.accent), icons.NEXT)
    lines.add_text((top.x + 1.5 * em, top.y), theme.packed(palette.text), name)
    if pressed:
        play_next(active, follower.clip, at_once=waits)


def _follower_words(active: OpenedCharacter, follower: Follower) -> str:
    """Return the tooltip of a row."""
    name = active.model.clips[follower.clip].name
    joint = f" at {active.model.skeleton.names[follower.joint]}" if follower.joint >= 0 else ""
    how = "follows without a blend" if follower.joins else "needs a cross-fade"
    return f"{name} {how}: its start is up to {follower.metres * 1000:.3g} mm{joint} and " + (
        f"{follower.degrees:.2g}° from the end of the present clip. A click plays it next, "
        "a second click at once."
    )


def _facts(session: Session) -> None:
    """Draw the file's name, its counts and its warnings."""
    model = session.model
    if model is None:
        return
    parts = [part for instance in model.instances for part in model.drawn_mesh(instance).primitives]
    joints = max((len(skin.joints) for skin in model.skins), default=0)
    rows = (
        ("Vertices", f"{sum(len(part.positions) for part in parts):,}"),
        ("Triangles", f"{sum(part.triangle_count for part in parts):,}"),
        ("Joints", f"{joints}"),
        ("Nodes", f"{model.skeleton.count}"),
        ("Materials", f"{len(model.materials)}"),
        ("Images", f"{len(model.images)}"),
        ("Texture memory", decimal_size(texture_bytes(model))),
    )
    for label, number in rows:
        _fact(label, number)
        widgets.mark(session, f"row {label}")
    _lights(session, model)
    _packed(session, model)
    _not_drawn(session, model)
    if model.facts.generator:
        widgets.note(model.facts.generator)


def _fact(label: str, value: str) -> None:
    """Draw a label at the left and its value at the right."""
    widgets.quiet(label)
    widgets.at_right(value)
    imgui.text(value)


def _lights(session: Session, model: Model) -> None:
    """Draw the lights of the file, each with its kind and intensity in the file's own unit."""
    if not model.lights:
        return
    imgui.spacing()
    widgets.quiet("Lights")
    room = 0.6 * imgui.get_content_region_avail().x
    for light in model.lights:
        facts = light_facts(model, light)
        tip = f"{light.name}: {light_words(facts)}, on {facts['joint']}"
        shown = widgets.shortened(light.name or light.kind, room)
        widgets.text(session, f"light {light.name}", shown, tip=tip)
        value = light_power(facts)
        widgets.at_right(value)
        imgui.text(value)


def _packed(session: Session, model: Model) -> None:
    """Draw the compressed and uncompressed sizes of each compression extension."""
    if not model.facts.packed:
        return
    imgui.spacing()
    widgets.quiet("Compression")
    widgets.mark(session, "packed")
    for packed in model.facts.packed:
        imgui.text_wrapped(packed.extension)
        _fact(f"  {packed.nbytes / 1000:,.1f} kB", f"of {packed.unpacked / 1000:,.1f} kB")


def _not_drawn(session: Session, model: Model) -> None:
    """Draw the extensions of the file that are not drawn."""
    if not model.facts.not_drawn:
        return
    imgui.spacing()
    widgets.quiet("Not drawn")
    widgets.mark(session, "not drawn")
    for name in model.facts.not_drawn:
        widgets.note(name, theme.palette().warning)


def _warnings(session: Session) -> None:
    """Draw the file's warnings."""
    model = session.model
    if model is None:
        return
    for warning in model.warnings:
        imgui.text_colored(theme.palette().warning, icons.WARNING)
        imgui.same_line()
        imgui.text_wrapped(warning)
