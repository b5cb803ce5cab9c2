// What is seen through transmissive surfaces, blurred by roughness, and their output colour.
#ifdef TRANSMISSION
uniform sampler2D transmitted_light;  // linear radiance, with mipmaps
uniform sampler2D transmitted_unlit;  // unlit surfaces and background, sRGB, premultiplied

// The premultiplied colour of a pixel that transmits a share of a later, unknown background. As
// compositing mixes sRGB values, it is a linear fit to the colours on black, grey and white: exact
// without own light, otherwise an approximation.
vec4 transmissive_output(vec3 light, vec3 share) {
#ifdef LINEAR
    return vec4(stored(light), 1.0 - dot(share, vec3(1.0 / 3.0)));
#else
    vec3 on_black = encode_srgb(light);
    if (largest(share) <= 0.0) return vec4(on_black, 1.0);
    vec3 on_grey = encode_srgb(light + share * 0.2140), on_white = encode_srgb(light + share);
    float slope = dot(on_white - on_black, vec3(1.0 / 3.0));
    vec3 middle = (on_black + on_grey + on_white) / 3.0;
    return vec4(clamp(middle - slope * 0.5, 0.0, 1.0 - slope), 1.0 - slope);
#endif
}

// What is transmitted at a pixel, blurred by the roughness relative to the picture's height, as its
// distance is unknown.
vec4 transmitted(sampler2D picture, vec2 pixel, float blur) {
    ivec2 size = textureSize(picture, 0);
    vec2 at = pixel / vec2(size);
    float level = blur * log2(float(size.y) / back.w);
    level += min(level, 1.0) * log2(back.w);
    int fine = int(level);
    vec4 sharp = fine == 0 ? textureLod(picture, at, 0.0) : spline(picture, at, fine);
    float more = level - float(fine);
    return more > 0.0 ? mix(sharp, spline(picture, at, fine + 1), more) : sharp;
}

// From one point of world space to another in the picture, pixels.
vec2 pixels_between(vec3 from, vec3 to) {
    vec4 a = view_projection * vec4(from, 1.0), b = view_projection * vec4(to, 1.0);
    return b.w > 0.0 ? (b.xy / b.w - a.xy / a.w) * 0.5 * picture.xy : vec2(0.0);
}
#endif
