"""Validation of a document's JSON: types, ranges, indices, node hierarchy and extensions."""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate, chain
from typing import Any

from ..errors import UnsupportedError
from ..model.material import GLTF_EXTENSIONS
from ..wording import shortened
from .document import Document
from .limits import check_counts
from .optional_packages import EXTRAS, available, install
from .schema import ATTRIBUTES, FIELDS, Field, Rule

SUPPORTED = GLTF_EXTENSIONS | frozenset(
    {
        "EXT_mesh_gpu_instancing",
        "EXT_meshopt_compression",
        "EXT_texture_webp",
        "KHR_animation_pointer",
        "KHR_lights_punctual",
        "KHR_materials_variants",
        "KHR_mesh_quantization",
        "KHR_meshopt_compression",
        "KHR_node_visibility",
        "KHR_texture_transform",
    }
)
_NOT_SEARCHED = ("accessors", "bufferViews")  # not searched for unknown extensions, for speed
Place = Callable[[int], str]


def validate(document: Document) -> tuple[str, ...]:
    """Check types, ranges and indices of a document's JSON, before it is read.

    Returns
    -------
    tuple
        The unsupported extensions that the file uses. Extensions of packages that are not installed
        are not included: if they are not required, the file has a fallback.

    Raises
    ------
    GltfError
        The first invalid value, with its JSON pointer.
    UnsupportedError
        The glTF version or a required extension is not supported.
    """
    _check_version(document)
    check_counts(document)
    _Checker(document).check([document.json], FIELDS, lambda _: "")
    unknown = _check_extensions(document)
    _check_targets(document)
    _check_samplers(document)
    _check_tree(document)
    return unknown


def not_drawn(document: Document) -> tuple[str, ...]:
    """Return the unsupported extensions that the file uses."""
    used = dict.fromkeys((*document.texts("extensionsUsed"), *_used_extensions(document)))
    return tuple(name for name in used if name not in SUPPORTED and name not in EXTRAS)


def _used_extensions(document: Document) -> list[str]:
    """Return the names of the extensions of the document and its objects, in file order."""
    holders: list[Any] = [document.json]
    for key, value in document.json.items():
        if isinstance(value, list) and key not in _NOT_SEARCHED:
            holders += value
    for mesh in document.rows("meshes"):
        holders += mesh["primitives"]
    found = (row.get("extensions") for row in holders if isinstance(row, dict))
    return list(dict.fromkeys(chain.from_iterable(x for x in found if isinstance(x, dict))))


