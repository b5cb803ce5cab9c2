"""Clips, and skeletons with their skins, as one flat array each, which the compiled functions read.

An argument that is an array costs as much as two joints, hence one of 64-bit numbers: a view reads
them as float64, another each as two float32. The first say where the parts begin; an offset counts
numbers of the type of its part, from the beginning of the array.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..animation import sampling
from ..animation.clip import Clip
from ..animation.pose import PARTS
from ..animation.sampling import AnimatedTracks, Kernel, columns_of
from ..animation.skeleton import Skeleton
from ..animation.skin import Skin
from ..animation.types import F32, F64, I64, U64, Index

STEP, LINEAR, SLERP, NLERP, SPLINE, SPLINE_ROTATION = map(np.uintp, range(6))  # kinds of an item
KINDS: dict[Kernel, np.uintp] = {
    sampling.step: STEP,
    sampling.linear: LINEAR,
    sampling.slerp: SLERP,
    sampling.nlerp: NLERP,
    sampling.spline: SPLINE,
    sampling.spline_rotation: SPLINE_ROTATION,
}
ITEM = np.uintp(6)  # numbers of an item: kind, column, width, line, first value, values of a key

# Of a clip: its lines of key times (first key, number of keys), its items and their number, the
# number of constant values, their columns and the values (float32), the number of keys, and where
# float64 begin: the key times of all lines, the divisors of their intervals, begin and end.
LINES, ITEMS, ITEM_COUNT, CONSTANTS, COLUMNS, VALUES, KEYS, TIMES = map(np.uintp, range(8))

# Of a rig: the number of joints and their parents (no number of a joint: a root), the number of
# palette entries and their joints, the inverse bind matrices [S, 4, 4] and `Pose.data` at rest
# (float32), its width, and the column of the other values.
JOINTS, PARENTS, ENTRIES, CHOSEN, BINDS, REST, WIDTH, OTHERS = map(np.uintp, range(8))
_HEAD = 8  # numbers before the parts, of both


def flat_rig(skeleton: Skeleton, skins: Sequence[Skin]) -> U64:
    """Return the table of a skeleton and its skins, one after the other."""
    joints, rest = [skin.joints for skin in skins], skeleton.rest.data
    entries, chosen = sum(map(len, joints)), _HEAD + skeleton.count
    binds = 2 * (chosen + entries)
    head = [skeleton.count, _HEAD, entries, chosen, binds, binds + 16 * entries, len(rest)]
    ints = [np.array([*head, PARTS * skeleton.count]), skeleton.parents, *joints]
    return _table(ints, [], [*(skin.inverse_bind.ravel() for skin in skins), rest])


def flat_clip(clip: Clip, joints: int) -> U64:
    """Return the table of a clip for a skeleton of J joints."""
    sampler, lookup = clip.sampler, clip.sampler.key_lookup
    constant = sampler.constant
    floats, size = [constant.values], len(constant.values)
    items: list[I64] = [np.zeros((0, int(ITEM)), np.int64)]
    for group in sampler.moving:
        rows, tables = _group(group, joints, size)
        items.append(rows)
        floats.append(tables)
        size += len(tables)
    rows, columns = np.concatenate(items), constant.columns(joints)
    lines = np.stack([lookup.firsts, lookup.counts], axis=1)
    span = np.array([min(clip.start, 0.0), clip.end])
    doubles = [lookup.keys, lookup.divisors, span]
    sizes = [lines.size, rows.size, len(columns), sum(map(len, doubles))]
    begins = np.cumsum([_HEAD, *sizes]).tolist()
    values = 2 * begins[4]
    rows[:, 4] += values
    head = [begins[0], begins[1], len(rows), len(columns), begins[2], values, len(lookup.keys)]
    ints = [np.array([*head, begins[3]]), lines.ravel(), rows.ravel(), columns]
    return _table(ints, doubles, floats)


def _table(ints: Sequence[I64 | Index], doubles: Sequence[F64], floats: Sequence[F32]) -> U64:
    """Return one array of integers, float64 and float32."""
    singles = np.concatenate([*floats, np.zeros(sum(map(len, floats)) % 2, np.float32)])
    parts = [np.concatenate(ints).astype(np.int64), *doubles, singles]
    return np.concatenate([part.view(np.uint64) for part in parts])


def _group(group: AnimatedTracks, joints: int, begin: int) -> tuple[I64, F32]:
    """Return the items [n, ITEM] of a group and its tables; they follow `begin` numbers.

    Where all tracks share one list of key times, the numbers of one key are side by side.
    """
    kind, parts = KINDS[group.kernel], []
    for track, line, tables in group.track_tables():
        parts.append(_Part(int(columns_of(track, joints)[0]), line, tables))
    if group.shared and kind in (STEP, LINEAR):
        parts = _joined(sorted(parts, key=lambda part: part.column))
    blocks = [np.concatenate(part.tables, axis=1) for part in parts]  # [K, numbers of a key]
    rows = np.array(
        [
            (kind, part.column, part.tables[0].shape[1], part.line, 0, block.shape[1])
            for part, block in zip(parts, blocks, strict=True)
        ],
        np.int64,
    )
    if group.shared:
        rows[:, 4] = begin + np.cumsum(rows[:, 5]) - rows[:, 5]
        rows[:, 5] = rows[:, 5].sum()
        return rows, np.concatenate(blocks, axis=1).ravel()
    sizes = np.array([block.size for block in blocks])
    rows[:, 4] = begin + np.cumsum(sizes) - sizes
    return rows, np.concatenate([block.ravel() for block in blocks])


class _Part(NamedTuple):
    """One track of a group, or some with adjacent columns."""

    column: int
    line: int
    tables: tuple[F32, ...]  # [K, C]


def _joined(parts: list[_Part]) -> list[_Part]:
    """Return sorted parts with those of adjacent columns joined: the loop over them is longer."""
    joined: list[list[_Part]] = []
    end = -1
    for part in parts:
        if part.column == end:
            joined[-1].append(part)
        else:
            joined.append([part])
        end = part.column + part.tables[0].shape[1]
    return [
        _Part(
            some[0].column,
            some[0].line,
            tuple(
                np.concatenate(each, axis=1)
                for each in zip(*(part.tables for part in some), strict=True)
            ),
        )
        for some in joined
    ]
