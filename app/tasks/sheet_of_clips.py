"""The contact sheet of one file: a row for each clip, a column for each phase."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ..animation.types import U8
from ..console import Progress, print_verbose, warn
from ..errors import UsageError
from ..gltf.images import decode_ahead
from ..model.lookup import clip_reference
from ..model.model import Model
from ..options.command_options import Options, TimeOptions
from .clip_choice import row_title
from .input_file import choose_clip, print_file_warnings, source_name
from .output import STANDARD, write
from .output_check import check_outputs
from .output_names import fill_pattern, has_field
from .playback_setup import PlaybackSetup, choose_playback, load_with_motion, still_playback
from .still_pictures import shared_renderer
from .time_options import at_times, check_given_times, even_phases, given_times

if TYPE_CHECKING:
    from ..images.contact_sheet import Layout, Row
    from ..motion.read import MotionFile
    from ..scene.scene import Scene

COLUMNS = 6  # default number of phases, from start to end
LARGEST = 16384  # pixels, largest side of a sheet that most programs open
SMALLEST = 64  # pixels, smallest cell when shrinking

Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of a sheet: the record that it draws at several times, and what that plays."""

    options: Options
    setup: PlaybackSetup

    @property
    def taus(self) -> tuple[float, ...]:
        """The global times of its pictures, seconds; a single one of a still pose."""
        return self.setup.taus(self.options) if self.setup.plays else (0.0,)

    @property
    def title(self) -> tuple[str, str]:
        """Its title, and the note beside it."""
        if self.setup.plays:
            return row_title(self.setup, gap="   ")
        return ("bind pose" if self.options.shown.pose == "bind" else "rest pose"), ""

    @property
    def captions(self) -> list[str]:
        """The caption of each picture: requested phase or frame, and clip time."""
        if not self.setup.plays:
            return [""]
        times, asked = self.setup.clip_times(self.options, np.array(self.taus)), self.options.times
        seconds = [f"{time:.2f} s" for time in times.tolist()]
        if asked.phase is not None:
            return [f"phase {u:.2f}   {at}" for u, at in zip(asked.phase, seconds, strict=True)]
        if asked.frame is not None:
            return [f"frame {k}   {at}" for k, at in zip(asked.frame, seconds, strict=True)]
        return seconds


def clip_sheet(options: Options, *, keep_renderer: bool = False) -> list[bytes]:
    """Return the pages of the sheet of one file, in the format of -o.

    `keep_renderer` caches the renderer for the next file.
    """
    model, rows = clip_rows(options)
    counts = [len(row.taus) for row in rows]
    layouts = sheet_layouts(options, counts)
    with Progress(sum(counts), "picture", quiet=options.general.quiet) as bar:
        drawn = draw(model, rows, layouts[0].cell, bar.step, keep_renderer=keep_renderer)
        pages = drawn_pages(options, _title(options, model, rows), drawn, layouts)
    print_file_warnings(options, model)
    return pages


def drawn_pages(
    options: Options, title: str, rows: "Iterable[Row]", layouts: "Sequence[Layout]"
) -> list[bytes]:
    """Return the pages of rows that are drawn on demand, in the format of -o."""
    from ..images.contact_sheet import contact_sheet, folded
    from ..images.stills import as_still

    rest, pages = folded(rows, layouts[0].columns), []
    for number, layout in enumerate(layouts, 1):
        last = number == len(layouts)  # it takes all that are left, so that `rows` ends
        heading = title if len(layouts) == 1 else f"{title}   page {number} of {len(layouts)}"
        shown = islice(rest, None if last else layout.places)
        page = contact_sheet(heading, shown, layout, options.scene.look.shading.swatches)
        behind = options.scene.look.background.colours
        pages.append(as_still(page, options.output.file, behind))
    return pages


