// Light from all around: nine coefficients for diffuse surfaces, blurred pictures for glossy ones.
// Prepared by app/scene/environment.py, which tells the sources.

uniform sampler3D environment_levels;  // octahedral, a border of one texel; a slice a roughness

// Irradiance over pi at a surface that faces `n`; the constants are in the coefficients.
vec3 diffuse_environment(vec3 n) {
    vec3 light = irradiance[0].rgb
        + irradiance[1].rgb * n.y + irradiance[2].rgb * n.z + irradiance[3].rgb * n.x
        + irradiance[4].rgb * (n.x * n.y) + irradiance[5].rgb * (n.y * n.z)
        + irradiance[7].rgb * (n.x * n.z) + irradiance[6].rgb * (n.z * n.z)
        + irradiance[8].rgb * (n.x * n.x - n.y * n.y);
    return max(light, vec3(0.0));
}

vec2 octahedral_place(vec3 d) {
    d /= abs(d.x) + abs(d.y) + abs(d.z);
    vec2 upper = d.xz;
    vec2 lower = (1.0 - abs(d.zx)) * vec2(d.x < 0.0 ? -1.0 : 1.0, d.z < 0.0 ? -1.0 : 1.0);
    return d.y < 0.0 ? lower : upper;
}

// What a surface of some roughness mirrors from a direction.
vec3 glossy_environment(vec3 direction, float roughness) {
    vec2 place = octahedral_place(direction) * irradiance[0].w + 0.5;
    float level = clamp(roughness, 0.0, 1.0) * irradiance[1].w + irradiance[2].w;
    return texture(environment_levels, vec3(place, level)).rgb;
}

// The same as a surface of a normal mirrors it to the eye. The lobe of a rough one leans from where
// a mirror would look towards the normal, since what comes flat along it hardly reaches the eye.
vec3 mirrored_environment(vec3 view, vec3 normal, float roughness) {
    float lean = roughness * roughness;
    return glossy_environment(mix(reflect(-view, normal), normal, lean * lean), roughness);
}
