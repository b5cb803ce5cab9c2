"""What a layer can play: its words, and a list to choose from."""

from collections.abc import Iterator, Sequence

from imgui_bundle import imgui

from ..model.model import Model
from ..motion import edit
from ..motion.document import LayerSettings, MotionDoc, Nested, Play, StillClip, StillPose
from ..session.session import Session
from . import theme, widgets

FADABLE = ("Blend spaces", "Clips", "Poses")
REST = StillPose("rest")


def layer_name(play: Play) -> str:
    """Return a name for a layer that plays it; a dot would read as in LAYER.weight."""
    return words(play).replace(".", " ")


def words(play: Play) -> str:
    """Return what is played, in words."""
    if isinstance(play, StillClip):
        return f"{play.clip} at {play.time:.2f} s"
    if isinstance(play, StillPose):
        return f"{play.pose.capitalize()} pose"
    if isinstance(play, Nested):
        return f"{len(play.layers)} layers"
    return play


def kind(document: MotionDoc, play: Play) -> str:
    """Return what kind of thing it is, in a word."""
    if isinstance(play, StillClip | StillPose):
        return "still"
    if isinstance(play, Nested):
        return "layers"
    tables = (
        ("space", document.spaces),
        ("additive", document.additives),
        ("aim", document.aims),
        ("reach", document.iks),
    )
    return next((word for word, table in tables if play in table), "clip")


def groups(document: MotionDoc, model: Model) -> Iterator[tuple[str, list[Play]]]:
    """Yield all there is to play, by kind."""
    yield "Blend spaces", list(document.spaces)
    yield "Additives", list(document.additives)
    yield "Aims", [*document.aims, *document.iks]
    yield "Clips", [clip.name for clip in model.clips]
    poses: list[Play] = [REST]
    if model.skins:
        poses.append(StillPose("bind"))
    yield "Poses", poses


def with_base(document: MotionDoc, play: Play) -> MotionDoc:
    """Let the base layer play something; where there is no layer yet, make it."""
    if document.layers:
        return edit.with_play(document, document.layers[0].name, play)
    return edit.with_layer(document, LayerSettings("base", play))


def choose(
    session: Session,
    name: str,
    shown: str,
    chosen: Play | None = None,
    only: Sequence[str] = (),
) -> Play | None:
    """Draw a list of what there is to play; returns what was chosen now, else None.

    Parameters
    ----------
    only
        Groups to choose from; all where none is named.
    """
    model = session.model
    if model is None:
        return None
    result: Play | None = None
    opened = imgui.begin_combo(f"##{name}", shown, imgui.ComboFlags_.height_large)
    widgets.mark(session, name)
    if not opened:
        return None
    if imgui.is_window_appearing():
        session.interface.filter_plays = ""
        imgui.set_keyboard_focus_here()
    session.interface.filter_plays = widgets.search_field(
        session, f"{name} search", session.interface.filter_plays, "Search"
    )
    found = widgets.matches(session.interface.filter_plays)
    for group, plays in groups(session.editor.document, model):
        listed = [play for play in plays if found(words(play))]
        if not listed or (only and group not in only):
            continue
        with widgets.colored((imgui.Col_.text, theme.now().quiet)):
            imgui.separator_text(group)
        for number, play in enumerate(listed):
            if imgui.selectable(f"{words(play)}##{group}{number}", play == chosen)[0]:
                result = play
            widgets.mark(session, f"{name} {words(play)}")
    imgui.end_combo()
    return result
