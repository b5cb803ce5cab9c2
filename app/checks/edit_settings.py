"""Edits of the checks' settings in the text of a configuration file; all else in it stays.

A text that cannot be edited is a MotionError.
"""

import re
from collections.abc import Callable, Collection

from ..errors import MotionError
from ..fields.command_groups import COMMANDS
from ..tomlfile.text_edit import Draft
from .finding import Finding
from .rule_settings import IGNORE, TABLES, Ignore

HEADER = "# Settings of rigview for the characters in this folder and below.\n"
OFF = "off"
_WILDCARDS = re.compile(r"[*?[]")
_SURROGATES = re.compile("[\ud800-\udfff]")  # which a file cannot have


def entry_of(finding: Finding, file: str, reason: str, *, all_clips: bool = False) -> Ignore:
    """Return the entry that accepts a finding of a file, in one clip or in all of them.

    `file` is the end of its path, with slashes.
    """
    clip = "" if all_clips else finding.clip
    names = (finding.rule, reason, *map(pattern_of, (clip, finding.joint, finding.item, file)))
    return Ignore(*names)


def pattern_of(name: str) -> str:
    """Return the pattern that matches a name."""
    return _SURROGATES.sub("?", _WILDCARDS.sub(r"[\g<0>]", name))


def with_entry(text: str, entry: Ignore) -> str:
    """Return a text with another entry of accepted findings, after the others."""
    path, plain = ("ignore",), IGNORE.plain(entry)

    def edit(draft: Draft) -> None:
        if path in draft.layout.spans:  # an array in brackets
            draft.arrange_items(path, [*range(_count(draft)), plain])
        else:
            draft.add_block(path, plain, listed=True)

    return _edited(text, edit)


def without_entries(text: str, numbers: Collection[int]) -> str:
    """Return a text without some entries of accepted findings, by index."""
    path = ("ignore",)

    def edit(draft: Draft) -> None:
        kept = [number for number in range(_count(draft)) if number not in numbers]
        if not kept:
            draft.remove(path)
        elif path in draft.layout.spans:
            draft.arrange_items(path, kept)
        else:
            draft.arrange(path, kept)

    return _edited(text, edit)


def with_reason(text: str, number: int, reason: str) -> str:
    """Return a text with another reason of an entry of accepted findings, by index."""
    return _edited(text, lambda draft: draft.replace(("ignore", number, "reason"), reason))


def with_rule_off(text: str, rule: str) -> str:
    """Return a text in which a rule is off; its limits stay."""
    path = ("rules", rule)

    def edit(draft: Draft) -> None:
        severity = _severity(draft, rule)
        if severity is not None:
            draft.replace(severity, OFF)
        elif path in draft.layout:
            draft.add(path, "severity", OFF)
        elif path[:1] in draft.layout:
            draft.add(path[:1], rule, OFF)
        else:
            draft.add_block(path[:1], {rule: OFF})

    return _edited(text, edit)


def with_rule_on(text: str, rule: str) -> str:
    """Return a text without the severity of a rule; its limits stay."""

    def edit(draft: Draft) -> None:
        severity = _severity(draft, rule)
        if severity is not None:
            draft.remove(severity)

    return _edited(text, edit)


def _count(draft: Draft) -> int:
    number = 0
    while ("ignore", number) in draft.layout:
        number += 1
    return number


def _severity(draft: Draft, rule: str) -> tuple[str, ...] | None:
    """Return the key path of the severity of a rule: `rules.NAME`, or `severity` in its table."""
    paths = (("rules", rule, "severity"), ("rules", rule))
    forms = {path: draft.layout.spans[path].form for path in paths if path in draft.layout.spans}
    return next((path for path, form in forms.items() if form == "scalar"), None)


def _edited(text: str, edit: Callable[[Draft], object]) -> str:
    draft = Draft(text or HEADER, (*TABLES, *COMMANDS))
    try:
        edit(draft)
    except (ValueError, KeyError, IndexError, StopIteration):  # a form that no edit knows
        raise MotionError("cannot be changed", hint="write it in another form of TOML") from None
    return draft.text
