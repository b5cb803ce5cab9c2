"""Warnings of loading a file and of binding its motion file, as findings."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ...gltf.object_names import described_place, object_name
from ...wording import quoted
from ..check_context import CheckContext
from ..finding import Finding, Limits, Rule

_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def _find(context: CheckContext, _limits: Limits) -> Iterator[Finding]:
    """Yield the warnings; one that several places of a clip or an object share has a count."""
    found: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in _each(context):
        found.setdefault((finding.message, finding.clip, finding.item), []).append(finding)
    for first, *others in found.values():
        count = f" ({len(others) + 1} times)" if others else ""
        yield replace(first, message=first.message + count)


def _each(context: CheckContext) -> Iterator[Finding]:
    for warning in context.model.warnings:
        place, mark, message = warning.partition(": ")
        if not mark or not place.startswith("/"):
            yield Finding(warning)
            continue
        keys = place.split("/")[1:]
        number = int(keys[1]) if len(keys) > 1 and keys[1].isdecimal() else -1
        json = context.document.json
        named = described_place(json, place)
        if keys[0] == "animations" and number >= 0:
            if number in context.clips:
                clip = context.clip(number).name
                where = named or f"animation {quoted(clip)}"
                yield Finding(f"{where}: {message}", place=place, clip=clip)
            continue
        where = f"{named}: " if named and named not in message else ""
        name = object_name(json, keys[0], number)
        yield Finding(f"{where}{message}", place="" if place == "/" else place, item=name)


def _advice(context: CheckContext, _limits: Limits) -> Iterator[Finding]:
    for message in context.advice:
        yield Finding(message, item=_DIGITS.sub("0", message))


MOTION_WARNING = Rule(
    "motion-file",
    "warning",
    "the motion file beside the character has settings that are likely to look wrong",
    "change the motion file as described; docs/motion-file.md documents every key",
    _advice,
)

LOAD_WARNING = Rule(
    "file",
    "warning",
    "the file is unusual or violates its format in a way that loading tolerates",
    "correct it in the authoring program, and export again",
    _find,
    group="File",
)
