#version 330 core
// The shadow on the floor, laid over what is there; premultiplied alpha.
#include "lib/frame.glsl"
#include "lib/lights.glsl"

in vec3 v_point;

out vec4 out_color;

void main() {
    out_color = vec4(0.0, 0.0, 0.0, (1.0 - lit(v_point)) * floor_grid.w);
}
