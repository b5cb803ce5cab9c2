"""Models and oracle numbers in ../shared beside the checkout, if it exists."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
MODELS = SHARED / "models"
ORACLE = SHARED / "oracle"

# a folder of this name may also be another one
PRESENT = (MODELS / "Fox.glb").is_file() and ORACLE.is_dir()

needs_shared = pytest.mark.skipif(not PRESENT, reason="../shared is not here")
