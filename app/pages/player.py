"""The page that plays a character: one file with data, player and a poster."""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ..rendering.web_shaders import PRECISION, VERSION, web_source
from ..scenedoc.view_modes import VIEWS
from .entry import Media
from .packed_arrays import Content
from .templates import ICON, part, render

MODULES = (  # in order
    *("unpack", "motion", "camera", "drawing"),
    *("figure", "refine", "player", "controls"),
)
_PROGRAM_SHADERS = ("mesh.vert", "mesh.frag", "grid.vert", "grid.frag")
_OWN_SHADERS = (
    *("square.vert", "average.frag", "encode.frag", "copy.frag", "edges.frag"),
    *("contact.frag", "blur.frag", "floor.vert", "floor.frag"),
)
SIMPLIFIED = (
    "shadows only where the character touches the ground, no ambient occlusion",
    "reflections of 64 × 64 texels",
)


def shaders() -> dict[str, Any]:
    """Return the shaders of a player, as JSON."""
    own = {name: part(f"player/{name}") for name in _OWN_SHADERS}
    sources = {name: web_source(name) for name in _PROGRAM_SHADERS} | own
    return {"version": VERSION, "precision": PRECISION, "sources": sources}


def view_modes() -> list[tuple[str, str]]:
    """Return names and labels of the view modes."""
    return [(name, view.label) for name, view in VIEWS.items()]


def script(start: str = "player/start") -> str:
    """Return the joined modules of the player, and the one that starts it.

    Indents and lines of comments are left out, so no text of a module goes over several lines.
    """
    modules = "\n".join(
        part(f"{name}.js") for name in (*(f"player/{each}" for each in MODULES), start)
    )
    lines = (line.strip() for line in modules.splitlines())
    kept = [line for line in lines if line and not line.startswith("//")]
    return "\n".join(['"use strict";', "(() => {", *kept, "})();\n"])


def policy(script: str) -> str:
    """Return the Content-Security-Policy: only this script, and embedded pictures."""
    digest = b64encode(sha256(script.encode()).digest()).decode("ascii")
    return (
        "default-src 'none'; img-src data: blob:; media-src data: blob:; "
        f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )


def gradient(colours: Sequence[Sequence[float]]) -> str:
    """Return colours from top to bottom (sRGB and alpha, 0 to 1) as CSS."""
    stops = [
        f"rgb({' '.join(str(round(255 * x)) for x in colour[:3])} / {colour[3]:g})"
        for colour in colours
    ]
    return stops[0] if len(stops) == 1 else f"linear-gradient({', '.join(stops)})"


def write_page(title: str, content: Content, poster: Media) -> str:
    """Return the page. Names of files are text, never markup."""
    joined = script()
    return render(
        "player/player.html.j2",
        policy=policy(joined),
        icon=ICON,
        title=title,
        style=part("player/player.css"),
        script=joined,
        behind=content.behind,
        poster=poster,
        notes=content.notes,
        compared=content.compared,
        data=content.text,
    )
