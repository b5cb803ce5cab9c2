"""What is on stage, in numbers, and what was odd about the file."""

from imgui_bundle import imgui

from app.session import Session
from app.ui import icons, theme, widgets


def draw(session: Session) -> None:
    """Draw the file's name, its counts and its warnings."""
    model = session.model
    if model is None:
        return
    vertices = sum(
        len(part.positions)
        for instance in model.instances
        for part in model.meshes[instance.mesh].primitives
    )
    joints = max((len(skin.joints) for skin in model.skins), default=0)
    rows = (
        ("Vertices", f"{vertices:,}"),
        ("Joints", f"{joints}"),
        ("Nodes", f"{model.skeleton.count}"),
        ("Materials", f"{len(model.materials)}"),
        ("Images", f"{len(model.images)}"),
    )
    for label, number in rows:
        widgets.quiet(label)
        imgui.same_line()
        room = imgui.get_content_region_avail().x - imgui.calc_text_size(number).x
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + room)
        imgui.text(number)
    if model.facts.generator:
        with widgets.colored((imgui.Col_.text, theme.QUIET)):
            imgui.text_wrapped(model.facts.generator)


def warnings(session: Session) -> None:
    """Draw the file's warnings."""
    model = session.model
    if model is None:
        return
    for warning in model.warnings:
        with widgets.colored((imgui.Col_.text, theme.WARNING)):
            imgui.text(icons.WARNING)
        imgui.same_line()
        imgui.text_wrapped(warning)
