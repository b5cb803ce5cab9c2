"""The ImGui backend: its pixels, and its handling of mouse, keys and text."""

import gc
from types import SimpleNamespace

import moderngl
import numpy as np
import pytest
from imgui_bundle import imgui

from rigview.ui import theme
from rigview.window.draw_data_renderer import DrawDataRenderer
from rigview.window.imgui_backend import KEYS, Gui
from rigview.window.input_queue import Focus, Key, MouseButton, MouseMove, MouseWheel
from tests.support.sessions import new_session

SIZE = (320, 200)
RED = 0xFF0000FF  # ImGui's colours are ABGR
CLEAR = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_background


@pytest.fixture
def gui(gl):
    gui = Gui(gl)
    yield gui
    gui.release()


@pytest.fixture
def framebuffer(gl):
    texture = gl.texture(SIZE, 4)
    framebuffer = gl.framebuffer([texture])
    yield framebuffer
    framebuffer.release()
    texture.release()


def draw(gui, framebuffer, panels, *, frames=2, ratio=1.0):
    """Picture [H, W, 4] after some frames of `panels`."""
    for _ in range(frames):
        framebuffer.clear(color=(0.0, 0.0, 0.0, 1.0))
        gui.begin((round(SIZE[0] / ratio), round(SIZE[1] / ratio)), ratio, 1 / 60)
        panels()
        gui.end(framebuffer)
    data = framebuffer.read(components=4)
    return np.frombuffer(data, np.uint8).reshape(*SIZE[::-1], 4)[::-1]


def square(x, y, size=10.0, color=RED):
    lines = imgui.get_background_draw_list()
    lines.add_rect_filled(imgui.ImVec2(x, y), imgui.ImVec2(x + size, y + size), color)


def test_position_of_a_square(gui, framebuffer):
    picture = draw(gui, framebuffer, lambda: square(20, 30))
    red = (picture == [255, 0, 0, 255]).all(axis=-1)
    ys, xs = np.nonzero(red)
    assert (xs.min(), xs.max(), ys.min(), ys.max()) == (20, 29, 30, 39)
    assert red.sum() == 100


def test_pixel_ratio(gui, framebuffer):
    picture = draw(gui, framebuffer, lambda: square(20, 30), ratio=2.0)
    ys, xs = np.nonzero(picture[..., 0] == 255)
    assert (xs.min(), xs.max(), ys.min(), ys.max()) == (40, 59, 60, 79)


def test_clip_box(gui, framebuffer):
    def panels():
        lines = imgui.get_background_draw_list()
        lines.push_clip_rect(imgui.ImVec2(10, 10), imgui.ImVec2(25, 18))
        square(0, 0, 100)
        lines.pop_clip_rect()

    red = draw(gui, framebuffer, panels)[..., 0] == 255
    ys, xs = np.nonzero(red)
    assert (xs.min(), xs.max(), ys.min(), ys.max()) == (10, 24, 10, 17)


def test_blending_keeps_the_target_opaque(gui, framebuffer):
    picture = draw(gui, framebuffer, lambda: square(0, 0, 50, 0x800000FF))
    assert picture[10, 10].tolist() == pytest.approx([128, 0, 0, 255], abs=1)


