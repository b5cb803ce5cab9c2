// Bicubic B-spline filtering of a level by four samples (Sigg and Hadwiger, GPU Gems 2, 2005).
vec4 spline(sampler2D picture, vec2 at, int level) {
    vec2 size = vec2(textureSize(picture, level));
    vec2 x = at * size - 0.5, f = fract(x), g = 1.0 - f;
    vec2 w0 = g * g * g / 6.0, w3 = f * f * f / 6.0;
    vec2 w1 = (4.0 - 3.0 * f * f * (2.0 - f)) / 6.0;
    vec2 low = w0 + w1, high = 1.0 - low;
    vec2 base = floor(x) + 0.5;
    vec2 a = (base - 1.0 + w1 / low) / size, b = (base + 1.0 + w3 / high) / size;
    float k = float(level);
    return low.y * (low.x * textureLod(picture, a, k) + high.x * textureLod(picture, vec2(b.x, a.y), k))
        + high.y * (low.x * textureLod(picture, vec2(a.x, b.y), k) + high.x * textureLod(picture, b, k));
}
