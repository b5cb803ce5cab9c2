// Lookup of the shadow map of the first light.
uniform sampler2DShadow shadow_map;

// Visibility of the first light at shadow map coordinates, 0 to 1. Three samples in a triangle; if
// they differ, two more rotated and smaller triangles, which count the more the first ones differ:
// there is no step where these begin to agree. Outside of the map nothing is in shadow, as its
// border is empty; depths beyond its range are clamped by OpenGL.
float shadow_map_visibility(vec3 at, float rounds) {
    vec2 offset = vec2(0.8013, 0.3388), soft = shadow_parameters.yz;
    float sum = 0.0, count = 0.0, first = 0.0;
    for (float k = 0.0; k < rounds; k += 1.0) {  // not unrolled: stops early
        vec2 back = at.xy - 0.5 * offset * soft, side = vec2(-offset.y, offset.x) * 0.8660254 * soft;
        sum += textureLod(shadow_map, vec3(at.xy + offset * soft, at.z), 0.0);
        sum += textureLod(shadow_map, vec3(back + side, at.z), 0.0);
        sum += textureLod(shadow_map, vec3(back - side, at.z), 0.0);
        count += 3.0;
        first = k > 0.0 ? first : sum;
        if (sum <= 0.0 || sum >= count) break;
        offset = vec2(offset.x * 0.521 - offset.y * 0.437, offset.x * 0.437 + offset.y * 0.521);  // rotated by 40 degrees
    }
    return mix(first / 3.0, sum / max(count, 1.0), min(min(first, 3.0 - first), 1.0));
}
