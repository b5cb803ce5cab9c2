"""How many bytes packed meshes and views take, and what they would take unpacked."""

from app.gltf.document import Document
from app.gltf.draco import NAME, packed
from app.gltf.layout import ELEMENTS
from app.gltf.meshopt import packed as packed_view
from app.model import Packed


def read_savings(document: Document) -> tuple[Packed, ...]:
    """Return what each extension that packs data saves; images aside, which always are packed."""
    sizes: dict[str, list[int]] = {}
    for view in document.rows("bufferViews"):
        found = packed_view(view)
        if found is not None:
            _count(sizes, found[0], found[1]["byteLength"], view["byteLength"])
    known: dict[int, set[int]] = {}  # accessors by the view of their stream
    for mesh in document.rows("meshes"):
        for primitive in mesh["primitives"]:
            row = packed(primitive)
            if row is not None:
                used = {primitive["attributes"].get(name) for name in row["attributes"]}
                used = (used | {primitive.get("indices")}) - {None}
                known.setdefault(row["bufferView"], set()).update(used)
    rows = document.rows("accessors")
    for v, used in known.items():
        unpacked = sum(
            rows[a]["count"] * ELEMENTS[rows[a]["type"], rows[a]["componentType"]] for a in used
        )
        _count(sizes, NAME, document.rows("bufferViews")[v]["byteLength"], unpacked)
    return tuple(Packed(name, *pair) for name, pair in sizes.items())


def _count(sizes: dict[str, list[int]], name: str, nbytes: int, unpacked: int) -> None:
    pair = sizes.setdefault(name, [0, 0])
    pair[0] += nbytes
    pair[1] += unpacked
