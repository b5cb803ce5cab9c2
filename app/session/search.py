"""The search fields of lists: which names a typed text finds."""

from collections.abc import Callable

Find = Callable[[str], bool]  # whether a search finds a name


def matches(text: str) -> Find:
    """Return a test of whether a name contains all words of `text`, ignoring case."""
    words = text.casefold().split()
    return lambda name: all(word in name.casefold() for word in words)


def searched(text: str) -> Find | None:
    """Return the test of `matches`, None if `text` has no words."""
    return matches(text) if text.strip() else None
