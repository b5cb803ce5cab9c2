"""Comparison of two models."""

from collections.abc import Collection

import numpy as np

from ..animation.types import Bool
from ..model.model import Channel, Model
from .cameras import camera_changes, light_changes, numbers_of
from .clips import clip_changes, compare_clips, match_clips
from .difference import Change, Difference
from .file_extras import Pairs, extras_changes
from .file_metadata import metadata_changes
from .joints import JointMatch, joint_changes, match_joints
from .materials import match_materials, material_changes, texture_changes
from .meshes import match_instances, match_meshes, mesh_changes
from .node_contents import node_changes
from .rest_transforms import rest_changes
from .shared_geometry import ModelPair, block_pairs
from .skins import match_skins, skin_changes, weight_changes

METRES = 1e-4
DEGREES = 0.05
WEIGHT = 1e-3  # tolerance of skin weights


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
    match, scale = match_joints(a, b)
    model_pair, changes, matching = _pair_models(a, b, match, scale, metres, degrees)
    rest = model_pair.compare((None, None), np.zeros(1))
    alike = (
        (rest.metres, rest.degrees, rest.weight) == (0, 0, 0)
        and all(pair.same for pair in model_pair.blocks)
        and bool((match.to >= 0).all() and (match.back >= 0).all())
        and not any(change.kind == "joint" and change.field == "parent" for change in changes)
        and _same_rest(a, b, match)
    )
    pairs = match_clips(model_pair, metres, degrees)
    changes += clip_changes(a, b, pairs, match)
    changes += camera_changes(a, b, match) + light_changes(a, b, match)
    matching["animations"] = [(k, n) for k, n, _ in pairs]
    matching["cameras"] = numbers_of(a.cameras, b.cameras, match)
    matching["lights"] = numbers_of(a.lights, b.lights, match)
    changes += extras_changes(a, b, matching)
    compared = compare_clips(model_pair, pairs, clips, metres, degrees, alike=alike)
    return Difference(
        metres,
        degrees,
        scale=scale,
        changes=tuple(changes + metadata_changes(a, b)),
        rest=rest,
        clips=tuple(compared),
        skin=bool(model_pair.blocks),
        unmatched=model_pair.unmatched,
    )


def pair_models(a: Model, b: Model) -> ModelPair:
    """Return two models with their matching joints and vertices, as used by `compare`."""
    match, scale = match_joints(a, b)
    return _pair_models(a, b, match, scale, METRES, DEGREES)[0]


def _pair_models(
    a: Model, b: Model, match: JointMatch, scale: float, metres: float, degrees: float
) -> tuple[ModelPair, list[Change], dict[str, Pairs]]:
    """Return the matching joints and vertices, all changes except those of clips, and the pairs.

    The matching indices are those of `extras_changes`.
    """
    meshes = match_meshes(a, b, match, scale)
    instances = match_instances(a, b, match, meshes)
    blocks, unmatched = block_pairs(a, b, match, instances, scale)
    channels = _channels(a, b, match)
    changes: list[Change] = []
    if scale != 1.0:
        note = f"B is {scale:.6g} times the size of A; its lengths are divided by that"
        changes.append(Change("scale", "changed", "size", "", "factor", 1.0, scale, note=note))
    changes += joint_changes(a, b, match)
    changes += rest_changes(a, b, match, scale, metres, degrees)
    changes += node_changes(a, b, match, meshes, channels)
    skins = match_skins(a, b, match)
    changes += skin_changes(a, b, match, skins, scale, metres, degrees)
    textures, images = texture_changes(a, b)
    materials = match_materials(a, b, images)
    changes += mesh_changes(a, b, meshes, instances, {-1: -1, **dict(materials)})
    changes += weight_changes(a, b, match, instances, WEIGHT)
    changes += material_changes(a, b, materials, images) + textures
    pairs: dict[str, Pairs] = {
        "asset": [(0, 0)],
        "scene": [(0, 0)],
        "file": [(0, 0)],
        "nodes": list(zip(*(column.tolist() for column in match.pairs), strict=True)),
        "skins": skins,
        "meshes": [(pair.a, pair.b) for pair in meshes],
        "materials": materials,
        "images": [(k, n) for n, k in images.items()],
    }
    return ModelPair(a, b, match, scale, blocks, unmatched, channels), changes, pairs


def _channels(a: Model, b: Model, match: JointMatch) -> dict[int, int]:
    """Return the channels of B by those of A with the same property, kind and width."""
    return {
        number: other
        for number, one in enumerate(a.channels)
        for other, two in enumerate(b.channels)
        if one.width == two.width and _same_property(one, two, match)
    }


def _same_property(one: Channel, two: Channel, match: JointMatch) -> bool:
    """Return whether two channels animate the same property of matching nodes."""
    if not one.pointer.startswith("/nodes/"):
        return one.pointer == two.pointer
    return match.to[one.joint] == two.joint and _tail(one.pointer) == _tail(two.pointer)


def _tail(pointer: str) -> str:
    """Return the property in a JSON pointer of a node: "weights" of "/nodes/3/weights"."""
    return "/".join(pointer.split("/")[3:])


def _same_rest(a: Model, b: Model, match: JointMatch) -> bool:
    """Return whether all local rest transforms are identical."""
    own, other = match.pairs
    one, two = a.skeleton.rest, b.skeleton.rest
    same: list[Bool] = [
        p[own] == q[other]
        for p, q in (
            (one.translation, two.translation),
            (one.rotation, two.rotation),
            (one.scale, two.scale),
        )
    ]
    return all(bool(each.all()) for each in same)
