"""Rules about skin weights, as the file stores them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...animation.types import Bool, Index
from ..finding_text import counted, quoted
from ..rule import Hit, Limit, Limits, Rule
from ..stored_meshes import Bound
from ..subject import Subject

Wrong = tuple[Bool, NDArray[np.floating]]  # [V] which vertices, and by how much
_SMALLEST = 1 / 255  # what an 8-bit weight can tell from nothing
_NORMALIZE = "normalise the weights: in Blender Weights > Normalize All, in Maya Normalize Weights"


@dataclass(frozen=True, slots=True)
class Tally:
    """The vertices of a mesh that a rule has found."""

    name: str
    place: str  # of the first primitive that has one
    bad: int
    vertices: int
    worst: float  # of all of them, the furthest from 0; with its sign

    def __str__(self) -> str:
        vertices = counted(self.vertices, "vertex", "vertices")
        return f"{self.bad} of {vertices} of mesh {quoted(self.name)}"

    def do(self, many: str, one: str) -> str:
        """Return what the vertices do, for many of them or for one."""
        return f"{self} {one if self.bad == 1 else many}"


def tallies(subject: Subject, wrong: Callable[[Bound], Wrong]) -> Iterator[Tally]:
    """Yield the meshes in which a rule finds vertices, those with influences only."""
    raw = subject.raw
    by_mesh: dict[int, list[Bound]] = {}
    for bound in raw.bound if raw else ():
        by_mesh.setdefault(bound.mesh, []).append(bound)
    for mesh, found in by_mesh.items():
        judged = [wrong(bound) for bound in found]
        bad = sum(int(np.count_nonzero(rows)) for rows, _ in judged)
        if bad:
            amounts = np.concatenate([amount[rows] for rows, amount in judged])
            place = next(b.place for b, (rows, _) in zip(found, judged, strict=True) if rows.any())
            yield Tally(
                subject.model.meshes[mesh].name,
                place,
                bad,
                sum(map(len, found)),
                float(amounts[np.argmax(np.abs(amounts))]),
            )


def _sum(subject: Subject, limits: Limits) -> Iterator[Hit]:
    def wrong(bound: Bound) -> Wrong:
        off = bound.sums.astype(np.float64) - 1
        empty = ~(bound.moves & bound.finite[:, None]).any(axis=1) & bound.finite
        return (np.abs(off) > limits["sum"]) & ~empty, off

    for each in tallies(subject, wrong):
        yield Hit(
            f"{each.do('have', 'has')} weights that sum to {1 + each.worst:.3g} at worst",
            amount=abs(each.worst),
            limit="sum",
            place=f"{each.place}/WEIGHTS_0",
            item=each.name,
        )


def _zero(subject: Subject, _: Limits) -> Iterator[Hit]:
    def wrong(bound: Bound) -> Wrong:
        return bound.finite & ~bound.moves.any(axis=1), np.ones(len(bound))

    for each in tallies(subject, wrong):
        yield Hit(
            f"{each.do('have', 'has')} no weight above zero and cannot follow the character",
            amount=each.bad,
            unit="vertices",
            place=f"{each.place}/WEIGHTS_0",
            item=each.name,
        )


def _negative(subject: Subject, _: Limits) -> Iterator[Hit]:
    def wrong(bound: Bound) -> Wrong:
        lowest = np.where(bound.finite[:, None], bound.weights, 0).min(axis=1)
        return lowest < 0, lowest

    for each in tallies(subject, wrong):
        yield Hit(
            f"{each.do('have', 'has')} negative weights, {each.worst:.3g} at worst",
            amount=each.worst,
            place=f"{each.place}/WEIGHTS_0",
            item=each.name,
        )


def _no_number(subject: Subject, _: Limits) -> Iterator[Hit]:
    for each in tallies(subject, lambda bound: (~bound.finite, np.ones(len(bound)))):
        yield Hit(
            f"{each.do('have', 'has')} weights that are no numbers",
            amount=each.bad,
            unit="vertices",
            place=f"{each.place}/WEIGHTS_0",
            item=each.name,
        )


def _influences(subject: Subject, limits: Limits) -> Iterator[Hit]:
    most = limits["influences"]

    def wrong(bound: Bound) -> Wrong:
        number = np.count_nonzero(bound.moves, axis=1).astype(np.float64)
        return number > most, number

    for each in tallies(subject, wrong):
        yield Hit(
            f"{each.do('are', 'is')} moved by more than {most:g} joints, {each.worst:.0f} at most: "
            "an engine that takes fewer drops the others",
            amount=each.worst,
            unit="joints",
            limit="influences",
            place=each.place,
            item=each.name,
        )


def _tiny(subject: Subject, limits: Limits) -> Iterator[Hit]:
    """Vertices that need one more set of four influences for weights that nobody sees."""
    least = limits["weight"]

    def wrong(bound: Bound) -> Wrong:
        needed = np.count_nonzero(bound.moves, axis=1)
        worthy = np.count_nonzero(bound.moves & (bound.weights >= least), axis=1)
        return _sets(needed) > _sets(np.maximum(worthy, 1)), (needed - worthy).astype(np.float64)

    for each in tallies(subject, wrong):
        yield Hit(
            f"{each.do('need', 'needs')} one more set of four joints and weights only for "
            f"weights below {least:.2g}, which move nothing that can be seen",
            amount=each.bad,
            unit="vertices",
            place=f"{each.place}/WEIGHTS_1",
            item=each.name,
        )


def _sets(influences: Index) -> Index:
    """Return how many of JOINTS_n so many influences take."""
    return -(-influences // 4)


def _twice(subject: Subject, _: Limits) -> Iterator[Hit]:
    def wrong(bound: Bound) -> Wrong:
        used = np.where(bound.moves, bound.joints, -1 - np.arange(bound.joints.shape[1]))
        used = np.sort(used, axis=1)
        return (used[:, 1:] == used[:, :-1]).any(axis=1), np.ones(len(bound))

    for each in tallies(subject, wrong):
        yield Hit(
            f"{each.do('name', 'names')} the same joint twice",
            amount=each.bad,
            unit="vertices",
            place=f"{each.place}/JOINTS_0",
            item=each.name,
        )


def _range(subject: Subject, _: Limits) -> Iterator[Hit]:
    skins = subject.model.skins

    def wrong(bound: Bound) -> Wrong:
        size = min((len(skins[skin].joints) for skin in bound.skins), default=1 << 30)
        greatest = bound.joints.max(axis=1)
        return greatest >= size, greatest.astype(np.float64)

    for each in tallies(subject, wrong):
        yield Hit(
            f"{each.do('name', 'names')} joints that the skin has not, up to number "
            f"{each.worst:.0f}, with weight 0: an engine that reads before it multiplies reads "
            "what is not there",
            amount=each.bad,
            unit="vertices",
            place=f"{each.place}/JOINTS_0",
            item=each.name,
        )


def _missing(subject: Subject, _: Limits) -> Iterator[Hit]:
    """Primitives with half a set of influences, or under a skin without any."""
    raw = subject.raw
    said: set[int] = set()
    for part in raw.parts if raw else ():
        name = subject.model.meshes[part.mesh].name
        kinds = {
            kind: {key.partition("_")[2] for key in part.attributes if key.startswith(kind + "_")}
            for kind in ("JOINTS", "WEIGHTS")
        }
        odd = sorted(kinds["JOINTS"] ^ kinds["WEIGHTS"])
        if odd:
            has, lacks = ("JOINTS", "WEIGHTS")[:: 1 if odd[0] in kinds["JOINTS"] else -1]
            what = f"has {has}_{odd[0]} but no {lacks}_{odd[0]}"
            place = f"{part.place}/attributes"
        elif not kinds["JOINTS"] and raw and part.mesh in raw.skins_of:
            what = "belongs to a skin but has no weights"
            place = f"/nodes/{raw.nodes_of[part.mesh]}/skin"
        else:
            continue
        if part.mesh not in said:
            said.add(part.mesh)
            yield Hit(
                f"a primitive of mesh {quoted(name)} {what}: the skin does not move it",
                place=place,
                item=name,
            )


def _idle(subject: Subject, _: Limits) -> Iterator[Hit]:
    def wrong(bound: Bound) -> Wrong:
        return np.full(len(bound), not bound.skins), np.ones(len(bound))

    for each in tallies(subject, wrong):
        yield Hit(
            f"mesh {quoted(each.name)} has joints and weights for "
            f"{counted(each.vertices, 'vertex', 'vertices')}, but no node gives it a skin: "
            "nothing moves it",
            amount=each.vertices,
            unit="vertices",
            place=each.place,
            item=each.name,
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
        "a vertex of a skinned mesh has no weight at all",
        "give the vertices a joint: in Blender Select > Select All by Trait > Ungrouped Vertices "
        "finds them",
        _zero,
        covers=("vertices have no weight",),
    ),
    Rule(
        "weights-negative",
        "error",
        "a weight is negative",
        "clean the weights (Blender: Weights > Clean with a limit of 0), then normalise them",
        _negative,
        covers=("negative weights are taken",),
    ),
    Rule(
        "weights-nan",
        "error",
        "a weight is no number",
        "paint the weights of these vertices anew, or export again: the exporter divided by zero",
        _no_number,
        covers=("of its values are no numbers",),
    ),
    Rule(
        "weights-influences",
        "warning",
        "more joints move a vertex than most engines take",
        "limit the influences: in Blender Weights > Limit Total, in Maya Max Influences; "
        "the glTF exporter has an option for it",
        _influences,
        (Limit("influences", 4, "joints", "joints that may move one vertex"),),
        covers=("influences; the heaviest are kept",),
    ),
    Rule(
        "weights-range",
        "error",
        "an influence without weight names a joint that the skin has not",
        "let unused influences name joint 0; export again",
        _range,
    ),
    Rule(
        "weights-twice",
        "warning",
        "a vertex names the same joint twice",
        "add the two weights up: merge the vertex groups, or export again",
        _twice,
    ),
    Rule(
        "weights-tiny",
        "info",
        "weights that are too small to be seen take one more set of joints and weights",
        "clean the weights: in Blender Weights > Clean with a limit of 0.004, then Normalize All",
        _tiny,
        (Limit("weight", _SMALLEST, "", "the smallest weight that is worth its cost"),),
    ),
    Rule(
        "weights-missing",
        "error",
        "a primitive of a skinned mesh has no joints or no weights",
        "bind the whole mesh to the armature, or export the part as a mesh of its own",
        _missing,
        covers=("is ignored", "stays rigid"),
    ),
    Rule(
        "weights-idle",
        "warning",
        "a mesh has joints and weights, but no skin",
        "give the mesh its armature and export again, or export it without weights",
        _idle,
    ),
)
