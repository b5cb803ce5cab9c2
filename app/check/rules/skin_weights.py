"""Rules about stored skin weights."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...animation.types import Bool, Index
from ...wording import counted, number, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..stored_meshes import StoredInfluences

Wrong = tuple[Bool, NDArray[np.floating]]  # [V] which vertices are wrong, and the amounts
_SMALLEST = 1 / 255  # the smallest 8-bit weight
_NORMALIZE = "normalise the weights: in Blender Weights > Normalize All, in Maya Normalize Weights"


@dataclass(frozen=True, slots=True)
class Tally:
    """The bad vertices of a mesh."""

    name: str
    place: str  # of the first primitive with a bad vertex
    bad: int
    vertices: int
    worst: float  # the amount with the greatest absolute value

    def __str__(self) -> str:
        vertices = counted(self.vertices, "vertex", "vertices")
        return f"{self.bad} of {vertices} of mesh {quoted(self.name)}"

    def with_verb(self, many: str, one: str) -> str:
        """Return the sentence with its verb, plural or singular."""
        return f"{self} {one if self.bad == 1 else many}"


def tallies(context: CheckContext, wrong: Callable[[StoredInfluences], Wrong]) -> Iterator[Tally]:
    """Yield the meshes with bad vertices; only meshes with influences."""
    stored = context.stored
    by_mesh: dict[int, list[StoredInfluences]] = {}
    for influences in stored.influences if stored else ():
        by_mesh.setdefault(influences.mesh, []).append(influences)
    for mesh, found in by_mesh.items():
        judged = [wrong(influences) for influences in found]
        bad = sum(int(np.count_nonzero(rows)) for rows, _ in judged)
        if bad:
            amounts = np.concatenate([amount[rows] for rows, amount in judged])
            place = next(b.place for b, (rows, _) in zip(found, judged, strict=True) if rows.any())
            yield Tally(
                context.model.meshes[mesh].name,
                place,
                bad,
                sum(map(len, found)),
                float(amounts[np.argmax(np.abs(amounts))]),
            )


def _sum(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    def wrong(influences: StoredInfluences) -> Wrong:
        off = influences.sums.astype(np.float64) - 1
        empty = ~(influences.moves & influences.finite[:, None]).any(axis=1) & influences.finite
        return (np.abs(off) > limits["sum"]) & ~empty, off

    for tally in tallies(context, wrong):
        yield Finding(
            f"{tally.with_verb('have', 'has')} weights that sum to "
            f"{number(1 + tally.worst)} at worst",
            amount=abs(tally.worst),
            limit=limits["sum"],
            place=f"{tally.place}/WEIGHTS_0",
            item=tally.name,
        )


def _zero(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def wrong(influences: StoredInfluences) -> Wrong:
        return influences.finite & ~influences.moves.any(axis=1), np.ones(len(influences))

    for tally in tallies(context, wrong):
        yield Finding(
            f"{tally.with_verb('have', 'has')} no weight above zero and cannot be skinned",
            amount=tally.bad,
            unit="vertices",
            place=f"{tally.place}/WEIGHTS_0",
            item=tally.name,
        )


def _negative(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def wrong(influences: StoredInfluences) -> Wrong:
        lowest = np.where(influences.finite[:, None], influences.weights, 0).min(axis=1)
        return lowest < 0, lowest

    for tally in tallies(context, wrong):
        yield Finding(
            f"{tally.with_verb('have', 'has')} negative weights, {number(tally.worst)} at worst",
            amount=tally.worst,
            place=f"{tally.place}/WEIGHTS_0",
            item=tally.name,
        )


def _not_finite(context: CheckContext, _: Limits) -> Iterator[Finding]:
    for tally in tallies(
        context, lambda influences: (~influences.finite, np.ones(len(influences)))
    ):
        yield Finding(
            f"{tally.with_verb('have', 'has')} weights that are NaN or infinite",
            amount=tally.bad,
            unit="vertices",
            place=f"{tally.place}/WEIGHTS_0",
            item=tally.name,
        )


def _influences(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    most = limits["influences"]

    def wrong(influences: StoredInfluences) -> Wrong:
        used = np.count_nonzero(influences.moves, axis=1).astype(np.float64)
        return used > most, used

    for tally in tallies(context, wrong):
        yield Finding(
            f"{tally.with_verb('have', 'has')} more than {most:g} influences, {tally.worst:.0f} at "
            "most: an engine that supports fewer drops the others",
            amount=tally.worst,
            unit="joints",
            limit=limits["influences"],
            place=tally.place,
            item=tally.name,
        )


def _tiny(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    """Yield meshes with vertices that need another influence set only for invisible weights."""
    least = limits["weight"]

    def wrong(influences: StoredInfluences) -> Wrong:
        needed = np.count_nonzero(influences.moves, axis=1)
        worthy = np.count_nonzero(influences.moves & (influences.weights >= least), axis=1)
        return _sets(needed) > _sets(np.maximum(worthy, 1)), (needed - worthy).astype(np.float64)

    for tally in tallies(context, wrong):
        yield Finding(
            f"{tally.with_verb('need', 'needs')} another set of four joints and weights only for "
            f"weights below {least:.2g}, which have no visible effect",
            amount=tally.bad,
            unit="vertices",
            place=f"{tally.place}/WEIGHTS_1",
            item=tally.name,
        )


def _sets(influences: Index) -> Index:
    """Return how many JOINTS_n sets a number of influences needs."""
    return -(-influences // 4)


def _repeated_joints(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def wrong(influences: StoredInfluences) -> Wrong:
        used = np.where(
            influences.moves, influences.joints, -1 - np.arange(influences.joints.shape[1])
        )
        used = np.sort(used, axis=1)
        return (used[:, 1:] == used[:, :-1]).any(axis=1), np.ones(len(influences))

    for tally in tallies(context, wrong):
        yield Finding(
            f"{tally.with_verb('use', 'uses')} the same joint twice",
            amount=tally.bad,
            unit="vertices",
            place=f"{tally.place}/JOINTS_0",
            item=tally.name,
        )


def _range(context: CheckContext, _: Limits) -> Iterator[Finding]:
    skins = context.model.skins

    def wrong(influences: StoredInfluences) -> Wrong:
        size = min((len(skins[skin].joints) for skin in influences.skins), default=1 << 30)
        greatest = influences.joints.max(axis=1)
        return greatest >= size, greatest.astype(np.float64)

    for tally in tallies(context, wrong):
        yield Finding(
            f"{tally.with_verb('have', 'has')} joint indices out of range, "
            f"up to {tally.worst:.0f}, "
            "with weight 0: an engine that does not skip them reads invalid memory",
            amount=tally.bad,
            unit="vertices",
            place=f"{tally.place}/JOINTS_0",
            item=tally.name,
        )


def _missing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield primitives with JOINTS but no WEIGHTS or the reverse, or with a skin but neither."""
    stored = context.stored
    said: set[int] = set()
    for primitive in stored.primitives if stored else ():
        name = context.model.meshes[primitive.mesh].name
        kinds = {
            kind: {
                key.partition("_")[2] for key in primitive.attributes if key.startswith(kind + "_")
            }
            for kind in ("JOINTS", "WEIGHTS")
        }
        odd = sorted(kinds["JOINTS"] ^ kinds["WEIGHTS"])
        if odd:
            has, lacks = ("JOINTS", "WEIGHTS")[:: 1 if odd[0] in kinds["JOINTS"] else -1]
            what = f"has {has}_{odd[0]} but no {lacks}_{odd[0]}"
            place = f"{primitive.place}/attributes"
        elif not kinds["JOINTS"] and stored and primitive.mesh in stored.skins_of:
            what = "has a skin but no weights"
            place = f"/nodes/{stored.nodes_of[primitive.mesh]}/skin"
        else:
            continue
        if primitive.mesh not in said:
            said.add(primitive.mesh)
            yield Finding(
                f"a primitive of mesh {quoted(name)} {what}: the skin does not move it",
                place=place,
                item=name,
            )


