#version 330 core
// The average of all samples of the pixels where they are wanted: sRGB, premultiplied.
#include "lib/color.glsl"

uniform sampler2D wanted;
uniform sampler2D sums;   // of linear light, premultiplied
uniform float samples;

out vec4 out_color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    if (texelFetch(wanted, at, 0).r == 0.0) discard;
    out_color = premultiplied_srgb(texelFetch(sums, at, 0) / samples);
}
