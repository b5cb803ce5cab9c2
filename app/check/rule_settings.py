"""What a person wants of the rules: limits, severities, what is accepted, which clips loop."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from .finding import SEVERITIES, Finding, Severity


@dataclass(frozen=True, slots=True)
class Ignore:
    """Findings that are known and accepted; names are patterns, ``""`` stands for any."""

    rule: str
    reason: str
    clip: str = ""
    joint: str = ""
    item: str = ""
    file: str = ""

    def covers(self, finding: Finding, file: str) -> bool:
        """Whether a finding in `file`, named as the user did, is one of them."""
        pairs = (
            (self.rule, finding.rule),
            (self.clip, finding.clip),
            (self.joint, finding.joint),
            (self.item, finding.item),
        )
        fits = all(not pattern or like(name, pattern) for pattern, name in pairs)
        return fits and (not self.file or _like_path(file, self.file))


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file of rules says.

    Attributes
    ----------
    limits
        Values by rule and name, for a character 1.8 m tall where the limit is scaled.
    severities
        One a rule; None: the rule is left out.
    only
        Patterns of the rules that are looked at; none: all.
    ignores
        What is accepted.
    loops
        Whether clips should loop, by pattern of their name: the first that fits counts.
    name
        The file, as the user named it.
    lines
        Where each pattern of a clip stands in it, for messages.
    """

    limits: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    loops: Mapping[str, bool] = field(default_factory=dict)
    name: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def runs(self, rule: str) -> bool:
        """Whether a rule is looked at."""
        off = self.severities.get(rule, SEVERITIES[0]) is None
        return not off and (not self.only or any(like(rule, each) for each in self.only))

    def accepts(self, finding: Finding, file: str) -> bool:
        """Whether a finding is known and accepted."""
        return any(ignore.covers(finding, file) for ignore in self.ignores)

    def unused_clips(self, names: Iterable[str]) -> list[str]:
        """Return the patterns of clips that none of these names fits."""
        known = list(names)
        return [each for each in self.lines if not any(like(name, each) for name in known)]


def like(name: str, pattern: str) -> bool:
    """Whether a pattern fits a name; a name always fits itself, whatever signs are in it."""
    return name == pattern or fnmatchcase(name, pattern)


def _like_path(file: str, pattern: str) -> bool:
    """Whether a pattern fits a path from its end: ``hero.glb``, ``props/*.glb``."""
    parts = file.replace("\\", "/").split("/")
    return any(like("/".join(parts[start:]), pattern) for start in range(len(parts)))
