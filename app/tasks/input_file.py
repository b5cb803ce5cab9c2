"""Load the input file of a command, print its warnings, and choose a clip."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import print_message, print_verbose, warn
from ..conversion.formats import FORMATS, other_formats
from ..errors import AppError, GltfError, UsageError
from ..file_io import MAX_BYTES, read_stream
from ..loading.git_revision import kept_file, parse_revision, revision_of
from ..loading.load import check_head, load
from ..model.lookup import find_clip
from ..model.model import Model
from ..options.command_options import Options
from ..scenedoc.shown import BUNDLED
from ..wording import counted, joined
from .output import STANDARD

if TYPE_CHECKING:
    from ..loading.import_clips import ImportedFile
    from ..motion.read import MotionFile

CHARACTERS = (".glb", ".gltf", ".vrm")  # extensions of characters in a folder


def source_path(file: str | None) -> Path:
    """Return the path of a file, or of the bundled character for None.

    ``REV:PATH``, a file of a git revision, is in a temporary folder until the process ends.

    Raises
    ------
    UsageError, GltfError, ConversionError
        The revision or its file cannot be read.
    """
    if file is not None:
        revision = parse_revision(file)
        return Path(file) if revision is None else kept_file(revision)
    from ..resources import asset_path

    return asset_path(BUNDLED)


def checked_root(options: Options) -> Path | None:
    """Return the folder that files may be read from, None: the folder of FILE."""
    root = None if options.general.root is None else Path(options.general.root)
    if root is not None and not os.path.isdir(root):  # also catches names that are too long
        raise UsageError(f"--root: folder {options.general.root!r} does not exist")
    return root


def load_source(options: Options) -> Model:
    """Load the file of a command (``-``: standard input) with the clips of `--anims`."""
    model = load_file(options)
    return add_anims(options, model, None) if options.scene.anims else model


def load_file(options: Options) -> Model:
    """Load the file of a command without imported clips."""
    root = checked_root(options)
    path = None if options.file == STANDARD else source_path(options.file)
    try:
        source = standard_input() if path is None else path
        return load(source, root=root, max_memory=options.general.max_memory)
    except AppError as error:
        if path is None or revision_of(path):
            error.file = source_name(options)
        raise


def standard_input() -> bytes:
    """Return the bytes of standard input.

    Raises
    ------
    GltfError, UnsupportedError
        It cannot be read, or begins like no character.
    """
    name = "standard input"
    if sys.stdin is None:  # the parent process closed it
        raise GltfError("it is closed", file=name)
    try:
        return read_stream(sys.stdin.buffer, MAX_BYTES, partial(check_head, name=name))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise GltfError(f"it cannot be read: {reason}", file=name) from None


def add_anims(options: Options, model: Model, motion: "MotionFile | None") -> Model:
    """Import the clips of other files into a model, and print a report of each file."""
    model, report = import_anims(options, model, motion)
    print_anims_report(options, report)
    return model


def import_anims(
    options: Options, model: Model, motion: "MotionFile | None"
) -> "tuple[Model, tuple[ImportedFile, ...]]":
    """Import the clips of the motion file's other files into a model, then those of `--anims`."""
    from ..loading.import_clips import import_all_clips  # imported late: rarely needed

    root, scene = checked_root(options), options.scene
    return import_all_clips(model, motion, scene.anims, root=root, force=scene.force)


def print_anims_report(options: Options, report: Sequence["ImportedFile"]) -> None:
    """Print how each animation file was retargeted: one line, with `--verbose` every joint."""
    if options.general.quiet:
        return
    for file in report:
        print_message(f"{file.file}: {file.summary}")
        warn(file.warnings, file=file.file, quiet=options.general.quiet)
        for line in file.details:
            print_verbose(f"{file.file}: {line}", verbose=options.general.verbose)


def each_file(options: Options) -> list[Options]:
    """Return the arguments for each file of a command.

    A folder is expanded to the characters in it and its subfolders, sorted by name; without files
    the bundled character is used.

    Raises
    ------
    UsageError
        A folder has no characters, or standard input is combined with other files.
    GltfError
        A folder cannot be read; if that is one inside a folder, it is a warning.
    """
    general, found = options.general, options.files or [None]
    names = [
        name
        for given in found
        for name in _expanded(given, quiet=general.quiet, convert=general.convert)
    ]
    if STANDARD in names and len(names) > 1:
        raise UsageError("standard input cannot be combined with other files", hint="leave out -")
    return [options.with_shown(file=name) for name in names]


def _expanded(name: str | None, *, quiet: bool, convert: bool) -> list[str | None]:
    if name is None or not os.path.isdir(name):
        return [name]
    characters = sorted(characters_in(name, quiet=quiet, convert=convert))
    if not characters:
        raise no_characters(name)
    return [*characters]


def no_characters(folder: str) -> UsageError:
    """Return the error of a folder without characters, with the kinds of files that it has."""
    names = [name for _, _, names in os.walk(folder) for name in names]
    kinds = Counter(Path(name).suffix.lower() for name in names)
    counts = [counted(kinds[kind], f"{kind} file") for kind in FORMATS if kinds[kind]]
    hint = f"it has {joined(counts)}: --convert reads them through Blender"
    if not counts and kinds[".bvh"]:
        hint = f"it has {counted(kinds['.bvh'], '.bvh file')}: name each file"
    elif not counts:
        hint = f"it has {counted(len(names), 'other file')}" if names else "it has no files"
    return UsageError(f"no {', '.join(CHARACTERS)} file in the folder {folder!r}", hint=hint)


def characters_in(folder: str, *, quiet: bool, convert: bool = False) -> Iterator[str]:
    """Yield the paths of the characters in a folder and its subfolders.

    With `convert` also those of other formats beside which is no character with the same name.
    """

    def report(error: OSError) -> None:
        inner, reason = str(error.filename), error.strerror or str(error)
        if Path(inner) == Path(folder):
            raise GltfError(f"the folder cannot be read: {reason}", file=folder) from None
        warn([f"the folder cannot be read: {reason}"], file=inner, quiet=quiet)

    for place, _, names in os.walk(folder, onerror=report):
        for name in names:
            if name.lower().endswith(CHARACTERS):
                yield str(Path(place, name))
        for name in other_formats(names, CHARACTERS) if convert else ():
            yield str(Path(place, name))


def source_name(options: Options) -> str:
    """Return the file as the user named it, for messages."""
    return options.shown.name


def print_file_warnings(options: Options, model: Model) -> None:
    """Print the warnings of the file, unless `--quiet`."""
    warn(model.warnings, file=source_name(options), quiet=options.general.quiet)


def choose_clip(options: Options, model: Model, text: str | None) -> int:
    """Return the index of the clip that `text` names; None: the first, -1 without clips."""
    if text is None:
        return 0 if model.clips else -1
    try:
        match = find_clip(model, text)
    except UsageError as error:
        error.file = source_name(options)
        raise
    if match.warning:
        warn([match.warning], file=source_name(options), quiet=options.general.quiet)
    return match.index
