#version 330 core
// ImGui: colours and framebuffer are sRGB; premultiplied blending keeps the window opaque.
uniform sampler2D glyphs;

in vec2 v_uv;
in vec4 v_color;

out vec4 color;

void main() {
    color = v_color * texture(glyphs, v_uv);
    color.rgb *= color.a;
}
