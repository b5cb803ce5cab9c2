"""Memory of large textures: written to before it is allocated, and returned afterwards."""

import ctypes
import os
from pathlib import Path

import pytest

from rigview.render.textures import touched_memory
from rigview.render.textures.touched_memory import in_touched_memory, return_free_memory

SIZE = 1 << 25


@pytest.fixture
def heap(monkeypatch):
    """The C library, if it is glibc."""
    library = touched_memory._glibc()
    if library is None or not Path("/proc/self/statm").exists():
        pytest.skip("glibc is not here")
    monkeypatch.setattr(touched_memory, "LARGE", SIZE)
    return library


def resident():
    """Return the bytes of memory that this process has written to."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def test_memory_is_there_before_it_is_allocated(heap):
    return_free_memory()
    before, found = resident(), []
    pieces = in_touched_memory(SIZE, lambda: heap.malloc(ctypes.c_size_t(SIZE)))
    try:
        while True:
            found.append(next(pieces))
    except StopIteration as end:
        block = end.value
    assert len(found) >= SIZE // touched_memory.PIECE
    assert resident() > before + 0.9 * SIZE, "though the block is not written to yet"
    heap.free(ctypes.c_void_p(block))
    return_free_memory()
    assert resident() < before + 0.5 * SIZE


def test_memory_is_freed_when_nothing_is_allocated(heap):
    return_free_memory()
    before = resident()
    pieces = in_touched_memory(SIZE, list)
    next(pieces)
    next(pieces)
    assert resident() > before + 0.4 * SIZE
    pieces.close()
    return_free_memory()
    assert resident() < before + 0.3 * SIZE


def test_small_textures_are_allocated_at_once(heap):
    pieces = in_touched_memory(SIZE - 1, lambda: "texture")
    with pytest.raises(StopIteration) as end:
        next(pieces)
    assert end.value.value == "texture"
