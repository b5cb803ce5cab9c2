"""Parse `--set` and `--at` of the command line, and apply them to a motion document."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from ..errors import KeyPath, MotionError, UsageError
from ..fields.readers import number, speed
from ..tomlfile.format import string
from ..tomlfile.parse import parse_toml
from ..tomlfile.toml_errors import quoted, suggested
from .cross_references import WEIGHT, check, layer_names, name_error, settable, value_error
from .document import (
    ACTIONS,
    PLAY,
    VALUE,
    At,
    Cut,
    Fade,
    MotionDoc,
    Seek,
    Set,
    Speed,
    Value,
    changed_layers,
)

MORPH = "morph:"  # prefix of the name of a morph target
MORPH_EXAMPLE = "write --set morph:Smile=0.5"
SET_EXAMPLE = "write --set speed=2, --set look_at=[0,1,2] or --set wave.weight=0.5"
EXAMPLES = {
    "fade": "write --at 1:fade:base=Run,0.3,cubic,smooth,in_phase",
    "set": "write --at 1:set:speed=3,0.5",
    "seek": "write --at 1:seek:base=0.5",
    "speed": "write --at 1:speed:base=2",
    "cut": "write --at 1:cut:Camera",
}
_WORDS: dict[str, dict[str, Any]] = {
    "cubic": {"ease": "cubic"},
    "linear": {"ease": "linear"},
    "smooth": {"kind": "smooth"},
    "frozen": {"kind": "frozen"},
    "in_phase": {"in_phase": True},
}
_PLAIN = re.compile(r"[^\s=,:\[\]{}\"'][^=,\[\]{}\"']*(?<!\s)")  # a name without quotes
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|.', re.DOTALL)


@dataclass(frozen=True, slots=True)
class GivenValue:
    """An initial value: ``NAME=VALUE`` of `--set`, or the weight of a morph target."""

    name: str
    value: Value
    text: str = field(default="", compare=False)  # as given
    morph: bool = False  # ``morph:NAME=VALUE``


@dataclass(frozen=True, slots=True)
class GivenAction:
    """An action at a time: ``T:fade:...`` and others of `--at`."""

    at: At
    text: str = field(default="", compare=False)  # as given


def with_settings(
    doc: MotionDoc, values: Sequence[GivenValue] = (), actions: Sequence[GivenAction] = ()
) -> MotionDoc:
    """Return a document with the values and actions of the command line.

    Actions are appended to those of the document, which come first at equal times.

    Raises
    ------
    UsageError
        A name does not exist in the document, or its value is of another kind.
    """
    for given in values:
        doc = _with_value(doc, given)
    for action in actions:
        _check_at(doc, action)
    return replace(doc, at=(*doc.at, *(action.at for action in actions)))


def given_morph(name: str, weight: float) -> GivenValue:
    """Return the value that sets the weight of a morph target."""
    text = f"{MORPH}{name if _PLAIN.fullmatch(name) else string(name)}={weight}"
    return GivenValue(name, weight, text, morph=True)


def parse_set(text: str) -> GivenValue:
    """Parse ``NAME=VALUE`` or ``morph:NAME=VALUE`` (UsageError if invalid)."""
    option, morph = f"--set {text}", text.startswith(MORPH)
    prefix, hint = (MORPH, MORPH_EXAMPLE) if morph else ("", SET_EXAMPLE)
    parts = _split(text.removeprefix(prefix), "=")
    if len(parts) != 2 or not parts[0].strip():
        raise UsageError(f"{option}: expected {prefix}NAME=VALUE", hint=hint)
    read = _number if morph else _value
    return GivenValue(_name(parts[0], option), read(parts[1], option, hint), text, morph)


def parse_at(text: str) -> GivenAction:
    """Parse ``T:WHAT:...``, where WHAT is ``fade``, ``set``, ``seek``, ``speed`` or ``cut``.

    Raises
    ------
    UsageError
        The text is invalid.
    """
    return GivenAction(_at(text, f"--at {text}"), text)


def _at(text: str, option: str) -> At:
    parts = _split(text, ":", 2)
    if len(parts) != 3:
        raise UsageError(f"{option}: expected TIME:ACTION:ARGUMENTS", hint=EXAMPLES["fade"])
    kind = parts[1]
    if kind not in ACTIONS:
        hint = suggested(kind, ACTIONS)
        raise UsageError(f"{option}: unknown action {quoted(kind)}", hint=hint)
    time = _seconds(parts[0], option, EXAMPLES[kind])
    if kind == "cut":
        return At(time, Cut(_name(parts[2], option)))
    sides = _split(parts[2], "=", 1)
    if len(sides) != 2 or not all(sides):
        raise UsageError(f"{option}: expected a name and a value around =", hint=EXAMPLES[kind])
    name, given = _name(sides[0], option), _split(sides[1], ",")
    if kind == "fade":
        return At(time, _fade(name, given, option))
    if kind == "set":
        return At(time, _set(name, given, option))
    if len(given) != 1:
        raise UsageError(f"{option}: too many values", hint=EXAMPLES[kind])
    if kind == "seek":
        return At(time, Seek(name, _seconds(given[0], option, EXAMPLES[kind])))
    return At(time, Speed(name, _number(given[0], option, EXAMPLES[kind], speed)))


def _set(name: str, given: list[str], option: str) -> Set:
    """Return the action that sets a value, with its duration."""
    value = _value(given[0], option, EXAMPLES["set"])
    if len(given) > 2:
        raise UsageError(f"{option}: too many values", hint=EXAMPLES["set"])
    seconds = _seconds(given[1], option, EXAMPLES["set"]) if len(given) == 2 else None
    return Set(name, value, seconds)


def _fade(layer: str, given: list[str], option: str) -> Fade:
    """Return a fade: the new content, then seconds and keywords in any order."""
    values: dict[str, Any] = {}
    for part in given[1:]:
        word = part.strip()
        new = _WORDS.get(word)
        if new is None and word[:1].isalpha():
            hint = suggested(word, _WORDS)
            raise UsageError(f"{option}: unknown fade option {quoted(word)}", hint=hint)
        if new is None:
            new = {"seconds": _seconds(word, option, EXAMPLES["fade"])}
        for key in new:
            if key in values:
                raise UsageError(f"{option}: {key} is given twice", hint=EXAMPLES["fade"])
        values.update(new)
    return Fade(layer, _play(given[0], option), **values)


def _play(text: str, option: str) -> Any:  # noqa: ANN401 - content of a layer
    """Return the content of a layer: a name, or a table as in the motion file."""
    text = text.strip()
    if not text.startswith("{"):
        return _name(text, option)
    try:
        return PLAY.read(_toml(text, option), ())
    except MotionError as error:
        raise UsageError(f"{option}: {error}") from None


def _with_value(doc: MotionDoc, given: GivenValue) -> MotionDoc:
    name, value, option = given.name, given.value, f"--set {given.text}"
    _check_set(doc, name, value, option)
    if name in doc.parameters:
        changed = replace(doc.parameters[name], default=value)
        return replace(doc, parameters=MappingProxyType({**doc.parameters, name: changed}))
    layer = name.removesuffix(WEIGHT)
    assert isinstance(value, float)  # `_check_set`
    layers = changed_layers(
        doc.layers, lambda each: replace(each, weight=value) if each.name == layer else each
    )
    changed_doc = replace(doc, layers=layers)
    try:
        check(changed_doc)  # a weight above 1
    except MotionError as error:
        raise UsageError(f"{option}: {error.message}", hint=error.hint) from None
    return changed_doc


def _check_set(doc: MotionDoc, name: str, value: Value, option: str) -> None:
    unknown = name_error(doc, name)
    if unknown:
        raise UsageError(f"{option}: {unknown}", hint=suggested(name, settable(doc)))
    wrong = value_error(doc, name, value)
    if wrong:
        raise UsageError(f"{option}: {wrong}", hint=SET_EXAMPLE)


def _check_at(doc: MotionDoc, given: GivenAction) -> None:
    at, option = given.at, f"--at {given.text}"
    if isinstance(at.do, Set):
        _check_set(doc, at.do.name, at.do.value, option)
        return
    if isinstance(at.do, Cut):
        return
    layers = layer_names(doc)
    if at.do.layer not in layers:
        message = f"{option}: no layer {quoted(at.do.layer)}"
        raise UsageError(message, hint=suggested(at.do.layer, layers))


def _split(text: str, sign: str, most: int = -1) -> list[str]:
    """Split at a character outside quotes, brackets and braces."""
    parts, depth = [""], 0
    for part in _PART.findall(text):
        depth += (part in ("[", "{")) - (part in ("]", "}"))
        if part == sign and depth == 0 and most != len(parts) - 1:
            parts.append("")
        else:
            parts[-1] += part
    return parts


def _name(text: str, option: str) -> str:
    """Return a name; quotes are those of TOML."""
    text = text.strip()
    if text[:1] not in ("'", '"'):
        return text
    name = _toml(text, option)
    if not isinstance(name, str):
        raise UsageError(f"{option}: {text} is not a name")
    return name


def _value(text: str, option: str, hint: str) -> Value:
    """Return a number or three numbers."""
    if not text.strip().startswith("["):
        return _number(text, option, hint)
    path: KeyPath = ()
    try:
        return VALUE.read(_toml(text, option), path)  # type: ignore[return-value]
    except MotionError as error:
        raise UsageError(f"{option}: {error.message}", hint=hint) from None


def _number(text: str, option: str, hint: str, read: Callable[[str], float] = number) -> float:
    try:
        return read(text.strip())
    except ValueError as error:
        raise UsageError(f"{option}: {error}", hint=hint) from None


def _seconds(text: str, option: str, hint: str) -> float:
    value = _number(text, option, hint)
    if value < 0:
        raise UsageError(f"{option}: a time must not be negative: {text.strip()}", hint=hint)
    return value


def _toml(text: str, option: str) -> Any:  # noqa: ANN401 - any TOML value
    try:
        if "\n" in text:
            raise ValueError
        return parse_toml(f"value = {text}")["value"]
    except ValueError:
        raise UsageError(f"{option}: {quoted(text)} is not valid TOML") from None
