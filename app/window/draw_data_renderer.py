"""Draws ImGui's output with OpenGL."""

import ctypes

import moderngl
import numpy as np
from imgui_bundle import imgui

from ..animation.types import U8, U32
from ..resources import shader_text

_INDEX = np.dtype(f"u{imgui.INDEX_SIZE}")


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
