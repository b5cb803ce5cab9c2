"""Comparing pictures with stored ones: exactly on the renderer that made them, else by outline."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

FOLDER = Path(__file__).resolve().parents[1] / "golden"
LEAST_OVERLAP = 0.985  # intersection over union of the silhouettes on another renderer
MOST_DIFFERENCE = 0  # of 255, in any channel, on the same renderer


def check_golden(picture, name, renderer, *, update=False):
    """Fail unless `picture` [H, W, 4] is the stored one; write it with `update`."""
    path = FOLDER / f"{name}.png"
    if update:
        info = PngInfo()
        info.add_text("renderer", renderer)
        Image.fromarray(picture).save(path, pnginfo=info, optimize=True)
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"no golden picture {path.name}")
        pytest.skip(f"no golden picture {path.name}: run with --update-goldens")
    with Image.open(path) as stored:
        made_by = stored.info.get("renderer", "")
        expected = np.asarray(stored.convert("RGBA"))
    assert picture.shape == expected.shape
    if made_by == renderer:
        difference = np.abs(picture.astype(int) - expected.astype(int))
        worst = difference.max()
        if worst > MOST_DIFFERENCE:
            _keep(picture, expected, difference, name)
        assert worst <= MOST_DIFFERENCE, f"{name} differs by {worst} of 255"
        return
    here, there = picture[..., 3] > 127, expected[..., 3] > 127
    overlap = (here & there).sum() / max(1, (here | there).sum())
    assert overlap >= LEAST_OVERLAP, f"{name}: outlines overlap by {overlap:.3f}"


def _keep(actual, expected, difference, name):
    folder = Path(os.environ.get("RIGVIEW_DIFFERENCES", "out"))
    folder.mkdir(parents=True, exist_ok=True)
    amplified = np.minimum(difference * 8, 255).astype(np.uint8)
    amplified[..., 3] = 255
    for kind, pixels in (("actual", actual), ("expected", expected), ("difference", amplified)):
        Image.fromarray(pixels).save(folder / f"{name}-{kind}.png")