def test_more_than_65536_vertices(gui, framebuffer):
    def panels():
        for k in range(20_000):
            square((k % 30) * 10, (k // 30 % 10) * 10, 8, 0xFF00FF00)
        square(300, 180, 20)

    picture = draw(gui, framebuffer, panels)
    assert picture[190, 310].tolist() == [255, 0, 0, 255]
    assert picture[4, 4].tolist() == [0, 255, 0, 255]


def test_text_with_new_letters(gui, framebuffer):
    def write(text):
        def panels():
            imgui.set_next_window_pos(imgui.ImVec2(0, 0))
            imgui.begin("text", None, CLEAR)
            imgui.text(text)
            imgui.end()

        return draw(gui, framebuffer, panels)

    plain = write("abc")
    assert (plain[..., 0] > 128).sum() > 20
    greek = write("λωψ")  # glyphs that are not in the atlas yet
    assert (greek[..., 0] > 128).sum() > 20
    assert (greek != plain).any()
    assert np.array_equal(write("abc"), plain)


def test_background_orientation(gl, gui, framebuffer):
    pixels = np.zeros((4, 4, 4), np.uint8)
    pixels[..., 3] = 255
    pixels[2:, :, 1] = 255  # the upper half, since OpenGL counts rows from below
    texture = gl.texture((4, 4), 4, pixels)
    texture.filter = moderngl.NEAREST, moderngl.NEAREST
    picture = draw(gui, framebuffer, lambda: gui.draw_background(texture, (0, 0, 100, 100)))
    texture.release()
    assert picture[20, 50].tolist() == [0, 255, 0, 255]
    assert picture[80, 50].tolist() == [0, 0, 0, 255]
    assert picture[20, 150].tolist() == [0, 0, 0, 255]


def test_context_state_is_restored(gl, gui, framebuffer):
    before = gl.fbo
    draw(gui, framebuffer, lambda: square(0, 0))
    assert gl.fbo is before
    assert framebuffer.scissor == (0, 0, *SIZE)
    framebuffer.clear(color=(1.0, 1.0, 1.0, 1.0))
    assert min(framebuffer.read(components=3)) == 255


def test_empty_framebuffer(gui, framebuffer):
    gui.begin((0, 0), 1.0, 1 / 60)
    gui.end(framebuffer)


def test_all_resources_are_freed(gl, framebuffer, monkeypatch):
    """Also if the letters need a larger texture, which ImGui then replaces."""
    kinds = (moderngl.Buffer, moderngl.Texture, moderngl.VertexArray, moderngl.Program)
    freed = moderngl.mgl.InvalidObject

    def alive():
        gc.collect()
        held = [item for item in gc.get_objects() if isinstance(item, kinds)]
        return sum(not isinstance(item.mglo, freed) for item in held)

    def letters(size):
        def panels():
            imgui.push_font(None, size)
            imgui.text("abcdefghijklmnopqrstuvwxyz")
            imgui.pop_font()

        return panels

    monkeypatch.setattr(
        gl, "gc_mode", "context_gc"
    )  # objects that were not released are collected in a list
    before = alive()
    for _ in range(2):
        gui = Gui(gl)
        for size in (20.0, 90.0, 160.0, 20.0):
            draw(gui, framebuffer, letters(size))
        assert alive() > before
        gui.release()
    assert alive() == before
    assert [item for item in gl.objects if not isinstance(item, freed)] == []


def test_text_size_follows_the_scale(gui, framebuffer):
    sizes = []
    for scale in (1.0, 2.0, 0.75, 1.0):
        gui.set_look(scale, "dark")
        draw(gui, framebuffer, lambda: sizes.append(imgui.get_font_size()), frames=1)
    assert sizes == [16.0, 32.0, 12.0, 16.0]
    padding = imgui.get_style().frame_padding
    assert (padding.x, padding.y) == theme.METRICS["roomy"].style["frame_padding"]


def test_default_font_without_font_files(gui, framebuffer, tmp_path):
    theme.load_fonts(tmp_path / "none.ttf", tmp_path / "none.otf")
    assert (draw(gui, framebuffer, lambda: imgui.text("words"))[..., 0] > 128).any()


def test_every_imgui_key(gui, framebuffer):
    for name in KEYS:
        if name in ("none", "named_key_begin", "named_key_count", "named_key_end"):
            continue
        if name.startswith(("gamepad", "mouse", "reserved")):
            continue
        gui.add(Key(name, True))
        seen = []
        draw(
            gui, framebuffer, lambda key=KEYS[name], seen=seen: seen.append(imgui.is_key_down(key))
        )
        assert seen[-1], name
        gui.add(Key(name, False))
        draw(gui, framebuffer, lambda: None)


def test_modifiers(gui, framebuffer):
    gui.add(Key("left_ctrl", True))
    gui.add(Key("right_shift", True))
    draw(gui, framebuffer, lambda: None)
    assert imgui.get_io().key_ctrl
    assert imgui.get_io().key_shift
    gui.add(Key("left_ctrl", False))
    draw(gui, framebuffer, lambda: None)
    assert not imgui.get_io().key_ctrl


def test_cmd_is_ctrl_on_a_mac(gl, framebuffer):
    gui = Gui(gl, mac=True)
    gui.add(Key("left_super", True))
    draw(gui, framebuffer, lambda: None)
    held = imgui.get_io().key_ctrl
    session = new_session(60.0)
    gui.add(Key("o", True))
    gui.begin(SIZE, 1.0, 1 / 60)
    gui.draw_panels(session)
    gui.end(framebuffer)
    gui.release()
    assert held
    assert session.interface.requests == ["open"]


def test_focus_loss_releases_keys(gui, framebuffer):
    gui.add(Key("b", True))
    draw(gui, framebuffer, lambda: None)
    assert imgui.is_key_down(imgui.Key.b)
    gui.add(Focus(False))
    draw(gui, framebuffer, lambda: None)
    assert not imgui.is_key_down(imgui.Key.b)


def test_focus_loss_releases_modifiers(gui, framebuffer):
    session = new_session(60.0)
    gui.add(Key("left_ctrl", True))
    gui.add(Focus(False))
    gui.add(Focus(True))
    gui.add(Key("q", True))
    draw(gui, framebuffer, lambda: gui.draw_panels(session))
    assert session.interface.requests == []


def test_vertex_offsets_with_16_bit_indices(gl):
    """Two squares in a draw list, the second's indices relative to its own first vertex."""
    places = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    vertices = np.zeros(8, [("place", "2f4"), ("uv", "2f4"), ("color", "4u1")])
    vertices["place"] = np.concatenate([places, places + np.array([100, 50], np.float32)])
    indices = np.tile(np.array([0, 1, 2, 0, 2, 3], imgui_index()), 2)
    whole = gl.texture((1, 1), 4, bytes([255] * 4))
    vertices["color"] = 255
    box = imgui.ImVec4(0, 0, *SIZE)
    reference = SimpleNamespace(get_tex_id=lambda: whole.glo)
    commands = [
        SimpleNamespace(
            clip_rect=box, elem_count=6, idx_offset=k * 6, vtx_offset=k * 4, tex_ref=reference
        )
        for k in range(2)
    ]
    lists = SimpleNamespace(
        vtx_buffer=SimpleNamespace(size=lambda: 8, data_address=lambda: vertices.ctypes.data),
        idx_buffer=SimpleNamespace(size=lambda: 12, data_address=lambda: indices.ctypes.data),
        cmd_buffer=commands,
    )
    data = SimpleNamespace(
        textures=[],
        cmd_lists=[lists],
        display_size=imgui.ImVec2(*SIZE),
        framebuffer_scale=imgui.ImVec2(1, 1),
    )
    target = gl.framebuffer([gl.texture(SIZE, 4)])
    draw_data_renderer = DrawDataRenderer(gl)
    draw_data_renderer.add_foreign(whole)
    draw_data_renderer.draw(data, target)
    picture = np.frombuffer(target.read(components=4), np.uint8).reshape(*SIZE[::-1], 4)[::-1]
    ys, xs = np.nonzero(picture[..., 0])
    draw_data_renderer.release()
    target.color_attachments[0].release()
    target.release()
    whole.release()
    assert (xs.min(), ys.min(), xs.max(), ys.max()) == (0, 0, 109, 59)
    assert len(xs) == 200


def imgui_index():
    return np.dtype(f"u{imgui.INDEX_SIZE}")


def test_mouse_and_wheel(gui, framebuffer):
    gui.add(MouseMove(12, 34))
    gui.add(MouseButton(2, True))
    gui.add(MouseWheel(0.0, 1.0))
    seen = []
    draw(gui, framebuffer, lambda: seen.append(imgui.get_io().mouse_wheel), frames=3)
    assert (imgui.get_io().mouse_pos.x, imgui.get_io().mouse_pos.y) == (12, 34)
    assert imgui.is_mouse_down(2)
    assert seen[:3].count(1.0) == 1
    assert gui.held


def test_copy_and_paste(gui, framebuffer):
    board = ["from elsewhere"]
    gui.use_clipboard(lambda: board[0], lambda text: board.__setitem__(0, text))
    draw(gui, framebuffer, lambda: None)
    assert imgui.get_clipboard_text() == "from elsewhere"
    imgui.set_clipboard_text("from here")
    assert board == ["from here"]


def test_cursor_over_a_text_field(gui, framebuffer):
    middle = []

    def panels():
        imgui.set_next_window_pos(imgui.ImVec2(0, 0))
        imgui.begin("panel")
        imgui.set_next_item_width(200.0)
        imgui.input_text("##field", "")
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        middle[:] = (low.x + high.x) / 2, (low.y + high.y) / 2
        imgui.end()

    draw(gui, framebuffer, panels)
    assert gui.cursor == "arrow"
    gui.add(MouseMove(*middle))
    draw(gui, framebuffer, panels)
    assert gui.cursor == "text_input"


def test_imgui_settings_file(gl, framebuffer, tmp_path):
    gui = Gui(gl, ini=tmp_path / "imgui.ini")

    def panels():
        imgui.set_next_window_pos(imgui.ImVec2(7, 9))
        imgui.begin("Remembered")
        imgui.end()

    draw(gui, framebuffer, panels)
    gui.release()
    assert "Remembered" in (tmp_path / "imgui.ini").read_text()
