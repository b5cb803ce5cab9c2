"""The material of a part in the inspector: its factors, which can be edited, and its textures."""

import math
from dataclasses import dataclass, field

from imgui_bundle import imgui

from ..model.edits import FactorKey
from ..model.material import FACTORS, Material
from ..model.material_fields import FactorRow
from ..model.model import Image
from ..session.inspector import CurrentMaterial, PartFacts, shown_material
from ..session.opened_character import OpenedCharacter
from ..session.session import Session
from ..wording import capitalized, decimal_size
from . import fact_rows, theme, widgets

THUMB = 3.4  # font heights of the picture of a texture
LARGE = 0.75  # of the window: a texture that was clicked
_DIGITS = 4  # of an edited factor
_SCALES = {"normal_scale": "normal_texture", "occlusion_strength": "occlusion_texture"}


@dataclass(slots=True)
class TexturePictures:
    """The pictures of textures that the inspector shows; the window makes them.

    Attributes
    ----------
    wanted
        Images whose picture is to be made.
    made
        Texture number, width and height of each picture.
    large
        The image that is shown large.
    """

    wanted: list[Image] = field(default_factory=list)
    made: dict[Image, tuple[int, int, int]] = field(default_factory=dict)
    large: Image | None = None


def draw(session: Session, active: OpenedCharacter, facts: PartFacts) -> None:
    """Draw the material of a part at the present time."""
    material = facts.material
    if material is None:
        fact_rows.fact(session, "Material", "glTF's default")
        return
    now = shown_material(active.character, facts)
    fact_rows.fact(session, "Alpha", material.alpha_mode)
    fact_rows.fact(session, "Notes", now.notes)
    moving = {path for path, _ in active.character.pointer_values.materials.get(facts.number, ())}
    for row in FACTORS.values():
        if _is_used(material, row):
            with widgets.Disabled(row.path in moving):
                _factor(session, active, facts.number, row, now.material)
            widgets.hint("Animated: the value of the present time" if row.path in moving else "")
    _textures(session, active, facts, now)


def _is_used(material: Material, row: FactorRow) -> bool:
    """Return whether a factor can have an effect: that of an absent extension or texture cannot."""
    if row.name == "alpha_cutoff":
        return material.alpha_mode == "MASK"
    owner, _, key = row.name.rpartition(".")
    scaled = _SCALES.get(key)
    return material.value(f"{owner}.{scaled}".lstrip(".") if scaled else row.name) is not None


def _factor(
    session: Session, active: OpenedCharacter, number: int, row: FactorRow, material: Material
) -> None:
    """Draw a factor: a slider, or a colour with its linear components."""
    before = material.components(row)
    given, label = before, capitalized(row.label)
    if len(before) == 1:
        name, limits = f"factor {row.name}", _slider_range(row, before[0])
        shown, tip = (label, f"{before[0]:.4g}"), "Ctrl+click: type a number"
        given = (widgets.slider(session, name, shown, before[0], limits, tip=tip),)
    else:
        given = _colour(session, row, label, before)
    if given == before or not widgets.is_finite(*given):
        return
    value = row.value(row.clamped(tuple(round(x, _DIGITS) for x in given)))
    edits = active.changes.edits.with_factor(
        active.changes.base, FactorKey(number, row.name), value
    )
    words = f"{label} of {material.name}"
    active.changes.edit(edits, words, f"factor {number} {row.name}")


def _slider_range(row: FactorRow, value: float) -> tuple[float, float]:
    low = row.limits[0] if math.isfinite(row.limits[0]) else min(0.0, value)
    high = row.limits[1] if math.isfinite(row.limits[1]) else max(low + 2.0, value)
    return low, high


