"""Matching of the skins of two versions, and differences of joints, inverse binds, weights."""

from collections.abc import Collection, Iterator

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.skin import Skin
from ..animation.types import F32, F64, Index
from ..animation.vectors import length
from ..model.model import Primitive
from ..wording import counted
from .difference import Change, changed
from .model_pair import ModelPair
from .objects import Matching, by_name, match_objects, names_of

OVERLAP = 0.5  # share of common joints for skins of different names to match
STRETCH = 1e-3  # tolerance of the scale of bind matrices
WEIGHT = 1e-3  # tolerance of skin weights
BATCH = 16384  # vertices whose weights are compared at once


def match_skins(pair: ModelPair) -> Matching:
    """Return the matching skins: by name, else by common joints."""
    one, two = pair.a.skins, pair.b.skins

    def most_joints(k: int, free: Collection[int]) -> list[int]:
        overlaps = {n: _overlap(one[k], two[n], pair.joints) for n in free}
        best = sorted(overlaps, key=overlaps.__getitem__, reverse=True)
        return [n for n in best if overlaps[n] >= OVERLAP]

    names = names_of(one, two)
    criteria = {"same name": by_name(names, generated=False), "same joints": most_joints}
    return match_objects(names, criteria)


def _overlap(one: Skin, two: Skin, joints: Matching) -> float:
    mine, theirs = set(joints.to[one.joints].tolist()), set(two.joints.tolist())
    return len(mine & theirs) / max(len(mine | theirs), 1)


def skin_changes(pair: ModelPair, skins: Matching) -> Iterator[Change]:
    """Yield skins removed, added, renamed, and changes of the others.

    Inverse binds within the thresholds are equal; the order of joints is ignored.
    """
    yield from skins.unmatched("skin")
    for k, n in skins:
        one, two = pair.a.skins[k], pair.b.skins[n]
        yield from skins.renamed("skin", k)
        yield from _joints(pair, one, two)
        yield from _binds(pair, one, two)


def _joints(pair: ModelPair, one: Skin, two: Skin) -> Iterator[Change]:
    counts = len(one.joints), len(two.joints)
    for words, names in zip(
        ("lost", "new"), pair.lost_and_new(one.joints, two.joints), strict=True
    ):
        if names:
            note = f"{words}: {', '.join(names)}"
            yield changed("skin", one.name, "joints", counts, note=note)


def _binds(pair: ModelPair, one: Skin, two: Skin) -> Iterator[Change]:
    """Yield differences of the bind poses of the joints; distances at rest, model space."""
    a, b, scale = pair.a, pair.b, pair.scale
    places: dict[int, list[int]] = {}
    for s, j in reversed(list(enumerate(two.joints.tolist()))):
        places.setdefault(j, []).append(s)  # a skin may name a joint twice
    mine = enumerate(pair.joints.to[one.joints].tolist())
    rows = [(s, places[j].pop()) for s, j in mine if places.get(j)]
    if not rows:
        return
    own, other = np.array(rows).T
    m, n = one.inverse_bind[own].astype(float), two.inverse_bind[other].astype(float)
    regular = (_determinants(m) != 0) & (_determinants(n) != 0)
    names = [b.skeleton.names[j] for j in two.joints[other]]
    matrices, _ = to_model_transforms(a.skeleton, a.skeleton.rest)
    axes = (matrices[one.joints[own]] @ m)[regular, :3, :3]
    if not regular.all() and not np.array_equal(m[~regular], n[~regular]):
        at = names[int(np.argmin(regular))]
        yield Change("skin", "changed", one.name, field="inverse binds", note=f"no inverse at {at}")
    if not regular.any():
        return
    m, n = np.linalg.inv(m[regular]), np.linalg.inv(n[regular])
    names = [name for name, is_regular in zip(names, regular, strict=True) if is_regular]
    way = n[:, :3, 3] / _mesh_scale(m, n, scale) - m[:, :3, 3]
    (turn_m, size_m), (turn_n, size_n) = _parts(m), _parts(n)
    apart = length(np.einsum("sab,sb->sa", axes, way))
    chord = np.sqrt(((turn_n - turn_m) ** 2).sum(axis=(1, 2)))
    angle = np.degrees(2 * np.arcsin(np.minimum(chord / np.sqrt(8), 1)))
    grown = size_n / size_m
    grown = np.abs(grown / (np.median(grown) if scale != 1.0 else 1.0) - 1)
    for field, values, least, unit in (
        ("bind positions", apart * 1000, pair.metres * 1000, "mm"),
        ("bind rotations", angle, pair.degrees, "°"),
        ("bind scales", grown * 100, STRETCH * 100, "%"),
    ):
        k = int(np.argmax(values))
        if values[k] > least:
            count = int((values > least).sum())
            note = f"at {names[k]}" + (f", and {count - 1} more" if count > 1 else "")
            off = float(values[k])
            yield Change("skin", "changed", one.name, "", field, 0.0, off, unit, note)


