"""What reading had to say of a file and of its motion file: oddities that play all the same."""

import re
from collections.abc import Iterator

from ..rule import Hit, Limits, Rule
from ..subject import Subject

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_WORDS = {"meshes": "mesh"}  # one of them; others lose their s


def _find(subject: Subject, _limits: Limits) -> Iterator[Hit]:
    for warning in subject.model.warnings:
        place, mark, sentence = warning.partition(": ")
        if not mark or not place.startswith("/"):
            yield Hit(warning)
            continue
        keys = place.split("/")[1:]
        number = int(keys[1]) if len(keys) > 1 and keys[1].isdecimal() else -1
        if keys[0] == "animations" and number >= 0:
            if number in subject.clips:
                clip = subject.clip(number).name
                yield Hit(f"animation {clip!r}: {sentence}", place=place, clip=clip)
            continue
        kind = _WORDS.get(keys[0], keys[0].removesuffix("s"))
        name = _name(subject, keys[0], number)
        where = f"{kind} {name!r}: " if name else ""
        yield Hit(f"{where}{sentence}", place="" if place == "/" else place, item=name)


def _name(subject: Subject, key: str, number: int) -> str:
    """Return the name that the file gives to one of its parts, ``""`` where it gives none."""
    rows = subject.document.json.get(key) if subject.document and number >= 0 else None
    row = rows[number] if isinstance(rows, list) and number < len(rows) else None
    name = row.get("name") if isinstance(row, dict) else None
    return name if isinstance(name, str) else ""


def _advice(subject: Subject, _limits: Limits) -> Iterator[Hit]:
    for sentence in subject.advice:
        yield Hit(sentence, item=_DIGITS.sub("0", sentence))


MOTION = Rule(
    "motion-file",
    "warning",
    "the motion file beside the character asks for something that is likely to look wrong",
    "change the motion file as the sentence says; docs/motion-file.md tells of every key",
    _advice,
)

ODDITY = Rule(
    "file",
    "warning",
    "something in the file is odd or against the rules of its format, and was read all the same",
    "correct it in the program that the file comes from, and export again",
    _find,
)

RULES = (MOTION, ODDITY)
