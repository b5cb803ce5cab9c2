// Lookup of the shadow map of the first light.
uniform sampler2DShadow shadow_map;

// How many of three samples in a triangle are lit, on a plane whose depth grows by `slope`.
float lit_samples(vec3 at, vec2 slope, vec2 offset) {
    vec2 ahead = offset * shadow_parameters.yz;
    vec2 side = vec2(-offset.y, offset.x) * 0.8660254 * shadow_parameters.yz;
    vec2 right = side - 0.5 * ahead, left = -side - 0.5 * ahead;
    return textureLod(shadow_map, at + vec3(ahead, dot(slope, ahead)), 0.0)
        + textureLod(shadow_map, at + vec3(right, dot(slope, right)), 0.0)
        + textureLod(shadow_map, at + vec3(left, dot(slope, left)), 0.0);
}

// Visibility of the first light at shadow map coordinates, 0 to 1. Three samples in a triangle; if
// they differ, two more rotated and smaller triangles, which count the more the first ones differ:
// there is no step where these begin to agree. Outside of the map nothing is in shadow, as its
// border is empty; depths beyond its range are clamped by OpenGL. Where a point is in shadow, and still
// is farther from its surface, only samples on its plane are lit: others have passed a corner, as of
// two walls. The plane goes through `own`, and its depth grows by `slope`; z: tolerance, 0: no plane.
float shadow_map_visibility(vec3 at, float rounds, vec3 own, vec3 slope) {
    vec2 offset = vec2(0.8013, 0.3388);
    vec3 plane = vec3(at.xy, own.z + dot(slope.xy, at.xy - own.xy)), aside = vec3(0.0, 0.0, slope.z);
    float sum = 0.0, count = 0.0, first = 0.0, differ = 0.0, dark = 0.0;
    for (float k = 0.0; k < rounds; k += 1.0) {  // not unrolled: stops early
        float lit = lit_samples(at, vec2(0.0), offset);
        if (k < 0.5) {
            if (lit <= 0.0 || lit >= 3.0) return lit / 3.0;
            differ = min(min(lit, 3.0 - lit), 1.0);
            float farther = slope.z > 0.0 ? textureLod(shadow_map, 2.0 * at - own, 0.0) : 1.0;
            dark = (1.0 - farther) * min(3.0 - lit, 1.0);
        }
        if (dark > 0.0) {
            float before = lit_samples(plane - aside, slope.xy, offset);
            lit = mix(lit, min(lit, before - lit_samples(plane + aside, slope.xy, offset)), dark);
        }
        first = k > 0.5 ? first : lit;
        sum += lit;
        count += 3.0;
        offset = vec2(offset.x * 0.521 - offset.y * 0.437, offset.x * 0.437 + offset.y * 0.521);  // rotated by 40 degrees
    }
    return mix(first / 3.0, sum / max(count, 1.0), differ);
}
