"""Comparison of two models."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ..model.model import Facts, Model
from ..wording import shortened
from .clips import clip_changes, compare_clips, match_clips
from .difference import Change, Difference, Kind, changed
from .materials import match_images, match_materials, material_changes, texture_changes
from .meshes import mesh_changes
from .model_pair import DEGREES, METRES, ModelPair, pair_models
from .nodes import attached_changes, match_attached, node_changes, numbered
from .objects import ComparedField, field_changes
from .skins import match_skins, skin_changes, weight_changes


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def compare(
    a: Model,
    b: Model,
    *,
    clips: Collection[str] | None = None,
    metres: float = METRES,
    degrees: float = DEGREES,
) -> Difference:
    """Return the difference of two versions of a character.

    Joints are matched by name in any order, renamed joints by their position in the hierarchy.
    Clips are compared at all keys of both and half-way between them, by the skinned vertices
    where they correspond. All lengths are in model space; those of B are divided by its relative
    scale.

    Parameters
    ----------
    a, b
        The older and the newer version.
    clips
        Names, in either version, of the clips whose motion is compared; None: all.
    metres, degrees
        Thresholds: smaller differences count as equal.
    """
    pair = pair_models(a, b, metres, degrees)
    skins = match_skins(pair)
    images = match_images(a, b)
    materials = match_materials(a, b, images)
    animations = match_clips(pair)
    cameras = match_attached(a.cameras, b.cameras, pair.joints)
    lights = match_attached(a.lights, b.lights, pair.joints)
    extended: dict[str, Extended] = {
        **{name: ("file", [name], [(0, 0)]) for name in ("asset", "scene", "file")},
        "nodes": ("joint", pair.joints.names[0], pair.joints),
        "skins": ("skin", skins.names[0], skins),
        "meshes": ("mesh", pair.meshes.names[0], pair.meshes),
        "materials": ("material", materials.names[0], materials),
        "images": ("texture", images.names[0], images),
        "animations": ("clip", animations.names[0], animations),
        "cameras": ("camera", *numbered(a.cameras, b.cameras, cameras)),
        "lights": ("light", *numbered(a.lights, b.lights, lights)),
    }
    changes = (
        *_scale_changes(pair),
        *node_changes(pair),
        *skin_changes(pair, skins),
        *mesh_changes(pair, materials),
        *weight_changes(pair),
        *material_changes(a, b, materials, images),
        *texture_changes(a, b, images),
        *clip_changes(pair, animations),
        *attached_changes("camera", a.cameras, b.cameras, cameras, pair.joints),
        *attached_changes("light", a.lights, b.lights, lights, pair.joints),
        *extras_changes(a, b, extended),
        *metadata_changes(a, b),
    )
    rest = pair.compare((None, None), np.zeros(1))
    alike = (
        (rest.metres, rest.degrees, rest.weight) == (0, 0, 0)
        and all(block.same for block in pair.blocks)
        and bool((pair.joints.to >= 0).all() and (pair.joints.back >= 0).all())
        and not any(change.kind == "joint" and change.field == "parent" for change in changes)
        and _same_rest(pair)
    )
    return Difference(
        metres,
        degrees,
        scale=pair.scale,
        changes=changes,
        rest=rest,
        clips=tuple(compare_clips(pair, animations, clips, alike=alike)),
        skin=bool(pair.blocks),
        unmatched=pair.unmatched,
    )


def _scale_changes(pair: ModelPair) -> Iterable[Change]:
    """Yield the size of B relative to A, if it has another scale."""
    if pair.scale != 1.0:
        note = f"B is {pair.scale:.6g} times the size of A; its lengths are divided by that"
        yield changed("scale", "size", "factor", (1.0, pair.scale), note=note)


def _same_rest(pair: ModelPair) -> bool:
    """Return whether all local rest transforms are identical."""
    own, other = pair.joints.pairs
    one, two = pair.a.skeleton.rest, pair.b.skeleton.rest
    return all(
        np.array_equal(getattr(one, path)[own], getattr(two, path)[other])
        for path in ("translation", "rotation", "scale")
    )


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
