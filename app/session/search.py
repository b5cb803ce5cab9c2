"""The search fields of lists: which names a typed text finds."""

from collections.abc import Callable, Collection
from pathlib import Path

Find = Callable[[str], bool]  # whether a search finds a name


def matches(text: str) -> Find:
    """Return a test of whether a name contains all words of `text`, ignoring case."""
    words = text.casefold().split()
    return lambda name: all(word in name.casefold() for word in words)


def searched(text: str) -> Find | None:
    """Return the test of `matches`, None if `text` has no words."""
    return matches(text) if text.strip() else None


def paths_after(text: str, suffixes: Collection[str]) -> list[str]:
    """Return the paths that begin with a typed one: folders, with "/" at their end, then files.

    Parameters
    ----------
    text
        A path; what follows its last "/" begins the names, ignoring case. Hidden names are left out
        unless it begins with a dot.
    suffixes
        Of the files, in lower case: ".glb".
    """
    folder, slash, begin = text.replace("\\", "/").rpartition("/")
    start = begin.casefold()
    try:
        entries = sorted(
            (Path(folder + slash).expanduser()).iterdir(), key=lambda p: p.name.lower()
        )
    except (OSError, RuntimeError, ValueError):  # none, not readable, or an unknown user
        return []
    found: tuple[list[str], list[str]] = ([], [])
    for each in entries:
        name = each.name
        if not name.casefold().startswith(start) or (name.startswith(".") and not start):
            continue
        if each.is_dir():
            found[0].append(f"{folder}{slash}{name}/")
        elif each.suffix.lower() in suffixes:
            found[1].append(f"{folder}{slash}{name}")
    return [*found[0], *found[1]]
