#version 330 core
// The mean of two pictures, and whether all samples are wanted: where they differ, or bend from one
// pixel to the next. Lines of the grid bend, but are smooth by themselves: they differ nowhere.
uniform sampler2D picture_0;   // sRGB, premultiplied
uniform sampler2D picture_1;

layout(location = 0) out vec4 out_mean;
layout(location = 1) out float out_wanted;   // 1: certainly, 0.5: if samples differ, 0: not

const float EQUAL = 8.0 / 255.0;     // difference of colours whose mean is certain
const float STRONG = 32.0 / 255.0;   // more than that of most grid lines

float largest(vec4 c) {
    return max(max(c.r, c.g), max(c.b, c.a));
}

vec4 both(ivec2 at, inout vec4 differ) {
    at = clamp(at, ivec2(0), textureSize(picture_0, 0) - 1);
    vec4 a = texelFetch(picture_0, at, 0), b = texelFetch(picture_1, at, 0);
    differ = max(differ, abs(a - b));
    return a + b;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 here = vec4(0.0);
    vec4 sum = both(at, here), beside = here;
    vec4 across = both(at - ivec2(1, 0), beside) + both(at + ivec2(1, 0), beside) - 2.0 * sum;
    vec4 up = both(at - ivec2(0, 1), beside) + both(at + ivec2(0, 1), beside) - 2.0 * sum;
    float bend = 0.5 * largest(max(abs(across), abs(up)));
    float change = max(largest(here), bend);
    bool moves = bend > STRONG || largest(beside) > 2.5 / 255.0;
    out_mean = 0.5 * sum;
    out_wanted = change > EQUAL && moves ? (change > STRONG ? 1.0 : 0.5) : 0.0;
}
