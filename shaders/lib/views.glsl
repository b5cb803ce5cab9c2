// Colours of view modes.

vec3 direction_color(vec3 direction) {
    return direction * 0.5 + 0.5;
}

vec3 checker(vec2 uv) {
    vec2 cell = floor(uv * 8.0);
    float even = mod(cell.x + cell.y, 2.0);
    vec3 tint = vec3(fract(uv.x), fract(uv.y), 0.5);
    return mix(tint * 0.45, 0.35 + tint * 0.65, even);
}
