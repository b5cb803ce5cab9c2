"""Matching of the skins of two versions, and differences of joints, inverse binds, weights."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.skin import Skin
from ..animation.types import F64, Index
from ..animation.vectors import length
from ..model.model import Model
from ..wording import counted
from .difference import Change, changed
from .joints import JointMatch
from .meshes import InstancePair
from .name_matching import has_own_name, renamed
from .vertices import weight_differences

OVERLAP = 0.5  # share of common joints for skins of different names to match
STRETCH = 1e-3  # tolerance of the scale of bind matrices


def match_skins(a: Model, b: Model, match: JointMatch) -> list[tuple[int, int]]:
    """Return the matching skins: by name, else by common joints."""
    pairs, free = [], dict(enumerate(b.skins))
    rest = []
    for k, skin in enumerate(a.skins):
        called = [n for n, other in free.items() if other.name == skin.name]
        if called and has_own_name(skin.name):
            pairs.append((k, called[0]))
            del free[called[0]]
        else:
            rest.append(k)
    for k in rest:
        overlaps = {n: _overlap(a.skins[k], other, match) for n, other in free.items()}
        best = max(overlaps, key=overlaps.__getitem__, default=-1)
        if best >= 0 and overlaps[best] >= OVERLAP:
            pairs.append((k, best))
            del free[best]
    return sorted(pairs)


def _overlap(one: Skin, two: Skin, match: JointMatch) -> float:
    mine, theirs = set(match.to[one.joints].tolist()), set(two.joints.tolist())
    return len(mine & theirs) / max(len(mine | theirs), 1)


def skin_changes(
    a: Model,
    b: Model,
    match: JointMatch,
    pairs: Sequence[tuple[int, int]],
    scale: float,
    metres: float,
    degrees: float,
) -> list[Change]:
    """Return skins removed, added, renamed, and changes of the others.

    Inverse binds within `metres` and `degrees` are equal; the order of joints is ignored.
    """
    removed = set(range(len(a.skins))) - {one for one, _ in pairs}
    added = set(range(len(b.skins))) - {two for _, two in pairs}
    found = [Change("skin", "removed", a.skins[k].name) for k in sorted(removed)]
    found += [Change("skin", "added", b.skins[k].name) for k in sorted(added)]
    for k, n in pairs:
        one, two = a.skins[k], b.skins[n]
        if renamed(one.name, two.name):
            found.append(Change("skin", "renamed", one.name, now=two.name, note="same joints"))
        found += _joints(a, b, one, two, match)
        found += _binds(a, b, one, two, match, scale, metres, degrees)
    return found


def _joints(a: Model, b: Model, one: Skin, two: Skin, match: JointMatch) -> Iterator[Change]:
    mine, theirs = match.to[one.joints], set(two.joints.tolist())
    lost = [a.skeleton.names[j] for j in one.joints if match.to[j] not in theirs]
    new = [b.skeleton.names[j] for j in two.joints if j not in set(mine.tolist())]
    counts = len(one.joints), len(two.joints)
    for words, names in (("lost", lost), ("new", new)):
        if names:
            note = f"{words}: {', '.join(names)}"
            yield changed("skin", one.name, "joints", counts, note=note)


def _binds(
    a: Model,
    b: Model,
    one: Skin,
    two: Skin,
    match: JointMatch,
    scale: float,
    metres: float,
    degrees: float,
) -> Iterator[Change]:
    """Yield differences of the bind poses of the joints; distances at rest, model space."""
    places: dict[int, list[int]] = {}
    for s, j in reversed(list(enumerate(two.joints.tolist()))):
        places.setdefault(j, []).append(s)  # a skin may name a joint twice
    mine = enumerate(match.to[one.joints].tolist())
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
        ("bind positions", apart * 1000, metres * 1000, "mm"),
        ("bind rotations", angle, degrees, "°"),
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
        out: F64 = np.nan_to_num(np.linalg.det(matrices), nan=0.0)
        return out


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


def common_numbers(one: Skin, two: Skin, match: JointMatch) -> tuple[Index, Index]:
    """Return the joints of two skins in a common, dense numbering."""
    lost = np.where(match.to[one.joints] >= 0, match.to[one.joints], -1 - one.joints)
    both = np.concatenate([lost, two.joints])
    numbers = np.unique(both, return_inverse=True)[1].reshape(-1)
    return numbers[: len(one.joints)], numbers[len(one.joints) :]


def weight_changes(
    a: Model, b: Model, match: JointMatch, instances: Sequence[InstancePair], least: float
) -> list[Change]:
    """Return the meshes with skin weights that differ by more than `least`."""
    found = []
    for pair in instances:
        if pair.a.skin < 0 or pair.b.skin < 0:
            if (pair.a.skin < 0) != (pair.b.skin < 0):
                words = [
                    ("none" if instance.skin < 0 else m.skins[instance.skin].name)
                    for instance, m in ((pair.a, a), (pair.b, b))
                ]
                found.append(changed("mesh", pair.mesh.name, "skin", words))
            continue
        one, two = a.skins[pair.a.skin], b.skins[pair.b.skin]
        numbers = common_numbers(one, two, match)
        names = _names(a, b, one, two, numbers)
        for both in pair.mesh.primitives:
            if both.rows is None:
                continue
            most, joint, count = 0.0, -1, 0
            for apart in weight_differences(both.a, both.b, both.rows, numbers):
                size = np.abs(apart)
                count += int((size.max(axis=1) > least).sum())
                at = int(np.argmax(size.max(axis=0)))
                if size[:, at].max() > most:
                    most, joint = float(size[:, at].max()), at
            if most > least:
                note = f"at most, of {names[joint]}; {counted(count, 'vertex', 'vertices')}"
                found.append(
                    Change(
                        "mesh", "changed", pair.mesh.name, "", "weights", 0.0, most, "of 1", note
                    )
                )
    return found


def _names(
    a: Model, b: Model, one: Skin, two: Skin, numbers: tuple[Index, Index]
) -> dict[int, str]:
    found = {int(n): a.skeleton.names[j] for n, j in zip(numbers[0], one.joints, strict=True)}
    return found | {
        int(n): b.skeleton.names[j] for n, j in zip(numbers[1], two.joints, strict=True)
    }
