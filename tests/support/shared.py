"""Models and oracle numbers in ../shared beside the checkout, if it exists."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
MODELS = SHARED / "models"
ORACLE = SHARED / "oracle"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not here")
