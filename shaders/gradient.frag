#version 330 core
// The background: colours from the top to the bottom of the picture; premultiplied alpha.
#include "lib/frame.glsl"

uniform vec4 gradient_colours[3];   // sRGB, premultiplied
uniform float gradient_smooth;      // 1: without an edge in the middle

out vec4 out_color;

void main() {
    float at = 2.0 - 2.0 * gl_FragCoord.y / picture.y, k = step(1.0, at), part = at - k;
    part = mix(part, smoothstep(0.0, 1.0, part), gradient_smooth);
    out_color = k < 0.5 ? mix(gradient_colours[0], gradient_colours[1], part)
        : mix(gradient_colours[1], gradient_colours[2], part);
}
