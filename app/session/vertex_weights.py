"""Edit the weights of the selected vertex."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model.edits import Row, VertexKey, reweighted, row_of, same_vertices
from ..model.mesh_parts import carried_mesh
from ..model.model import Model
from ..scene.selected import Selected
from ..wording import counted
from .opened_character import OpenedCharacter
from .session import Session


@dataclass(slots=True)
class WeightDrag:
    """The weights at the begin of a drag, from which those during it follow.

    Attributes
    ----------
    joints
        The joints in the order in which they are listed, which stays during a drag.
    """

    held: tuple[VertexKey, Row] | None = None
    joints: tuple[int, ...] = ()


def listed_weights(
    session: Session, influences: Sequence[tuple[int, float]]
) -> list[tuple[int, float]]:
    """Return joints and weights of a vertex; during a drag none changes its place."""
    drag, found = session.interface.of(WeightDrag), dict(influences)
    if not session.history.is_dragging:
        drag.joints = tuple(found)
    return [(joint, found.get(joint, 0.0)) for joint in dict.fromkeys((*drag.joints, *found))]


def skin_joints(model: Model, chosen: Selected) -> list[int]:
    """Return the joints that may move a vertex: those of the skin of its mesh."""
    carried = carried_mesh(model, chosen.joint)
    if carried is None or carried.skin < 0:
        return []
    return model.skins[carried.skin].joints.tolist()


def set_weight(
    session: Session, own: OpenedCharacter, chosen: Selected, joint: int, weight: float
) -> None:
    """Set the weight of a joint for a vertex; the other joints share the rest.

    Vertices of the mesh at its place with its weights get them, too. Weights set while a widget is
    held are one undo step.
    """
    model, drag = own.model, session.interface.of(WeightDrag)
    carried, changes = carried_mesh(model, chosen.joint), own.changes
    if carried is None:
        return
    key = VertexKey(carried.mesh, chosen.primitive, chosen.vertex)
    if drag.held is None or drag.held[0] != key or not session.history.is_dragging:
        row = row_of(model, key)
        drag.held = None if row is None else (key, row)
    entries = np.flatnonzero(model.skins[carried.skin].joints == joint)
    if drag.held is None or not len(entries):
        return
    found = reweighted(drag.held[1], int(entries[0]), weight)
    if found is None:
        slots = counted(len(drag.held[1][0]), "joint")
        session.notify(f"A vertex has at most {slots}: remove one first")
        return
    keys = same_vertices(model, key)
    edits = changes.edits.with_weights(changes.base, dict.fromkeys(keys, found))
    changes.edit(edits, f"Weight of {model.skeleton.names[joint]}", f"weight {key} {joint}")