def _colour(
    session: Session, row: FactorRow, label: str, before: tuple[float, ...]
) -> tuple[float, ...]:
    """Draw a colour: its components, as in the file, and its swatch, which opens a picker."""
    shown = [_encoded(x) for x in before[:3]]
    flags = imgui.ColorEditFlags_.no_inputs | imgui.ColorEditFlags_.no_alpha
    flags |= imgui.ColorEditFlags_.float | imgui.ColorEditFlags_.hdr
    picked, color = imgui.color_edit3(f"##{row.name} swatch", shown, flags)
    widgets.mark(session, f"swatch {row.name}")
    imgui.same_line()
    widgets.quiet(label)
    imgui.set_next_item_width(-1.0)
    drag = imgui.drag_float4 if len(before) == 4 else imgui.drag_float3
    high = row.limits[1] if math.isfinite(row.limits[1]) else 0.0
    dragged, numbers = drag(f"##{row.name}", list(before), 0.005, 0.0, high, "%.3f")
    widgets.mark(session, f"factor {row.name}", "Linear, as in the file")
    if picked:
        return (*(_decoded(x) for x in color[:3]), *before[3:])
    return tuple(numbers) if dragged else before


def _encoded(x: float) -> float:
    """Return a linear component in sRGB."""
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1.0 / 2.4) - 0.055


def _decoded(x: float) -> float:
    """Return a component of sRGB as a linear one."""
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def _textures(
    session: Session, active: OpenedCharacter, facts: PartFacts, now: CurrentMaterial
) -> None:
    """Draw the textures: picture, slot, size and name; a click shows one large."""
    if not facts.textures or facts.material is None:
        return
    imgui.spacing()
    widgets.quiet("Textures")
    refs = facts.material.textures.values()
    for (label, image), ref in zip(facts.textures.items(), refs, strict=True):
        placed = now.placements.get(label, "")
        described = f"{image['name']}, {decimal_size(image['bytes'])}"
        low, em = imgui.get_cursor_screen_pos(), widgets.em()
        size = imgui.get_content_region_avail().x, THUMB * em
        tip = f"{described}\n{placed}".strip() + "\nA click shows it large"
        if widgets.row(session, f"texture {label}", size, tip=tip):
            session.interface.of(TexturePictures).large = active.model.images[ref.image]
            session.interface.popup = "texture"
        _picture(session, active.model.images[ref.image], (low.x, low.y), THUMB * em - 4.0)
        lines, left = imgui.get_window_draw_list(), low.x + (THUMB + 0.4) * em
        room, palette = size[0] - (THUMB + 0.6) * em, theme.palette()
        pixels = f"{image['width']} x {image['height']}"
        texts = (
            (capitalized(label), palette.text),
            (image["name"], palette.quiet),
            (f"{pixels}{', ' if placed else ''}{placed}", palette.quiet),
        )
        for k, (text, ink) in enumerate(texts):
            place = left, low.y + 1.1 * k * em
            lines.add_text(place, theme.packed(ink), widgets.shortened(text, room))


def _picture(session: Session, image: Image, low: widgets.Point, side: float) -> None:
    """Draw an image into a square at a place of the window, once its picture is made."""
    pictures, lines = session.interface.of(TexturePictures), imgui.get_window_draw_list()
    corner = low[0] + side, low[1] + side
    lines.add_rect_filled(low, corner, theme.packed(theme.palette().field))
    if image not in pictures.made:
        if image not in pictures.wanted:
            pictures.wanted.append(image)
        return
    number, wide, tall = pictures.made[image]
    scale = side / max(wide, tall)
    x, y = (low[0] + (side - wide * scale) / 2, low[1] + (side - tall * scale) / 2)
    lines.add_image(imgui.ImTextureRef(number), (x, y), (x + wide * scale, y + tall * scale))


def draw_large(session: Session) -> None:
    """Draw the clicked texture in a pop-up."""
    image = session.interface.of(TexturePictures).large
    if image is None:
        session.interface.popup = ""
        return
    area, low = imgui.get_main_viewport().size, imgui.get_cursor_screen_pos()
    side = LARGE * min(area.x, area.y)
    widgets.area(session, "large texture", (side, side))
    _picture(session, image, (low.x, low.y), side)
    width, height = image.size
    words = f"{image.name}, {width} x {height}"
    widgets.quiet(widgets.shortened(words, side))
