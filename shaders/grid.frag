#version 330 core
// Lines of the ground grid, one pixel wide at any distance, fading outwards; premultiplied alpha.
#include "lib/frame.glsl"

uniform vec2 grid_center;
uniform vec2 grid_colors;   // grey of the lines, greatest alpha

in vec2 v_place;

out vec4 out_color;

float lines(vec2 at, float cell) {
    vec2 cells = at / cell;
    vec2 width = max(fwidth(cells), 1e-6);
    vec2 near = abs(fract(cells - 0.5) - 0.5) / width;
    float far = 1.0 - smoothstep(0.1, 0.4, max(width.x, width.y));
    return clamp(1.2 - min(near.x, near.y), 0.0, 1.0) * far;
}

float axis(float at) {
    return clamp(1.5 - abs(at) / max(fwidth(at), 1e-9), 0.0, 1.0);
}

void main() {
    vec2 world = v_place + grid_center;
    float fade = 1.0 - smoothstep(0.25, 1.0, length(v_place) / floor_grid.z);
    float cover = lines(world, floor_grid.y) * 0.8;
    cover = max(cover, lines(world, floor_grid.y * 0.2) * 0.22);
    vec3 color = vec3(grid_colors.x);
    float x_axis = axis(world.y), z_axis = axis(world.x);
    color = mix(color, vec3(0.85, 0.30, 0.32), x_axis);
    color = mix(color, vec3(0.30, 0.50, 0.90), z_axis * (1.0 - x_axis));
    cover = max(cover, max(x_axis, z_axis) * 0.9);
    float alpha = cover * fade * grid_colors.y;
    if (alpha < 0.002) discard;
    out_color = vec4(color, 1.0) * alpha;
}
