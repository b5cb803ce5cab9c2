"""A golden picture of each feature, made of cells: light, materials, what moves, views."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigview import settings
from rigview.cli import render
from rigview.options.python_call import arguments
from rigview.scene import environment
from tests.feature_pictures.catalogue import PLATES
from tests.feature_pictures.light import sky

GOLDENS = Path(__file__).resolve().parents[1] / "golden" / "features"


@pytest.fixture
def rigview_golden_dir():
    """The goldens of features lie by themselves: they are looked at all together."""
    return GOLDENS


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Where the files lie that the plates are drawn from; each is written once."""
    folder = tmp_path_factory.mktemp("features")
    sky(folder / "sky.hdr")
    found = {}

    def path(make):
        if make not in found:
            found[make] = make().path(folder, f"feature-{len(found)}.glb")
        return found[make]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "cache_folder", lambda: folder / "cache")
        patch.setattr(environment, "SAMPLES", 64)  # a sky of 64 x 32 needs no more
        patch.setattr(environment, "SIDE", 48)
        yield path


@pytest.mark.parametrize("plate", PLATES, ids=lambda plate: plate.name)
def test_feature(plate, files, rigview_render, rigview_image_golden, capsys):
    for name in plate.needs:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    whole = plate.whole(drawn(plate, files, rigview_render))
    told = [line for line in capsys.readouterr().err.splitlines() if "made ready" not in line]
    assert told == [], "a file of these is in order"
    try:
        rigview_image_golden(whole, plate.name)
    except AssertionError as error:
        stored = GOLDENS / f"{plate.name}.png"
        if not stored.exists():
            raise
        with Image.open(stored) as before:
            unlike = plate.unlike(np.asarray(before.convert("RGBA")), whole)
        raise AssertionError(f"{error}\n  cells: {', '.join(unlike)}") from None


def drawn(plate, files, rigview_render):
    """The pictures of the cells, one after the other."""
    for cell in plate.cells:
        options = {"resolution": plate.size} | dict(plate.options) | dict(cell.options)
        path, beside = files(cell.make), options.pop("beside", ())
        if "environment" in options:
            options["environment"] = path.parent / options["environment"]
        if beside:
            yield together(path, cell, options, [(files(make), clip) for make, clip in beside])
        else:
            yield rigview_render(path, cell.clip, cell.time, **options)


def together(path, cell, options, others):
    """Several files in one picture, which the command alone draws."""
    args = arguments("render", path, options | {"time": cell.time})
    args.output = str(path.with_suffix(".png"))
    args.files += [str(other) for other, _ in others]
    args.animations = ["#0", *(clip for _, clip in others)]
    assert render.run(args) == 0
    with Image.open(args.output) as picture:
        return np.asarray(picture.convert("RGBA"))


def test_each_plate_has_a_golden_of_its_own_and_each_golden_a_plate():
    names = [plate.name for plate in PLATES]
    assert len(set(names)) == len(names)
    assert sorted(path.stem for path in GOLDENS.glob("*.png")) == sorted(names)
    labels = {plate.name: [cell.label for cell in plate.cells] for plate in PLATES}
    for name, told in labels.items():
        assert len(set(told)) == len(told), f"{name}: which cell is not told by its label"


def test_the_goldens_of_features_are_small():
    assert sum(path.stat().st_size for path in GOLDENS.glob("*.png")) < 480_000
