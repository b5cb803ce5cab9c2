"""The content that layers can play: clips, blend spaces, additives, aims, poses; with labels."""

from collections.abc import Iterator

from ..model.model import Model
from . import edit
from .cross_references import differences
from .document import STILLS, Fade, LayerSettings, MotionDoc, Nested, Play, StillClip, StillPose

REST = StillPose("rest")


def layer_name(play: Play) -> str:
    """Return a layer name for some content, without dots, which mark LAYER.weight."""
    return label(play).replace(".", " ")


def label(play: Play) -> str:
    """Return a label for a layer's content."""
    if isinstance(play, StillClip):
        return f"{play.clip} at {play.time:.2f} s"
    if isinstance(play, StillPose):
        return f"{play.pose.capitalize()} pose" if play.pose in STILLS else play.pose
    if isinstance(play, Nested):
        return f"{len(play.layers)} layers"
    return play


def labels_at(document: MotionDoc, layer: LayerSettings, time: float) -> list[str]:
    """Return a label for what a layer plays at a time, seconds; during a fade, of both contents."""
    past = [at for at in document.at if isinstance(at.do, Fade) and at.do.layer == layer.name]
    past = sorted((at for at in past if at.time <= time), key=lambda at: at.time)
    plays, end = [layer.play], 0.0
    for at in past:
        assert isinstance(at.do, Fade)
        plays.append(at.do.to)
        end = at.time + at.do.seconds
    return [label(play) for play in (plays[-2:] if time < end else plays[-1:])]


def kind(document: MotionDoc, play: Play) -> str:
    """Return the kind of a layer's content, in one word."""
    if isinstance(play, StillClip | StillPose):
        return "still"
    if isinstance(play, Nested):
        return "layers"
    if differences(document, play) and play in document.spaces:
        return "additives"
    tables = (
        ("space", document.spaces),
        ("additive", document.additives),
        ("aim", document.aims),
        ("reach", document.iks),
    )
    return next((word for word, table in tables if play in table), "clip")


def groups(document: MotionDoc, model: Model) -> Iterator[tuple[str, list[Play]]]:
    """Yield all playable content, grouped by kind."""
    yield "Blend spaces", list(document.spaces)
    yield "Additives", list(document.additives)
    yield "Aims", [*document.aims, *document.iks]
    yield "Clips", [clip.name for clip in model.clips]
    poses: list[Play] = [REST]
    if model.skins:
        poses.append(StillPose("bind"))
    yield "Poses", [*poses, *map(StillPose, document.poses)]


def with_base(document: MotionDoc, play: Play) -> MotionDoc:
    """Return a document whose base layer, added if missing, plays some content."""
    if document.layers:
        return edit.with_play(document, document.layers[0].name, play)
    return edit.with_layer(document, LayerSettings("base", play))
