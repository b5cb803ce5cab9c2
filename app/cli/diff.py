"""`rigview diff`: compare two versions of a character."""

import json
import os
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..console import Progress, print_message, warn
from ..differences.compare import compare
from ..differences.difference import Change, Difference, as_json
from ..errors import AppError, UsageError
from ..file_io import read_file
from ..images import stills, video
from ..loading.git_revision import ExtractedFile, extracted, parse_revision, references
from ..loading.load import load
from ..loading.version_pairs import VersionPair, changed_since, of_folders
from ..model.model import Model
from ..options.command_options import Options
from ..tasks.clip_choice import clips_found
from ..tasks.input_file import checked_root, no_characters, standard_input
from ..tasks.output import PAGES, STANDARD, check_extension, check_one_standard, write
from ..tasks.output_check import check_outputs
from ..tasks.output_names import fill_pattern, has_field, model_name, unique_names
from ..wording import counted, one_line
from .diff_text import as_text

FOUND = 1  # exit code if something differs
_OBJECT_ID = re.compile(r" ([0-9a-f]{40}|[0-9a-f]{64})$")  # of SHA-1 and SHA-256; 0: none yet


def run(options: Options) -> int:
    """Compare and print differences; returns the exit code."""
    pairs = _pairs(options)
    if pairs is not None:
        return _compare_folders(options, pairs)
    difference, names = _drawn_difference(options, same=True)
    _print_differences(options, difference, *names)
    return 0 if difference.same else FOUND


def _drawn_difference(options: Options, *, same: bool) -> tuple[Difference, tuple[str, str]]:
    """Return the difference of the two files and their names; draw it if -o is given.

    If `same`, it is drawn without differences too.
    """
    _check(options)
    with ExitStack() as stack:  # revisions are kept in temporary folders until the end
        one, two = _versions(options, stack)
        difference, names = _compare(options, one, two), (one.name, two.name)
        target, models = options.output.comparison, (one.model, two.model)
        if target is not None and any(models) and (same or not difference.same):
            from ..tasks.diff_picture import draw  # GPU packages: only with -o

            draw(options, target, difference, models, names)
    return difference, names


def _pairs(options: Options) -> list[VersionPair] | None:
    """Return the pairs of --changed-since or of two folders; None for two files.

    Raises
    ------
    UsageError
        The number or the kinds of the files do not fit, or a picture is asked for.
    """
    revision, files = options.versions.changed_since, options.files
    labels = options.versions.labels
    if len(labels) > 2:
        raise UsageError("--label was given more than twice", hint="name A, then B")
    folders = [os.path.isdir(name) for name in files]
    if revision is None and len(files) < 2:
        hint = "name two files or folders, or --changed-since REV FOLDER"
        raise UsageError("the following arguments are required: B", hint=hint)
    if revision is None and not any(folders):
        return None
    if labels:
        raise UsageError("--label names single files, not folders")
    if revision is None and not all(folders):
        raise UsageError("a folder can be compared only with another folder")
    if revision is not None and len(files) > 1:
        raise UsageError("--changed-since takes one folder", hint="leave out B")
    target = options.output.comparison
    if target is not None and not has_field(target, "model"):
        raise UsageError("-o draws one picture for each pair", hint="name it '{model}.png'")
    if revision is not None:
        return changed_since(revision, files[0], convert=options.general.convert)
    pairs = of_folders(*files, convert=options.general.convert)
    if not pairs:
        raise no_characters(files[0])
    return pairs


def _versions(options: Options, stack: ExitStack) -> tuple["Version", "Version"]:
    """Return both versions; the warnings of the same file are printed once."""
    labels = [*options.versions.labels, "", ""]
    one = Version(options, options.files[0], stack, labels[0])
    one.print_warnings(options)
    two = Version(options, options.files[1], stack, labels[1])
    if one.path is None or two.path is None or not os.path.samefile(one.path, two.path):
        two.print_warnings(options)
    return one, two


