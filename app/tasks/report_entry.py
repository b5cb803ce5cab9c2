"""The entry of one file on a report page: pictures, facts, findings; can run in another process."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..checks.check_context import CheckContext
from ..checks.examine import examine
from ..checks.rule_list import all_rules
from ..checks.rule_settings import Settings
from ..gltf.images import decode_ahead
from ..model.statistics import describe
from ..options.command_options import Options
from ..pages.entry import AnimationRow, CharacterEntry, joint_rows
from ..pages.packed_arrays import Content
from .character_page import page_content
from .clip_choice import (
    MOST_REPORTED,
    check_clip_count,
    choose_clips,
    row_setups,
    row_title,
)
from .examine_file import without_accepted
from .playback_setup import load_with_motion

if TYPE_CHECKING:
    from ..checks.finding import Finding
    from ..model.model import Model
    from ..motion.read import MotionFile

HEAD = 60  # pictures of a row that take about as long as the head of an entry with its findings
PLAYED = 150  # ... as what the page plays


@dataclass(frozen=True, slots=True)
class EntryTask:
    """A file, and the part of its rows to render, one of several with about as many pictures."""

    options: Options  # with the file
    name: str  # name on the page
    part: int = 0
    parts: int = 1
    settings: Settings = field(default_factory=Settings)  # of the rules
    lenient: bool = False  # ignore missing clips of --animation, if at least one exists


@dataclass(frozen=True, slots=True)
class Part:
    """Rows with their numbers; with part 0 the entry without rows, with the last what it plays."""

    rows: tuple[tuple[int, AnimationRow], ...]
    entry: CharacterEntry | None = None
    played: Content | None = None


def render_part(task: EntryTask) -> Part:
    """Read a file with its motion and animation files; render its rows, part 0 with the head.

    The last part has what the page plays.

    Raises
    ------
    AppError
        A file cannot be read, the files do not fit together, or there is no OpenGL.
    """
    options = task.options
    model, file = load_with_motion(options)
    clips = choose_clips(options, model, lenient=task.lenient)
    check_clip_count(options, len(clips), MOST_REPORTED)
    setup = row_setups(options, model, file, clips)
    decode_ahead(model.images)
    from .report_pictures import ReportRenderer  # GPU packages: after all checks

    renderer, plays = ReportRenderer(options, model), not options.output.no_player
    try:
        counts = [renderer.picture_count(row) for row in setup]
        numbers = shares(counts, task.parts, plays=plays)[task.part]
        rows = tuple((k, renderer.row(setup[k], *row_title(setup[k]))) for k in numbers)
        played = None
        if plays and task.part == task.parts - 1:
            played = page_content(options, setup[:1], rows=[setup])
        if task.part:
            return Part(rows, played=played)
        hero, thumbnail = renderer.head_pictures(setup[0])
    finally:
        renderer.release()
    shown = CharacterEntry(
        file=task.name,
        statistics=describe(model),
        findings=_findings(task, model, file, clips),
        joints=joint_rows(model),
        main_picture=hero,
        thumbnail=thumbnail,
        rows=(),
        columns=renderer.columns,
        motion="" if file is None else file.name.replace("\\", "/").rpartition("/")[2],
        swatches=task.options.scene.look.shading.swatches,
    )
    return Part(rows, shown, played)


def shares(sizes: Sequence[int], parts: int, *, plays: bool = False) -> list[list[int]]:
    """Return the numbers of the rows of each part, in order.

    The longest rows are dealt first, each to the part with the fewest pictures; `sizes` are the
    pictures of each row. The first part has the head too, the last one what the page `plays`.
    """
    dealt: list[list[int]] = [[] for _ in range(parts)]
    pictures = [HEAD] + [0] * (parts - 1)
    pictures[-1] += PLAYED if plays else 0
    for number in sorted(range(len(sizes)), key=lambda number: -sizes[number]):
        part = pictures.index(min(pictures))
        dealt[part].append(number)
        pictures[part] += sizes[number]
    return [sorted(numbers) for numbers in dealt]


def merge_parts(parts: list[Part]) -> CharacterEntry:
    """Return the complete entry of a file from its parts, in any order."""
    first = next(part.entry for part in parts if part.entry is not None)
    rows = sorted((row for part in parts for row in part.rows), key=lambda row: row[0])
    played = next((part.played for part in parts if part.played is not None), None)
    return replace(first, rows=tuple(row for _, row in rows), played=played)


def _findings(
    task: EntryTask, model: "Model", file: "MotionFile | None", clips: Sequence[int]
) -> "tuple[Finding, ...]":
    """Return the findings that the settings do not accept, as `check` does."""
    options, settings = task.options, task.settings
    chosen = clips if options.clips.animations else None
    context = CheckContext(model, clips=chosen, motion=file, loops=settings.loops)
    rules = all_rules(options.findings.rule_files)
    return without_accepted(examine(context, settings, rules=rules), settings, options)[0]
