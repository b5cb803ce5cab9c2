#version 330 core
// Panels: ImGui's colours are sRGB already, and so is the window; blended premultiplied, so that
// the window stays opaque.
uniform sampler2D glyphs;

in vec2 v_uv;
in vec4 v_color;

out vec4 color;

void main() {
    color = v_color * texture(glyphs, v_uv);
    color.rgb *= color.a;
}
