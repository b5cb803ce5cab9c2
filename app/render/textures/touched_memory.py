"""Memory for a large texture of a software renderer, written to in pieces before it is allocated.

Mesa clears a texture when it allocates it, and Linux takes a microsecond for each page of memory
that is written to for the first time: 150 ms for 8192 x 8192 pixels, in one frame of a window.
Blocks of the heap that follow each other are written to in pieces instead, between frames, and are
freed together: then glibc gives the driver the same memory. Where it does not, no time is saved.
"""

import ctypes
from collections import deque
from collections.abc import Callable, Generator
from functools import cache
from typing import TypeVar

LARGE = 1 << 26  # bytes from which it is worth it
BLOCK = 120_008  # bytes: glibc maps larger ones (from 128 KiB) apart from the heap
PIECE = 1 << 24  # bytes that are written to at once
_HEAD = 8  # bytes of glibc before a block; with them it is a multiple of 16
_SPARE = 1 << 21  # bytes for the alignment of levels

T = TypeVar("T")


def in_touched_memory(size: int, allocate: Callable[[], T]) -> Generator[None, None, T]:
    """Write to memory in pieces, yielding after each; return what `allocate` returns.

    Parameters
    ----------
    size
        Bytes that `allocate` will allocate at once.
    """
    heap = _glibc() if size >= LARGE else None
    blocks = _adjacent_blocks(heap, size + _SPARE) if heap is not None else deque()
    try:
        for number, block in enumerate(blocks):
            ctypes.memset(block, 0, BLOCK)
            if number % (PIECE // BLOCK) == 0:
                yield
        while len(blocks) > 1:  # the last one keeps the end of the heap from being given back
            _free(heap, blocks.popleft())
        return allocate()
    finally:
        for block in blocks:
            _free(heap, block)


def return_free_memory() -> None:
    """Return free memory of the heap to the system, also where used memory follows it."""
    heap = _glibc()
    if heap is not None:
        heap.malloc_trim(ctypes.c_size_t(0))


def _adjacent_blocks(heap: ctypes.CDLL, size: int) -> deque[int]:
    """Return the addresses of new blocks that follow each other, or none if there are no such."""
    needed = -(-size // BLOCK) + 1
    found: list[int] = [0] * (2 * needed)  # of this length at once: growing would take memory
    begin = 0
    for k in range(len(found)):
        found[k] = heap.malloc(ctypes.c_size_t(BLOCK)) or 0
        if k > 0 and found[k] - found[k - 1] != BLOCK + _HEAD:
            begin = k
        if not found[k] or k - begin + 1 == needed:
            break
    enough = begin + needed <= len(found) and found[begin + needed - 1] != 0
    for block in found[:begin] if enough else found:
        _free(heap, block)
    return deque(found[begin : begin + needed] if enough else ())


def _free(heap: ctypes.CDLL | None, block: int) -> None:
    if heap is not None and block:
        heap.free(ctypes.c_void_p(block))


@cache
def _glibc() -> ctypes.CDLL | None:
    """Return the C library if it is glibc."""
    try:
        library = ctypes.CDLL(None)
        library.malloc.restype = ctypes.c_void_p
        return library if library.gnu_get_libc_version else None
    except (AttributeError, TypeError, OSError):
        return None
