"""Changes of extras, the application data at the objects of a file."""

from collections.abc import Iterable, Iterator, Mapping

from ..model.model import Model
from ..wording import shortened
from .difference import Change, Kind, changed

LENGTH = 60  # letters of a value that are shown
_KINDS: dict[str, Kind] = {
    "skins": "skin",
    "meshes": "mesh",
    "materials": "material",
    "animations": "clip",
    "images": "texture",
}
_FIELDS = {"animations": "clips"}  # of the model, where they differ from the list in the file
_KNOWN = {"meshes": "targetNames"}  # compared as names of morph targets

Pairs = Iterable[tuple[int, int]]  # matching indices


def extras_changes(a: Model, b: Model, pairs: Mapping[str, Pairs]) -> Iterator[Change]:
    """Yield the differences of the extras of matching objects.

    Parameters
    ----------
    pairs
        The matching indices by the name of their list in `Model.extras`.
    """
    for key, matching in pairs.items():
        for k, n in matching:
            one, two = a.extras.get((key, k), {}), b.extras.get((key, n), {})
            if one != two:
                kind, name = _object(a, key, k)
                for field in sorted({*one, *two} - {_KNOWN.get(key)}):
                    yield from _field(kind, name, field, (one.get(field), two.get(field)))


def _field(
    kind: Kind, name: str, field: str, texts: tuple[str | None, str | None]
) -> Iterator[Change]:
    if texts[0] != texts[1]:
        shown = [shortened(text or "none", LENGTH) for text in texts]
        label = f"extras, {field}" if field else "extras"
        yield changed(kind, name, label, shown, stored=name == "asset")


def _object(model: Model, key: str, index: int) -> tuple[Kind, str]:
    """Return the kind and the name of an object with extras."""
    if key in ("asset", "scene"):
        return "file", key
    if key == "nodes":
        return "joint", model.skeleton.names[index]
    if key in ("cameras", "lights"):
        attached = model.cameras if key == "cameras" else model.lights
        kind: Kind = "camera" if key == "cameras" else "light"
        return kind, next(each.name for each in attached if each.number == index)
    return _KINDS[key], getattr(model, _FIELDS.get(key, key))[index].name
