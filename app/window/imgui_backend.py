"""The ImGui backend: owns ImGui's context and draws its output with OpenGL.

The window passes mouse and key events to it; without a window it draws panels into any
framebuffer, as the tests do.
"""

from collections.abc import Callable
from pathlib import Path

import moderngl
import numpy as np
from imgui_bundle import imgui

from ..animation.types import U8
from ..memo import is_same
from ..model.model import Model
from ..motion.document import MotionDoc
from ..session.session import Session
from ..session.settings import Density, Theme
from ..ui import panels, shortcuts, theme
from .draw_data_renderer import DrawDataRenderer
from .input_queue import (
    MODIFIERS,
    Event,
    Focus,
    InputQueue,
    MouseButton,
    MouseMove,
    MouseWheel,
    Text,
)
from .input_queue import Key as KeyEvent

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
KEY_REPEAT = 0.275  # seconds for which a key is held before it repeats


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
        self._queue = InputQueue()
        self._held: set[str] = set()  # keys
        self._chords: list[shortcuts.Chord] = []  # pressed in this pass
        imgui.set_current_context(self._imgui_context)
        io = imgui.get_io()
        io.set_ini_filename("" if ini is None else str(ini))
        io.config_mac_osx_behaviors = mac
        io.config_flags |= imgui.ConfigFlags_.nav_enable_keyboard
        io.config_input_trickle_event_queue = False  # `InputQueue` does it
        io.config_input_text_cursor_blink = False  # would need frames while nothing happens
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
        self._named: tuple[tuple[Model, MotionDoc], ...] = ()  # whose letters are loaded
        self._look: tuple[float, Theme, Density] = 0.0, "dark", "roomy"
        self.set_look(scale, "dark")
        self._context = context
        self._pictures: list[moderngl.Texture] = []  # of `add_picture`
        self._draw_data_renderer = DrawDataRenderer(context)

    def set_look(self, scale: float, colors: Theme, density: Density = "roomy") -> None:
        """Change the size of text and panels, their colours, and how close their rows are."""
        if (scale, colors, density) != self._look:
            self._look = scale, colors, density
            theme.apply(scale, theme.THEMES[colors], density)

    def draw_panels(self, session: Session, *, in_turns: bool = False) -> None:
        """Handle mouse and keys and draw the panels; `in_turns` as of `panels.draw`."""
        self._load_fonts(session)
        panels.draw(session, self._chords, in_turns=in_turns)

    def _load_fonts(self, session: Session) -> None:
        """Load fonts for the names of all characters in the scene."""
        shown = tuple((opened.model, opened.document) for opened in session.open_characters)
        if is_same(shown, self._named):
            return
        self._named = shown
        self._fallback_fonts.add_for(session.settings.recent)
        for model, document in shown:
            self._fallback_fonts.add_for(model.displayed_names)
            names = [*document.parameters, *(layer.name for layer in document.layers)]
            self._fallback_fonts.add_for(names)

    @property
    def waiting(self) -> bool:
        """Whether there are input events that no pass has handled yet."""
        return len(self._queue) > 0

    @property
    def pointing(self) -> bool:
        """Whether the waiting events only move the mouse, with a button down or without."""
        return self._queue.only_moves

    @property
    def held(self) -> bool:
        """Whether a mouse button or a key other than a modifier is down."""
        return imgui.is_any_mouse_down() or not self._held <= MODIFIERS

    def use_clipboard(self, read: Callable[[], str], write: Callable[[str], None]) -> None:
        """Use the system's clipboard to copy and paste."""
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _context: read()
        platform.platform_set_clipboard_text_fn = lambda _context, text: write(text)

    def add(self, event: Event) -> None:
        """Let the next passes handle an input event."""
        self._queue.add(event)

    def _feed(self, event: Event) -> None:
        """Pass an event on to ImGui."""
        io = imgui.get_io()
        match event:
            case MouseMove(x, y):
                io.add_mouse_pos_event(x, y)
            case MouseButton(button, down):
                io.add_mouse_button_event(button, down)
            case MouseWheel(x, y):
                io.add_mouse_wheel_event(x, y)
            case KeyEvent(name, down):
                self._feed_key(name, down=down)
            case Text(text):
                for character in text:
                    io.add_input_character(ord(character))
            case Focus(focused):
                self._held.clear()
                io.add_focus_event(focused)

    def _feed_key(self, name: str, *, down: bool) -> None:
        io = imgui.get_io()
        (self._held.add if down else self._held.discard)(name)
        if name in _MODIFIERS:
            io.add_key_event(_MODIFIERS[name], down)
        elif down:
            self._chords.append((KEYS[name], self._modifiers()))
        io.add_key_event(KEYS[name], down)

    def _modifiers(self) -> int:
        """Return the modifiers held now; ImGui only knows those at the end of the pass."""
        held = {int(_MODIFIERS[name]) for name in self._held & MODIFIERS}
        if self._mac:
            swapped = {_CTRL: _SUPER, _SUPER: _CTRL}
            held = {swapped.get(modifier, modifier) for modifier in held}
        return sum(held)

    @property
    def cursor(self) -> str:
        """The mouse cursor that the panels want, by ImGui's name for it."""
        return imgui.MouseCursor_(imgui.get_mouse_cursor()).name or "arrow"

    def begin(
        self,
        size: tuple[int, int],
        pixel_ratio: float,
        seconds: float,
        late: float = 0.0,
        *,
        deaf: bool = False,
    ) -> None:
        """Start a pass of `size` points, `seconds` after the previous one, with the next events.

        Parameters
        ----------
        late
            Seconds that events may have waited: double clicks may take as much longer.
        deaf
            Leave the events to a later pass.
        """
        imgui.set_current_context(self._imgui_context)
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(*size)
        io.display_framebuffer_scale = imgui.ImVec2(pixel_ratio, pixel_ratio)
        io.delta_time = max(seconds, 1e-4)
        io.mouse_double_click_time = DOUBLE_CLICK + late
        io.mouse_single_click_delay = io.mouse_double_click_time + 0.1
        io.key_repeat_delay = KEY_REPEAT + late
        self._chords.clear()
        for event in () if deaf else self._queue.take():
            self._feed(event)
        imgui.new_frame()

    def skip(self) -> None:
        """End a pass that is not drawn, as more events wait."""
        imgui.end_frame()

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

    def add_picture(self, pixels: U8) -> int:
        """Upload a picture [H, W, 4], top row first, for the panels; return its texture's number.

        It is freed by `release`.
        """
        size = pixels.shape[1], pixels.shape[0]
        texture = self._context.texture(size, 4, np.ascontiguousarray(pixels))
        self._pictures.append(texture)
        return texture.glo

    def drop_picture(self, number: int) -> None:
        """Free a picture that was added."""
        for texture in [each for each in self._pictures if each.glo == number]:
            self._pictures.remove(texture)
            texture.release()

    def end(self, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the frame's panels over the contents of `framebuffer`."""
        imgui.render()
        for texture in self._pictures:
            self._draw_data_renderer.add_foreign(texture)
        self._draw_data_renderer.draw(imgui.get_draw_data(), framebuffer)

    def release(self) -> None:
        """Free all resources; ImGui writes its settings file."""
        imgui.set_current_context(self._imgui_context)
        for texture in imgui.get_platform_io().textures:
            self._draw_data_renderer.destroy(texture)
        for picture in self._pictures:
            picture.release()
        self._draw_data_renderer.release()
        imgui.get_io().backend_flags &= ~imgui.BackendFlags_.renderer_has_textures
        imgui.destroy_context(self._imgui_context)
