"""Rows of the material table: how files store a field, its valid values, and its label.

A field of a material is declared once, in `rigview.model.material`, together with its row:
``roughness: float = row.factor("pbrMetallicRoughness/roughnessFactor", 1.0, UNIT)``. Reading,
validation, animation pointers, the uniform block, statistics, differences and checks follow it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

T = TypeVar("T", float, tuple[float, float, float], tuple[float, float, float, float])
S = TypeVar("S", bound=str | bool)
E = TypeVar("E")
Limits = tuple[float, float]
UNIT: Limits = (0.0, 1.0)
POSITIVE: Limits = (0.0, math.inf)
UNLIMITED: Limits = (-math.inf, math.inf)
_ROW = "row"  # key of a dataclass field's metadata


@dataclass(frozen=True, slots=True)
class Row:
    """One field of a material.

    Attributes
    ----------
    path
        JSON path in the glTF material; also the end of its animation pointer.
    label
        Name in messages, `info` and `diff`.
    name
        Field of `Material`; ``clearcoat.roughness`` for one of an extension's object.
    """

    path: str
    label: str = ""
    name: str = ""

    @property
    def extension(self) -> str:
        """The glTF extension that it is part of, "" if none."""
        return self.path.split("/")[1] if self.path.startswith("extensions/") else ""

    @property
    def is_object(self) -> bool:
        """Whether its property is the object of an extension."""
        return self.path == f"extensions/{self.extension}"

    @property
    def owner(self) -> str:
        """The field of the extension's object that it is part of, "" if none."""
        return self.name.rpartition(".")[0]

    @property
    def key(self) -> str:
        """Its field in its owner."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class FactorRow(Row):
    """A number or colour, which can be animated.

    Attributes
    ----------
    default
        Its components.
    limits
        Valid range of each component.
    as_stored
        Values of a file outside of `limits` are drawn as they are; only animated ones are clamped.
    """

    default: tuple[float, ...] = ()
    limits: Limits = UNLIMITED
    as_stored: bool = False

    def value(self, components: tuple[float, ...]) -> float | tuple[float, ...]:
        """Return components as a value of the field."""
        return components if len(components) > 1 else components[0]

    def clamped(self, components: tuple[float, ...]) -> tuple[float, ...]:
        """Return components within `limits`."""
        low, high = self.limits
        return tuple(min(max(x, low), high) for x in components)


@dataclass(frozen=True, slots=True)
class OptionRow(Row):
    """A choice of words, or a switch; a switch may be an empty object."""

    default: str | bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextureRow(Row):
    """A texture slot; `srgb`: its red, green and blue are stored in sRGB, not linear."""

    srgb: bool = False
    normal_map: bool = False


@dataclass(frozen=True, slots=True)
class ExtensionRow(Row):
    """The object of an extension, with rows of its own.

    Attributes
    ----------
    object_type
        Class of the object.
    strength
        The field that must be above 0 for the extension to have an effect; "": any field.
    """

    object_type: type[Any] = object
    strength: str = ""


def factor(path: str, default: T, limits: Limits, label: str = "", *, as_stored: bool = False) -> T:
    """Declare a number or colour; for the parameters see `FactorRow`."""
    components = default if isinstance(default, tuple) else (default,)
    row = FactorRow(path, label, "", components, limits, as_stored)
    return field(default=default, metadata={_ROW: row})


def option(path: str, default: S, choices: tuple[str, ...] = (), label: str = "") -> S:
    """Declare a choice or a switch; for the parameters see `OptionRow`."""
    return field(default=default, metadata={_ROW: OptionRow(path, label, "", default, choices)})


def texture(path: str, label: str = "", *, srgb: bool = False, normal_map: bool = False) -> Any:  # noqa: ANN401 - TextureRef | None
    """Declare a texture slot; for the parameters see `TextureRow`."""
    row = TextureRow(path, label, "", srgb, normal_map)
    return field(default=None, metadata={_ROW: row})


def extension(path: str, object_type: type[E], strength: str = "") -> E | None:
    """Declare the object of an extension; for the parameters see `ExtensionRow`."""
    return field(default=None, metadata={_ROW: ExtensionRow(path, "", "", object_type, strength)})


def rows_of(owner: type[Any], above: ExtensionRow | None = None) -> Iterator[Row]:
    """Yield the rows of a dataclass, those of an extension's object after that of the extension."""
    for declared in fields(owner):
        row: Row | None = declared.metadata.get(_ROW)
        if row is None:
            continue
        name, path = declared.name, row.path
        if above is not None:
            name, path = f"{above.name}.{name}", f"{above.path}/{path}"
        row = replace(row, path=path, name=name, label=row.label or _label(name))
        yield row
        if isinstance(row, ExtensionRow):
            yield from rows_of(row.object_type, row)


def _label(name: str) -> str:
    words = name.removesuffix(".factor").removesuffix(".texture").removesuffix("_texture")
    return words.replace(".", " ").replace("_", " ").replace("color", "colour")