def page_names(pattern: str, model: str, count: int) -> list[str]:
    """Return the files of the pages of a sheet.

    Raises
    ------
    UsageError
        A field is unknown, or several pages go to standard output.
    """
    if pattern == STANDARD:
        if count > 1:
            raise UsageError(
                f"{count} pages cannot go to standard output", hint="name files with -o"
            )
        return [STANDARD]
    numbered = count > 1 or has_field(pattern, "page")
    return [
        fill_pattern(pattern, model=model, clip=None, frame=k if numbered else None)
        for k in range(1, count + 1)
    ]


def write_pages(options: Options, model: str, pages: Sequence[bytes]) -> None:
    """Write the pages of a sheet to their files; errors as of `page_names` and `write`."""
    targets = page_names(options.output.file, model, len(pages))
    check_outputs(options, targets)
    for target, page in zip(targets, pages, strict=True):
        write(target, page)


def _title(options: Options, model: Model, rows: list[SheetRow]) -> str:
    name = source_name(options).replace("\\", "/").rpartition("/")[2]
    count = sum(not row.setup.layered and row.setup.clip >= 0 for row in rows)
    if not count:
        return name
    shown = f"{count} of {len(model.clips)}" if count != len(model.clips) else count
    return f"{name}: {shown} animation{'s' * (len(model.clips) != 1)}"


def clip_rows(options: Options) -> tuple[Model, list[SheetRow]]:
    """Load a file; return its model and the rows of its sheet.

    Rows are the layers of a motion, clips, or a still pose. A motion with --motion, --at or a
    parameter of --set is the only row; a motion file found beside the character comes before the
    clips.
    """
    model, file = load_with_motion(options)
    if _still(options, model):
        return model, [SheetRow(options, still_playback(options, model, file))]
    rows = []
    layers = file is not None and bool(file.document.layers)
    if options.shown.motion.at or (layers and not options.clips.animations):
        rows = [SheetRow(options, choose_playback(options, model, file))]
        named = options.shown.motion.at or options.shown.motion.parameters
        if named or options.shown.motion.file is not None:
            return model, rows
    clips = list(range(len(model.clips)))
    if options.clips.animations:
        clips = [choose_clip(options, model, text) for text in options.clips.animations]
    return model, rows + _rows_of_clips(options, model, file, clips)


def file_rows(options: Options) -> tuple[Model, list[SheetRow]]:
    """Load a file; return its model and its rows on a sheet of several files.

    One row, as for `render`: the layers of a motion, else the first clip; or a row for each clip of
    --animation.
    """
    model, file = load_with_motion(options)
    if _still(options, model):
        return model, [SheetRow(options, still_playback(options, model, file))]
    if not options.clips.animations or options.shown.motion.at:
        return model, [SheetRow(options, choose_playback(options, model, file))]
    return model, _rows_of_clips(options, model, file, _found(options, model))


def _rows_of_clips(
    options: Options, model: Model, file: "MotionFile | None", clips: Sequence[int]
) -> list[SheetRow]:
    """Return a row for each clip: the record with that clip."""
    records = [options.with_clip(clip_reference(model, clip)) for clip in dict.fromkeys(clips)]
    return [SheetRow(own, choose_playback(own, model, file)) for own in records]


def _found(options: Options, model: Model) -> list[int]:
    """Return the clips of --animation that a file has, with warnings about missing ones.

    Raises
    ------
    UsageError
        The file has none of them.
    """
    clips, errors = [], []
    for text in options.clips.animations:
        try:
            clips.append(choose_clip(options, model, text))
        except UsageError as error:
            errors.append(error)
    if not clips:
        raise errors[0]
    warn(
        [error.message for error in errors], file=source_name(options), quiet=options.general.quiet
    )
    return clips


def _still(options: Options, model: Model) -> bool:
    return options.shown.pose != "clip" or not model.clips


def with_default_phases(options: Options) -> Options:
    """Return the options with even phases if no times are given.

    Raises
    ------
    UsageError
        Several options give the time.
    """
    check_given_times(options)
    if given_times(options):
        return options
    return at_times(options, TimeOptions(phase=even_phases(options.sheet.columns or COLUMNS)))


def column_count(options: Options) -> int:
    """Return the number of given times."""
    return max(map(len, given_times(options).values()))


