"""A surface at a pixel of a picture."""

from typing import NamedTuple


class MeshPart(NamedTuple):
    """A primitive of a mesh at a node of a character."""

    instance: int  # index among the visible ones; 0 of a crowd
    member: int  # character of a crowd; 0 without one
    node: int  # joint that carries the mesh
    primitive: int  # index in `Mesh.primitives`


class Hit(NamedTuple):
    """A surface at a pixel; `triangle` is the index of a point or line of those topologies."""

    part: MeshPart
    triangle: int
    depth: float  # -1 near, 1 far
    pixel: tuple[int, int]  # from the top left
