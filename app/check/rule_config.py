"""A file of rules, `rigview check --config`: what it may say, and how it is read.

What is wrong in it is told with its line and the nearest name, as in a motion file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import MotionError
from ..motion.read import read_toml
from ..tomlfile.tables import Block, Items, Key
from ..tomlfile.toml_errors import KeyPath, fault, quoted
from ..tomlfile.value_types import Choice, Number, Switch, Text, not_a
from .finding import SEVERITIES, Severity
from .rule import Rule
from .rule_settings import Ignore, Settings, like

_TOP = ("rules", "ignore", "clips", "only")


@dataclass(frozen=True, slots=True)
class Looping:
    """What a file of rules says of a clip."""

    loop: bool


SEVERITY = Choice(*SEVERITIES, "off")

IGNORE = Block(
    "[[ignore]]",
    Ignore,
    (
        Key("rule", Text("the name of a rule, or a pattern"), "the rule that finds it"),
        Key("reason", Text(), "why it is accepted"),
        Key("clip", Text(), "a clip, or a pattern"),
        Key("joint", Text(), "a joint, or a pattern"),
        Key("item", Text(), "a mesh, a material, a texture, a node, or a pattern"),
        Key("file", Text(), "a file, or a pattern, from the end of its path"),
    ),
)

CLIP = Block("[clips.NAME]", Looping, (Key("loop", Switch(), "whether it should loop"),))


def read_settings(path: Path | str, rules: Sequence[Rule]) -> Settings:
    """Read a file of rules.

    Parameters
    ----------
    rules
        Those there are.

    Raises
    ------
    MotionError
        It cannot be read, is not TOML, or names what there is not; with its line.
    """
    toml = read_toml(path)
    try:
        made = _settings(toml.table, rules)
    except MotionError as error:
        error.file, error.line = toml.place(error.path)
        raise
    places: dict[str, KeyPath] = {
        ignore.clip: ("ignore", k, "clip")
        for k, ignore in enumerate(made["ignores"])
        if ignore.clip
    }
    places |= {pattern: ("clips", pattern) for pattern in made["loops"]}
    lines = {pattern: toml.place(place)[1] for pattern, place in places.items()}
    return Settings(**made, name=toml.name, lines=lines)


def _settings(table: Mapping[str, Any], rules: Sequence[Rule]) -> dict[str, Any]:
    for key in table:
        if key not in _TOP:
            raise fault((key,), "unknown key", wrong=key, known=_TOP)
    ids = [rule.id for rule in rules]
    limits, severities = _rules(table.get("rules", {}), rules)
    only = Items(Text("the name of a rule, or a pattern")).read(table.get("only", []), ("only",))
    for k, pattern in enumerate(only):
        _check_rule(pattern, ids, ("only", k))
    ignores = Items(IGNORE).read(table.get("ignore", []), ("ignore",))
    for k, ignore in enumerate(ignores):
        _check_rule(ignore.rule, ids, ("ignore", k, "rule"))
    clips = table.get("clips", {})
    if not isinstance(clips, Mapping):
        raise fault(("clips",), 'must be tables, such as [clips."Death*"]')
    loops = {name: CLIP.read(each, ("clips", name)).loop for name, each in clips.items()}
    return {
        "limits": limits,
        "severities": severities,
        "only": only,
        "ignores": ignores,
        "loops": loops,
    }


def _check_rule(pattern: str, ids: Sequence[str], path: KeyPath) -> None:
    if not any(like(each, pattern) for each in ids):
        raise fault(path, f"no rule {quoted(pattern)}", wrong=pattern, known=ids)


def _rules(
    table: object, rules: Sequence[Rule]
) -> tuple[dict[str, dict[str, float]], dict[str, Severity | None]]:
    """Read limits and severities: a table a rule, or its severity alone."""
    if not isinstance(table, Mapping):
        raise fault(("rules",), "must be tables, such as [rules.loop-seam]")
    by_id = {rule.id: rule for rule in rules}
    limits: dict[str, dict[str, float]] = {}
    severities: dict[str, Severity | None] = {}
    for name, given in table.items():
        path: KeyPath = ("rules", name)
        if name not in by_id:
            raise fault(path, f"no rule {quoted(name)}", wrong=name, known=by_id)
        if isinstance(given, str):
            severities[name] = _severity(given, path)
            continue
        if not isinstance(given, Mapping):
            raise not_a(SEVERITY, given, path)
        known = [limit.name for limit in by_id[name].limits]
        limits[name] = {}
        for key, value in given.items():
            if key == "severity":
                severities[name] = _severity(value, (*path, key))
            elif key not in known:
                raise fault((*path, key), "unknown key", wrong=key, known=[*known, "severity"])
            else:
                limits[name][key] = Number(low=0).read(value, (*path, key))
    return limits, severities


def _severity(value: object, path: KeyPath) -> Severity | None:
    word = SEVERITY.read(value, path)
    return next((each for each in SEVERITIES if each == word), None)
