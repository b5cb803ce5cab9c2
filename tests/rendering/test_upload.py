"""Buffers and textures are written only when their content changes."""

import moderngl
import numpy as np
import pytest

from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.upload import Upload
from tests.support import crowd_pictures
from tests.support.animated_value_files import flip_book, morphed_nodes
from tests.support.models import rod_model


class Recorded:
    """A buffer that counts what is written to it."""

    def __init__(self):
        self.written = []

    def write(self, data):
        self.written.append(np.array(data))


def test_equal_arrays_are_written_once():
    target = Recorded()
    upload, data = Upload(target), np.arange(12, dtype=np.float32).reshape(3, 4)
    for row in (None, None, 2, None, 0, None):
        if row is not None:
            data[row, 1] += 1.0
        upload.write(data)
        np.testing.assert_array_equal(target.written[-1], data)
    assert len(target.written) == 3
    upload.write(data[:2])  # another shape
    assert len(target.written) == 4


def shown(model, *, crowd):
    scene, character = crowd_pictures.scene_with(model)
    clip = 0 if model.clips else -1
    if crowd:
        places = crowd_pictures.places_in_a_row(3)
        crowd_pictures.show_crowd(scene, [clip] * 3, places, [0.1, 0.2, 0.3])
    else:
        character.play_clip(clip, 0.0)
        scene.update(0.1)
    return scene


@pytest.mark.parametrize("crowd", [False, True])
@pytest.mark.parametrize(
    "make", [rod_model, lambda: flip_book().load(), lambda: morphed_nodes().load()]
)
def test_a_still_scene_uploads_nothing(gl, monkeypatch, make, crowd):
    scene = shown(make(), crowd=crowd)
    renderer, target = Renderer(gl), Target(gl, (32, 32), 4)
    for _ in range(2):
        renderer.draw(scene, target)
    written = []
    for kind in (moderngl.Buffer, moderngl.Texture):
        monkeypatch.setattr(kind, "write", lambda self, *_, **__: written.append(self))
    renderer.draw(scene, target)
    assert not written
    monkeypatch.undo()
    target.release()
    renderer.release()
