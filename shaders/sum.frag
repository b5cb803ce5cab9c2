#version 330 core
// The sum of the samples of each pixel in a picture: linear light, premultiplied.
#include "lib/color.glsl"

uniform sampler2D picture;   // sRGB, premultiplied; read as linear light
uniform int zoom;            // samples of a pixel along each edge
#ifdef FIRST                 // of the first picture also the average, and where more are wanted
uniform sampler2D wanted;

layout(location = 0) out vec4 out_sum;
layout(location = 1) out vec4 out_average;   // sRGB, premultiplied
layout(location = 2) out float out_wanted;

const float EQUAL = 8.0 / 255.0;   // difference of colours whose average is certain
#else
out vec4 out_sum;
#endif

// Nearly proportional to sRGB.
vec4 encoded(vec4 c) {
    return vec4(sqrt(c.rgb + 0.0015), c.a);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
#ifdef FIRST
    float before = texelFetch(wanted, at, 0).r;
    if (before == 0.0) discard;
#endif
    vec4 least = vec4(1.0), most = vec4(0.0);
    out_sum = vec4(0.0);
    for (int k = 0; k < zoom * zoom; k++) {
        vec4 c = texelFetch(picture, at * zoom + ivec2(k % zoom, k / zoom), 0);
#ifdef TRANSLUCENT  // the premultiplied colour was decoded
        vec3 straight = min(encode_srgb(c.rgb) / max(c.a, 1e-3), vec3(1.0));
        if (c.a > 0.0 && c.a < 1.0) c.rgb = decode_srgb(straight) * c.a;
#endif
        out_sum += c;
        least = min(least, c);
        most = max(most, c);
    }
#ifdef FIRST
    vec4 range = encoded(most) - encoded(least);
    bool differ = max(max(range.r, range.g), max(range.b, range.a)) > EQUAL;
    out_wanted = zoom == 1 || differ || before > 0.75 ? 1.0 : 0.0;
    out_average = premultiplied_srgb(out_sum / float(zoom * zoom));
#endif
}
