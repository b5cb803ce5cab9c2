"""The page itself: exhibits in, one HTML text out that asks nothing of any network."""

import math
import re
import unicodedata
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from ..check.finding import SEVERITIES
from ..model.statistics import Facts
from ..version import __version__
from . import file_statistics, findings, number_format
from .entry import Broken, Exhibit, Moving
from .findings import Told

SEAM = "loop-"  # what the rules about the seam of a loop begin with
_JOINERS = "\u200c\u200d"  # which some scripts are written with
_WORDS = re.compile(r"(?<=[_.:/-])(?=\w)|(?<=[a-z0-9])(?=[A-Z])")  # where a name's words meet
_NAMES = 40  # letters of an anchor


def build(exhibits: Sequence[Exhibit | Broken]) -> str:
    """Return a page about one character, or an index and a section a file.

    All text comes from files that may be hostile: it is escaped, and what would steer the reading
    of other text is written as its number. The same exhibits make the same page.
    """
    script = _part("page.js")
    template = _environment().from_string(_part("page.html.j2"))
    anchors = _anchors([each.file for each in exhibits])
    page = template.render(
        policy=_policy(script),
        version=__version__,
        script=script,
        style=_part("page.css"),
        title=_title(exhibits),
        several=len(exhibits) > 1,
        sections=[_section(each, anchor) for each, anchor in zip(exhibits, anchors, strict=True)],
        severities=SEVERITIES,
        totals=_totals(exhibits),
    )
    return page.encode("utf-8", "replace").decode("utf-8")


def shown(text: object) -> object:
    """Return a text with characters that show nothing, or turn others round, as their numbers."""
    if not isinstance(text, str) or text.isprintable() or hasattr(text, "__html__"):
        return text
    return "".join(c if _plain(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def breakable(text: str) -> Markup:
    """Return a name that may go on in the next line after its words: ``Left|Up|Leg_|01``."""
    words = _WORDS.split(str(shown(text)))
    return Markup("<wbr>").join(escape(word) for word in words)


def _plain(letter: str) -> bool:
    return letter.isprintable() or letter in _JOINERS or unicodedata.category(letter) == "Zs"


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _environment() -> Environment:
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "breakable": breakable,
        "count": number_format.count,
        "size": number_format.size,
        "seconds": number_format.seconds,
        "sentence": number_format.sentence,
        "metres": number_format.metres,
    }
    made.globals |= {"plural": number_format.plural}
    return made


def _policy(script: str) -> str:
    """Return what a browser may load: nothing but what stands in the page."""
    digest = b64encode(sha256(script.encode()).digest()).decode("ascii")
    return (
        "default-src 'none'; img-src data:; media-src data: blob:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def _title(exhibits: Sequence[Exhibit | Broken]) -> str:
    if len(exhibits) == 1:
        return exhibits[0].file
    return number_format.plural(len(exhibits), "character")


def _totals(exhibits: Sequence[Exhibit | Broken]) -> dict[str, int]:
    whole = [each for each in exhibits if isinstance(each, Exhibit)]
    found = findings.tally([finding for each in whole for finding in each.findings])
    return {
        **found,
        "clips": sum(len(each.facts["clips"]) for each in whole),
        "broken": len(exhibits) - len(whole),
    }


def _anchors(names: Sequence[str]) -> list[str]:
    """Return an anchor a file, each its own, of letters that need no escape."""
    made: list[str] = []
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        word = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_NAMES] or "character"
        anchor, number = word, 1
        while anchor in made or anchor == "index":
            number += 1
            anchor = f"{word}-{number}"
        made.append(anchor)
    return made


def _section(each: Exhibit | Broken, anchor: str) -> dict[str, object]:
    if isinstance(each, Broken):
        return {"anchor": anchor, "broken": each, "file": each.file, "tally": findings.tally([])}
    clips = {clip["index"]: clip for clip in each.facts["clips"]}
    return {
        "anchor": anchor,
        "broken": None,
        "file": each.file,
        "exhibit": each,
        "figures": file_statistics.figures(each.facts),
        "particulars": file_statistics.particulars(each.facts),
        "memory": file_statistics.memory(each.facts),
        "influences": file_statistics.influences(each.facts),
        "tables": file_statistics.tables(each.facts),
        "tally": findings.tally(each.findings),
        "gravity": findings.gravity(each.findings),
        "groups": findings.groups(each.findings),
        "loops": [_loop(row, clips.get(row.clip), each) for row in each.moving],
        "digits": _digits(each),
        "limbs": file_statistics.limbs(each.facts),
        "skinned": sum(joint["skinned"] for joint in each.facts["joints"]),
    }


def _digits(exhibit: Exhibit) -> int:
    places = [abs(number) for joint in exhibit.joints for number in joint.place]
    return number_format.digits_for(max(filter(math.isfinite, places), default=0.0))


def _loop(row: Moving, clip: Facts | None, exhibit: Exhibit) -> dict[str, object]:
    """Return a row of the sheet with what was counted and found of its clip."""
    told: tuple[Told, ...] = ()
    if clip is not None:
        told = findings.of_clip(exhibit.findings, clip["name"])
    return {
        "row": row,
        "clip": clip,
        "told": told,
        "worst": told[0].severity if told else "",
        "seams": [each for each in told if each.rule.startswith(SEAM) and each.measure],
    }
