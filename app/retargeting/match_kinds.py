"""How the pairs of a joint mapping were found: by a map, name, alias, hips or hierarchy."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from ..animation.types import I32
from .joint_matching import MappedSkeleton, body_parts_of, given_pairs, normalized_names_of

MatchKind = Literal["map", "name", "alias", "hips", "hierarchy"]


def match_kinds(
    source: MappedSkeleton,
    target: MappedSkeleton,
    mapping: I32,
    names: Mapping[str, str],
    hips: tuple[int, int],
) -> tuple[MatchKind, ...]:
    """Return how each pair of a joint mapping was found, by ascending target joint.

    "map": by the user's names, "name": equal names, "alias": names of the same body part in two
    naming conventions, "hips": both are the hips, "hierarchy": the same place in equal skeletons.

    Parameters
    ----------
    mapping
        [J of the target] source joint, -1 for unmatched joints.
    names
        The user's names, see `match`.
    hips
        Hips of source and target.
    """
    given = set(given_pairs(source, target, names))
    ours, theirs = source.skeleton.names, target.skeleton.names
    parts, others = body_parts_of(source, source.nodes), body_parts_of(target, target.nodes)
    pairs = np.flatnonzero(mapping >= 0).astype(np.int32)
    plain, plain_other = (
        normalized_names_of(source, mapping[pairs]),
        normalized_names_of(target, pairs),
    )

    def kind(s: int, d: int) -> MatchKind:
        if (s, d) in given:
            return "map"
        if ours[s] == theirs[d]:
            return "name"
        part, other = parts.get(s), others.get(d)
        same_part = part and other and (part.side, part.part) == (other.side, other.part)
        if same_part or plain[s] == plain_other[d]:
            return "alias"
        return "hips" if (s, d) == hips else "hierarchy"

    return tuple(kind(int(mapping[d]), d) for d in pairs.tolist())
