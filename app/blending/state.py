"""The state of what plays: one value for each node of a tree, by the names on the way to it.

Layers, their operations, sources and sync groups are nodes of one tree. A state is a mapping from
name to the state of a part, so that a step can be undone, a checkpoint kept, and playback continued
after an edit, all by the same names.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, ClassVar, Self, TypeVar

Path = tuple[str, ...]  # names from the root's part on; the root's own is empty
Kind = TypeVar("Kind", bound="Node")


class Node:
    """A node of the tree.

    Attributes
    ----------
    changing
        Names of the attributes that change with time. Their values are never written in place.
    """

    changing: ClassVar[tuple[str, ...]] = ()
    _values: "ClassVar[attrgetter[Any]]" = attrgetter("changing")  # of one attribute its value

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.changing:
            cls._values = attrgetter(*cls.changing)

    def parts(self) -> Iterable[tuple[str, "Node"]]:
        """Return the nodes in this one at present, with distinct names."""
        return ()

    def save(self) -> Any:  # noqa: ANN401 - each node has its own
        """Return the state of this node and all nodes in it, for `restore`."""
        parts = {}
        for name, part in self.parts():
            parts[name] = part.save()
        return self._values(self), parts

    def restore(self, state: Any) -> None:  # noqa: ANN401
        """Restore a state that `save` returned, including the nodes that were parts then."""
        values, parts = state
        if len(self.changing) == 1:
            setattr(self, self.changing[0], values)
        else:
            for name, value in zip(self.changing, values, strict=True):
                setattr(self, name, value)
        for name, part in self.parts():
            part.restore(parts[name])

    def continue_from(self, other: Self, tau: float) -> None:
        """Continue the playback of a node of the same path before an edit at `tau`, if it fits.

        The nodes in it continue by themselves.
        """


def walk(root: Node) -> Iterator[tuple[Path, Node]]:
    """Yield all nodes with their paths, each before its parts."""
    waiting: list[tuple[Path, Node]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        parts = [((*path, name), part) for name, part in node.parts()]
        waiting += reversed(parts)


def parts_of_type(root: Node, kind: type[Kind]) -> Iterator[Kind]:
    """Yield the nodes of a type in a node, itself included."""
    return (node for _, node in walk(root) if isinstance(node, kind))


def continue_from(root: Node, other: Node, tau: float) -> None:
    """Continue the playback of nodes before an edit, of the same path and type, at `tau`."""
    before = dict(walk(other))
    for path, node in walk(root):
        was = before.get(path)
        if was is not None and type(was) is type(node):
            node.continue_from(was, tau)


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return names of parts; the second and later ones of equal names are numbered."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
