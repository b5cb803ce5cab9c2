"""User settings of the rules: limits, severities, accepted findings, looping clips."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from .finding import SEVERITIES, Finding, Severity


@dataclass(frozen=True, slots=True)
class Ignore:
    """Accepted findings; names are patterns, ``""`` matches any."""

    rule: str
    reason: str
    clip: str = ""
    joint: str = ""
    item: str = ""
    file: str = ""

    def covers(self, finding: Finding, file: str) -> bool:
        """Return whether a finding of `file` (the path as the user gave it) is accepted."""
        pairs = (
            (self.rule, finding.rule),
            (self.clip, finding.clip),
            (self.joint, finding.joint),
            (self.item, finding.item),
        )
        fits = all(not pattern or matches_pattern(name, pattern) for pattern, name in pairs)
        return fits and (not self.file or _like_path(file, self.file))


@dataclass(frozen=True, slots=True)
class Settings:
    """The contents of a rule file.

    Attributes
    ----------
    limits
        Values by rule and name; scaled limits are for a character 1.8 m tall.
    severities
        One per rule; None: the rule is off.
    only
        Patterns of the rules to run; empty: all.
    ignores
        Accepted findings.
    loops
        Whether clips should loop, by name pattern; the first match counts.
    name
        The file, as the user named it.
    lines
        Line of each clip pattern, for messages.
    """

    limits: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    loops: Mapping[str, bool] = field(default_factory=dict)
    name: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def runs(self, rule: str) -> bool:
        """Return whether a rule runs."""
        off = self.severities.get(rule, SEVERITIES[0]) is None
        return not off and (
            not self.only or any(matches_pattern(rule, pattern) for pattern in self.only)
        )

    def accepts(self, finding: Finding, file: str) -> bool:
        """Return whether a finding is accepted."""
        return any(ignore.covers(finding, file) for ignore in self.ignores)

    def unused_clips(self, names: Iterable[str]) -> list[str]:
        """Return the clip patterns that match none of these names."""
        known = list(names)
        return [
            pattern
            for pattern in self.lines
            if not any(matches_pattern(name, pattern) for name in known)
        ]


def matches_pattern(name: str, pattern: str) -> bool:
    """Return whether a pattern matches a name; a name matches itself, even with wildcards in it."""
    return name == pattern or fnmatchcase(name, pattern)


def _like_path(file: str, pattern: str) -> bool:
    """Return whether a pattern matches the end of a path: ``hero.glb``, ``props/*.glb``."""
    parts = file.replace("\\", "/").split("/")
    return any(matches_pattern("/".join(parts[start:]), pattern) for start in range(len(parts)))