class _Checker:
    """Checks all objects of a kind together against the schema."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def check(self, rows: list[dict[str, Any]], fields: tuple[Field, ...], place: Place) -> None:
        present_names = set[str]().union(*rows)
        for field in fields:
            name = field.name
            if name not in present_names and not field.required:
                continue
            column = [row.get(name) for row in rows]
            locate = place
            if None in column:
                if field.required:
                    raise self._error(
                        f"{place(column.index(None))}/{name}", "required, but missing"
                    )
                present = [k for k, value in enumerate(column) if value is not None]
                column = [column[k] for k in present]
                locate = _compose(place, present)
            if column:
                self._descend(column, field, locate)

    def _descend(self, column: list[Any], field: Field, locate: Place) -> None:
        def at(k: int) -> str:
            return f"{locate(k)}/{field.name}"

        if field.rule is not None:
            self._check_rule(column, field.rule, at)
        elif not field.is_array:
            self._check_type(column, dict, "an object", at)
            self.check(column, field.fields, at)
        else:
            self._check_type(column, list, "an array of objects", at)
            ends = list(accumulate(map(len, column)))
            rows = list(chain.from_iterable(column))

            def element(k: int) -> str:
                owner = bisect_right(ends, k)
                return f"{at(owner)}/{k - (ends[owner - 1] if owner else 0)}"

            self._check_type(rows, dict, "an object", element)
            self.check(rows, field.fields, element)

    def _check_type(self, column: list[Any], kind: type, description: str, at: Place) -> None:
        if not {kind}.issuperset(map(type, column)):
            k = next(k for k, value in enumerate(column) if type(value) is not kind)
            raise self._error(at(k), f"must be {description}")

    def _check_rule(self, column: list[Any], rule: Rule, at: Place) -> None:
        size = self._size(rule.index_of)
        if rule.accepts(column, size):
            return
        k = next(k for k, value in enumerate(column) if not rule.accepts([value], size))
        of = f" (there are {size})" if rule.index_of else ""
        place, value = _inside(at(k), column[k], rule, size)
        if rule.low is not None and type(value) in rule.types and abs(value) > rule.high:
            most = f"at most {rule.high:.16g} is allowed"
            raise self._error(place, f"{_shown(value)} is too large: {most}")
        raise self._error(place, f"must be {rule.description}{of}, not {_shown(value)}")

    def _size(self, name: str) -> int:
        rows = self.document.json.get(name) if name else None
        return len(rows) if isinstance(rows, list) else 0

    def _error(self, place: str, message: str) -> Exception:
        return self.document.error(place, message)


def _compose(place: Place, present: list[int]) -> Place:
    return lambda k: place(present[k])


def _inside(place: str, value: Any, rule: Rule, size: int) -> tuple[str, Any]:  # noqa: ANN401
    """Return the place and value of the first invalid element of a list or dict, if any."""
    if rule.container is None or not isinstance(value, dict | list):
        return place, value
    single = Rule(rule.description, rule.types, rule.low, rule.high, rule.choices, rule.index_of)
    pairs: Iterable[tuple[Any, Any]]
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in pairs:
        if not single.accepts([part], size):
            name = str(key).replace("~", "~0").replace("/", "~1")
            return f"{place}/{name}", part
    return place, value


def _shown(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if type(value) is int and abs(value) > 10**40:  # Python refuses to print the longest
        return "a huge number"
    return shortened(json.dumps(value, ensure_ascii=False), 60)


def _check_version(document: Document) -> None:
    asset = document.json.get("asset")
    if not isinstance(asset, dict):
        return
    version, least = asset.get("version"), asset.get("minVersion")
    for key, text, known in (
        ("minVersion", least, least == "2.0"),
        ("version", version, str(version).startswith("2.")),
    ):
        if isinstance(text, str) and text and not known:
            raise UnsupportedError(
                f"glTF version {text[:20]} is not supported",
                file=document.name,
                place=f"/asset/{key}",
                hint="convert it to 2.0",
            )


def _check_extensions(document: Document) -> tuple[str, ...]:
    for index, name in enumerate(document.texts("extensionsRequired")):
        if name in EXTRAS:
            lack, hint = "needs a package that is not installed", install(name)
        else:
            lack, hint = "is not supported", "export it without that extension"
        if name not in SUPPORTED and not (name in EXTRAS and available(name)):
            raise UnsupportedError(
                f"the required extension {name} {lack}",
                file=document.name,
                place=f"/extensionsRequired/{index}",
                hint=hint,
            )
    for index, name in enumerate(document.texts("extensionsUsed")):
        if name in EXTRAS and not available(name):
            document.warn(
                f"/extensionsUsed/{index}",
                f"{name} needs a package that is not installed; its fallback is shown: "
                + install(name),
            )
    used = document.texts("extensionsUsed")
    unknown = not_drawn(document)
    for name in unknown:
        place = f"/extensionsUsed/{used.index(name)}" if name in used else "/extensionsUsed"
        unlisted = "" if name in used else ", and not listed here"
        document.warn(place, f"{name} is not supported{unlisted}; its content is not shown")
    return unknown


def _check_targets(document: Document) -> None:
    """Check morph targets: an array of dicts of indices, which is too deep for a `Rule`."""
    size = len(document.rows("accessors"))
    for m, mesh in enumerate(document.rows("meshes")):
        for p, primitive in enumerate(mesh["primitives"]):
            targets = primitive.get("targets")
            if targets and not ATTRIBUTES.accepts(targets, size):
                t = next(t for t, x in enumerate(targets) if not ATTRIBUTES.accepts([x], size))
                place = f"/meshes/{m}/primitives/{p}/targets/{t}"
                place, value = _inside(place, targets[t], ATTRIBUTES, size)
                raise document.error(place, f"must be an index into accessors, not {_shown(value)}")


def _check_samplers(document: Document) -> None:
    """Check that each channel refers to a sampler of its animation."""
    for a, animation in enumerate(document.rows("animations")):
        size = len(animation["samplers"])
        for c, channel in enumerate(animation["channels"]):
            if channel["sampler"] >= size:
                raise document.error(
                    f"/animations/{a}/channels/{c}/sampler",
                    f"there is no sampler {channel['sampler']} (there are {size})",
                )


def _check_tree(document: Document) -> None:
    """Check that no node has two parents or is its own ancestor (section 3.5.2)."""
    nodes = document.rows("nodes")
    parents = [-1] * len(nodes)
    for n, node in enumerate(nodes):
        for k, child in enumerate(node.get("children") or ()):
            if parents[child] >= 0:
                raise document.error(
                    f"/nodes/{n}/children/{k}",
                    f"node {child} has two parents, {parents[child]} and {n}",
                )
            parents[child] = n
    reached = [n for n, parent in enumerate(parents) if parent < 0]
    for n in reached:  # the list grows during iteration
        reached.extend(nodes[n].get("children") or ())
    if len(reached) < len(nodes):
        n = min(set(range(len(nodes))) - set(reached))
        for _ in nodes:  # enough steps up to be on the cycle, not below it
            n = parents[n]
        raise document.error(f"/nodes/{n}", "the node is its own ancestor")
