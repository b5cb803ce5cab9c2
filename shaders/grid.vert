#version 330 core
// The disc of the visible grid: a polygon with SIDES corners.
#include "lib/frame.glsl"

uniform vec2 grid_center;   // x, z: world space

out vec2 v_disc;           // x, z from the centre, over the radius of fading
out vec2 v_cells;           // x, z in small cells

const float TURN = 6.28318531 / float(SIDES);

void main() {
    float angle = float(gl_VertexID) * TURN;
    v_disc = vec2(cos(angle), sin(angle)) / cos(TURN * 0.5);
    vec2 at = v_disc * floor_grid.z + grid_center;
    v_cells = at / (floor_grid.y * 0.2);
    gl_Position = without_shift(view_projection * vec4(at.x, floor_grid.x, at.y, 1.0));
}
