"""Textures that follow the first frame of a window."""

from threading import Event
from threading import enumerate as enumerate_threads

import numpy as np
import pytest

from rigview.model.material import Material, TextureRef
from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.rendering.textures.texture_stream import GpuTexture, TextureStream
from rigview.scene.camera import OrbitCamera
from rigview.scene.scene import Scene
from tests.support.draw import gpu_objects
from tests.support.looks import new_look
from tests.support.models import square_model
from tests.support.processes import until

SIDE = 32
PIXELS = np.random.default_rng(4).integers(0, 256, (1100, 1000, 4), np.uint8)  # more than a piece
REF = TextureRef(0)


class Drawn:
    """A square with a picture that is not decoded, drawn by a renderer."""

    def __init__(self, gl, material, *, streamed):
        self.scene = Scene(camera=OrbitCamera(azimuth=0.3, elevation=0.1, distance=3.0))
        new_look(self.scene, grid=False, occlusion=False)
        self.scene.show(square_model(material, PIXELS))
        self.scene.update(0.0)
        self.renderer = Renderer(gl, streamed=streamed)
        self.target = Target(gl, (SIDE, SIDE), 1)

    def picture(self):
        self.renderer.draw(self.scene, self.target)
        return self.target.read().astype(int)

    def release(self):
        self.renderer.release()
        self.target.release()


@pytest.fixture
def drawn(gl):
    made = []

    def new(material, *, streamed=True):
        made.append(Drawn(gl, material, streamed=streamed))
        return made[-1]

    yield new
    for each in made:
        each.release()


def test_a_texture_follows_in_pieces(drawn):
    colour = (0.5, 0.2, 0.1, 1.0)
    textured = Material(base_color=colour, base_color_texture=REF)
    shown = drawn(textured)
    np.testing.assert_array_equal(
        shown.picture(), drawn(Material(base_color=colour), streamed=False).picture()
    )
    renderer, pieces = shown.renderer, 0
    while renderer.textures_pending:
        ready = renderer.textures_ready
        complete = renderer.stream_textures()
        pieces += ready
        assert complete == (not renderer.textures_pending)
    assert pieces > 1
    whole = drawn(textured, streamed=False)
    np.testing.assert_array_equal(shown.picture(), whole.picture())
    assert not whole.renderer.textures_pending


def test_surfaces_do_not_glow_before_their_texture(drawn):
    shown = drawn(Material(emissive=(1.0, 1.0, 1.0), emissive_texture=REF))
    np.testing.assert_array_equal(shown.picture(), drawn(Material(), streamed=False).picture())
    assert shown.renderer.finish_textures()
    assert shown.picture().mean() > drawn(Material(), streamed=False).picture().mean()
    assert not shown.renderer.finish_textures()


def test_half_a_texture_is_freed(gl):
    gl.detect_framebuffer(0).use()
    before = gpu_objects(gl)
    shown = Drawn(gl, Material(base_color_texture=REF), streamed=True)
    shown.picture()
    while not shown.renderer.textures_ready:
        shown.renderer.stream_textures()
    shown.renderer.stream_textures()
    assert shown.renderer.textures_pending
    shown.release()
    assert gpu_objects(gl) == before


def test_a_texture_without_memory_is_left_out(drawn, monkeypatch):
    def halved(*_):
        raise MemoryError

    monkeypatch.setattr("rigview.rendering.textures.texture.mirrored", halved)
    shown = drawn(Material(base_color_texture=REF))
    shown.picture()
    assert shown.renderer.finish_textures()
    np.testing.assert_array_equal(shown.picture(), drawn(Material(), streamed=False).picture())
    (warning,) = shown.scene.character.model.warnings
    assert warning == "/images/0: not enough memory for its pixels; not drawn"


def test_an_error_of_the_thread_is_raised(gl):
    def fail():
        raise ValueError("no picture")

    stream, texture = TextureStream(), GpuTexture(gl.texture((1, 1), 4), (1, 1))
    stream.add(texture, fail, lambda _: iter(()))
    with pytest.raises(ValueError, match="no picture"):
        stream.finish()
    stream.release()
    texture.release()
    assert not stream.pending


def test_no_more_pictures_are_read_after_the_release(gl):
    begun, go_on, read = Event(), Event(), []

    def slow():
        begun.set()
        go_on.wait(10)
        read.append("first")
        return np.zeros((1, 1, 4), np.uint8)

    stream, texture = TextureStream(), GpuTexture(gl.texture((1, 1), 4), (1, 1))
    stream.add(texture, slow, lambda _: iter(()))
    stream.add(texture, lambda: read.append("second"), lambda _: iter(()))
    stream.advance()
    assert begun.wait(10)
    stream.release()
    go_on.set()
    until(lambda: read == ["first"])
    until(lambda: not any(each.name == "textures" for each in enumerate_threads()))
    assert read == ["first"]
    texture.release()
