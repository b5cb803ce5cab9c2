"""Rules about the types of accessors and the names of attributes (glTF 2.0, section 3.7.2.1)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...gltf.accessor_layout import COMPONENTS
from ...wording import listed, quoted
from ..accessor_uses import Fault, Use, accessor_uses, matches, pointer_part
from ..check_context import CheckContext
from ..finding import Finding, Limits, Rule

Json = dict[str, Any]
Component = tuple[int, bool]  # component type, normalized
_QUANTIZATION = "KHR_mesh_quantization"
_BYTE, _UBYTE, _SHORT, _USHORT, _UINT, _FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
_ONLY_FLOAT = frozenset({(_FLOAT, False)})
_UNSIGNED = _ONLY_FLOAT | {(_UBYTE, True), (_USHORT, True)}
_SIGNED = _ONLY_FLOAT | {(_BYTE, True), (_SHORT, True)}
_ANY = frozenset(
    (code, normalized) for code in (_BYTE, _UBYTE, _SHORT, _USHORT) for normalized in (False, True)
)


class Format(NamedTuple):
    """The allowed formats of a kind of data, plain and with KHR_mesh_quantization."""

    types: tuple[str, ...]
    plain: frozenset[Component]
    quantized: frozenset[Component] = frozenset()


_COLOR = Format(("VEC3", "VEC4"), _UNSIGNED)
_ATTRIBUTES = {
    "POSITION": Format(("VEC3",), _ONLY_FLOAT, _ANY),
    "NORMAL": Format(("VEC3",), _ONLY_FLOAT, _SIGNED),
    "TANGENT": Format(("VEC4",), _ONLY_FLOAT, _SIGNED),
    "TEXCOORD": Format(("VEC2",), _UNSIGNED, _ANY),
    "COLOR": _COLOR,
    "JOINTS": Format(("VEC4",), frozenset({(_UBYTE, False), (_USHORT, False)})),
    "WEIGHTS": Format(("VEC4",), _UNSIGNED),
}
_MOVED = frozenset({(_BYTE, False), (_SHORT, False)}) | _SIGNED
_TARGETS = {
    "POSITION": Format(("VEC3",), _ONLY_FLOAT, _MOVED),
    "NORMAL": Format(("VEC3",), _ONLY_FLOAT, _SIGNED),
    "TANGENT": Format(("VEC3",), _ONLY_FLOAT, _SIGNED),
    "TEXCOORD": Format(("VEC2",), _UNSIGNED | _SIGNED, _ANY),
    "COLOR": Format(("VEC3", "VEC4"), _UNSIGNED | _SIGNED),
}
_KEYS = {
    "translation": Format(("VEC3",), _ONLY_FLOAT),
    "rotation": Format(("VEC4",), _UNSIGNED | _SIGNED),
    "scale": Format(("VEC3",), _ONLY_FLOAT),
    "weights": Format(("SCALAR",), _UNSIGNED | _SIGNED),
}
_OTHERS = {
    "times": Format(("SCALAR",), _ONLY_FLOAT),
    "matrices": Format(("MAT4",), _ONLY_FLOAT),
    "indices": Format(("SCALAR",), frozenset({(_UBYTE, False), (_USHORT, False), (_UINT, False)})),
}
_NUMBERED = ("TEXCOORD", "COLOR", "JOINTS", "WEIGHTS")


def _formats(context: CheckContext, _: Limits) -> Iterator[Finding]:
    return matches(context, _bad_formats(context))


def _bad_formats(context: CheckContext) -> Iterator[Fault]:
    document = context.document
    if document is None:
        return
    quantized = _QUANTIZATION in document.texts("extensionsUsed")
    rows = document.rows("accessors")
    for use in context.cached(accessor_uses):
        row = rows[use.accessor]
        component = (row["componentType"], bool(row.get("normalized")))
        allowed = _allowed(use)
        if allowed is None:
            if use.kind == "attribute" and component[0] == _UINT:
                yield Fault(
                    use,
                    Finding(
                        "may not be uint32: no vertex attribute may",
                    ),
                )
            continue
        components = allowed.plain | (allowed.quantized if quantized else frozenset())
        if row["type"] not in allowed.types or component not in components:
            names = sorted({_named(each) for each in components})
            wanted = f"{' or '.join(allowed.types)} of {' or '.join(names)}"
            words = f"is {row['type']} of {_named(component)}, not {wanted}"
            if not quantized and component in allowed.quantized:
                words += f", without {_QUANTIZATION}"
            yield Fault(
                use,
                Finding(
                    words,
                ),
            )


def _allowed(use: Use) -> Format | None:
    """Return the allowed formats; None if any is allowed."""
    name = use.name.partition("_")[0]
    if use.kind == "attribute":
        return _ATTRIBUTES.get(name)
    if use.kind == "target":
        return _TARGETS.get(name)
    return _KEYS.get(use.name) if use.kind == "keys" else _OTHERS[use.kind]


def _named(component: Component) -> str:
    return f"{'normalized ' if component[1] else ''}{COMPONENTS[component[0]].name}"


def _attributes(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield meshes with attributes that glTF does not define, and gaps in their numbers."""
    for m, mesh in enumerate(context.document.rows("meshes") if context.document else ()):
        bad: dict[str, str] = {}  # attribute: place
        for p, primitive in enumerate(mesh["primitives"]):
            place = f"/meshes/{m}/primitives/{p}/attributes"
            names = primitive["attributes"]
            bad |= {name: place for name in names if not _is_known(name, names)}
        if bad:
            called = context.model.meshes[m].name
            yield Finding(
                f"mesh {quoted(called)} has the {'attribute' if len(bad) == 1 else 'attributes'} "
                f"{listed(sorted(bad))}, which glTF does not define, or whose number does not "
                "follow from 0",
                amount=len(bad),
                unit="attributes",
                place=next(iter(bad.values())),
                item=called,
            )


