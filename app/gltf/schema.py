"""The parts of the glTF 2.0 JSON schema in use, as a table of rules.

The values of one property in all objects are checked together, for speed.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from ..model.material import ROWS
from ..model.material_fields import FactorRow, OptionRow, Row, TextureRow

LARGEST = 1e18  # maximum magnitude of numbers: their squares fit float32
MAX_INT = 2**53  # maximum integer: doubles are exact up to it

_INT = frozenset({int})
_NUMBER = frozenset({int, float})


@dataclass(frozen=True, slots=True)
class Rule:
    """The allowed values of a property."""

    description: str  # "an integer": completes "must be …"
    types: frozenset[type]
    low: float | None = None
    high: float = 0.0
    choices: frozenset[Any] | None = None
    index_of: str = ""  # the top-level array that values are indices of
    container: type | None = None  # list or dict of values; None: a single value
    length: int = -1  # of the list; -1: any, -2: at least 1

    def accepts(self, values: list[Any], size: int = 0) -> bool:
        """Return whether all values are valid; `size` is the length of the array `index_of`."""
        if self.container is not None:
            if set(map(type, values)) != {self.container}:
                return False
            lengths = set(map(len, values))
            if (self.length >= 0 and lengths != {self.length}) or (
                self.length == -2 and 0 in lengths
            ):
                return False
            parts = (value.values() for value in values) if self.container is dict else values
            values = list(chain.from_iterable(parts))
        if not values:
            return True
        if not self.types.issuperset(map(type, values)):
            return False
        if self.choices is not None:
            return self.choices.issuperset(values)
        if self.index_of:
            return min(values) >= 0 and max(values) < size
        return self.low is None or (min(values) >= self.low and max(values) <= self.high)


def _index(index_of: str) -> Rule:
    return Rule(f"an index into {index_of}", _INT, index_of=index_of)


def _indices(index_of: str, length: int = -1) -> Rule:
    return Rule(f"indices into {index_of}", _INT, index_of=index_of, container=list, length=length)


def _vector(length: int) -> Rule:
    description = f"{length} numbers" if length >= 0 else "numbers"
    return Rule(description, _NUMBER, -LARGEST, LARGEST, container=list, length=length)


def _choice(*choices: int | str) -> Rule:
    description = "one of " + ", ".join(map(str, choices))
    return Rule(description, frozenset({type(choices[0])}), choices=frozenset(choices))


UNSIGNED = Rule("an integer ≥ 0", _INT, 0, MAX_INT)
NUMBER = Rule("a number", _NUMBER, -LARGEST, LARGEST)
STRING = Rule("a string", frozenset({str}))
BOOL = Rule("true or false", frozenset({bool}))
UNSIGNED_LIST = Rule("an array of integers ≥ 0", _INT, 0, MAX_INT, container=list)
STRINGS = Rule("an array of strings", frozenset({str}), container=list)
UNSIGNED_BY_NAME = Rule("integers ≥ 0 by name", _INT, 0, MAX_INT, container=dict)
ATTRIBUTES = Rule("indices into accessors by name", _INT, index_of="accessors", container=dict)
TARGETS = Rule("an array of objects", frozenset({dict}), container=list)

# Keys that end in "!" are required. A dict is an object, a list an array of objects.
Schema = dict[str, Any]


class Field(NamedTuple):
    """A property of an object: a value, an object or an array of objects."""

    name: str
    required: bool
    rule: Rule | None  # None: an object or objects
    fields: "tuple[Field, ...]" = ()  # of the object or objects
    is_array: bool = False  # an array of objects


def _fields(schema: Schema) -> tuple[Field, ...]:
    return tuple(_field(key.rstrip("!"), key.endswith("!"), rule) for key, rule in schema.items())


def _field(name: str, required: bool, rule: Any) -> Field:  # noqa: ANN401 - a Rule, dict or list
    if isinstance(rule, Rule):
        return Field(name, required, rule)
    if isinstance(rule, dict):
        return Field(name, required, None, _fields(rule))
    return Field(name, required, None, _fields(rule[0]), is_array=True)


_TEXTURE: Schema = {
    "index!": _index("textures"),
    "texCoord": UNSIGNED,
    "extensions": {
        "KHR_texture_transform": {
            "offset": _vector(2),
            "rotation": NUMBER,
            "scale": _vector(2),
            "texCoord": UNSIGNED,
        }
    },
}


def _material() -> Schema:
    """Return the schema of a material, from the table of its fields."""
    schema: Schema = {"name": STRING}
    for row in ROWS:
        *parents, name = row.path.split("/")
        owner = schema
        for parent in parents:
            owner = owner.setdefault(parent, {})
        owner[name] = _material_rule(row)
    extensions = schema.pop("extensions")
    return schema | {"extensions": dict(sorted(extensions.items()))}


def _material_rule(row: Row) -> Rule | Schema:
    if isinstance(row, TextureRow):
        return dict(_TEXTURE)
    if isinstance(row, FactorRow):
        return NUMBER if len(row.default) == 1 else _vector(len(row.default))
    if isinstance(row, OptionRow) and row.choices:
        return _choice(*row.choices)
    return {} if row.is_object else BOOL


_LIGHT: Schema = {
    "name": STRING,
    "type!": _choice("directional", "point", "spot"),
    "color": _vector(3),
    "intensity": NUMBER,
    "range": NUMBER,
    "spot": {"innerConeAngle": NUMBER, "outerConeAngle": NUMBER},
}
_COMPRESSED: Schema = {
    "buffer!": _index("buffers"),
    "byteOffset": UNSIGNED,
    "byteLength!": UNSIGNED,
    "byteStride!": UNSIGNED,
    "count!": UNSIGNED,
    "mode!": _choice("ATTRIBUTES", "TRIANGLES", "INDICES"),
    "filter": _choice("NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"),
}
_FALLBACK: Schema = {"fallback": BOOL}
_SOURCE: Schema = {"source": _index("images")}
_MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
_FORMATS = ("EXT_texture_avif", "EXT_texture_webp", "KHR_texture_basisu")
_WRAP = _choice(33071, 33648, 10497)
_FILTERS = (9728, 9729, 9984, 9985, 9986, 9987)
_DEPTHS: Schema = {"znear!": NUMBER, "zfar": NUMBER}

_SCHEMA: Schema = {
    "asset!": {"version!": STRING, "minVersion": STRING, "generator": STRING, "copyright": STRING},
    "extensionsUsed": STRINGS,
    "extensionsRequired": STRINGS,
    "extensions": {
        "KHR_lights_punctual": {"lights!": [_LIGHT]},
        "KHR_materials_variants": {"variants!": [{"name!": STRING}]},
    },
    "scene": _index("scenes"),
    "scenes": [{"nodes": _indices("nodes"), "name": STRING}],
    "buffers": [
        {
            "uri": STRING,
            "byteLength!": UNSIGNED,
            "extensions": dict.fromkeys(_MESHOPT, _FALLBACK),
        }
    ],
    "bufferViews": [
        {
            "buffer!": _index("buffers"),
            "byteOffset": UNSIGNED,
            "byteLength!": UNSIGNED,
            "byteStride": UNSIGNED,
            "extensions": dict.fromkeys(_MESHOPT, _COMPRESSED),
        }
    ],
    "accessors": [
        {
            "bufferView": _index("bufferViews"),
            "byteOffset": UNSIGNED,
            "componentType!": _choice(5120, 5121, 5122, 5123, 5125, 5126),
            "normalized": BOOL,
            "count!": UNSIGNED,
            "type!": _choice("SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"),
            "sparse": {
                "count!": UNSIGNED,
                "indices!": {
                    "bufferView!": _index("bufferViews"),
                    "byteOffset": UNSIGNED,
                    "componentType!": _choice(5121, 5123, 5125),
                },
                "values!": {"bufferView!": _index("bufferViews"), "byteOffset": UNSIGNED},
            },
        }
    ],
    "nodes": [
        {
            "name": STRING,
            "children": _indices("nodes"),
            "mesh": _index("meshes"),
            "skin": _index("skins"),
            "camera": _index("cameras"),
            "matrix": _vector(16),
            "translation": _vector(3),
            "rotation": _vector(4),
            "scale": _vector(3),
            "weights": _vector(-1),
            "extensions": {
                "EXT_mesh_gpu_instancing": {"attributes": ATTRIBUTES},
                "KHR_lights_punctual": {"light!": UNSIGNED},
                "KHR_node_visibility": {"visible": BOOL},
            },
        }
    ],
    "meshes": [
        {
            "name": STRING,
            "weights": _vector(-1),
            "primitives!": [
                {
                    "attributes!": ATTRIBUTES,
                    "indices": _index("accessors"),
                    "material": _index("materials"),
                    "mode": _choice(0, 1, 2, 3, 4, 5, 6),
                    "targets": TARGETS,
                    "extensions": {
                        "KHR_draco_mesh_compression": {
                            "bufferView!": _index("bufferViews"),
                            "attributes!": UNSIGNED_BY_NAME,
                        },
                        "KHR_materials_variants": {
                            "mappings!": [
                                {"material!": _index("materials"), "variants!": UNSIGNED_LIST}
                            ]
                        },
                    },
                }
            ],
        }
    ],
    "skins": [
        {
            "name": STRING,
            "joints!": _indices("nodes", -2),
            "inverseBindMatrices": _index("accessors"),
            "skeleton": _index("nodes"),
        }
    ],
    "animations": [
        {
            "name": STRING,
            "channels!": [
                {
                    "sampler!": UNSIGNED,
                    "target!": {"node": _index("nodes"), "path!": STRING},
                }
            ],
            "samplers!": [
                {
                    "input!": _index("accessors"),
                    "output!": _index("accessors"),
                    "interpolation": _choice("LINEAR", "STEP", "CUBICSPLINE"),
                }
            ],
        }
    ],
    "materials": [_material()],
    "textures": [
        {
            "sampler": _index("samplers"),
            "source": _index("images"),
            "extensions": dict.fromkeys(_FORMATS, _SOURCE),
        }
    ],
    "samplers": [
        {
            "magFilter": _choice(9728, 9729),
            "minFilter": _choice(*_FILTERS),
            "wrapS": _WRAP,
            "wrapT": _WRAP,
        }
    ],
    "images": [
        {"uri": STRING, "mimeType": STRING, "bufferView": _index("bufferViews"), "name": STRING}
    ],
    "cameras": [
        {
            "name": STRING,
            "type!": _choice("perspective", "orthographic"),
            "perspective": {"aspectRatio": NUMBER, "yfov!": NUMBER} | _DEPTHS,
            "orthographic": {"xmag!": NUMBER, "ymag!": NUMBER} | _DEPTHS,
        }
    ],
}

FIELDS = _fields(_SCHEMA)
