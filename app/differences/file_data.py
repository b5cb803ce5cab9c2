"""Changes of the file around the character: its metadata, extensions and extras."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..model.model import Facts, Model
from ..wording import shortened
from .difference import Change, Kind, changed
from .objects import ComparedField, field_changes

LENGTH = 60  # letters of a value that are shown
# of a list of the file: its kind, the names in A, and the matching indices
Extended = tuple[Kind, Sequence[str] | Mapping[int, str], Iterable[tuple[int, int]]]
_COMPARED = ("meshes", "extras, targetNames")  # compared as names of morph targets

_METADATA: tuple[ComparedField[Facts], ...] = (
    ComparedField("format", lambda facts: facts.format, stored=True),
    ComparedField("generator", lambda facts: facts.generator, stored=True),
    ComparedField("copyright", lambda facts: facts.copyright, stored=True),
    ComparedField("scenes", lambda facts: ", ".join(facts.scenes), stored=True),
    ComparedField("size", lambda facts: facts.file_bytes, "bytes", stored=True),
)


def metadata_changes(a: Model, b: Model) -> Iterator[Change]:
    """Yield differences of the extensions, format, generator and size of the files."""
    used = [dict.fromkeys(each.facts.extensions_used) for each in (a, b)]
    required = [set(each.facts.extensions_required) for each in (a, b)]
    for name in used[0]:
        if name not in used[1]:
            yield Change("extension", "removed", name)
    for name in used[1]:
        if name not in used[0]:
            yield Change("extension", "added", name)
    for name in used[0]:
        if name in used[1] and (name in required[0]) != (name in required[1]):
            words = [("required" if name in each else "optional") for each in required]
            yield changed("extension", name, "use", words)
    yield from field_changes("file", "file", _METADATA, a.facts, b.facts)


def extras_changes(a: Model, b: Model, extended: Mapping[str, Extended]) -> Iterator[Change]:
    """Yield the differences of the extras and unknown extensions of matching objects.

    Unknown extensions may refer to other objects by index. If these have another order, their
    differences do not count. Data of extensions that only one file uses is left out.

    Parameters
    ----------
    extended
        By the name of the list in `Model.extras`.
    """
    common = set(a.facts.extensions_used) & set(b.facts.extensions_used)
    reordered = _order(a) != _order(b)
    for key, (kind, names, pairs) in extended.items():
        for k, n in pairs:
            one, two = a.extras.get((key, k), {}), b.extras.get((key, n), {})
            for label in () if one == two else sorted({*one, *two}):
                owner = label.partition(", ")[0]
                values = [texts.get(label, "none") for texts in (one, two)]
                if values[0] == values[1] or (key, label) == _COMPARED:
                    continue
                if owner != "extras" and owner not in common:
                    continue
                stored = key == "asset" or (owner != "extras" and reordered)
                yield changed(kind, names[k], label, _shown(*values), stored=stored)


def _shown(one: str, two: str) -> tuple[str, str]:
    """Return the parts of two texts around their first difference."""
    equal = next((k for k, (p, q) in enumerate(zip(one, two, strict=False)) if p != q), LENGTH)
    start = max(equal - LENGTH // 2, 0) if max(len(one), len(two)) > LENGTH else 0
    cut = [("…" if start else "") + shortened(text[start:], LENGTH) for text in (one, two)]
    return cut[0], cut[1]


def _order(model: Model) -> tuple[tuple[str, ...], ...]:
    """Return the names of nodes, meshes and materials in the order of the file."""
    names = model.skeleton.names
    order = sorted(range(len(names)), key=model.skeleton.nodes.tolist().__getitem__)
    return (
        tuple(names[joint] for joint in order),
        tuple(mesh.name for mesh in model.meshes),
        tuple(material.name for material in model.materials),
    )
