"""The names of the clips that play, for the playback bar."""

from imgui_bundle import imgui

from ...session.commands.actions import POSES
from ...session.session import Session
from .. import short_names, widgets

LEAST_SHARE = 0.005  # of weight; clips with less are not named
LEAST_WIDTH = 4.0  # font heights; names are not drawn in less


def playing_clips(session: Session) -> dict[str, float]:
    """Return the names and weights of the clips that play, in the order of the layers."""
    character = session.transport.playable
    names: dict[str, float] = {}
    if character is None or character.show != "clip":
        return names
    for weight, source in character.mixer.playing():
        if weight >= LEAST_SHARE:
            names[source.clip.name] = max(weight, names.get(source.clip.name, 0.0))
    return names


def draw(session: Session, room: float) -> None:
    """Draw the names of the clips that play, or the name of the pose, in some points of width."""
    character = session.character
    if character is None:
        return
    weights = playing_clips(session)
    prefix = short_names.clip_prefix(character.model)
    named = ", ".join(name.removeprefix(prefix) for name in weights)
    words = named if character.show == "clip" else POSES[character.show]
    imgui.align_text_to_frame_padding()
    widgets.quiet(widgets.shortened(words, room))
    widgets.mark(session, "playing")
    widgets.hint("\n".join(f"{name}: weight {weight:.2f}" for name, weight in weights.items()))
