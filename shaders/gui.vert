#version 330 core
// ImGui: window coordinates in points, y down, to clip space.
uniform vec2 size;   // window size, points

in vec2 in_position;
in vec2 in_uv;
in vec4 in_color;    // sRGB, straight alpha

out vec2 v_uv;
out vec4 v_color;

void main() {
    vec2 ndc = in_position / size * 2.0 - 1.0;
    gl_Position = vec4(ndc.x, -ndc.y, 0.0, 1.0);
    v_uv = in_uv;
    v_color = in_color;
}
