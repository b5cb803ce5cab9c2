// Image-based light: nine coefficients for diffuse irradiance, prefiltered maps for reflection.
// Computed by app/scene/environment.py, which cites the sources.

uniform sampler3D environment_levels;  // octahedral maps with a border of one texel, one slice per roughness

#ifdef GREY_ENVIRONMENT
#define ENVIRONMENT_LIGHT float
#define CHANNELS r
#define IRRADIANCE(k) irradiance[(k) / 4][(k) % 4]
#define MAP_SCALE irradiance[2].y
#define LEVELS irradiance[2].zw
#define TURN irradiance[3].xy
#else
#define ENVIRONMENT_LIGHT vec3
#define CHANNELS rgb
#define IRRADIANCE(k) irradiance[k].rgb
#define MAP_SCALE irradiance[0].w
#define LEVELS vec2(irradiance[1].w, irradiance[2].w)
#define TURN vec2(irradiance[3].w, irradiance[4].w)
#endif

// Irradiance / pi of a surface with normal `n`; the constants are in the coefficients.
ENVIRONMENT_LIGHT diffuse_environment(vec3 n) {
    ENVIRONMENT_LIGHT last = IRRADIANCE(8);
    ENVIRONMENT_LIGHT light = IRRADIANCE(0)
        + n.y * (IRRADIANCE(1) + IRRADIANCE(4) * n.x + IRRADIANCE(5) * n.z - last * n.y)
        + n.z * (IRRADIANCE(2) + IRRADIANCE(7) * n.x + IRRADIANCE(6) * n.z)
        + n.x * (IRRADIANCE(3) + last * n.x);
    return max(light, ENVIRONMENT_LIGHT(0.0));
}

vec2 octahedral_uv(vec3 d) {
    d /= abs(d.x) + abs(d.y) + abs(d.z);
    vec2 upper = d.xz;
    vec2 lower = (1.0 - abs(d.zx)) * vec2(d.x < 0.0 ? -1.0 : 1.0, d.z < 0.0 ? -1.0 : 1.0);
    return d.y < 0.0 ? lower : upper;
}

// Prefiltered light from a direction for a roughness.
ENVIRONMENT_LIGHT glossy_environment(vec3 d, float roughness) {
    vec2 turn = TURN, levels = LEVELS;
    vec3 direction = vec3(turn.x * d.x - turn.y * d.z, d.y, turn.y * d.x + turn.x * d.z);
    vec2 uv = octahedral_uv(direction) * MAP_SCALE + 0.5;
    float level = clamp(roughness, 0.0, 1.0) * levels.x + levels.y;
    return texture(environment_levels, vec3(uv, level)).CHANNELS;
}

// The light that a surface reflects to the camera. The lobe of a rough surface is shifted from the
// reflection vector towards the normal, as grazing light is mostly masked.
ENVIRONMENT_LIGHT reflected_environment(vec3 view, vec3 normal, float roughness) {
    float lean = roughness * roughness;
    return glossy_environment(mix(reflect(-view, normal), normal, lean * lean), roughness);
}
