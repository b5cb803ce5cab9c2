"""The clip whose curves are shown: the one that plays, or the heaviest of those that are mixed."""

from collections.abc import Iterator

from ..animation.clip import Clip
from ..blending.layer_kinds import Add, Cover
from ..blending.sources import ClipSource, Source
from ..blending.space_source import SpaceSource
from ..motion.bind_layers import clip_sources
from ..session import linked_transport, transport
from ..session.session import Session


def shown_clip(session: Session, before: Clip | None = None) -> Clip | None:
    """Return the clip to show, None where none plays.

    Parameters
    ----------
    before
        The clip shown so far: it stays while it is heard in a motion.
    """
    character = transport.playable_character(session)
    if character is None:
        return None
    if character.mixer is None:
        return character.model.clips[character.clip]
    heard = list(_mixed(session))
    weight, clip = max(((w, source.clip) for w, source in heard), key=_weight, default=(0.0, None))
    stays = not weight or any(w > 0.0 and source.clip is before for w, source in heard)
    mine = any(each is before for each in character.model.clips)
    return before if stays and mine else clip


def clip_time(session: Session, clip: Clip | None) -> float:
    """Return where a clip stands in its own time, seconds."""
    if transport.motion(session) is None:
        return transport.time(session)
    times = [float(source.time) for _, source in _mixed(session) if source.clip is clip]
    return times[0] if times else 0.0


def go_to(session: Session, clip: Clip | None, seconds: float, *, pause: bool = False) -> None:
    """Go to a time of the clip; in a motion by as much as the clip is away from it."""
    goal = seconds
    if transport.motion(session) is not None:
        goal = max(transport.time(session) + seconds - clip_time(session, clip), 0.0)
    (linked_transport.pause_at if pause else linked_transport.seek)(session, goal)


def _weight(each: tuple[float, Clip | None]) -> float:
    return each[0]


def _mixed(session: Session) -> Iterator[tuple[float, ClipSource]]:
    """Yield the clips of a motion and their weights, layer by layer."""
    mixer = transport.motion(session)
    if mixer is None:
        return
    for layer in mixer.layers.layers:
        if layer.heard and isinstance(layer.act, Cover | Add):
            yield from _weighed(layer.act.source, float(layer.weigh(mixer.tau)))


def _weighed(source: Source, weight: float) -> Iterator[tuple[float, ClipSource]]:
    if isinstance(source, SpaceSource):
        for share, member in zip(source.weights.tolist(), source.members, strict=True):
            yield from _weighed(member, weight * share)
        return
    yield from ((weight, each) for each in clip_sources(source))