class Version:
    """One of the two versions.

    Parameters
    ----------
    text
        A file, `-`, `REV:PATH`, or the null device, which git passes for a missing version.
    stack
        Removes the folder of a revision at its end.
    label
        The name in the output, "": the file.
    """

    def __init__(self, options: Options, text: str, stack: ExitStack, label: str = "") -> None:
        self.name = "standard input" if text == STANDARD else text
        if label and text != os.devnull:
            self.name = _OBJECT_ID.sub(_abbreviated, label)
        self.model: Model | None = None
        self.data: bytes | None = None
        self.path: Path | None = None
        self._root = checked_root(options)
        if text == os.devnull:
            return
        revision = None if text == STANDARD else parse_revision(text)
        copy = None if revision is None else stack.enter_context(extracted(revision))
        if text == STANDARD:
            self.data = standard_input()
        else:
            self.path = Path(text) if copy is None else copy.path
        try:
            self.model = load(
                self.data if self.path is None else self.path,
                root=self._in(copy),
                max_memory=options.general.max_memory,
            )
        except AppError as error:
            error.file = self.name
            if copy is not None:
                error.message = error.message.replace(str(copy.folder), "the revision")
                error.hint = error.hint.replace(str(copy.folder), "the revision")
            raise

    def _in(self, copy: ExtractedFile | None) -> Path | None:
        """Return the folder of --root, or the corresponding folder of a revision."""
        if copy is None or self._root is None:
            return self._root
        inside = os.path.relpath(self._root.resolve(), _repository_root(Path.cwd()))
        return copy.folder if inside.startswith("..") else copy.folder / inside

    def print_warnings(self, options: Options) -> None:
        """Print the warnings of the file, if any."""
        if self.model is not None:
            warn(self.model.warnings, file=self.name, quiet=options.general.quiet)

    def bytes(self) -> bytes | None:
        """Return the bytes of the file, None if it refers to other files."""
        if self.data is None and self.path is not None:
            self.data = read_file(self.path)
        if self.data is None or (self.path is not None and references(self.data)):
            return None
        return self.data


def _abbreviated(object_id: re.Match[str]) -> str:
    """Return an object ID at the end of a label as git shows it; "" for a file without one."""
    digits = object_id[1]
    return f" {digits[:7]}" if digits.strip("0") else ""


