"""The compiled functions, from the cache of the user's machine, as Mesa's shaders are."""

import os
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rigview-tests"


@pytest.fixture(scope="session")
def make_poser():
    """What makes posers; the functions are compiled once for a machine."""
    pytest.importorskip("numba", reason="numba is not installed")
    from rigview.fast.cached_kernels import filled_folder, is_intact, kernel_folder, load

    folder = kernel_folder(CACHE)
    if not is_intact(folder):
        folder = filled_folder(folder, load)
    return load(folder)
