#version 330 core
// A square of the floor, as wide as the grid is visible.
#include "lib/frame.glsl"

uniform vec2 grid_center;   // x, z: world space

out vec2 v_place;           // x, z from the centre

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_place = corner * floor_grid.z;
    vec2 at = v_place + grid_center;
    gl_Position = view_projection * vec4(at.x, floor_grid.x, at.y, 1.0);
}
