"""The view cube: which faces a camera sees, and the face under the pointer."""

import math

import numpy as np
import pytest

from rigview.scene.camera import PRESETS, OrbitCamera
from rigview.scene.visible_faces import side_at, visible_faces


@pytest.mark.parametrize("front", [0.0, 2.0])
@pytest.mark.parametrize("side", [side for side in PRESETS if side != "iso"])
def test_each_view_faces_its_side(side, front):
    camera = OrbitCamera()
    camera.use_preset(side, front)
    faces = visible_faces(camera.axes(), front)
    assert faces[-1].side == side
    assert faces[-1].facing > 0.999
    assert side_at(faces, (0.3, -0.4)) == side
    assert side_at(faces, (1.2, 0.0)) == ""
    np.testing.assert_allclose(np.abs(faces[-1].corners), 1.0, atol=0.02)


def test_isometric_view_sees_three_faces():
    camera = OrbitCamera()
    camera.use_preset("iso")
    faces = visible_faces(camera.axes(), 0.0)
    assert {face.side for face in faces} == {"front", "right", "top"}
    assert all(face.facing == pytest.approx(1 / math.sqrt(3), abs=1e-4) for face in faces)
    assert side_at(faces, (-0.5, -0.4)) == "front"
    assert side_at(faces, (0.5, -0.4)) == "right"
    assert side_at(faces, (0.0, 0.6)) == "top"
