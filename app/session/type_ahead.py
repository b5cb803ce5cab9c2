"""Type-ahead in a list: typed letters find the next row whose name begins so."""

from collections.abc import Sequence
from dataclasses import dataclass

PAUSE = 1.0  # seconds after which typed letters begin a new name
_PUNCTUATION = frozenset("_-.:|#")  # within names; at their beginning they are shortcuts


@dataclass(slots=True)
class TypeAhead:
    """The letters typed so far."""

    text: str = ""
    until: float = 0.0  # global time at which they are forgotten, seconds

    def type(self, letter: str, now: float) -> None:
        """Add a letter typed at a global time, seconds."""
        self.text = (self.text if now < self.until else "") + letter.casefold()
        self.until = now + PAUSE

    def takes(self, character: str, now: float) -> bool:
        """Return whether a character belongs to a name, rather than being a shortcut."""
        begun = bool(self.text) and now < self.until
        return character.isalnum() or (begun and character in _PUNCTUATION)

    def find(self, names: Sequence[str], current: int) -> int | None:
        """Return the index of the first name from the current one that begins with the letters.

        After the last name it continues with the first. With a first letter, or the same one
        several times, the current name is passed over. None: no name begins so.
        """
        text = self.text
        if not text:
            return None
        same = len(set(text)) == 1
        found = None
        if not same or len(text) > 1:
            found = _next(names, text, max(current, 0))
        return _next(names, text[0], current + 1) if same and found is None else found


def _next(names: Sequence[str], text: str, start: int) -> int | None:
    count = len(names)
    order = ((start + k) % count for k in range(count))
    return next((k for k in order if names[k].casefold().startswith(text)), None)
