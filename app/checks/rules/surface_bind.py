"""The rule about inverse bind matrices that displace the surface of a joint.

The vertices of such a joint are not where the joints above and below it have theirs, or it is not
bound where its bones end.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...animation.types import F64, Index
from ...animation.vectors import length
from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..surface_graph import SurfaceGraph, skinned_surface
from .inverse_bind import Binding, bindings

_SMALL = 0.001  # of the height: a smaller displacement of a joint at rest is none
_AGREE = 0.25  # of a joint's displacement: joints that differ less agree


class _Displaced(NamedTuple):
    """A joint whose inverse bind matrix does not fit those of the joints around it."""

    entry: int  # of the skin
    inverse: F64  # [4, 4] that would fit
    size: float  # metres, by which it displaces the surface at rest
    touches: int  # vertices


def _displaced(context: CheckContext, _: int = -1) -> list[list[_Displaced]]:
    """Return the joints with a wrong inverse bind matrix, by skin; call it by `context.cached`."""
    least = _SMALL * context.height
    by_skin: dict[int, list[SurfaceGraph]] = {}
    surfaces = context.cached(skinned_surfaces)
    for instance, surface in zip(context.model.instances, surfaces, strict=True):
        by_skin.setdefault(instance.skin, []).extend([surface] if surface else [])
    return [
        _displaced_joints(binding, by_skin.get(binding.index, []), least)
        if binding.regular.all()
        else []
        for binding in context.cached(bindings)
    ]


def skinned_surfaces(context: CheckContext, _: int = -1) -> list[SurfaceGraph | None]:
    """Return the skinned surface of each mesh instance; call it by `context.cached`."""
    return [skinned_surface(context.model, each) for each in context.model.instances]


def _displaced_joints(
    binding: Binding, surfaces: list[SurfaceGraph], least: float
) -> list[_Displaced]:
    """Return the joints of a skin that displace their vertices by more than `least` metres."""
    found: list[_Displaced] = []
    if not np.linalg.det(binding.rest).all():
        return found
    offsets = _bone_offsets(binding)
    for entry in range(len(binding.joints)):
        points, weights, touches = _held(surfaces, entry)
        if not touches:
            continue
        for fit in (
            _as_those_beside(binding, entry, points),
            _as_its_bones(binding, entry, offsets),
        ):
            moved = points @ (binding.rest[entry] @ (binding.inverse[entry] - fit))[:3].T
            size = float((length(moved) * weights).max())
            if size > least:
                found.append(_Displaced(entry, fit, size, touches))
                break
    return found


def _as_those_beside(binding: Binding, entry: int, points: F64) -> F64:
    """Return the inverse bind matrix [4, 4] by which a joint rests as those above and below do.

    It is the joint's own if those disagree on where its points [n, 4] are, or if it is an end that
    is only turned.
    """
    own, parent = binding.inverse[entry], int(binding.above[entry])
    near = _beside(binding.above, entry)
    end = len(near) < 2
    if parent >= 0 and end:
        near += [each for each in _beside(binding.above, parent) if each != entry]
    if len(near) < 2:
        return own
    placed = binding.rest @ binding.inverse
    off = placed[entry] - placed[near[0]]
    most = float(length(points @ off[:3].T).max())
    others = (placed[near[1:]] - placed[near[0]])[:, :3]
    disagree = float(length(np.einsum("sab,vb->sva", others, points)).max())
    apart = float(length((off @ binding.bind[entry])[:3, 3]))
    if disagree >= _AGREE * most or (end and apart < _AGREE * most):
        return own
    fit: F64 = np.linalg.solve(binding.rest[entry], placed[near[0]])
    return fit


def _bone_offsets(binding: Binding) -> F64:
    """Return how far joints [S, 3] are bound from where their parents' bones end, mesh space."""
    up = binding.above
    local = np.linalg.solve(binding.rest[up], binding.rest)
    ends = (binding.bind[up] @ local)[:, :3, 3]
    return np.where((up >= 0)[:, None], binding.bind[:, :3, 3] - ends, 0.0)


def _as_its_bones(binding: Binding, entry: int, offsets: F64) -> F64:
    """Return the inverse bind matrix [4, 4] by which a joint is bound where its bones end.

    It is the joint's own if not all of its bones, and no others near, end elsewhere.
    """
    own, parent = binding.inverse[entry], int(binding.above[entry])
    off = offsets[entry]
    most = _AGREE * float(length(off))
    below = np.flatnonzero(binding.above == entry)
    others = np.flatnonzero(np.isin(binding.above, [*below.tolist(), parent]))
    others = np.append(others[others != entry], parent)
    if parent < 0 or not most or (length(offsets[below] + off) >= most).any():
        return own
    if (length(offsets[others]) >= most).any():
        return own
    moved = np.eye(4)
    moved[:3, 3] = off
    fit: F64 = own @ moved
    return fit


def _beside(above: Index, entry: int) -> list[int]:
    """Return the entries above and below one in the hierarchy."""
    below = np.flatnonzero(above == entry).tolist()
    return [*([int(above[entry])] if above[entry] >= 0 else []), *below]


def _held(surfaces: list[SurfaceGraph], entry: int) -> tuple[F64, F64, int]:
    """Return the points [n, 4] and weights [n] of a joint, and how many vertices it moves."""
    points, weights, vertices = [np.zeros((0, 4))], [np.zeros(0)], 0
    for surface in surfaces:
        for column in np.flatnonzero(surface.columns == entry).tolist():
            own = np.flatnonzero(surface.values[:, column])
            points.append(np.append(surface.points[own], np.ones((len(own), 1)), axis=1))
            weights.append(surface.values[own, column].astype(np.float64))
            vertices += int(np.count_nonzero(surface.values[surface.nodes, column]))
    return np.concatenate(points), np.concatenate(weights), vertices


def corrected_binds(context: CheckContext, skin: int) -> F64:
    """Return the inverse bind matrices [S, 4, 4] of a skin, with those that fit for wrong ones."""
    inverse = context.cached(bindings)[skin].inverse.copy()
    for wrong in context.cached(_displaced)[skin]:
        inverse[wrong.entry] = wrong.inverse
    return inverse


def _binds(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for binding, found in zip(context.cached(bindings), context.cached(_displaced), strict=True):
        for wrong in found:
            name = context.model.skeleton.names[int(binding.joints[wrong.entry])]
            mm = wrong.size * 1000
            if mm > limits["mm"]:
                yield Finding(
                    f"the inverse bind matrix of joint {quoted(name)} displaces its "
                    f"{counted(wrong.touches, 'vertex', 'vertices')} by up to "
                    f"{measure(mm, 'mm')} from where the joints above and below it have them",
                    amount=mm,
                    unit="mm",
                    limit=limits["mm"],
                    place=binding.place,
                    joint=name,
                    item=binding.name,
                    size=wrong.size,
                    touches=wrong.touches,
                )


RULES: tuple[Rule, ...] = (
    Rule(
        "surface-bind",
        "size",
        "an inverse bind matrix displaces the vertices of a joint at rest, against those of the "
        "joints above and below it",
        "bind the mesh again in the rest pose: only this joint was moved since it was bound",
        _binds,
        (Limit("mm", 18, "mm", "displacement of a vertex at rest", scaled=True),),
    ),
)
