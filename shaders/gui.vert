#version 330 core
// Panels: points of the window, y down, to clip space.
uniform vec2 size;   // of the window, points

in vec2 in_position;
in vec2 in_uv;
in vec4 in_color;    // sRGB, straight alpha

out vec2 v_uv;
out vec4 v_color;

void main() {
    vec2 place = in_position / size * 2.0 - 1.0;
    gl_Position = vec4(place.x, -place.y, 0.0, 1.0);
    v_uv = in_uv;
    v_color = in_color;
}
