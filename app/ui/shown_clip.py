"""The clip whose curves are shown: the playing clip, or the one with most weight in a motion."""

from collections.abc import Iterator

from ..animation.clip import Clip
from ..blending.pose_modifiers import AdditiveModifier, OverrideModifier
from ..blending.sources import ClipSource, Source
from ..blending.space_source import SpaceSource
from ..motion.bind_layers import clip_sources
from ..session import linked_transport, transport
from ..session.session import Session


def shown_clip(session: Session, before: Clip | None = None) -> Clip | None:
    """Return the clip to show, None if none plays.

    Parameters
    ----------
    before
        The clip shown so far: it stays while it has weight in the motion.
    """
    character = transport.playable_character(session)
    if character is None:
        return None
    if character.mixer is None:
        return character.model.clips[character.clip]
    heard = list(_mixed(session))
    weight, clip = max(((w, source.clip) for w, source in heard), key=_weight, default=(0.0, None))
    stays = not weight or any(w > 0.0 and source.clip is before for w, source in heard)
    mine = any(own is before for own in character.model.clips)
    return before if stays and mine else clip


def clip_time(session: Session, clip: Clip | None) -> float:
    """Return the current time of a clip, seconds."""
    if transport.motion(session) is None:
        return transport.time(session)
    times = [float(source.time) for _, source in _mixed(session) if source.clip is clip]
    return times[0] if times else 0.0


def go_to(session: Session, clip: Clip | None, seconds: float, *, pause: bool = False) -> None:
    """Go to a time of the clip; a motion is moved by the same difference."""
    goal = seconds
    if transport.motion(session) is not None:
        goal = max(transport.time(session) + seconds - clip_time(session, clip), 0.0)
    (linked_transport.pause_at if pause else linked_transport.seek)(session, goal)


def _weight(weighted: tuple[float, Clip | None]) -> float:
    return weighted[0]


def _mixed(session: Session) -> Iterator[tuple[float, ClipSource]]:
    """Yield the weights and clip sources of a motion, layer by layer."""
    mixer = transport.motion(session)
    if mixer is None:
        return
    for layer in mixer.layers.layers:
        if layer.active and isinstance(layer.operation, OverrideModifier | AdditiveModifier):
            yield from _weighed(layer.operation.source, float(layer.weight_at(mixer.tau)))


def _weighed(source: Source, weight: float) -> Iterator[tuple[float, ClipSource]]:
    if isinstance(source, SpaceSource):
        for share, member in zip(source.weights.tolist(), source.members, strict=True):
            yield from _weighed(member, weight * share)
        return
    yield from ((weight, clip) for clip in clip_sources(source))
