"""Rules about extensions: declared and used, known and drawn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...gltf.unique_names import printable
from ...gltf.validate import not_drawn
from ..finding_text import quoted
from ..rule import Hit, Limits, Rule
from ..subject import Subject

# Prefixes that the Khronos registry has reserved, VRM's, and those of open projects.
_KNOWN = (
    "KHR EXT ADOBE AGI ALI AMZN ANIMECH ARTICULATE AS AVR BLENDER BMW CAPTURE CESIUM CITRUS CLO "
    "CVTOOLS EPIC ETRI FB FRAUNHOFER GODOT GOOGLE GRIFFEL INTEL KDAB LLQ MAXAR META MOZ MPEG MSFT "
    "NEEDLE NV OMI OWLII PANDA3D PTC S8S SEIN SI SKFB SKYLINE SPECTRUM TRYON UX3D VRM VRMC WEB3D"
)
_DEEP = (dict, list)
_SILENT = frozenset({"KHR_mesh_quantization"})  # says what types may be; has no object


@dataclass(frozen=True, slots=True)
class Known:
    """The extensions of a document."""

    declared: tuple[str, ...] = ()
    objects: Mapping[str, str] = field(
        default_factory=dict
    )  # those with one, and where the first is
    broken: bool = False  # some extension holds no object


def known(subject: Subject, _: int = -1) -> Known:
    """Return what is declared and what has objects; see `Subject.once`."""
    if subject.document is None:
        return Known()
    declared = tuple(dict.fromkeys(subject.document.texts("extensionsUsed")))
    found, broken = dict[str, str](), False
    for holder, trail in _holders(subject.document.json):
        held = holder["extensions"]
        if not isinstance(held, dict) or not all(isinstance(each, dict) for each in held.values()):
            broken = True
        place = "".join(f"/{key}" for key in _keys(trail))
        for name in held if isinstance(held, dict) else ():
            found.setdefault(name, printable(f"{place}/extensions/{name}"))
    return Known(declared, found, broken)


Trail = tuple[Any, Any] | None  # what is above, and the key below that


def _holders(json: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Trail]]:
    """Yield the objects that have extensions, in the order of the file, with where they are."""
    waiting: list[tuple[Any, Trail]] = [(json, None)]
    while waiting:
        value, trail = waiting.pop()
        if isinstance(value, dict):
            if "extensions" in value:
                yield value, trail
            inside = [(k, v) for k, v in value.items() if type(v) in _DEEP and k != "extras"]
        else:
            inside = [(k, v) for k, v in enumerate(value) if type(v) in _DEEP]
        for key, part in reversed(inside):
            waiting.append((part, (trail, key)))


def _keys(trail: Trail) -> list[Any]:
    keys = []
    while trail is not None:
        keys.append(trail[1])
        trail = trail[0]
    return keys[::-1]


def _undeclared(subject: Subject, _: Limits) -> Iterator[Hit]:
    found = subject.once(known)
    for name, place in sorted(found.objects.items()):
        if name not in found.declared:
            yield Hit(
                f"{quoted(name)} is used but not declared in extensionsUsed: a program that looks "
                "there leaves it out",
                place=place,
                item=printable(name),
            )
    required = subject.document.texts("extensionsRequired") if subject.document else []
    for k, name in enumerate(required):
        if name not in found.declared and name not in found.objects:
            yield Hit(
                f"{quoted(name)} is required but not declared in extensionsUsed",
                place=f"/extensionsRequired/{k}",
                item=printable(name),
            )


def _idle(subject: Subject, _: Limits) -> Iterator[Hit]:
    found = subject.once(known)
    for k, name in enumerate(found.declared):
        if name not in found.objects and name not in _SILENT:
            yield Hit(
                f"{quoted(name)} is declared, but nothing in the file uses it",
                place=f"/extensionsUsed/{k}",
                item=printable(name),
            )


def _not_drawn(subject: Subject, _: Limits) -> Iterator[Hit]:
    found = subject.once(known)
    for name in not_drawn(subject.document) if subject.document else ():
        if name in found.objects:
            yield Hit(
                f"{quoted(name)} is not supported here: what it adds is neither shown nor checked",
                place=_place(found, name),
                item=printable(name),
            )


def _place(found: Known, name: str) -> str:
    """Return where an extension is declared, else where the first object of it is."""
    if name in found.declared:
        return f"/extensionsUsed/{found.declared.index(name)}"
    return found.objects[name]


def _vendor(subject: Subject, _: Limits) -> Iterator[Hit]:
    found = subject.once(known)
    for name in dict.fromkeys([*found.declared, *found.objects]):
        if name.partition("_")[0] not in _KNOWN.split():
            yield Hit(
                f"{quoted(name)} begins with the name of no known maker: other programs will not "
                "know it",
                place=_place(found, name),
                item=printable(name),
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "extension-undeclared",
        "error",
        "an extension is used or required but not declared",
        "add its name to extensionsUsed; export again with a newer exporter",
        _undeclared,
    ),
    Rule(
        "extension-idle",
        "info",
        "an extension is declared but not used",
        "take its name out of extensionsUsed: programs that lack it warn for nothing",
        _idle,
        covers=("what it adds is not shown",),
    ),
    Rule(
        "extension-not-drawn",
        "info",
        "an extension is used that is not supported here",
        "nothing to mend where the engine supports it; it cannot be checked here",
        _not_drawn,
        covers=("what it adds is not shown",),
    ),
    Rule(
        "extension-vendor",
        "info",
        "an extension is of no known maker",
        "export without it, or make sure that whatever reads the file knows it",
        _vendor,
    ),
)
