"""Clips, skeletons and skins as flat arrays, which the compiled functions read.

The first numbers of an array of integers say where its parts begin.
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
from ..animation.types import F32, F64, I64

STEP, LINEAR, SLERP, NLERP, SPLINE, SPLINE_ROTATION = range(6)  # kinds of an item
KINDS: dict[Kernel, int] = {
    sampling.step: STEP,
    sampling.linear: LINEAR,
    sampling.slerp: SLERP,
    sampling.nlerp: NLERP,
    sampling.spline: SPLINE,
    sampling.spline_rotation: SPLINE_ROTATION,
}
ITEM = 6  # numbers of an item: kind, column, width, line, first offset, offset between keys

# Of a clip: where the lines of key times begin (first key, number of keys), where the items begin
# and their number, the number of constant values and where their columns begin.
LINES, ITEMS, CONSTANTS = 0, 1, 3
_CLIP_HEAD = 5

# Of a rig: number of joints, where their parents begin, number of palette entries, where their
# joints begin, and the column of the other values.
JOINTS, WIDTH = 0, 4
_RIG_HEAD = 5


class FlatClip(NamedTuple):
    """The tracks of a clip, for a skeleton of J joints."""

    ints: I64
    floats: F32  # constant values, then the tables of each group
    doubles: F64  # [2 K + 2] key times of all lines, divisors of their intervals, begin and end


class FlatRig(NamedTuple):
    """A skeleton and its skins."""

    ints: I64
    floats: F32  # [16 S] inverse bind matrices


def flat_rig(skeleton: Skeleton, skins: Sequence[Skin]) -> FlatRig:
    """Return the tables of a skeleton and its skins, one after the other."""
    joints = [skin.joints for skin in skins]
    entries = sum(map(len, joints))
    head = [skeleton.count, _RIG_HEAD, entries, _RIG_HEAD + skeleton.count]
    parts = [np.array([*head, PARTS * skeleton.count]), skeleton.parents, *joints]
    binds = [np.zeros(0, np.float32), *(skin.inverse_bind.ravel() for skin in skins)]
    return FlatRig(np.concatenate(parts).astype(np.int64), np.concatenate(binds).astype(np.float32))


def flat_clip(clip: Clip, joints: int) -> FlatClip:
    """Return the tables of a clip for a skeleton of J joints."""
    sampler, lookup = clip.sampler, clip.sampler.key_lookup
    constant = sampler.constant
    floats, size = [constant.values], len(constant.values)
    items: list[I64] = [np.zeros(0, np.int64)]
    for group in sampler.moving:
        rows, tables = _group(group, joints, size)
        items.append(rows.ravel())
        floats.append(tables)
        size += len(tables)
    lines = np.stack([lookup.firsts, lookup.counts], axis=1).ravel()
    every = np.concatenate(items)
    head = np.cumsum([_CLIP_HEAD, len(lines), len(every)])
    counts = [head[0], head[1], len(every) // ITEM, len(constant.values), head[2]]
    parts = [np.array(counts), lines, every, constant.columns(joints)]
    span = np.array([min(clip.start, 0.0), clip.end])
    return FlatClip(
        np.concatenate(parts).astype(np.int64),
        np.concatenate(floats).astype(np.float32),
        np.concatenate([lookup.keys, lookup.divisors, span]),
    )


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
