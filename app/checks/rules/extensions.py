"""Rules about extensions: declared, used, supported, registered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...gltf.validate import not_drawn
from ...wording import printable, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limits, rule

# Prefixes reserved in the Khronos registry, those of VRM, and those of open projects.
_KNOWN = (
    "KHR EXT ADOBE AGI ALI AMZN ANIMECH ARTICULATE AS AVR BLENDER BMW CAPTURE CESIUM CITRUS CLO "
    "CVTOOLS EPIC ETRI FB FRAUNHOFER GODOT GOOGLE GRIFFEL INTEL KDAB LLQ MAXAR META MOZ MPEG MSFT "
    "NEEDLE NV OMI OWLII PANDA3D PTC S8S SEIN SI SKFB SKYLINE SPECTRUM TRYON UX3D VRM VRMC WEB3D"
)
_DEEP = (dict, list)
_SILENT = frozenset({"KHR_mesh_quantization"})  # extends accessor types; has no JSON object


@dataclass(frozen=True, slots=True)
class DeclaredExtensions:
    """The extensions of a document."""

    declared: tuple[str, ...]
    objects: Mapping[str, str]  # extensions with a JSON object, and the JSON pointer of the first
    broken: bool  # whether the value of some extension is not an object


def known(context: CheckContext) -> DeclaredExtensions:
    """Return the declared and used extensions; call it by `context.cached`."""
    declared = tuple(dict.fromkeys(context.document.texts("extensionsUsed")))
    found, broken = dict[str, str](), False
    for owner, path in _extension_owners(context.document.json):
        held = owner["extensions"]
        if not isinstance(held, dict) or not all(isinstance(each, dict) for each in held.values()):
            broken = True
        place = "".join(f"/{key}" for key in _keys(path))
        for name in held if isinstance(held, dict) else ():
            found.setdefault(name, printable(f"{place}/extensions/{name}"))
    return DeclaredExtensions(declared, found, broken)


JsonPath = tuple[Any, Any] | None  # path: parent trail and key


def _extension_owners(json: dict[str, Any]) -> Iterator[tuple[dict[str, Any], JsonPath]]:
    """Yield the JSON objects that have extensions, in the order of the file, with their paths."""
    stack: list[tuple[Any, JsonPath]] = [(json, None)]
    while stack:
        value, path = stack.pop()
        if isinstance(value, dict):
            if "extensions" in value:
                yield value, path
            inside = [(k, v) for k, v in value.items() if type(v) in _DEEP and k != "extras"]
        else:
            inside = [(k, v) for k, v in enumerate(value) if type(v) in _DEEP]
        for key, part in reversed(inside):
            stack.append((part, (path, key)))


def _keys(path: JsonPath) -> list[Any]:
    keys = []
    while path is not None:
        keys.append(path[1])
        path = path[0]
    return keys[::-1]


def _finding(name: str, words: str, place: str) -> Finding:
    """Return the finding about an extension."""
    return Finding(f"{quoted(name)} {words}", place=place, item=printable(name))


@rule(
    "extension-undeclared",
    "error",
    "an extension is used or required but not declared",
    "add it to extensionsUsed, or export again with a newer exporter",
)
def _undeclared(context: CheckContext, _: Limits) -> Iterator[Finding]:
    found = context.cached(known)
    for name, place in sorted(found.objects.items()):
        if name not in found.declared:
            where = "extensionsUsed: programs that check that list ignore it"
            yield _finding(name, f"is used but not declared in {where}", place)
    for k, name in enumerate(context.document.texts("extensionsRequired")):
        if name not in found.declared and name not in found.objects:
            words = "is required but not declared in extensionsUsed"
            yield _finding(name, words, f"/extensionsRequired/{k}")


@rule(
    "extension-idle",
    "info",
    "an extension is declared but not used",
    "remove it from extensionsUsed: programs without support for it warn needlessly",
    covers=("its content is not shown",),
)
def _unused(context: CheckContext, _: Limits) -> Iterator[Finding]:
    found = context.cached(known)
    for k, name in enumerate(found.declared):
        if name not in found.objects and name not in _SILENT:
            words = "is declared, but nothing in the file uses it"
            yield _finding(name, words, f"/extensionsUsed/{k}")


@rule(
    "extension-not-drawn",
    "info",
    "an extension is used that rigview does not support",
    "nothing to fix if the engine supports it; rigview cannot check it",
    covers=("its content is not shown",),
)
def _not_drawn(context: CheckContext, _: Limits) -> Iterator[Finding]:
    found = context.cached(known)
    for name in not_drawn(context.document):
        if name in found.objects:
            words = "is not supported by rigview: it is neither displayed nor checked"
            yield _finding(name, words, _place(found, name))


def _place(found: DeclaredExtensions, name: str) -> str:
    """Return the JSON pointer of an extension's declaration, else of its first object."""
    if name in found.declared:
        return f"/extensionsUsed/{found.declared.index(name)}"
    return found.objects[name]


@rule(
    "extension-vendor",
    "info",
    "an extension has an unregistered prefix",
    "export without it, or make sure that the target engine supports it",
)
def _vendor(context: CheckContext, _: Limits) -> Iterator[Finding]:
    found = context.cached(known)
    for name in dict.fromkeys([*found.declared, *found.objects]):
        if name.partition("_")[0] not in _KNOWN.split():
            words = "has an unregistered prefix: other programs will not support it"
            yield _finding(name, words, _place(found, name))
