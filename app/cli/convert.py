"""`rigview convert`: convert files of other formats to glTF, with Blender."""

import os
from pathlib import Path

from ..console import warn
from ..conversion.convert import convert
from ..conversion.formats import FORMATS, check_format, is_convertible, other_formats
from ..errors import UsageError
from ..options.command_options import Options
from ..tasks.file_results import FileResults
from ..tasks.output import STANDARD, check_extension, write
from ..tasks.output_check import check_outputs
from ..tasks.output_names import fill_pattern, has_field


def run(options: Options) -> int:
    """Convert and write; returns the exit code."""
    files = [path for name in options.files for path in _expanded(name)]
    if not files:
        raise UsageError("no file to convert", hint="name a .blend, .fbx, .dae, .usd or .obj file")
    targets = _targets(options.output.file, files)
    check_outputs(options, targets)
    tasks = [options.with_shown(file=file) for file in files]
    if len(files) == 1:
        write(targets[0], converted(tasks[0]))
        return 0
    results = FileResults(options, converted, tasks)
    for number, data in results:
        write(targets[number], data)
    return results.code


def converted(options: Options) -> bytes:
    """Return the file of a record as .glb, and print what was lost."""
    found = convert(Path(options.file or ""))
    warn(found.warnings, file=options.file or "", quiet=options.general.quiet)
    return found.data


def _expanded(name: str) -> list[str]:
    """Return a file, or the files of other formats in a folder and its subfolders."""
    if os.path.isdir(name):
        found = [
            os.path.join(place, each)
            for place, _, names in os.walk(name)
            for each in other_formats(names, ())
        ]
        if not found:
            raise UsageError(f"no {', '.join(FORMATS)} file in the folder {name!r}")
        return sorted(found)
    check_format(name)
    if not is_convertible(name):
        raise UsageError(
            f"{name!r} needs no conversion", hint=f"converted are {', '.join(FORMATS)}"
        )
    return [name]


def _targets(pattern: str, files: list[str]) -> list[str]:
    """Return the output file of each file.

    Raises
    ------
    UsageError
        Two files have the same output, or the pattern has another extension.
    """
    check_extension(pattern, (".glb",))
    if len(files) > 1 and not has_field(pattern, "stem"):
        raise UsageError(
            f"-o {pattern}: one output for {len(files)} files", hint="write '{stem}.glb'"
        )
    targets = [
        pattern if pattern == STANDARD else fill_pattern(pattern, stem=Path(file).stem)
        for file in files
    ]
    written: dict[str, str] = {}
    for file, target in zip(files, targets, strict=True):
        if target.casefold() in written:
            other = written[target.casefold()]
            raise UsageError(f"{other} and {file} are both written to {target}")
        written[target.casefold()] = file
    return targets
