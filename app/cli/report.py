"""`rigview report`: write a self-contained HTML page about characters."""

from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

from ..batch import parallel
from ..checks.rule_settings import read_settings
from ..console import Progress, print_message, warn
from ..errors import AppError, ContextError, UsageError
from ..options.command_options import Options
from ..pages.entry import CharacterEntry, FailedEntry
from ..pages.page import build
from ..tasks.clip_choice import MOST_REPORTED, check_clip_count
from ..tasks.examine_file import rule_settings
from ..tasks.file_results import run_tasks
from ..tasks.input_file import each_file, load_file, source_name
from ..tasks.output import PAGES, STANDARD, check_extension, write_page
from ..tasks.output_check import check_outputs
from ..tasks.report_entry import EntryTask, Part, merge_parts, render_part

FEW = 6  # clips rendered in a single process,
LITTLE = 6.0  # if they are no longer together, seconds


def run(options: Options) -> int:
    """Collect the entries and write the page; returns the exit code."""
    check_extension(options.output.file, PAGES)
    check_outputs(options, [options.output.file])
    files = each_file(options)
    names = short_names([source_name(each) for each in files])
    results = _results(options, _tasks(options, files, names))
    shown: list[CharacterEntry | FailedEntry] = []
    failed: list[AppError] = []
    for number, (each, name) in enumerate(zip(files, names, strict=True)):
        entry = _merged(results[number])
        if isinstance(entry, AppError):
            _raise_fatal(entry, alone=len(files) == 1)
            failed.append(entry)
            shown.append(_broken(entry, source_name(each), name))
            continue
        warn(entry.statistics["warnings"], file=source_name(each), quiet=options.general.quiet)
        shown.append(entry)
    if len(failed) == len(files) and all(isinstance(each, UsageError) for each in failed):
        raise failed[0]
    for error in failed:
        print_message(str(error))
    write_page(options, build(shown))
    return max((each.exit_code for each in failed), default=0)


def short_names(files: list[str]) -> list[str]:
    """Return the last components of each path, as many as are needed to be unique."""
    parts = [file.replace("\\", "/").strip("/").split("/") for file in files]
    names = []
    for path_parts in parts:
        length = 1
        same = [other for other in parts if other != path_parts]
        while length < len(path_parts) and any(
            path_parts[-length:] == other[-length:] for other in same
        ):
            length += 1
        names.append("/".join(path_parts[-length:]))
    return names


def _tasks(options: Options, files: list[Options], names: list[str]) -> list[tuple[int, EntryTask]]:
    """Return tasks with their file index; a single file is split over several processes."""
    quiet = [replace(each, general=replace(each.general, quiet=True)) for each in files]
    read = cache(read_settings)  # many files have the same
    settings = [rule_settings(each, read) for each in quiet]
    if len(files) > 1 or options.file == STANDARD:
        lenient = len(files) > 1
        return [
            (k, EntryTask(each, names[k], settings=settings[k], lenient=lenient))
            for k, each in enumerate(quiet)
        ]
    parts = _part_count(options, files[0])
    return [(0, EntryTask(quiet[0], names[0], part, parts, settings[0])) for part in range(parts)]


def _part_count(options: Options, file: Options) -> int:
    """Return the number of processes that render a single file: one for short work."""
    count, seconds = len(options.clips.animations), 0.0
    if not count:
        clips = load_file(file).clips
        count, seconds = len(clips), sum(clip.end for clip in clips)
        check_clip_count(options, count, MOST_REPORTED)
    if options.parallel.dask is not None or (count <= FEW and seconds <= LITTLE):
        return 1
    return max(1, min(options.parallel.jobs or parallel.cores(), count))


def _results(
    options: Options, tasks: list[tuple[int, EntryTask]]
) -> dict[int, list[Part | AppError]]:
    """Return the parts or errors of each file."""
    results: dict[int, list[Part | AppError]] = {number: [] for number, _ in tasks}
    work = [task for _, task in tasks]
    with (
        Progress(
            len(tasks), "character" if len(results) > 1 else "part", quiet=options.general.quiet
        ) as bar,
        closing(run_tasks(options, render_part, work)) as done,
    ):
        bar.step()
        for index, result in done:
            results[tasks[index][0]].append(result)
            bar.step()
    return results


def _merged(parts: list[Part | AppError]) -> CharacterEntry | AppError:
    """Return the entry of a file, or the first error of its parts."""
    errors = [part for part in parts if isinstance(part, AppError)]
    return errors[0] if errors else merge_parts([part for part in parts if isinstance(part, Part)])


def _raise_fatal(error: AppError, *, alone: bool) -> None:
    """Raise an error that leaves nothing for the page."""
    if alone or isinstance(error, ContextError):
        raise error


def _broken(error: AppError, file: str, name: str) -> FailedEntry:
    """Return an error for the page, without local folders."""
    here = str(Path(file).parent)

    def said(text: str) -> str:
        text = text.replace(file, name)
        return text.replace(f"{here}/", "") if here not in (".", "/", "") else text

    return FailedEntry(name, said(error.message), said(error.place), said(error.hint))
