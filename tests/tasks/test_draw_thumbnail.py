"""The thumbnail of one file."""

import numpy as np
import pytest

from rigview.errors import GltfError
from rigview.resources import asset_path
from rigview.tasks.still_pictures import draw_thumbnail, render


def test_it_is_cut_out_and_framed_as_the_window_frames_it():
    path = asset_path("mannequin.glb")
    small = draw_thumbnail(path, 96)
    assert small.shape == (96, 96, 4)
    assert not small[0, :, 3].any()
    assert not small[-1, :, 3].any()
    assert (small[..., 3] == 255).mean() > 0.05
    usual = render(path, resolution=(96, 96), no_background=True, shadow=False, grid=False)
    assert np.array_equal(small, usual)


def test_a_broken_file_is_an_error(tmp_path):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"glTF\2\0\0\0")
    with pytest.raises(GltfError):
        draw_thumbnail(broken, 96)
