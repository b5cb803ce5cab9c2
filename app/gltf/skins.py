"""Skins: their joints and inverse bind matrices (glTF 2.0, section 3.7.3)."""

import numpy as np

from ..animation.skin import Skin
from .accessor import Accessors, all_finite
from .document import Document
from .nodes import NodeOrder
from .unique_names import unique_names

_FLOAT = frozenset({5126})


def read_skins(document: Document, accessors: Accessors, order: NodeOrder) -> tuple[Skin, ...]:
    """Return all skins; missing inverse bind matrices are identity matrices.

    Raises
    ------
    GltfError
        There are too few matrices, or a value is NaN, infinite or too large.
    """
    rows = document.rows("skins")
    names = unique_names(rows, "Skin")
    skins = []
    for s, row in enumerate(rows):
        place, count = f"/skins/{s}/inverseBindMatrices", len(row["joints"])
        joints = np.array([order.joints[n] for n in row["joints"]], np.int32)
        index = row.get("inverseBindMatrices")
        if index is None:
            accessors.reserve(count * 64, place)
            bind = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
        else:
            accessors.require(index, place, ("MAT4",), _FLOAT)
            columns = accessors.floats(index)
            if len(columns) < count:
                raise document.error(place, f"{len(columns)} matrices for {count} joints")
            columns = columns[:count]
            if not all_finite(columns):
                raise document.error(place, "a matrix value is NaN, infinite or too large")
            bind = np.ascontiguousarray(columns.reshape(-1, 4, 4).swapaxes(-1, -2))
        skins.append(Skin(names[s], joints, bind))
    return tuple(skins)
