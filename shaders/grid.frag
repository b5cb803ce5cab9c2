#version 330 core
// Ground grid: lines one pixel wide at any distance, fading outwards; premultiplied alpha.
#include "lib/frame.glsl"
#include "lib/target.glsl"

uniform vec2 grid_colors;   // grey value and greatest alpha of the lines

in vec2 v_disc;
in vec2 v_cells;

// Coverage of a pixel by the nearest line; `width` is the width of a pixel in cells.
float lines(vec2 cells, vec2 sharp, float width) {
    vec2 near = abs(fract(cells - 0.5) - 0.5) * sharp;
    float far = smoothstep(0.1, 0.4, width);
    float cover = clamp(1.2 - min(near.x, near.y), 0.0, 1.0);
    return cover - cover * far;
}

void main() {
    vec2 width = max(fwidth(v_cells) * back.w, 1e-6), sharp = 1.0 / width;
    float widest = max(width.x, width.y);
    float cover = max(lines(v_cells * 0.2, sharp * 5.0, widest * 0.2) * 0.8,
                      lines(v_cells, sharp, widest) * 0.22);
    vec2 axes = clamp(1.5 - abs(v_cells.yx) * sharp.yx, 0.0, 1.0);  // the x axis is at z = 0
    vec3 color = mix(vec3(grid_colors.x), vec3(0.85, 0.30, 0.32), axes.x);
    color = mix(color, vec3(0.30, 0.50, 0.90), axes.y - axes.y * axes.x);
    cover = max(cover, max(axes.x, axes.y) * 0.9);
    float fade = 1.0 - smoothstep(0.25, 1.0, length(v_disc));
    write_unlit(vec4(color, 1.0) * (cover * fade * grid_colors.y));
}
