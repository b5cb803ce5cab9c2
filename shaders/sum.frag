#version 330 core
// The sum of up to four pictures: linear light, premultiplied.
#include "lib/color.glsl"

uniform sampler2D picture_0;   // sRGB, premultiplied; read as linear light
uniform sampler2D picture_1;
uniform sampler2D picture_2;
uniform sampler2D picture_3;
uniform int pictures;          // how many there are

#ifdef FIRST
layout(location = 0) out vec4 out_average;   // sRGB, premultiplied
layout(location = 1) out vec4 out_sum;
layout(location = 2) out float out_differ;
const float EQUAL = 8.0 / 255.0;   // difference of colours whose average is certain
#else
out vec4 out_sum;
#endif

vec4 light(sampler2D picture) {
    vec4 c = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
#ifdef TRANSLUCENT  // the premultiplied colour was decoded
    vec3 straight = min(encode_srgb(c.rgb) / max(c.a, 1e-3), vec3(1.0));
    if (c.a > 0.0 && c.a < 1.0) c.rgb = decode_srgb(straight) * c.a;
#endif
    return c;
}

// Nearly proportional to sRGB.
vec4 encoded(vec4 c) {
    return vec4(sqrt(c.rgb + 0.0015), c.a);
}

void main() {
    vec4 a = light(picture_0);
    vec4 b = pictures > 1 ? light(picture_1) : a;
    vec4 c = pictures > 2 ? light(picture_2) : a;
    vec4 d = pictures > 3 ? light(picture_3) : a;
    float count = float(pictures);
    out_sum = a + min(count - 1.0, 1.0) * b + clamp(count - 2.0, 0.0, 1.0) * c
        + clamp(count - 3.0, 0.0, 1.0) * d;
#ifdef FIRST
    vec4 range = encoded(max(max(a, b), max(c, d))) - encoded(min(min(a, b), min(c, d)));
    out_differ = max(max(range.r, range.g), max(range.b, range.a)) > EQUAL ? 1.0 : 0.0;
    out_average = premultiplied_srgb(out_sum / count);
#endif
}
