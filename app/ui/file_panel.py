"""The panel "File": counts, lights, compression and unsupported extensions; warnings."""

from imgui_bundle import imgui

from ..model.model import Model
from ..model.statistics import light_facts, light_power, light_words, texture_bytes
from ..session.session import Session
from ..wording import decimal_size
from . import icons, theme, widgets


def draw(session: Session) -> None:
    """Draw the file's name, its counts and its warnings."""
    model = session.model
    if model is None:
        return
    parts = [
        part for instance in model.instances for part in model.meshes[instance.mesh].primitives
    ]
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
        _row(label, number)
        widgets.mark(session, f"row {label}")
    _lights(session, model)
    _packed(session, model)
    _not_drawn(session, model)
    if model.facts.generator:
        widgets.note(model.facts.generator)


def _row(label: str, value: str) -> None:
    """Draw a label at the left and its value at the right."""
    widgets.quiet(label)
    widgets.at_right(value)
    imgui.text(value)


def _lights(session: Session, model: Model) -> None:
    """Draw the lights of the file, each with its kind and intensity in the file's own unit."""
    if not model.lights:
        return
    imgui.spacing()
    widgets.quiet("Lights")
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
    imgui.spacing()
    widgets.quiet("Compression")
    widgets.mark(session, "packed")
    for packed in model.facts.packed:
        imgui.text_wrapped(packed.extension)
        _row(f"  {packed.nbytes / 1000:,.1f} kB", f"of {packed.unpacked / 1000:,.1f} kB")


def _not_drawn(session: Session, model: Model) -> None:
    """Draw the extensions of the file that are not drawn."""
    if not model.facts.not_drawn:
        return
    imgui.spacing()
    widgets.quiet("Not drawn")
    widgets.mark(session, "not drawn")
    for name in model.facts.not_drawn:
        widgets.note(name, theme.palette().warning)


def warnings(session: Session) -> None:
    """Draw the file's warnings."""
    model = session.model
    if model is None:
        return
    for warning in model.warnings:
        imgui.text_colored(theme.palette().warning, icons.WARNING)
        imgui.same_line()
        imgui.text_wrapped(warning)
