"""The clip whose curves are shown: the playing clip, or the one with most weight in a motion."""

from ..animation.clip import Clip
from ..session.session import Session


def shown_clip(session: Session, before: Clip | None = None) -> Clip | None:
    """Return the clip to show, None if none plays.

    Parameters
    ----------
    before
        The clip shown so far: it stays while it has weight in the motion.
    """
    character = session.transport.playable
    if character is None:
        return None
    most, clip, stays = 0.0, None, False
    for weight, source in character.mixer.playing():
        if weight > most or clip is None:
            most, clip = weight, source.clip
        stays = stays or (weight > 0.0 and before is not None and source.clip.name == before.name)
    if before is not None and (not most or stays):
        return next((own for own in character.model.clips if own.name == before.name), clip)
    return clip


def clip_time(session: Session, clip: Clip | None) -> float:
    """Return the current time of a clip, seconds."""
    character = session.character
    return 0.0 if character is None else character.mixer.time_in_clip(clip, session.tau)


def go_to(session: Session, clip: Clip | None, seconds: float, *, pause: bool = False) -> None:
    """Go to a time of the clip; a motion is moved by the same difference."""
    character = session.character
    if character is not None:
        goal = character.mixer.time_at(clip, seconds, session.tau)
        (session.transport.pause_at if pause else session.transport.seek)(goal)
