"""Feature pictures are equal to their goldens."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigview import resources
from rigview.cli import render
from rigview.options.python_call import options_from_python
from tests.feature_pictures.catalogue import PICTURES
from tests.feature_pictures.light import write_sky

GOLDENS = Path(__file__).resolve().parents[1] / "golden" / "features"


@pytest.fixture
def rigview_golden_dir():
    """The folder of the goldens of feature pictures."""
    return GOLDENS


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A function that returns the path of a generated file; each file is written once."""
    folder = tmp_path_factory.mktemp("features")
    write_sky(folder / "sky.hdr")
    found = {}

    def path(make):
        if make not in found:
            found[make] = make().path(folder, f"feature-{len(found)}.glb")
        return found[make]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "cache_folder", lambda: folder / "cache")
        yield path


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_feature(picture, files, rigview_render, rigview_image_golden, capsys):
    for name in picture.needs:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    whole = picture.compose(cell_pictures(picture, files, rigview_render))
    messages = [line for line in capsys.readouterr().err.splitlines() if "prefiltering" not in line]
    assert messages == [], "the files of feature pictures cause no warnings"
    try:
        rigview_image_golden(whole, picture.name)
    except AssertionError as error:
        stored = GOLDENS / f"{picture.name}.png"
        if not stored.exists():
            raise
        with Image.open(stored) as before:
            differing = picture.differing_cells(np.asarray(before.convert("RGBA")), whole)
        raise AssertionError(f"{error}\n  cells: {', '.join(differing)}") from None


def cell_pictures(picture, files, rigview_render):
    """Yield the pictures of the cells."""
    for cell in picture.cells:
        options = (
            {"resolution": picture.size, "fit": "clip", "occlusion": False}
            | dict(picture.options)
            | dict(cell.options)
        )
        path, beside = files(cell.make), options.pop("beside", ())
        if "environment" in options:
            options["environment"] = path.parent / options["environment"]
        if beside:
            yield draw_several_files(
                path, cell, options, [(files(make), clip) for make, clip in beside]
            )
        else:
            yield rigview_render(path, cell.clip, cell.time, **options)


def draw_several_files(path, cell, options, others):
    """Draw several files in one picture, which only the command does."""
    target = path.with_suffix(".png")
    files = [path, *(other for other, _ in others)]
    values = {"time": cell.time, "animation": ["#0", *(clip for _, clip in others)]}
    values["output"] = str(target)
    assert render.run(options_from_python("render", files, options | values)) == 0
    with Image.open(target) as image:
        return np.asarray(image.convert("RGBA"))


def test_feature_pictures_and_goldens_correspond():
    names = [picture.name for picture in PICTURES]
    assert len(set(names)) == len(names)
    assert sorted(path.stem for path in GOLDENS.glob("*.png")) == sorted(names)
    labels = {picture.name: [cell.label for cell in picture.cells] for picture in PICTURES}
    for name, messages in labels.items():
        assert len(set(messages)) == len(messages), f"{name}: two cells have the same label"


def test_goldens_are_small():
    assert sum(path.stat().st_size for path in GOLDENS.glob("*.png")) < 500_000
