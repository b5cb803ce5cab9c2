"""The ImGui backend: owns ImGui's context and draws its output with OpenGL.

The window passes mouse and key events to it; without a window it draws panels into any
framebuffer, as the tests do.
"""

import ctypes
from collections.abc import Callable
from pathlib import Path

import moderngl
import numpy as np
from imgui_bundle import imgui

from ..animation.types import U8, U32
from ..model.model import Model
from ..motion.document import MotionDoc
from ..resources import shader_text
from ..session.session import Session
from ..session.settings import Theme
from ..ui import panels, shortcuts, theme

KEYS = {name: key for name, key in imgui.Key.__members__.items() if not name.startswith("mod_")}
_MODIFIERS = {
    "left_ctrl": imgui.Key.mod_ctrl,
    "right_ctrl": imgui.Key.mod_ctrl,
    "left_shift": imgui.Key.mod_shift,
    "right_shift": imgui.Key.mod_shift,
    "left_alt": imgui.Key.mod_alt,
    "right_alt": imgui.Key.mod_alt,
    "left_super": imgui.Key.mod_super,
    "right_super": imgui.Key.mod_super,
}
_CTRL, _SUPER = int(imgui.Key.mod_ctrl), int(imgui.Key.mod_super)
DOUBLE_CLICK = 0.3  # seconds between the presses of a double click
DOUBLE_CLICK_FRAMES = 6.0  # or this many frames, if that is longer
_INDEX = np.dtype(f"u{imgui.INDEX_SIZE}")


