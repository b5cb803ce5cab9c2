"""Check before the work starts that the outputs can be written and replace no input."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import AppError, UsageError
from ..motion.file_paths import motion_path
from ..options.command_options import Options
from .input_file import characters_in, source_path
from .output import STANDARD, check_target

Identity = tuple[int, int]  # device and number of a file: links to one file have the same


def check_outputs(options: Options, targets: Sequence[str]) -> None:
    """Check the paths that a command will write, the first of which must be writable.

    Raises
    ------
    OutputError
        The first path cannot be written.
    UsageError
        A path is that of an input file, also by a link, and `--in-place` is not given.
    """
    check_target(targets[0])
    if options.output.in_place:
        return
    existing = {
        found: target
        for target in targets
        if target != STANDARD and (found := _identity(Path(target))) is not None
    }
    if not existing:
        return
    for path in _input_paths(options, [Path(target) for target in existing.values()]):
        target = existing.get(_identity(path) or (-1, -1))
        if target is not None:
            raise UsageError(
                f"-o {target}: this is an input file",
                hint="choose another name, or overwrite it with --in-place",
            )


def _identity(path: Path) -> Identity | None:
    """Return the identity of a regular file, None if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if path.is_file() else None


def _input_paths(options: Options, targets: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that a command reads: those on the command line, then their buffers.

    Buffers are omitted where none of the existing `targets` can be one.
    """
    named = [path for each in options.per_file for path in _named(each)]
    yield from named
    for path in list(named):
        if path.name.endswith(".toml") and path.is_file():
            clips = list(_clip_files(path))
            yield from clips
            named += clips
    root = None if options.general.root is None else Path(options.general.root)
    for path in named:
        folder = path.parent if root is None else root
        if any(_can_be_inside(target, folder) for target in targets):
            yield from _external_files(path, root)


def _can_be_inside(target: Path, folder: Path) -> bool:
    """Return whether an existing file can be one in a folder, by a link or not."""
    try:
        return target.stat().st_nlink > 1 or target.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # removed meanwhile, a loop of links
        return True


def _named(options: Options) -> Iterator[Path]:
    """Yield the files named by options, and the motion file beside a character."""
    for name in options.files or (options.file,):
        if name == STANDARD:
            continue
        path = source_path(name)
        if path.is_dir():
            yield from map(
                Path, characters_in(str(path), quiet=True, convert=options.general.convert)
            )
            continue
        yield path
        if options.shown.motion.file is None and not options.shown.motion.none:
            yield motion_path(path)
    for name in (
        options.shown.motion.file,
        *options.scene.anims,
        options.scene.look.lighting.environment,
    ):
        if name is not None:
            yield Path(name)


def _clip_files(motion: Path) -> Iterator[Path]:
    """Yield the files whose clips a motion file imports; faults are reported when it is used."""
    from ..motion.read import read_motion

    try:
        document = read_motion(motion).document
    except AppError:
        return
    for name in document.anims.files:
        yield motion.parent / name


def _external_files(path: Path, root: Path | None) -> Iterator[Path]:
    """Yield the buffers and images of a glTF file; faults are reported when it is loaded."""
    if path.suffix.lower() not in (".glb", ".gltf", ".vrm"):
        return
    from ..gltf.document import open_document

    try:
        yield from open_document(path, root=root).files()
    except (AppError, TypeError, AttributeError):  # not yet validated
        return
