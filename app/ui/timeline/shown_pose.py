"""What is shown of the motion, in the playback bar: pose, ghost, onion skins, key rotation."""

from typing import Literal

from ...animation.track import Rotation
from ...scenedoc.look import MOST_SKINS, MOST_STEP, Overlays, Still
from ...session.commands.actions import POSES
from ...session.session import Session
from ...wording import counted
from .. import widgets

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
KEY_ROTATIONS: dict[Rotation, str] = {"slerp": "Slerp", "nlerp": "Nlerp"}
KEY_ROTATION_HINTS: dict[Rotation, str] = {
    "slerp": "Rotations between LINEAR keys at constant speed, as in glTF",
    "nlerp": "Rotations between LINEAR keys as their normalised mean, as in many game engines",
}
SLIDER_SKINS, SLIDER_STEP = 10, 30  # ranges of the sliders; more can be typed


def draw(session: Session) -> None:
    """Draw the settings."""
    character = session.character
    if character is None:
        return
    widgets.heading("Pose")
    character.show = widgets.choice(session, "pose", POSES, character.show, "Pose: ")
    ghost = session.scene.look.overlays.ghost or "none"
    ghost = widgets.choice(session, "ghost", GHOSTS, ghost, "Ghost: ", hints=GHOST_HINTS)
    session.change(Overlays, ghost=None if ghost == "none" else ghost)
    now, hints = session.scene.key_rotation, KEY_ROTATION_HINTS
    rotation = widgets.choice(
        session, "key rotation", KEY_ROTATIONS, now, "Key rotation: ", hints=hints
    )
    if rotation != now:
        session.set_key_rotation(rotation)
    _onion_skins(session, session.scene.look.overlays)


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