def _determinants(matrices: F64) -> F64:
    with np.errstate(all="ignore"):
        return np.nan_to_num(np.linalg.det(matrices), nan=0.0)


def _mesh_scale(m: F64, n: F64, scale: float) -> float:
    """Return the scale of B's mesh space, which may differ from the scale of the model."""
    sizes = [float(np.abs(matrices[:, :3, 3]).max()) for matrices in (m, n)]
    if scale == 1.0 or min(sizes) <= 0:
        return 1.0
    ratio = sizes[1] / sizes[0]
    return scale if abs(np.log(ratio / scale)) < abs(np.log(ratio)) else 1.0


def _parts(matrices: F64) -> tuple[F64, F64]:
    """Return the axes [S, 3, 3] of matrices, and their mean length [S]."""
    lengths = np.sqrt(np.einsum("sab,sab->sb", matrices[:, :3, :3], matrices[:, :3, :3]))
    lengths = np.maximum(lengths, 1e-30)
    return matrices[:, :3, :3] / lengths[:, None], lengths.mean(axis=1)


def weight_changes(pair: ModelPair) -> Iterator[Change]:
    """Yield the meshes with another skin, or with other skin weights."""
    a, b = pair.a, pair.b
    for k, n in pair.instances:
        instance, other = a.instances[k], b.instances[n]
        name = a.meshes[instance.mesh].name
        if instance.skin < 0 or other.skin < 0:
            if (instance.skin < 0) != (other.skin < 0):
                words = [
                    "none" if each.skin < 0 else model.skins[each.skin].name
                    for each, model in ((instance, a), (other, b))
                ]
                yield changed("mesh", name, "skin", words)
            continue
        one, two = a.skins[instance.skin], b.skins[other.skin]
        numbers, names = _common_numbers(pair, one, two)
        for part in pair.parts[instance.mesh]:
            if part.rows is None:
                continue
            most, joint, count = 0.0, -1, 0
            for apart in _weight_differences(part.a, part.b, part.rows, numbers):
                size = np.abs(apart)
                count += int((size.max(axis=1) > WEIGHT).sum())
                at = int(np.argmax(size.max(axis=0)))
                if size[:, at].max() > most:
                    most, joint = float(size[:, at].max()), at
            if most > WEIGHT:
                note = f"at most, of {names[joint]}; {counted(count, 'vertex', 'vertices')}"
                yield changed("mesh", name, "weights", (0.0, most), unit="of 1", note=note)


def _common_numbers(
    pair: ModelPair, one: Skin, two: Skin
) -> tuple[tuple[Index, Index], dict[int, str]]:
    """Return the joints of two skins in a common, dense numbering, and their names in it."""
    matches = pair.joints.to[one.joints]
    both = np.concatenate([np.where(matches >= 0, matches, -1 - one.joints), two.joints])
    numbers = np.unique(both, return_inverse=True)[1].reshape(-1)
    names = [pair.a.skeleton.names[j] for j in one.joints]
    names += [pair.b.skeleton.names[j] for j in two.joints]
    split = numbers[: len(one.joints)], numbers[len(one.joints) :]
    return split, dict(zip(numbers.tolist(), names, strict=True))


def _weight_differences(
    a: Primitive, b: Primitive, rows: Index, numbers: tuple[Index, Index]
) -> Iterator[F32]:
    """Yield the differences of each joint's weight to that in A, for batches of vertices of B.

    Parameters
    ----------
    rows
        [V] the vertices of A.
    numbers
        The joints of the two skins in a common numbering.

    Yields
    ------
    F32
        [v, joints of the common numbering]
    """
    if a.joints is None or a.weights is None or b.joints is None or b.weights is None:
        return
    count = 1 + max(int(indices.max(initial=0)) for indices in numbers)
    every = np.arange(len(rows))
    for batch in np.split(every, range(BATCH, len(every), BATCH)):
        dense = np.zeros((2, len(batch), count), np.float32)
        line = np.arange(len(batch))[:, None]
        np.add.at(dense[0], (line, numbers[0][a.joints[rows[batch]]]), a.weights[rows[batch]])
        np.add.at(dense[1], (line, numbers[1][b.joints[batch]]), b.weights[batch])
        yield dense[1] - dense[0]