def _idle(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def wrong(influences: StoredInfluences) -> Wrong:
        return np.full(len(influences), not influences.skins), np.ones(len(influences))

    for tally in tallies(context, wrong):
        yield Finding(
            f"mesh {quoted(tally.name)} has joints and weights for "
            f"{counted(tally.vertices, 'vertex', 'vertices')}, but no node gives it a skin: "
            "nothing moves it",
            amount=tally.vertices,
            unit="vertices",
            place=tally.place,
            item=tally.name,
        )


RULES: tuple[Rule, ...] = (
    Rule(
        "weights-sum",
        "error",
        "the weights of a vertex do not sum to 1",
        _NORMALIZE,
        _sum,
        (Limit("sum", 0.01, "", "how far a sum of weights may be from 1"),),
        covers=("the weights of a vertex sum to",),
    ),
    Rule(
        "weights-zero",
        "error",
        "a vertex of a skinned mesh has no weight",
        "assign the vertices to a joint: in Blender, Select > Select All by Trait > Ungrouped "
        "Vertices finds them",
        _zero,
        covers=("vertices have no weight",),
    ),
    Rule(
        "weights-negative",
        "error",
        "a weight is negative",
        "clean the weights (Blender: Weights > Clean with a limit of 0), then normalise them",
        _negative,
        covers=("negative weights are set to 0",),
    ),
    Rule(
        "weights-nan",
        "error",
        "a weight is NaN or infinite",
        "paint the weights of these vertices again, or export again: the exporter divided by zero",
        _not_finite,
        covers=("values are NaN, infinite or too large",),
    ),
    Rule(
        "weights-influences",
        "warning",
        "a vertex has more influences than most engines support",
        "limit the influences: in Blender Weights > Limit Total, in Maya Max Influences; "
        "the glTF exporter has an option for it",
        _influences,
        (Limit("influences", 4, "joints", "influences of a vertex"),),
        covers=("influences; the largest are kept",),
    ),
    Rule(
        "weights-range",
        "error",
        "an influence without weight has a joint index out of range",
        "set the joint of unused influences to 0; export again",
        _range,
    ),
    Rule(
        "weights-twice",
        "warning",
        "a vertex uses the same joint twice",
        "add the two weights: merge the vertex groups, or export again",
        _repeated_joints,
    ),
    Rule(
        "weights-tiny",
        "info",
        "weights without visible effect need another set of joints and weights",
        "clean the weights: in Blender Weights > Clean with a limit of 0.004, then Normalize All",
        _tiny,
        (Limit("weight", _SMALLEST, "", "the smallest weight with visible effect"),),
    ),
    Rule(
        "weights-missing",
        "error",
        "a primitive of a skinned mesh has no joints or no weights",
        "bind the whole mesh to the armature, or export the part as a separate mesh",
        _missing,
        covers=("is ignored", "stays rigid"),
    ),
    Rule(
        "weights-idle",
        "warning",
        "a mesh has joints and weights, but no skin",
        "parent the mesh to its armature and export again, or export it without weights",
        _idle,
    ),
)