def sheet_layouts(
    options: Options,
    counts: Sequence[int],
    hint: str = "use a smaller --resolution, fewer --rows, or fewer clips with --animation",
) -> "list[Layout]":
    """Return the layout of each page; without --resolution cells shrink until a page fits.

    Parameters
    ----------
    counts
        The number of pictures of each row.

    Raises
    ------
    UsageError
        A page is too large.
    """
    width, height = options.scene.size
    free = "resolution" not in options.given
    layouts = page_layouts(options, counts, (width, height))
    while max(layouts[0].width, layouts[0].height) > LARGEST and free and width > SMALLEST:
        width, height = width - 8, height - 8
        layouts = page_layouts(options, counts, (width, height))
    if max(layouts[0].width, layouts[0].height) > LARGEST:
        raise UsageError(
            f"the sheet is {layouts[0].width} x {layouts[0].height} pixels; at most {LARGEST} are "
            "allowed",
            hint=hint,
        )
    return layouts


def page_layouts(options: Options, counts: Sequence[int], cell: tuple[int, int]) -> "list[Layout]":
    """Return the layout of each page with cells of a size, by --columns and --rows."""
    from ..images.contact_sheet import Layout

    most, wanted = max(counts), options.sheet.columns or max(counts)
    columns = min(most, wanted)
    rows = sum(-(-count // columns) for count in counts)
    beside = min(wanted // columns, rows)
    lines = -(-rows // beside)
    most_lines = options.sheet.rows or lines
    return [
        Layout(cell, min(most_lines, lines - first), columns, beside)
        for first in range(0, lines, most_lines)
    ]


def draw(
    model: Model,
    rows: Sequence[SheetRow],
    size: tuple[int, int],
    step: Step = lambda: None,
    *,
    keep_renderer: bool = False,
    farthest: float = 0.0,
) -> "Iterator[Row]":
    """Yield the rows with pictures of `size` pixels, rendered on demand.

    Every row has its own fixed camera, which frames its whole motion; unless --scale is "row", all
    are at the distance of the farthest, so that the scale is the same. `step` is called before each
    picture; `keep_renderer` caches the renderer for the next file; `farthest` is the distance of
    all cameras of the sheet, 0: of those of this file.
    """
    decode_ahead(model.images)
    from ..images.contact_sheet import Row
    from .build_scene import bound_scene, start_playback  # GPU packages: after all checks

    options = rows[0].options

    def cells(row: SheetRow) -> Iterator[U8]:
        start_playback(row.options, scene, [row.setup], offscreen.aspect)
        if farthest:
            scene.camera.orbit.distance = farthest
        for tau in row.taus:
            step()
            scene.update(tau)
            yield offscreen.render(scene, swatches=False)

    stills = shared_renderer()
    with stills.drawing(size, options.scene.samples, keep=keep_renderer) as offscreen:
        print_verbose(
            f"drawn by {offscreen.context.info['GL_RENDERER']}", verbose=options.general.verbose
        )
        scene = bound_scene(options, [model])
        one_scale = options.scene.camera.is_framed and options.sheet.scale != "row"
        if one_scale and len(rows) > 1:
            farthest = farthest or _farthest(scene, rows, offscreen.aspect)
        for row in rows:
            yield Row(*row.title, cells(row), row.captions)


def camera_distance(task: Options) -> float:
    """Return the distance of the camera from which all rows of a file are seen; 0: it is given."""
    from .build_scene import bound_scene

    model, rows = file_rows(task)
    if not task.scene.camera.is_framed:
        return 0.0
    width, height = task.scene.size
    return _farthest(bound_scene(task, [model]), rows, width / height)


def _farthest(scene: "Scene", rows: Sequence[SheetRow], aspect: float) -> float:
    """Return the greatest distance of the cameras of some rows."""
    from .build_scene import start_playback

    distances = []
    for row in rows:
        start_playback(row.options, scene, [row.setup], aspect)
        distances.append(scene.camera.orbit.distance)
    return max(distances)
