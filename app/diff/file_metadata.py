"""Changes of the file around the character: extensions, format, generator, size."""

from ..model.model import Model
from .difference import Change, changed


def metadata_changes(a: Model, b: Model) -> list[Change]:
    """Return differences of the extensions, format, generator and size of the files."""
    changes = _extensions(a, b)
    for field, before, after in (
        ("format", a.facts.format, b.facts.format),
        ("generator", a.facts.generator, b.facts.generator),
        ("copyright", a.facts.copyright, b.facts.copyright),
        ("scenes", ", ".join(a.facts.scenes), ", ".join(b.facts.scenes)),
        ("size", a.facts.file_bytes, b.facts.file_bytes),
    ):
        if before != after:
            unit = "bytes" if field == "size" else ""
            changes.append(
                Change("file", "changed", "file", "", field, before, after, unit, stored=True)
            )
    return changes


def _extensions(a: Model, b: Model) -> list[Change]:
    """Return extensions that only one file uses, or that only one file requires."""
    used = [dict.fromkeys(each.facts.extensions_used) for each in (a, b)]
    required = [set(each.facts.extensions_required) for each in (a, b)]
    changes = [Change("extension", "removed", name) for name in used[0] if name not in used[1]]
    changes += [Change("extension", "added", name) for name in used[1] if name not in used[0]]
    for name in used[0]:
        if name in used[1] and (name in required[0]) != (name in required[1]):
            words = [("required" if name in each else "optional") for each in required]
            changes.append(changed("extension", name, "use", words))
    return changes
