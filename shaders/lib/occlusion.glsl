// Ambient occlusion at half the resolution, read at the depth of the surface.
#ifdef OCCLUSION
#if defined(ALPHA_BLEND) && !defined(OPAQUE_PART)
#define occlusion_map occlusion_map_blended
#endif
uniform sampler2D occlusion_map;   // visibility of the environment, distance in metres

// The visibility of the environment at a point of world space, 0 to 1.
float ambient_visibility(vec3 point) {
    ivec2 size = textureSize(occlusion_map, 0);
    vec2 pixel = gl_FragCoord.xy - vec2(sample_shift.w, 0.0);
    vec2 at = pixel / picture.xy * vec2(size) - 0.5, part = fract(at);
    float away = dot(eye.xyz - point, back.xyz);
    float sum = 0.0, weights = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 corner = ivec2(k & 1, k >> 1);
        vec2 found = texelFetch(occlusion_map, clamp(ivec2(floor(at)) + corner, ivec2(0), size - 1), 0).xy;
        vec2 share = mix(1.0 - part, part, vec2(corner));
        float weight = (share.x * share.y + 1e-3) / (sample_shift.z + abs(found.y - away));
        sum += found.x * weight;
        weights += weight;
    }
    return sum / weights;
}
#endif
