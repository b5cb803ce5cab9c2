"""The HTML of the report, self-contained and without network requests."""

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from .. import wording
from ..checks.finding import GROUPS, SEVERITIES, Finding, by_cause, by_visible_size, repetition
from ..checks.rule_list import rule
from ..model.statistics import Facts
from . import file_statistics
from .entry import AnimationRow, CharacterEntry, FailedEntry
from .packed_arrays import Content
from .player import policy
from .player import script as player_script
from .templates import part, render

SEAM = "loop-"  # prefix of the rules about loop seams
_NAMES = 40  # greatest length of an anchor
FEW = 12  # rows of a group; more are folded
UNSEEN = "About the file itself"
MOST_PLAYED = 64 << 20  # bytes of what a page plays; further characters have pictures


def build(entries: Sequence[CharacterEntry | FailedEntry]) -> str:
    """Return the report about one character, or an index with a section per file.

    Text of files is not trusted: it is escaped, and control characters are written as their code
    points. The output is deterministic.
    """
    played = _played(entries)
    script = player_script("page") if any(played) else part("page.js")
    anchors = _anchors([entry.file for entry in entries])
    return render(
        "page.html.j2",
        policy=policy(script),
        script=script,
        style=part("page.css"),
        player_style=part("player/player.css") if any(played) else "",
        title=_title(entries),
        several=len(entries) > 1,
        sections=[_section(*each) for each in zip(entries, anchors, played, strict=True)],
        severities=SEVERITIES,
        totals=_totals(entries),
    )


def _title(entries: Sequence[CharacterEntry | FailedEntry]) -> str:
    if len(entries) == 1:
        return entries[0].file
    return wording.page_counted(len(entries), "character")


def _played(entries: Sequence[CharacterEntry | FailedEntry]) -> list[Content | None]:
    """Return what the page plays of each entry, as long as it does not become too large."""
    shown: list[Content | None] = []
    size = 0
    for entry in entries:
        content = entry.played if isinstance(entry, CharacterEntry) else None
        size += 0 if content is None else len(content.text)
        shown.append(content if size <= MOST_PLAYED else None)
    return shown


def _totals(entries: Sequence[CharacterEntry | FailedEntry]) -> dict[str, int]:
    whole = [each for each in entries if isinstance(each, CharacterEntry)]
    found = tally([finding for each in whole for finding in each.findings])
    return {
        **found,
        "clips": sum(len(each.statistics["clips"]) for each in whole),
        "broken": len(entries) - len(whole),
    }


def _anchors(names: Sequence[str]) -> list[str]:
    """Return a unique anchor per file, of characters that need no escaping."""
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


def _section(
    entry: CharacterEntry | FailedEntry, anchor: str, played: Content | None
) -> dict[str, object]:
    if isinstance(entry, FailedEntry):
        return {
            "anchor": anchor,
            "broken": entry,
            "file": entry.file,
            "tally": tally([]),
            "played": None,
        }
    clips = {clip["index"]: clip for clip in entry.statistics["clips"]}
    return {
        "anchor": anchor,
        "broken": None,
        "file": entry.file,
        "entry": entry,
        "played": played,
        "titles": [row.title for row in entry.rows],
        "figures": file_statistics.figures(entry.statistics),
        "particulars": file_statistics.particulars(entry.statistics),
        "memory": file_statistics.memory(entry.statistics),
        "influences": file_statistics.influences(entry.statistics),
        "tables": file_statistics.tables(entry.statistics),
        "tally": tally(entry.findings),
        "severity_key": severity_key(entry.findings),
        "groups": groups(entry.findings),
        "loops": [
            _loop(number, row, clips.get(row.clip), entry) for number, row in enumerate(entry.rows)
        ],
        "digits": _digits(entry),
        "joint_count": file_statistics.joint_count(entry.statistics),
        "skinned": sum(joint["skinned"] for joint in entry.statistics["joints"]),
    }


def _digits(entry: CharacterEntry) -> int:
    coordinates = [abs(number) for joint in entry.joints for number in joint.position]
    return wording.digits_for(max(filter(math.isfinite, coordinates), default=0.0))


def _loop(
    number: int, row: AnimationRow, clip: Facts | None, entry: CharacterEntry
) -> dict[str, object]:
    """Return a row of the sheet with the statistics and findings of its clip."""
    of_clip: tuple[FormattedFinding, ...] = ()
    if clip is not None:
        of_clip = findings_of_clip(entry.findings, clip["name"])
    seen = [finding for finding in of_clip if finding.severity != SEVERITIES[-1]]
    return {
        "number": number,
        "row": row,
        "clip": clip,
        "findings": seen,
        "worst": seen[0].severity if seen else "",
        "seams": [
            finding for finding in of_clip if finding.rule.startswith(SEAM) and finding.measure
        ],
    }


