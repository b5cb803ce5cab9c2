#version 330 core
// The background as a strip of BANDS bands from the top of the picture to the bottom, or in tiles.
#ifdef TILED
#include "lib/tile.glsl"
#endif

uniform vec4 gradient_colours[3];   // sRGB, premultiplied
uniform float gradient_smooth;      // 1: without an edge in the middle

out vec4 v_color;

void main() {
#ifdef TILED
    gl_Position = tile_position();
    float at = 1.0 - gl_Position.y;
#else
    float at = float(gl_VertexID / 2) * 2.0 / float(BANDS);
    gl_Position = vec4(gl_VertexID % 2 == 0 ? -1.0 : 1.0, 1.0 - at, 1.0, 1.0);
#endif
    float k = step(1.0, at), part = at - k;
    part = mix(part, smoothstep(0.0, 1.0, part), gradient_smooth);
    v_color = k < 0.5 ? mix(gradient_colours[0], gradient_colours[1], part)
        : mix(gradient_colours[1], gradient_colours[2], part);
}
