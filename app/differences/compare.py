"""Comparison of two models."""

from collections.abc import Collection, Iterable

import numpy as np

from ..model.model import Model
from .clips import clip_changes, compare_clips, match_clips
from .difference import Change, Difference, changed
from .file_data import Extended, extras_changes, metadata_changes
from .materials import match_images, match_materials, material_changes, texture_changes
from .meshes import mesh_changes
from .model_pair import DEGREES, METRES, ModelPair, pair_models
from .nodes import attached_changes, match_attached, node_changes, numbered
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
        np.array_equal(p[own], q[other])
        for p, q in (
            (one.translation, two.translation),
            (one.rotation, two.rotation),
            (one.scale, two.scale),
        )
    )
