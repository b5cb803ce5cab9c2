#version 330 core
// The shadow on the floor, laid over what is there; premultiplied alpha.
#include "lib/frame.glsl"
#include "lib/lights.glsl"

in vec3 v_point;

out vec4 out_color;

void main() {
    float shadow = (1.0 - lit(v_point)) * floor_grid.w;
    if (shadow < 0.002) discard;
    out_color = vec4(0.0, 0.0, 0.0, shadow);
}
