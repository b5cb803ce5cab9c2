"""User settings of the rules: limits, severities, accepted findings, looping clips.

They are tables of a configuration file (TOML): ``rigview.toml`` of a project, and the user's.
Errors have the line and the nearest known name, as in a motion file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ..errors import KeyPath, MotionError
from ..tomlfile.parse import TomlFile, read_toml
from ..tomlfile.positions import Layout
from ..tomlfile.tables import Block, Key, ListOf
from ..tomlfile.toml_errors import motion_error, quoted
from ..tomlfile.value_types import Boolean, Choice, Number, Text, wrong_kind
from ..wording import suggestion
from .finding import SEVERITIES, Finding, Rule, Severity

MOST_ENTRIES = 1000  # of a table: each is compared with every finding, or with every clip


@dataclass(frozen=True, slots=True)
class Ignore:
    """Accepted findings; names are patterns, ``""`` matches any."""

    rule: str
    reason: str
    clip: str = ""
    joint: str = ""
    item: str = ""
    file: str = ""
    source: str = field(default="", compare=False)  # the configuration file that has it

    def covers(self, finding: Finding, file: str) -> bool:
        """Return whether a finding of `file`, an absolute path or a name, is accepted."""
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
    """The settings of a configuration file, or of several: see `over`.

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
    sources
        The file that has a setting, by rule and name of the limit, or ``severity``.
    lines
        File and line of each clip pattern, for messages.
    """

    limits: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    loops: Mapping[str, bool] = field(default_factory=dict)
    sources: Mapping[tuple[str, str], str] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)

    def over(self, other: "Settings") -> "Settings":
        """Return these settings, with those of another file where they say nothing."""
        limits = {rule: dict(values) for rule, values in other.limits.items()}
        for rule, values in self.limits.items():
            limits[rule] = limits.get(rule, {}) | dict(values)
        return Settings(
            limits=limits,
            severities={**other.severities, **self.severities},
            only=self.only or other.only,
            ignores=(*self.ignores, *other.ignores),
            loops={**self.loops, **{k: v for k, v in other.loops.items() if k not in self.loops}},
            sources={**other.sources, **self.sources},
            lines={**other.lines, **self.lines},
        )

    @property
    def muted(self) -> tuple[str, ...]:
        """The rules that are off."""
        return tuple(rule for rule, severity in self.severities.items() if severity is None)

    def limits_of(self, rule: Rule, scale: float = 1.0) -> dict[str, float]:
        """Return the limits of a rule by name, for a character `scale` times 1.8 m tall."""
        configured = self.limits.get(rule.id, {})
        return {
            limit.name: configured.get(limit.name, limit.default) * (scale if limit.scaled else 1.0)
            for limit in rule.limits
        }

    def runs(self, rule: str) -> bool:
        """Return whether a rule runs."""
        off = self.severities.get(rule, SEVERITIES[0]) is None
        return not off and (
            not self.only or any(matches_pattern(rule, pattern) for pattern in self.only)
        )

    def accepting(self, finding: Finding, file: str) -> Ignore | None:
        """Return the entry that accepts a finding of a file, as of `Ignore.covers`, else None."""
        return next((ignore for ignore in self.ignores if ignore.covers(finding, file)), None)

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


# -- the tables of a configuration file -----------------------------------------------------------

TABLES = ("rules", "ignore", "clips", "only")  # the others are options


@dataclass(frozen=True, slots=True)
class ClipRules:
    """The settings of a clip in a configuration file."""

    loop: bool


SEVERITY = Choice(*SEVERITIES, "off")

IGNORE = Block(
    "[[ignore]]",
    Ignore,
    (
        Key("rule", Text("a rule id or a pattern"), "the rule of the finding"),
        Key("reason", Text(), "why it is accepted"),
        Key("clip", Text(), "a clip, or a pattern"),
        Key("joint", Text(), "a joint, or a pattern"),
        Key("item", Text(), "a mesh, a material, a texture, a node, or a pattern"),
        Key("file", Text(), "a file, or a pattern, from the end of its path"),
    ),
)

CLIP = Block("[clips.NAME]", ClipRules, (Key("loop", Boolean(), "whether it should loop"),))


def read_settings(path: Path | str, rules: Sequence[Rule]) -> Settings:
    """Return the settings in a configuration file.

    Parameters
    ----------
    rules
        The known rules.

    Raises
    ------
    MotionError
        The file cannot be read, is not TOML, or one of `TABLES` has an unknown name; with its line.
    """
    return settings_of(read_toml(path), rules)


def settings_of(toml: TomlFile, rules: Sequence[Rule]) -> Settings:
    """Return the settings in the text of a configuration file; see `read_settings`."""
    try:
        made = _settings(toml.table, rules)
    except MotionError as error:
        raise toml.locate(error) from None
    ignores = tuple(replace(ignore, source=toml.name) for ignore in made.ignores)
    places: dict[str, KeyPath] = {
        ignore.clip: ("ignore", k, "clip") for k, ignore in enumerate(ignores) if ignore.clip
    }
    places |= {pattern: ("clips", pattern) for pattern in made.loops}
    layout = Layout(toml.text) if places else None
    lines = {
        pattern: f"{toml.name}:{layout.line(place)}"
        for pattern, place in places.items()
        if layout is not None
    }
    names = [(rule, name) for rule, values in made.limits.items() for name in values]
    names += [(rule, "severity") for rule in made.severities]
    return replace(made, ignores=ignores, lines=lines, sources=dict.fromkeys(names, toml.name))


def _settings(table: Mapping[str, Any], rules: Sequence[Rule]) -> Settings:
    for name in TABLES:
        entries = table.get(name)
        if isinstance(entries, list | Mapping) and len(entries) > MOST_ENTRIES:
            raise motion_error((name,), f"has more than {MOST_ENTRIES} entries")
    ids = [rule.id for rule in rules]
    limits, severities = _rules(table.get("rules", {}), rules)
    only = ListOf(Text("a rule id or a pattern")).read(table.get("only", []), ("only",))
    for k, pattern in enumerate(only):
        _check_rule(pattern, ids, ("only", k))
    ignores = ListOf(IGNORE).read(table.get("ignore", []), ("ignore",))
    for k, ignore in enumerate(ignores):
        _check_rule(ignore.rule, ids, ("ignore", k, "rule"))
    clips = table.get("clips", {})
    if not isinstance(clips, Mapping):
        raise motion_error(("clips",), 'must be tables, such as [clips."Death*"]')
    loops = {
        name: CLIP.read(clip_table, ("clips", name)).loop for name, clip_table in clips.items()
    }
    return Settings(limits, severities, only, ignores, loops)


def _check_rule(pattern: str, ids: Sequence[str], path: KeyPath) -> None:
    if not any(matches_pattern(rule_id, pattern) for rule_id in ids):
        raise _unknown_rule(pattern, ids, path)


def _unknown_rule(name: str, ids: Iterable[str], path: KeyPath) -> MotionError:
    hint = suggestion(name, ids, quoted) or "one of your own needs --rule-file"
    return motion_error(path, f"unknown rule {quoted(name)}", hint=hint)


def _rules(
    table: object, rules: Sequence[Rule]
) -> tuple[dict[str, dict[str, float]], dict[str, Severity | None]]:
    """Return limits and severities; each rule has a table or only its severity."""
    if not isinstance(table, Mapping):
        raise motion_error(("rules",), "must be tables, such as [rules.loop-seam]")
    by_id = {rule.id: rule for rule in rules}
    limits: dict[str, dict[str, float]] = {}
    severities: dict[str, Severity | None] = {}
    for name, given in table.items():
        path: KeyPath = ("rules", name)
        if name not in by_id:
            raise _unknown_rule(name, by_id, path)
        if isinstance(given, str):
            severities[name] = _severity(given, path)
            continue
        if not isinstance(given, Mapping):
            raise wrong_kind(SEVERITY, given, path)
        known = [limit.name for limit in by_id[name].limits]
        limits[name] = {}
        for key, value in given.items():
            if key == "severity":
                severities[name] = _severity(value, (*path, key))
            elif key not in known:
                raise motion_error(
                    (*path, key), "unknown key", wrong=key, known=[*known, "severity"]
                )
            else:
                limits[name][key] = Number(low=0).read(value, (*path, key))
    return limits, severities


def _severity(value: object, path: KeyPath) -> Severity | None:
    word = SEVERITY.read(value, path)
    return next((severity for severity in SEVERITIES if severity == word), None)