class Gui:
    """Owns ImGui's context, its textures and the program that draws them.

    Parameters
    ----------
    context
        The OpenGL context that is current whenever this object is used.
    scale
        Size of text and panels: 1 on an ordinary screen.
    ini
        ImGui's settings file; None: not saved.
    mac
        Whether Cmd is used instead of Ctrl.
    """

    def __init__(
        self,
        context: moderngl.Context,
        *,
        scale: float = 1.0,
        ini: Path | None = None,
        mac: bool = False,
    ) -> None:
        self.context = context
        self._imgui_context = imgui.create_context()
        self._mac = mac
        self._held: set[str] = set()  # modifier keys
        self._chords: list[shortcuts.Chord] = []  # pressed since the previous frame
        imgui.set_current_context(self._imgui_context)
        io = imgui.get_io()
        io.set_ini_filename("" if ini is None else str(ini))
        io.config_mac_osx_behaviors = mac
        io.config_flags |= imgui.ConfigFlags_.nav_enable_keyboard
        io.backend_flags |= (
            imgui.BackendFlags_.renderer_has_textures
            | imgui.BackendFlags_.renderer_has_vtx_offset
            | imgui.BackendFlags_.has_mouse_cursors
        )
        platform = imgui.get_platform_io()
        platform.renderer_texture_max_width = context.info["GL_MAX_TEXTURE_SIZE"]
        platform.renderer_texture_max_height = context.info["GL_MAX_TEXTURE_SIZE"]
        theme.load_fonts()
        self._fallback_fonts = theme.FallbackFonts()
        self._named: list[tuple[Model, MotionDoc]] = []  # whose letters are loaded
        self._look: tuple[float, Theme] = 0.0, "dark"
        self.set_look(scale, "dark")
        self._draw_data_renderer = DrawDataRenderer(context)

    def set_look(self, scale: float, colors: Theme) -> None:
        """Change the size of text and panels, and their colours."""
        if (scale, colors) != self._look:
            self._look = scale, colors
            theme.apply(scale, theme.THEMES[colors])

    def draw_panels(self, session: Session) -> None:
        """Handle mouse and keys and draw all panels."""
        self._load_fonts(session)
        chords, self._chords = self._chords, []
        panels.draw(session, chords)

    def _load_fonts(self, session: Session) -> None:
        """Load fonts for the names of all characters in the scene."""
        shown = [(opened.model, opened.document) for opened in session.open_characters]
        if len(shown) == len(self._named) and all(
            model is known_model and document is known_document
            for (model, document), (known_model, known_document) in zip(
                shown, self._named, strict=True
            )
        ):
            return
        self._named = shown
        self._fallback_fonts.add_for(session.settings.recent)
        for model, document in shown:
            self._fallback_fonts.add_for(model.displayed_names)
            names = [*document.parameters, *(layer.name for layer in document.layers)]
            self._fallback_fonts.add_for(names)

    def draw_overlay(self, session: Session) -> None:
        """Draw the overlays of the scene, after the scene was updated."""
        panels.overlay(session)

    @property
    def active(self) -> bool:
        """Whether there is input: a button is down, the mouse moves or text is typed."""
        io = imgui.get_io()
        moved = io.mouse_delta.x != 0.0 or io.mouse_delta.y != 0.0 or io.mouse_wheel != 0.0
        return moved or imgui.is_any_mouse_down() or io.want_text_input

    def use_clipboard(self, read: Callable[[], str], write: Callable[[str], None]) -> None:
        """Use the system's clipboard to copy and paste."""
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _context: read()
        platform.platform_set_clipboard_text_fn = lambda _context, text: write(text)

    def mouse_move(self, x: float, y: float) -> None:
        """Set the mouse position, points from the upper left corner."""
        imgui.get_io().add_mouse_pos_event(x, y)

    def mouse_button(self, button: int, *, down: bool) -> None:
        """Handle a press or release of button 0 left, 1 right, 2 middle."""
        imgui.get_io().add_mouse_button_event(button, down)

    def mouse_wheel(self, x: float, y: float) -> None:
        """Handle notches of the wheel, positive away from the user."""
        imgui.get_io().add_mouse_wheel_event(x, y)

    def key(self, name: str, *, down: bool) -> None:
        """Handle a press or release of a key by ImGui's name of it, such as "left_arrow"."""
        io = imgui.get_io()
        if name in _MODIFIERS:
            (self._held.add if down else self._held.discard)(name)
            io.add_key_event(_MODIFIERS[name], down)
        elif down:
            self._chords.append((KEYS[name], self._modifiers()))
        io.add_key_event(KEYS[name], down)

    def _modifiers(self) -> int:
        """Return the modifiers held now; ImGui only knows those at the end of the frame."""
        held = {int(_MODIFIERS[name]) for name in self._held}
        if self._mac:
            swapped = {_CTRL: _SUPER, _SUPER: _CTRL}
            held = {swapped.get(modifier, modifier) for modifier in held}
        return sum(held)

    def text(self, text: str) -> None:
        """Handle typed characters."""
        for character in text:
            imgui.get_io().add_input_character(ord(character))

    def focus(self, *, focused: bool) -> None:
        """Handle a change of the keyboard focus; held modifiers are released."""
        self._held.clear()
        imgui.get_io().add_focus_event(focused)

    @property
    def cursor(self) -> str:
        """The mouse cursor that the panels want, by ImGui's name for it."""
        return imgui.MouseCursor_(imgui.get_mouse_cursor()).name or "arrow"

    def begin(self, size: tuple[int, int], pixel_ratio: float, seconds: float) -> None:
        """Start a frame of `size` points, `seconds` after the previous one."""
        imgui.set_current_context(self._imgui_context)
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(*size)
        io.display_framebuffer_scale = imgui.ImVec2(pixel_ratio, pixel_ratio)
        io.delta_time = max(seconds, 1e-4)
        # ImGui handles one press or release per frame: in slow frames a double click takes longer
        io.mouse_double_click_time = max(DOUBLE_CLICK, DOUBLE_CLICK_FRAMES * min(seconds, 0.5))
        io.mouse_single_click_delay = io.mouse_double_click_time + 0.1
        imgui.new_frame()

    def draw_background(
        self, texture: moderngl.Texture, box: tuple[float, float, float, float]
    ) -> None:
        """Draw a texture (bottom row first) behind all panels, in a box of points.

        Its contents are read when `end` is called.
        """
        self._draw_data_renderer.add_foreign(texture)
        imgui.get_background_draw_list().add_image(
            imgui.ImTextureRef(texture.glo),
            imgui.ImVec2(*box[:2]),
            imgui.ImVec2(*box[2:]),
            imgui.ImVec2(0.0, 1.0),
            imgui.ImVec2(1.0, 0.0),
        )

    def end(self, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the frame's panels over the contents of `framebuffer`."""
        imgui.render()
        self._draw_data_renderer.draw(imgui.get_draw_data(), framebuffer)

    def release(self) -> None:
        """Free all resources; ImGui writes its settings file."""
        imgui.set_current_context(self._imgui_context)
        for texture in imgui.get_platform_io().textures:
            self._draw_data_renderer.destroy(texture)
        self._draw_data_renderer.release()
        imgui.get_io().backend_flags &= ~imgui.BackendFlags_.renderer_has_textures
        imgui.destroy_context(self._imgui_context)


class DrawDataRenderer:
    """Draws ImGui's triangles: one upload a frame, one draw call per ImGui draw command."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = context.program(
            vertex_shader=shader_text("gui.vert"), fragment_shader=shader_text("gui.frag")
        )
        self._textures: dict[int, moderngl.Texture] = {}
        self._foreign: dict[int, moderngl.Texture] = {}  # of this frame; freed by their owners
        self._vertices = context.buffer(reserve=1 << 16, dynamic=True)
        self._indices = context.buffer(reserve=1 << 15, dynamic=True)
        content = [(self._vertices, "2f 2f 4f1", "in_position", "in_uv", "in_color")]
        self._array = context.vertex_array(self._program, content, self._indices)

    def draw(self, data: imgui.ImDrawData, framebuffer: moderngl.Framebuffer) -> None:
        """Update ImGui's textures and draw all its draw lists."""
        for texture in data.textures:
            if texture.status == imgui.ImTextureStatus.want_destroy:
                self.destroy(texture)
            elif texture.status != imgui.ImTextureStatus.ok:
                self._update(texture)
        scale = data.framebuffer_scale
        width, height = data.display_size.x * scale.x, data.display_size.y * scale.y
        if width < 1 or height < 1:
            return
        starts = self._upload(data)
        context = self._context
        scope = context.scope(framebuffer, moderngl.BLEND)
        with scope:
            framebuffer.viewport = (0, 0, round(width), round(height))
            context.wireframe = False
            context.blend_equation = moderngl.FUNC_ADD, moderngl.FUNC_ADD
            context.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
            self._program["size"] = (data.display_size.x, data.display_size.y)
            for commands, start in zip(data.cmd_lists, starts, strict=True):
                for command in commands.cmd_buffer:
                    self._draw_command(command, start, framebuffer, scale.x, height)
            framebuffer.scissor = None  # type: ignore[assignment]  # the stub lacks "none"
            context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        scope.release()
        self._foreign.clear()

    def add_foreign(self, texture: moderngl.Texture) -> None:
        """Register a texture that is drawn in this frame and freed by its owner."""
        self._foreign[texture.glo] = texture

    def release(self) -> None:
        """Free all resources."""
        for texture in self._textures.values():
            texture.release()
        self._array.release()
        self._vertices.release()
        self._indices.release()
        self._program.release()

    def destroy(self, texture: imgui.ImTextureData) -> None:
        """Free the GPU copy of one of ImGui's textures."""
        known = self._textures.pop(texture.tex_id, None)
        if known is not None:
            known.release()
        texture.set_tex_id(0)
        texture.set_status(imgui.ImTextureStatus.destroyed)

    def _draw_command(
        self,
        command: imgui.ImDrawCmd,
        start: int,
        framebuffer: moderngl.Framebuffer,
        scale: float,
        height: float,
    ) -> None:
        box = command.clip_rect
        left, right = round(box.x * scale), round(box.z * scale)
        bottom, top = round(height - box.w * scale), round(height - box.y * scale)
        if right <= left or top <= bottom or not command.elem_count:
            return
        framebuffer.scissor = (max(left, 0), max(bottom, 0), right - max(left, 0), top - bottom)
        number = command.tex_ref.get_tex_id()
        (self._foreign.get(number) or self._textures[number]).use(0)
        self._array.render(
            moderngl.TRIANGLES, vertices=command.elem_count, first=start + command.idx_offset
        )

    def _upload(self, data: imgui.ImDrawData) -> list[int]:
        """Upload all draw lists into one buffer; return the first index of each."""
        blocks: list[U8] = [np.zeros(0, np.uint8)]
        indices: list[U32] = [np.zeros(0, np.uint32)]
        starts: list[int] = []
        base = first = 0
        for commands in data.cmd_lists:
            starts.append(first)
            count = commands.vtx_buffer.size()
            blocks.append(
                _view_memory(commands.vtx_buffer.data_address(), count * imgui.VERTEX_SIZE)
            )
            total = commands.idx_buffer.size()
            raw = _view_memory(commands.idx_buffer.data_address(), total * imgui.INDEX_SIZE)
            moved = raw.view(_INDEX).astype(np.uint32) + np.uint32(base)
            for command in commands.cmd_buffer:
                if command.vtx_offset:
                    part = slice(command.idx_offset, command.idx_offset + command.elem_count)
                    moved[part] += np.uint32(command.vtx_offset)
            indices.append(moved)
            base += count
            first += total
        self._write(np.concatenate(blocks), np.concatenate(indices))
        return starts

    def _write(self, vertices: U8, indices: U32) -> None:
        for buffer, data in ((self._vertices, vertices), (self._indices, indices)):
            if data.nbytes > buffer.size:
                buffer.orphan(2 * data.nbytes)
            if data.nbytes:
                buffer.write(data)

    def _update(self, texture: imgui.ImTextureData) -> None:
        """Create a texture, or upload its changed parts."""
        width, height = texture.width, texture.height
        pixels = texture.get_pixels_array().reshape(height, width, texture.bytes_per_pixel)
        if texture.status == imgui.ImTextureStatus.want_create:
            made = self._context.texture((width, height), 4, pixels)
            made.filter = moderngl.LINEAR, moderngl.LINEAR
            made.repeat_x = made.repeat_y = False
            self._textures[made.glo] = made
            texture.set_tex_id(made.glo)
        else:
            known = self._textures[texture.tex_id]
            for box in texture.updates:
                part = pixels[box.y : box.y + box.h, box.x : box.x + box.w]
                known.write(np.ascontiguousarray(part), (box.x, box.y, box.w, box.h))
        texture.set_status(imgui.ImTextureStatus.ok)


def _view_memory(address: int, size: int) -> U8:
    """Return a view of ImGui's memory [size]; valid until its next frame."""
    if not size:
        return np.zeros(0, np.uint8)
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))
