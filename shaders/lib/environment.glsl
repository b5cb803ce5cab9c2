// Light from all around: nine coefficients for diffuse surfaces, blurred pictures for glossy ones.
// Prepared by app/environment.py, which tells the sources.

uniform sampler3D environment_levels;  // octahedral, a border of one texel; a slice a roughness

// Irradiance over pi at a surface that faces `n`.
vec3 diffuse_environment(vec3 n) {
    vec3 light = irradiance[0].rgb * 0.282095
        + 0.488603 * (irradiance[1].rgb * n.y + irradiance[2].rgb * n.z + irradiance[3].rgb * n.x)
        + 1.092548 * (irradiance[4].rgb * (n.x * n.y) + irradiance[5].rgb * (n.y * n.z)
                      + irradiance[7].rgb * (n.x * n.z))
        + irradiance[6].rgb * (0.315392 * (3.0 * n.z * n.z - 1.0))
        + irradiance[8].rgb * (0.546274 * (n.x * n.x - n.y * n.y));
    return max(light, vec3(0.0));
}

vec2 octahedral_place(vec3 d) {
    d /= abs(d.x) + abs(d.y) + abs(d.z);
    vec2 upper = d.xz;
    vec2 lower = (1.0 - abs(d.zx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(d.xz, vec2(0.0)));
    return d.y < 0.0 ? lower : upper;
}

// What a surface of some roughness mirrors from a direction.
vec3 glossy_environment(vec3 direction, float roughness) {
    vec3 size = vec3(textureSize(environment_levels, 0));
    vec2 place = octahedral_place(direction) * 0.5 + 0.5;
    float level = clamp(roughness, 0.0, 1.0) * (size.z - 1.0);
    return texture(environment_levels, (vec3(place * (size.xy - 2.0), level) + vec3(1.0, 1.0, 0.5))
                   / size).rgb;
}
