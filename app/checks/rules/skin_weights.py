"""Rules about stored skin weights."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...animation.types import F64, Bool, Index
from ...wording import counted, number, quoted
from ..check_context import CheckContext
from ..finding import Find, Finding, Limit, Limits, rule
from ..joint_bindings import Binding, bindings
from ..stored_meshes import StoredInfluences
from ..visible_size import greatest

Wrong = tuple[Bool, NDArray[np.floating]]  # [V] the wrong vertices, and their amounts
Judge = Callable[[StoredInfluences, CheckContext, Limits], Wrong]
_SMALLEST = 1 / 255  # the smallest 8-bit weight
_NORMALIZE = "normalise the weights: in Blender Weights > Normalize All, in Maya Normalize Weights"


def _vertices(
    message: str,
    attribute: str = "",
    *,
    amount: Callable[[float], float] | None = None,
    size: Callable[[StoredInfluences, CheckContext, Bool], float] | None = None,
) -> Callable[[Judge], Find]:
    """Make a rule find wrong vertices: a finding for each mesh that has some.

    Parameters
    ----------
    message
        With {some} of the vertices, {have} and the {s} of verbs, or {mesh} and its {vertices}; the
        {worst} amount, as it is {shown}, its {sum} with 1, and the {limits}.
    attribute
        The place of the findings; "": all attributes.
    amount
        Of a finding, by the worst amount of its vertices; None: their number.
    size
        Returns how far the wrong ones of some vertices are moved, metres.
    """

    def made(judge: Judge) -> Find:
        def find(context: CheckContext, limits: Limits) -> Iterator[Finding]:
            by_mesh: dict[int, list[StoredInfluences]] = {}
            for influences in context.stored.influences:
                by_mesh.setdefault(influences.mesh, []).append(influences)
            for mesh, found in by_mesh.items():
                judged = [judge(influences, context, limits) for influences in found]
                wrong = np.concatenate([rows for rows, _ in judged])
                if not wrong.any():
                    continue
                amounts = np.concatenate([each for _, each in judged])[wrong]
                worst = float(amounts[np.argmax(np.abs(amounts))])
                places = list(zip(found, judged, strict=True))
                name, count = context.model.meshes[mesh].name, int(np.count_nonzero(wrong))
                vertices = counted(len(wrong), "vertex", "vertices")
                yield Finding(
                    message.format(
                        some=f"{count} of {vertices} of mesh {quoted(name)}",
                        have="has" if count == 1 else "have",
                        s="s" if count == 1 else "",
                        mesh=quoted(name),
                        vertices=vertices,
                        worst=worst,
                        shown=number(worst),
                        sum=number(1 + worst),
                        limits=limits,
                    ),
                    amount=count if amount is None else amount(worst),
                    unit="vertices" if amount is None else "",
                    place=next(each.place for each, (rows, _) in places if rows.any()) + attribute,
                    item=name,
                    size=None
                    if size is None
                    else max(size(each, context, rows) for each, (rows, _) in places),
                    touches=count,
                )

        return find

    return made


def _to_origin(influences: StoredInfluences, context: CheckContext, rows: Bool) -> float:
    """Return how far vertices are from the origin, where those without weight go, metres."""
    found = 0.0
    for binding in _bindings(influences, context):
        points = _points(influences, context)[rows]
        placed = points @ binding.placed[0, :3, :3].T + binding.placed[0, :3, 3]
        found = max(found, greatest(placed))
    return found


def _pulled(influences: StoredInfluences, context: CheckContext, rows: Bool) -> float:
    """Return how far a turn of 60° about joints with negative weights moves vertices, metres."""
    found = 0.0
    for binding in _bindings(influences, context):
        weights = np.minimum(influences.weights[rows].astype(np.float64), 0)
        joints = np.minimum(influences.joints[rows], len(binding.joints) - 1)
        arms = _points(influences, context)[rows, None] - binding.bind[joints][..., :3, 3]
        found = max(found, greatest(weights[..., None] * arms * binding.size))
    return found


def _bindings(influences: StoredInfluences, context: CheckContext) -> list[Binding]:
    return [each for each in context.cached(bindings) if each.index in influences.skins]


def _points(influences: StoredInfluences, context: CheckContext) -> F64:
    """Return the positions [V, 3] of the vertices, mesh space."""
    return context.stored.accessors.floats(influences.points).astype(np.float64)


def _counted(rows: Bool) -> Wrong:
    """Return wrong vertices that have no amount but their number."""
    return rows, rows.astype(np.float64)


@rule(
    "weights-sum",
    "info",
    "the weights of a vertex do not sum to 1",
    _NORMALIZE,
    Limit("sum", 0.01, "", "how far a sum of weights may be from 1"),
    covers=("the weights of a vertex sum to",),
    group="File",
)
@_vertices(
    "{some} {have} weights that sum to {sum} at worst",
    "/WEIGHTS_0",
    amount=abs,
)
def _off_sum(influences: StoredInfluences, _: CheckContext, limits: Limits) -> Wrong:
    off = influences.sums.astype(np.float64) - 1
    empty = ~(influences.moves & influences.finite[:, None]).any(axis=1) & influences.finite
    return (np.abs(off) > limits["sum"]) & ~empty, off


@rule(
    "weights-zero",
    "size",
    "a vertex of a skinned mesh has no weight",
    "assign the vertices to a joint: in Blender, Select > Select All by Trait > Ungrouped "
    "Vertices finds them",
    covers=("vertices have no weight",),
)
@_vertices(
    "{some} {have} no weight above zero and cannot be skinned", "/WEIGHTS_0", size=_to_origin
)
def _zero(influences: StoredInfluences, *_: object) -> Wrong:
    return _counted(influences.finite & ~influences.moves.any(axis=1))


@rule(
    "weights-negative",
    "size",
    "a weight is negative",
    "clean the weights (Blender: Weights > Clean with a limit of 0), then normalise them",
    covers=("negative weights are set to 0",),
)
@_vertices(
    "{some} {have} negative weights, {shown} at worst",
    "/WEIGHTS_0",
    amount=float,
    size=_pulled,
)
def _negative(influences: StoredInfluences, *_: object) -> Wrong:
    lowest = np.where(influences.finite[:, None], influences.weights, 0).min(axis=1)
    return lowest < 0, lowest


@rule(
    "weights-nan",
    "error",
    "a weight is NaN or infinite",
    "paint the weights of these vertices again, or export again: the exporter divided by zero",
    covers=("values are NaN, infinite or too large",),
)
@_vertices("{some} {have} weights that are NaN or infinite", "/WEIGHTS_0")
def _not_finite(influences: StoredInfluences, *_: object) -> Wrong:
    return _counted(~influences.finite)


@rule(
    "weights-influences",
    "warning",
    "a vertex has more influences than most engines support",
    "limit the influences: in Blender Weights > Limit Total, in Maya Max Influences; "
    "the glTF exporter has an option for it",
    Limit("influences", 4, "joints", "influences of a vertex"),
    covers=("influences; the largest are kept",),
)
@_vertices(
    "{some} {have} more than {limits[influences]:g} influences, {worst:.0f} at most: an engine "
    "that supports fewer drops the others",
    amount=float,
)
def _many(influences: StoredInfluences, _: CheckContext, limits: Limits) -> Wrong:
    used = np.count_nonzero(influences.moves, axis=1).astype(np.float64)
    return used > limits["influences"], used


@rule(
    "weights-range",
    "error",
    "an influence without weight has a joint index out of range",
    "set the joint of unused influences to 0; export again",
)
@_vertices(
    "{some} {have} joint indices out of range, up to {worst:.0f}, with weight 0: an engine that "
    "does not skip them reads invalid memory",
    "/JOINTS_0",
)
def _out_of_range(influences: StoredInfluences, context: CheckContext, _: Limits) -> Wrong:
    skins = context.model.skins
    size = min((len(skins[skin].joints) for skin in influences.skins), default=1 << 30)
    greatest = influences.joints.max(axis=1)
    return greatest >= size, greatest.astype(np.float64)


@rule(
    "weights-twice",
    "info",
    "a vertex uses the same joint twice",
    "add the two weights: merge the vertex groups, or export again",
    group="File",
)
@_vertices("{some} use{s} the same joint twice", "/JOINTS_0")
def _repeated(influences: StoredInfluences, *_: object) -> Wrong:
    none = -1 - np.arange(influences.joints.shape[1])
    used = np.sort(np.where(influences.moves, influences.joints, none), axis=1)
    return _counted((used[:, 1:] == used[:, :-1]).any(axis=1))


@rule(
    "weights-tiny",
    "info",
    "weights without visible effect need another set of joints and weights",
    "clean the weights: in Blender Weights > Clean with a limit of 0.004, then Normalize All",
    Limit("weight", _SMALLEST, "", "the smallest weight with visible effect"),
    group="File",
)
@_vertices(
    "{some} need{s} another set of four joints and weights only for weights below "
    "{limits[weight]:.2g}, which have no visible effect",
    "/WEIGHTS_1",
)
def _tiny(influences: StoredInfluences, _: CheckContext, limits: Limits) -> Wrong:
    """Return the vertices that need another influence set only for invisible weights."""
    needed = np.count_nonzero(influences.moves, axis=1)
    worthy = np.count_nonzero(influences.moves & (influences.weights >= limits["weight"]), axis=1)
    return _counted(_sets(needed) > _sets(np.maximum(worthy, 1)))


def _sets(influences: Index) -> Index:
    """Return how many JOINTS_n sets a number of influences needs."""
    return -(-influences // 4)


@rule(
    "weights-missing",
    "error",
    "a primitive of a skinned mesh has no joints or no weights",
    "bind the whole mesh to the armature, or export the part as a separate mesh",
    covers=("is ignored", "stays rigid"),
)
def _missing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield primitives with JOINTS but no WEIGHTS or the reverse, or with a skin but neither."""
    stored = context.stored
    said: set[int] = set()
    for primitive in stored.primitives:
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
        elif not kinds["JOINTS"] and primitive.mesh in stored.skins_of:
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


@rule(
    "weights-idle",
    "warning",
    "a mesh has joints and weights, but no skin",
    "parent the mesh to its armature and export again, or export it without weights",
)
@_vertices(
    "mesh {mesh} has joints and weights for {vertices}, but no node gives it a skin: nothing moves "
    "it"
)
def _without_skin(influences: StoredInfluences, *_: object) -> Wrong:
    return _counted(np.full(len(influences), not influences.skins))
