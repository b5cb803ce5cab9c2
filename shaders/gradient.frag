#version 330 core
// A colour of the background, premultiplied alpha; opaque ones are dithered by 4 x 4 pixels.
in vec4 v_color;

#include "lib/target.glsl"

// The rank of a pixel among 2 x 2.
int rank(ivec2 at) {
    return ((at.x ^ at.y) & 1) * 2 + (at.y & 1);
}

void main() {
    vec4 color = v_color;
#ifndef LINEAR
    ivec2 at = ivec2(gl_FragCoord.xy);
    float step = (float(rank(at) * 4 + rank(at >> 1)) - 7.5) / (16.0 * 255.0);
    if (color.a >= 1.0) color.rgb += step;
#endif
    write_unlit(color);
}
