// Exposure, tone mapping, sRGB encoding, and the colour map of weights.
#ifndef COLOR
#define COLOR

// Within 4e-5; the power is a polynomial in the fourth root.
vec3 encode_srgb(vec3 linear_rgb) {
    vec3 c = clamp(linear_rgb, 0.0, 1.0);
    vec3 half_root = sqrt(max(c, 0.0031308)), root = sqrt(half_root);
    vec3 high = half_root * (1.12268714 + 0.08133227 * half_root) - 0.06461123
        + root * (0.19613369 - 0.33550748 * half_root);
    return min(c * 12.92, high);
}

// The inverse of encode_srgb.
vec3 decode_srgb(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

// A premultiplied linear colour in sRGB, premultiplied.
vec4 premultiplied_srgb(vec4 c) {
    return vec4(encode_srgb(c.rgb / max(c.a, 1e-6)) * c.a, c.a);
}

// Khronos PBR Neutral tone mapper: keeps base colours, compresses highlights.
vec3 tone_map_neutral(vec3 c) {
    const float start = 0.8 - 0.04;
    const float desaturation = 0.15;
    float least = min(c.r, min(c.g, c.b));
    c -= least < 0.08 ? least - 6.25 * least * least : 0.04;
    float peak = max(c.r, max(c.g, c.b));
    if (peak < start) return c;
    float room = 1.0 - start;
    float new_peak = 1.0 - room * room / (peak + room - start);
    float grey = 1.0 - 1.0 / (desaturation * (peak - new_peak) + 1.0);
    return mix(c * (new_peak / peak), vec3(new_peak), grey);
}

// Fit of the ACES reference rendering and output transforms (Hill 2017), which desaturates
// bright colours; exposure is multiplied by 1 / 0.6, as in other glTF viewers.
vec3 tone_map_aces(vec3 c) {
    const mat3 enter = mat3(0.59719, 0.07600, 0.02840,  // columns
                            0.35458, 0.90834, 0.13383,
                            0.04823, 0.01566, 0.83777);
    const mat3 leave = mat3(1.60475, -0.10208, -0.00327,
                            -0.53108, 1.10813, -0.07276,
                            -0.07367, -0.00605, 1.07602);
    c = enter * (c / 0.6);
    c = (c * (c + 0.0245786) - 0.000090537) / (c * (0.983729 * c + 0.4329510) + 0.238081);
    return leave * c;
}

// A lit colour as it is stored: sRGB, or in a LINEAR picture the light, at most the largest half float.
vec3 stored(vec3 linear_rgb) {
#ifdef LINEAR
    return min(linear_rgb, 65504.0);
#else
    return encode_srgb(linear_rgb);
#endif
}

// TONE: 0 none, 1 neutral, 2 ACES, 3 linear.
#ifndef TONE
#define TONE 1
#endif
vec3 tone_map(vec3 c, float exposure) {
#ifdef LINEAR
    return c * exposure;
#elif TONE == 0
    return c;
#elif TONE == 1
    return tone_map_neutral(c * exposure);
#elif TONE == 2
    return tone_map_aces(c * exposure);
#else
    return c * exposure;
#endif
}

// Viridis (van der Walt and Smith, CC0) at nine stops; perceptually uniform.
vec3 viridis(float x) {
    const vec3 stops[9] = vec3[9](
        vec3(0.267, 0.005, 0.329), vec3(0.278, 0.173, 0.478), vec3(0.231, 0.318, 0.545),
        vec3(0.173, 0.443, 0.557), vec3(0.129, 0.565, 0.553), vec3(0.153, 0.678, 0.506),
        vec3(0.361, 0.784, 0.388), vec3(0.667, 0.863, 0.196), vec3(0.993, 0.906, 0.144));
    float at = clamp(x, 0.0, 1.0) * 8.0;
    int k = min(int(at), 7);
    return mix(stops[k], stops[k + 1], at - float(k));
}
#endif
