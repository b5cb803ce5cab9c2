// Image-based light: nine coefficients for diffuse irradiance, prefiltered maps for reflection.
// Computed by app/scene/environment.py, which cites the sources.

uniform sampler3D environment_levels;  // octahedral maps with a border of one texel, one slice per roughness

// Irradiance / pi of a surface with normal `n`; the constants are in the coefficients.
vec3 diffuse_environment(vec3 n) {
    vec3 light = irradiance[0].rgb
        + irradiance[1].rgb * n.y + irradiance[2].rgb * n.z + irradiance[3].rgb * n.x
        + irradiance[4].rgb * (n.x * n.y) + irradiance[5].rgb * (n.y * n.z)
        + irradiance[7].rgb * (n.x * n.z) + irradiance[6].rgb * (n.z * n.z)
        + irradiance[8].rgb * (n.x * n.x - n.y * n.y);
    return max(light, vec3(0.0));
}

vec2 octahedral_uv(vec3 d) {
    d /= abs(d.x) + abs(d.y) + abs(d.z);
    vec2 upper = d.xz;
    vec2 lower = (1.0 - abs(d.zx)) * vec2(d.x < 0.0 ? -1.0 : 1.0, d.z < 0.0 ? -1.0 : 1.0);
    return d.y < 0.0 ? lower : upper;
}

// Prefiltered light from a direction for a roughness.
vec3 glossy_environment(vec3 d, float roughness) {
    vec2 turn = vec2(irradiance[3].w, irradiance[4].w);
    vec3 direction = vec3(turn.x * d.x - turn.y * d.z, d.y, turn.y * d.x + turn.x * d.z);
    vec2 uv = octahedral_uv(direction) * irradiance[0].w + 0.5;
    float level = clamp(roughness, 0.0, 1.0) * irradiance[1].w + irradiance[2].w;
    return texture(environment_levels, vec3(uv, level)).rgb;
}

// The light that a surface reflects to the camera. The lobe of a rough surface is shifted from the
// reflection vector towards the normal, as grazing light is mostly masked.
vec3 reflected_environment(vec3 view, vec3 normal, float roughness) {
    float lean = roughness * roughness;
    return glossy_environment(mix(reflect(-view, normal), normal, lean * lean), roughness);
}
