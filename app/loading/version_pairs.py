"""Pairs of characters to compare: those that changed since a git revision, or of two folders."""

import filecmp
import os
import posixpath
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..conversion.formats import is_convertible, other_formats
from ..errors import AppError, UsageError
from ..file_io import read_file
from ..gltf.document import check_head
from .git_revision import CHARACTERS, error_line, possible_paths, references, run_git


class VersionPair(NamedTuple):
    """Two versions of a character: a file or `REV:PATH`, the null device for none."""

    before: str
    after: str


def changed_since(revision: str, folder: str, *, convert: bool = False) -> list[VersionPair]:
    """Return the characters of a folder that changed since a branch left a revision.

    With `convert` those of other formats, too. Changes of the working tree count, also those of
    untracked files and of the buffers and images that a character refers to. Renamed files are
    compared with their earlier version.

    Raises
    ------
    UsageError
        git is not installed, or the folder or the revision does not exist.
    """
    if not os.path.exists(folder):
        raise UsageError(f"{folder!r} does not exist", hint="name a folder of a git checkout")
    place = folder if os.path.isdir(folder) else os.path.dirname(folder) or "."
    name = f"--changed-since {revision}"
    git = partial(_output, name, place)
    top = git("rev-parse", "--show-toplevel")[0].rstrip("\n")
    commit = run_git(name, "rev-parse", "--verify", f"{revision}^{{commit}}", folder=place)
    if revision.startswith("-") or commit.returncode:
        raise UsageError(f"unknown revision {revision!r}", hint="give a branch, a tag or a commit")
    tip = commit.stdout.decode().strip()
    fork = run_git(name, "merge-base", tip, "HEAD", folder=place)
    if fork.returncode:
        hint = "fetch the whole history: git fetch --unshallow"
        raise UsageError(f"{revision!r} and HEAD have no common commit here", hint=hint)
    base = fork.stdout.decode().strip()
    shown = revision if base == tip else base[:12]
    inside = posixpath.normpath(
        Path(os.path.relpath(os.path.realpath(folder), os.path.realpath(top))).as_posix()
    )
    old_of = _changes(git("diff", "--no-ext-diff", "--name-status", "-M", "-z", base))
    untracked = git("ls-files", "--others", "--exclude-standard", "--full-name", "-z")
    old_of |= dict.fromkeys(untracked, "")
    gone = set(old_of) | set(old_of.values())
    present = git("ls-files", "--cached", "--full-name", "-z")
    for path in present:
        if path not in old_of and _is_character(path) and _refers(top, path, gone):
            old_of[path] = path
    return [
        _pair(shown, top, old, path)
        for path, old in sorted(old_of.items())
        if _is_character(path) or (convert and is_convertible(path))
        if _within(path, inside)
    ]


def of_folders(one: str, two: str, *, convert: bool = False) -> list[VersionPair]:
    """Return the characters of two folders, matched by path, else by identical content.

    With `convert` also files of other formats; see `conversion.formats.other_formats`.
    """
    before, after = (dict(_characters(folder, convert)) for folder in (one, two))
    removed = [name for name in before if name not in after]
    pairs = [VersionPair(before[name], path) for name, path in after.items() if name in before]
    for name, path in after.items():
        if name not in before:
            old = next((old for old in removed if _same_bytes(before[old], path)), None)
            if old is not None:
                removed.remove(old)
            pairs.append(VersionPair(os.devnull if old is None else before[old], path))
    pairs += [VersionPair(before[name], os.devnull) for name in removed]
    return sorted(pairs, key=lambda pair: (pair.after == os.devnull, pair.after, pair.before))


def _characters(folder: str, convert: bool) -> Iterator[tuple[str, str]]:
    """Yield the path of each character in a folder and its subfolders, relative and whole."""
    for place, _, names in os.walk(folder):
        others = other_formats(names, CHARACTERS) if convert else []
        for name in sorted([*filter(_is_character, names), *others]):
            path = os.path.join(place, name)
            yield os.path.relpath(path, folder), path


def _same_bytes(one: str, two: str) -> bool:
    try:
        return filecmp.cmp(one, two, shallow=False)
    except OSError:  # reported when it is loaded
        return False


def _is_character(path: str) -> bool:
    return path.lower().endswith(CHARACTERS)


def _output(name: str, folder: str, *arguments: str) -> list[str]:
    """Return the output of a git command in a folder, split at NUL characters."""
    ran = run_git(name, *arguments, folder=folder)
    if ran.returncode:
        raise UsageError(error_line(ran, f"{folder!r} is not in a git checkout"), file=name)
    return [text for text in os.fsdecode(ran.stdout).split("\0") if text]


def _changes(fields: list[str]) -> dict[str, str]:
    """Return the earlier path by changed path, "" of added files; removed files have their own."""
    found: dict[str, str] = {}
    rows = iter(fields)
    for status in rows:
        path = next(rows)
        if status[0] in "RC":
            new = next(rows)
            found[new] = path
        else:
            found[path] = "" if status[0] == "A" else path
    return found


def _refers(top: str, path: str, changed: set[str]) -> bool:
    """Return whether a character refers to one of the changed files."""
    try:
        data = read_file(os.path.join(top, path), check=check_head)
    except (OSError, AppError):
        return False
    return any(not changed.isdisjoint(possible_paths(path, uri)) for uri in references(data))


def _within(path: str, inside: str) -> bool:
    return inside == "." or path == inside or path.startswith(f"{inside}/")


def _pair(revision: str, top: str, old: str, path: str) -> VersionPair:
    file = os.path.join(top, path)
    return VersionPair(
        f"{revision}:{old}" if old else os.devnull,
        os.path.relpath(file) if os.path.exists(file) else os.devnull,
    )
