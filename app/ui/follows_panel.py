"""The panel "Follows": which clips can follow the present one, and by how much they miss."""

from dataclasses import dataclass
from functools import partial

from imgui_bundle import imgui

from ..batch.jobs import Shows
from ..model.lookup import clip_prefix
from ..model.model import Model
from ..model.transition_continuity import ClipFollowers, Follower
from ..session.opened_character import OpenedCharacter
from ..session.played_motion import play_next
from ..session.session import Session
from . import icons, theme, widgets

ROWS = 8  # visible rows
FOLLOWERS = "followers"  # key of the job


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


def draw(session: Session) -> None:
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
    if imgui.begin_child("follows list", imgui.ImVec2(0.0, min(len(listed), ROWS) * row)):
        for follower in listed:
            _row(session, active, follower)
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


def _row(session: Session, active: OpenedCharacter, follower: Follower) -> None:
    """Draw a clip and its difference; `=`: it follows without a blend."""
    model, em = active.model, widgets.em()
    entry = model.clips[follower.clip]
    waits = active.next_clip is not None and active.next_clip.clip == follower.clip
    top, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    tip = _words(active, follower)
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


def _words(active: OpenedCharacter, follower: Follower) -> str:
    """Return the tooltip of a row."""
    name = active.model.clips[follower.clip].name
    joint = f" at {active.model.skeleton.names[follower.joint]}" if follower.joint >= 0 else ""
    how = "follows without a blend" if follower.joins else "needs a cross-fade"
    return f"{name} {how}: its start is up to {follower.metres * 1000:.3g} mm{joint} and " + (
        f"{follower.degrees:.2g}° from the end of the present clip. A click plays it next, "
        "a second click at once."
    )