def _repository_root(folder: Path) -> Path:
    """Return the root folder of the git repository."""
    folder = folder.resolve()
    return next(
        (parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder
    )


def _check(options: Options) -> None:
    """Raise UsageError for options that exclude each other, before files are read."""
    if set(options.files) == {STANDARD}:
        raise UsageError("standard input can be only one version", hint="name the other file")
    target = options.output.comparison
    if target is None:
        return
    check_one_standard(options, target)
    ending = check_extension(target, (*stills.DISPLAYED, *video.ENDINGS, *PAGES))
    if ending in video.ENDINGS:
        video.require(ending)
    check_outputs(options, [target])


def _compare(options: Options, one: Version, two: Version) -> Difference:
    metres, degrees = options.thresholds.metres, options.thresholds.threshold_deg
    if one.model is two.model is None:
        return Difference(metres, degrees)
    if one.model is None or two.model is None:
        change = Change("file", "removed" if two.model is None else "added", "file")
        return Difference(metres, degrees, changes=(change,))
    wanted = _wanted(options, one, two)
    data = one.bytes()
    if data is not None and data == two.bytes():
        return Difference(metres, degrees, identical=True)
    return compare(one.model, two.model, clips=wanted, metres=metres, degrees=degrees)


def _wanted(options: Options, one: Version, two: Version) -> set[str] | None:
    """Return the names of the clips of `--animation` in either version; None: all.

    Raises
    ------
    UsageError
        Neither version has a clip.
    """
    texts, names = options.clips.animations, set[str]()
    if not texts:
        return None
    missing = []
    for side in (one, two):
        if side.model is not None:
            clips, errors = clips_found(side.model, texts, side.name)
            names |= {side.model.clips[c].name for c in clips}
            missing.append(errors)
    for text in texts:
        if all(text in errors for errors in missing):
            raise missing[-1][text]
    return names


def _print_differences(options: Options, difference: Difference, one: str, two: str) -> None:
    """Print the differences, on standard error if the picture goes to standard output."""
    if options.output.json:
        facts = {"a": one, "b": two, **as_json(difference)}
        write(STANDARD, json.dumps(facts, ensure_ascii=False, indent=2).encode() + b"\n")
        return
    text = as_text(difference, (one_line(one), one_line(two)), verbose=options.general.verbose)
    if options.output.comparison == STANDARD:
        if not options.general.quiet:
            print_message(text.splitlines()[-1])
        return
    write(STANDARD, text.encode() + b"\n")


def _compare_folders(options: Options, pairs: Sequence[VersionPair]) -> int:
    """Compare each pair and print the differences; returns the exit code.

    A pair that cannot be read is reported, and the others are compared.
    """
    code = 0
    found: list[tuple[VersionPair, Difference | AppError]] = []
    targets = _targets(options, pairs)
    with Progress(len(pairs), "file", quiet=options.general.quiet) as bar:
        for pair, target in zip(pairs, targets, strict=True):
            bar.step()
            output = replace(options.output, comparison=target)
            try:
                one = replace(options, files=tuple(pair), output=output)
                difference = _drawn_difference(one, same=False)[0]
                found.append((pair, difference))
                if target is not None and not difference.same:
                    _warn_of_name(options, _latest_file(pair), target)
            except AppError as error:
                print_message(str(error))
                code = max(code, error.exit_code)
                found.append((pair, error))
    same = all(isinstance(each, AppError) or each.same for _, each in found)
    if options.output.json:
        rows = [{"a": pair.before, "b": pair.after, **_facts(each)} for pair, each in found]
        facts = {"same": same and not code, "files": rows}
        write(STANDARD, json.dumps(facts, ensure_ascii=False, indent=2).encode() + b"\n")
    else:
        write(STANDARD, _text(options, found).encode())
    return max(code, 0 if same else FOUND)


def _facts(found: Difference | AppError) -> dict[str, Any]:
    return {"error": str(found)} if isinstance(found, AppError) else as_json(found)


def _targets(options: Options, pairs: Sequence[VersionPair]) -> Sequence[str | None]:
    """Return the picture of each pair, by the name of its latest version; None without -o."""
    pattern = options.output.comparison
    if pattern is None:
        return [None] * len(pairs)
    names = unique_names([model_name(_latest_file(pair)) for pair in pairs])
    return [fill_pattern(pattern, model=name, clip=None) for name in names]


def _warn_of_name(options: Options, file: str, target: str) -> None:
    """Warn of a picture that has not the name of its file, as another one has it."""
    name = model_name(file)
    if target != fill_pattern(options.output.comparison or "", model=name, clip=None):
        message = (
            f"another file has the name {name}; the picture of this one is written to {target}"
        )
        warn([message], file=file, quiet=options.general.quiet)


def _latest_file(pair: VersionPair) -> str:
    """Return the path of the newer version, or of the older one of a removed character."""
    if pair.after != os.devnull:
        return pair.after
    revision = parse_revision(pair.before)
    return pair.before if revision is None else revision.path


def _text(options: Options, found: Sequence[tuple[VersionPair, Difference | AppError]]) -> str:
    blocks, compared = [], list[Difference]()
    for pair, difference in found:
        before, after = (one_line(name) for name in pair)
        if isinstance(difference, AppError):
            blocks.append(f"not compared: {before} → {after}")
            continue
        compared.append(difference)
        if os.devnull in pair:
            blocks.append(f"added {after}" if pair.before == os.devnull else f"removed {before}")
        else:
            blocks.append(as_text(difference, (before, after), verbose=options.general.verbose))
    differing = sum(not difference.same for difference in compared)
    last = f"{counted(len(compared), 'character')} compared, {differing} with differences"
    left = len(found) - len(compared)
    blocks.append(f"{last}, {left} not compared" if left else last)
    return "\n\n".join(blocks) + "\n"
