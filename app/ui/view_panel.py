"""The panel "View": camera, material variant, clips that follow, facts about the file."""

from dataclasses import dataclass
from functools import partial

from imgui_bundle import imgui

from ..batch.jobs import Shows
from ..model.lookup import clip_prefix, variant_reference
from ..model.model import Model
from ..model.statistics import light_facts, light_power, light_words, texture_bytes
from ..model.transition_continuity import ClipFollowers, Follower
from ..session.commands.actions import camera_name
from ..session.opened_character import OpenedCharacter
from ..session.played_motion import play_next
from ..session.session import Session
from ..wording import decimal_size
from . import icons, theme, widgets

_ANGLE = 3.6  # font heights: width of the column of angles
FOLLOWERS_ROWS = 8  # visible rows
FOLLOWERS = "followers"  # key of the job


def draw(session: Session) -> None:
    """Draw the lists of the file's cameras and material variants, if it has some."""
    camera, character = session.scene.camera, session.character
    model = session.model
    widgets.heading("Camera")
    if model is not None and model.cameras:
        names = {k: camera_name(model, k) for k in range(len(model.cameras))}
        names = {-1: "Orbit"} | names
        now = camera.file_camera
        camera.file_camera = widgets.choice(session, "camera", names, now, "Camera: ")
    with widgets.Disabled(not camera.uses_orbit):
        widgets.switch(session, "orthographic")
    if model is not None and character is not None and model.variants:
        variants = {-1: "Default"} | dict(enumerate(model.variants))
        chosen = widgets.choice(session, "variant", variants, character.variant, "Variant: ")
        session.show(variant=variant_reference(model, chosen))


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
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    ink = palette.text if follower.joins else palette.quiet
    right, wide = top.x + width - 0.4 * em, _ANGLE * em
    widgets.text_before(right, top.y, f"{follower.degrees:.1f}°", ink)
    wide += widgets.text_before(right - wide, top.y, f"{follower.metres * 1000:.1f} mm", ink)
    if follower.joins:
        wide += widgets.text_before(right - wide, top.y, "=  ", ink)
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
    widgets.heading("Lights")
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
    widgets.heading("Compression")
    widgets.mark(session, "packed")
    for packed in model.facts.packed:
        imgui.text_wrapped(packed.extension)
        _fact(f"  {packed.nbytes / 1000:,.1f} kB", f"of {packed.unpacked / 1000:,.1f} kB")


def _not_drawn(session: Session, model: Model) -> None:
    """Draw the extensions of the file that are not drawn."""
    if not model.facts.not_drawn:
        return
    widgets.heading("Not drawn")
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