@dataclass(frozen=True, slots=True)
class FormattedFinding:
    """The formatted findings of a cause: a row of the list."""

    severity: str
    rule: str
    looks_for: str  # what the rule looks for
    message: str  # of the one that is seen best
    size: str  # "24.4 mm", "" if nothing is seen
    share: str  # "1.36 % of the height"
    measure: str  # "12.3 mm", "" if there is no amount, or the message has it
    limit: str
    repetition: str  # "in 3 clips: “Walk”, “Run” and “Idle”", "" for a single finding
    where: tuple[tuple[str, str], ...]  # kind and name of the affected objects
    place: str
    fix: str
    search: str  # text for the search
    clip: str  # in which it is seen best, "": in none
    moment: str  # query of a link to its clip, time and joint, "" without any


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings about the same: motion, the rig."""

    title: str
    severity: str  # the highest
    findings: tuple[FormattedFinding, ...]
    more: tuple[FormattedFinding, ...]  # of long lists: folded
    count: int
    open: bool


def groups(findings: Sequence[Finding]) -> tuple[FindingGroup, ...]:
    """Return the findings by what they are about, those that are seen best first.

    What is about the file itself, and is not seen, is the last group, and folded.
    """
    about: dict[str, list[Finding]] = {}
    ordered = by_visible_size(findings)
    for finding in sorted(ordered, key=lambda each: each.is_unseen):
        title = UNSEEN if finding.is_unseen else finding.group or GROUPS[-1]
        about.setdefault(title, []).append(finding)
    return tuple(_group(title, found) for title, found in about.items())


def tally(findings: Sequence[Finding]) -> dict[str, int]:
    """Return the number of findings of each severity."""
    return {
        severity: sum(finding.severity == severity for finding in findings)
        for severity in SEVERITIES
    }


def severity_key(findings: Sequence[Finding]) -> int:
    """Return a sort key for files: one error outweighs all warnings, one warning all notes."""
    errors, warnings, notes = tally(findings).values()
    return (errors << 40) + (warnings << 20) + notes


def findings_of_clip(findings: Sequence[Finding], clip: str) -> tuple[FormattedFinding, ...]:
    """Return the findings of one clip, those that are seen best first."""
    own = by_visible_size(finding for finding in findings if finding.clip == clip)
    return tuple(_formatted([finding]) for finding in own)


def _group(title: str, found: Sequence[Finding]) -> FindingGroup:
    rows = [_formatted(same) for same in by_cause(found)]
    following = [row.fix for row in rows[1:]]
    rows = [  # a fix that the next row has too is shown there
        replace(row, fix="") if row.fix == later else row
        for row, later in zip(rows, [*following, ""], strict=True)
    ]
    return FindingGroup(
        title=title,
        severity=found[0].severity,
        findings=tuple(rows[:FEW]),
        more=tuple(rows[FEW:]),
        count=len(rows),
        open=title != UNSEEN,
    )


def _summary(name: str) -> str:
    try:
        return wording.capitalized(rule(name).summary)
    except KeyError:  # a rule of another version, or of a test
        return ""


def _formatted(same: Sequence[Finding]) -> FormattedFinding:
    """Return the findings of a cause as a row; its names are those of the first."""
    finding, repeated = same[0], repetition(same)
    where = [(kind, getattr(finding, kind)) for kind in ("clip", "joint", "item")]
    if repeated:
        where = where[1:]
    if finding.time is not None:
        where.append(("at", wording.page_measure(finding.time, "s")))
    named = tuple((kind, name) for kind, name in where if name)
    size, _, share = finding.size_text.partition(", ")
    measure = ""
    if finding.amount is not None and finding.unsaid_amount:
        measure = wording.page_measure(finding.amount, finding.unit)
    limit = "" if finding.limit is None else wording.page_measure(finding.limit, finding.unit)
    words = [finding.rule, finding.message, repeated, finding.clip, *(name for _, name in named)]
    return FormattedFinding(
        severity=finding.severity,
        rule=finding.rule,
        looks_for=_summary(finding.rule),
        message=wording.capitalized(finding.message),
        size=size,
        share=share,
        measure=measure,
        limit=limit,
        repetition=repeated,
        where=named,
        place=finding.place,
        fix=wording.capitalized(finding.fix),
        search=" ".join(words).casefold(),
        clip=finding.clip,
        moment=_moment(finding),
    )


def _moment(finding: Finding) -> str:
    """Return clip, time and joint of a finding as the query of a link."""
    time = "" if finding.time is None else f"{finding.time:.4f}"
    named = {"clip": finding.clip, "t": time, "joint": finding.joint}
    return urlencode({name: text for name, text in named.items() if text}, errors="replace")
