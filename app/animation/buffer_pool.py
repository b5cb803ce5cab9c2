"""Buffers that are used again: one call, or one thread, has them at a time."""

from collections.abc import Callable
from typing import Generic, TypeVar

Buffers = TypeVar("Buffers")
SIZES = 4  # kept at most


class BufferPool(Generic[Buffers]):
    """Buffers that no call is using, by size. A copy, also a pickled one, starts empty."""

    def __init__(self) -> None:
        self._free: dict[int, list[Buffers]] = {}

    def __reduce__(self) -> tuple[type["BufferPool[Buffers]"], tuple[()]]:
        return type(self), ()

    def borrow(self, size: int, make: Callable[[int], Buffers]) -> Buffers:
        """Return buffers of that size, from `make` if all are in use."""
        try:
            return self._free[size].pop()
        except (KeyError, IndexError):
            return make(size)

    def give_back(self, size: int, buffers: Buffers) -> None:
        """Keep buffers for the next call."""
        if size not in self._free and len(self._free) >= SIZES:
            self._free = {}
        self._free.setdefault(size, []).append(buffers)