def _is_known(name: str, names: Json) -> bool:
    """Return whether glTF defines an attribute, and the numbers below its own are there."""
    kind, _, number = name.partition("_")
    if name.startswith("_") or name in ("POSITION", "NORMAL", "TANGENT"):
        return True
    if kind not in _NUMBERED or not number.isdecimal() or str(int(number[:9])) != number:
        return False
    return number == "0" or f"{kind}_{int(number) - 1}" in names


def _bases(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield meshes with morph targets of attributes that the primitive does not have."""
    for m, mesh in enumerate(context.document.rows("meshes") if context.document else ()):
        lacking: dict[str, str] = {}  # attribute: place
        for p, primitive in enumerate(mesh["primitives"]):
            for t, target in enumerate(primitive.get("targets") or ()):
                place = f"/meshes/{m}/primitives/{p}/targets/{t}"
                for name in target.keys() - primitive["attributes"].keys():
                    lacking.setdefault(name, f"{place}/{pointer_part(name)}")
        if lacking:
            called = context.model.meshes[m].name
            yield Finding(
                f"morph targets of mesh {quoted(called)} have {listed(sorted(lacking))}, which "
                "the mesh itself does not have",
                amount=len(lacking),
                unit="attributes",
                place=lacking[min(lacking)],
                item=called,
            )


_EXPORT = "export again with a current exporter"
RULES: tuple[Rule, ...] = (
    Rule(
        "accessor-format",
        "error",
        "keys, matrices, indices or vertices have a type that glTF does not allow",
        f"{_EXPORT}; declare KHR_mesh_quantization if the vertices are quantized",
        _formats,
    ),
    Rule(
        "mesh-attributes",
        "error",
        "a mesh has an attribute that glTF does not define, or gaps in the numbers of TEXCOORD_n, "
        "COLOR_n, JOINTS_n or WEIGHTS_n",
        "begin the names of attributes of your own with _, and number the others from 0",
        _attributes,
    ),
    Rule(
        "morph-attributes",
        "error",
        "morph targets have an attribute that the mesh does not have",
        "export normals or tangents for the mesh too, or for neither",
        _bases,
    ),
)
