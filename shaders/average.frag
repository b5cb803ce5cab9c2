#version 330 core
// The average of all samples of a pixel: sRGB, premultiplied.
#include "lib/color.glsl"

uniform sampler2D first;     // sums of linear light, premultiplied: of the first samples
uniform sampler2D further;   // and of the others
uniform float samples;

out vec4 out_color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    out_color = premultiplied_srgb((texelFetch(first, at, 0) + texelFetch(further, at, 0)) / samples);
}
