// Shading with extensions: KHR_materials_ior, _specular, _clearcoat, _sheen, _transmission,
// _volume, _diffuse_transmission, _anisotropy, _iridescence.
#ifdef MATERIAL_EXTENSIONS

float largest(vec3 c) {
    return max(c.r, max(c.g, c.b));
}

// The half vector of two unit vectors; finite for opposite ones.
vec3 halfway(vec3 to_light, vec3 view) {
    vec3 h = to_light + view;
    return h * inversesqrt(max(dot(h, h), 1e-12));
}

// Schlick's Fresnel weight of grazing angles.
float schlick_weight(float cosine) {
    float away = 1.0 - cosine, away2 = away * away;
    return away2 * away2 * away;
}

// Energy lost by single scattering, relative to the reflected energy (Turquin 2019).
float multiple_scattering(vec2 term) {
    return 1.0 / (term.x + term.y) - 1.0;
}

#ifdef SHEEN
// Sheen (Conty Estevez and Kulla, "Production Friendly Microfacet Sheen BRDF", 2017).
float sheen_masking(float x, float alpha) {
    float t = (1.0 - alpha) * (1.0 - alpha);
    float a = mix(21.5473, 25.3245, t), b = mix(3.82987, 3.32435, t), c = mix(0.19823, 0.16801, t);
    float d = mix(-1.97760, -1.27393, t), e = mix(-4.32054, -4.85967, t);
    return a / (1.0 + b * pow(x, c)) + d * x + e;
}

float sheen_shadow(float cosine, float alpha) {
    if (cosine < 0.5) return exp(sheen_masking(cosine, alpha));
    return exp(2.0 * sheen_masking(0.5, alpha) - sheen_masking(1.0 - cosine, alpha));
}

float sheen_lobe(float roughness, float nl, float nv, float nh) {
    float alpha = roughness * roughness;
    float spread = (2.0 + 1.0 / alpha) * pow(max(1.0 - nh * nh, 0.0), 0.5 / alpha) / (2.0 * PI);
    nl = max(nl, 1e-3);
    return spread / ((1.0 + sheen_shadow(nv, alpha) + sheen_shadow(nl, alpha)) * 4.0 * nv * nl);
}

// Directional albedo of sheen: fitted to the integral of sheen_lobe, within 0.02.
float sheen_albedo(float roughness, float cosine) {
    vec4 k = vec4(-1.3671, -10.689, 10.3088, 3.8341)
        + roughness * (vec4(0.6001, 36.998, -30.7908, -10.9482)
        + roughness * (vec4(1.6835, -49.2077, 36.8841, 15.0275)
        + roughness * vec4(-1.2365, 21.8289, -15.6443, -6.8924)))
        + vec4(0.3926, 0.3105, -1.8099, -1.1706) / (roughness + 0.05);
    return min(exp(dot(k, vec4(1.0, cosine, sqrt(cosine), cosine * cosine))), 1.0);
}
#endif

#ifdef IRIDESCENCE
#define METAL_F0 s.metal_f0
#define METAL_F90 s.metal_f90
#include "lib/thin_film.glsl"
#else
#define METAL_F0 s.albedo
#define METAL_F90 vec3(1.0)
#endif

#ifdef ANISOTROPY
// GGX stretched along a direction, with its height-correlated Smith visibility term (Heitz 2014).
float stretched_lobe(Surface s, vec3 view, vec3 to_light, vec3 h, float nl, float nv, float nh) {
    float small = max(s.roughness * s.roughness, 2e-3);
    float large = mix(small, 1.0, s.anisotropy * s.anisotropy), area = small * large;
    mat2x3 axes = mat2x3(s.along * large, s.across * small);
    vec3 slope = vec3(dot(s.along, h) * small, dot(s.across, h) * large, nh * area);
    float spread = area / dot(slope, slope);
    float masked = nl * length(vec3(view * axes, nv)) + nv * length(vec3(to_light * axes, nl));
    return area * spread * spread * 0.5 / (PI * max(masked, 1e-5));
}

// The normal of the reflected environment: bent into the plane of the view vector and the direction
// across the highlight, more if it is stretched and smooth.
vec3 reflecting_normal(Surface s, vec3 view) {
    vec3 bent = cross(cross(s.across, view), s.across);
    float straight = 1.0 - s.anisotropy * (1.0 - s.roughness);
    straight *= straight;
    return normalize(mix(bent, s.normal, straight * straight));
}
#define SPECULAR_LOBE(nl, nv, nh) stretched_lobe(s, view, to_light, h, nl, nv, nh)
#define REFLECTING_NORMAL reflecting_normal(s, view)
#else
#define SPECULAR_LOBE(nl, nv, nh) specular_lobe(max(s.roughness * s.roughness, 2e-3), nl, nv, nh, 1.0)
#define REFLECTING_NORMAL s.normal
#endif

// Share of the refracted light that is scattered diffusely: not absorbed by metal or transmitted.
float diffuse_share(Surface s) {
#ifdef TRANSMISSION
    return 1.0 - s.metallic - s.transmission;
#else
    return 1.0 - s.metallic;
#endif
}

// Reflected light of one light source, including the cosine of each lobe.
vec3 direct_light(Surface s, vec3 view, vec3 to_light, vec3 head_on, vec3 grazed, float nl, float nv) {
    vec3 h = halfway(to_light, view);
    float nh = clamp(dot(s.normal, h), 0.0, 1.0);
    float w = schlick_weight(clamp(dot(view, h), 0.0, 1.0));
    vec3 mirrored = mix(s.f0, s.f90, w);
    float diffuse = diffuse_share(s) * (1.0 - largest(mirrored)) / PI;
    vec3 entered = s.albedo * diffuse;
#ifdef DIFFUSE_TRANSMISSION
    entered *= 1.0 - s.scattering;
#endif
    float again = multiple_scattering(environment_term(s.roughness, nv));
    vec3 fresnel = mix(mirrored * (1.0 + s.f0 * again),
        mix(METAL_F0, METAL_F90, w) * (1.0 + METAL_F0 * again), s.metallic);
    vec3 light = (entered + fresnel * SPECULAR_LOBE(nl, nv, nh)) * nl;
#ifdef DIFFUSE_TRANSMISSION
    light += s.scattered * (diffuse * clamp(-dot(s.normal, to_light), 0.0, 1.0));
#endif
#ifdef TRANSMISSION
    float back_cosine = clamp(-dot(s.normal, to_light), 0.0, 1.0);  // refracted by microfacets of both sides
    vec3 th = normalize(view + to_light + 2.0 * back_cosine * s.normal);
    float t2 = max(pow(s.roughness * material_refraction_blur, 4.0), 4e-6);
    float tn = clamp(dot(s.normal, th), 0.0, 1.0);
    float td = tn * tn * (t2 - 1.0) + 1.0;
    float through = t2 / (PI * td * td * (back_cosine + sqrt(t2 + (1.0 - t2) * back_cosine * back_cosine))
        * (nv + sqrt(t2 + (1.0 - t2) * nv * nv)));
    vec3 kept = mix(s.f0, s.f90, schlick_weight(clamp(dot(view, th), 0.0, 1.0)));
    vec3 transmitted = s.albedo * (s.transmission * (1.0 - largest(kept)) * through * back_cosine);
#ifdef THICK
    transmitted *= s.absorbed;
#endif
    light += transmitted;
#endif
#ifdef SHEEN
    float taken = max(sheen_albedo(s.sheen_roughness, nv), sheen_albedo(s.sheen_roughness, nl));
    light *= 1.0 - largest(s.sheen) * taken;
    light += s.sheen * (sheen_lobe(s.sheen_roughness, nl, nv, nh) * nl);
#endif
#ifdef CLEARCOAT
    float cl = clamp(dot(s.coat_normal, to_light), 0.0, 1.0);
    float cv = clamp(dot(s.coat_normal, view), 1e-3, 1.0);
    float ch = clamp(dot(s.coat_normal, h), 0.0, 1.0);
    float ca = max(s.coat_roughness * s.coat_roughness, 2e-3);
    float coat = specular_lobe(ca, cl, cv, ch, 1.0) * cl;
    coat *= 1.0 + multiple_scattering(environment_term(s.coat_roughness, cv));
    light = mix(light, vec3(coat), s.coat);
#endif
    return light;
}

// Reflected shares of environment light: single and multiple scattering (see indirect_light).
void reflected_share(vec3 f0, vec3 f90, vec2 term, out vec3 once, out vec3 several) {
    once = f0 * term.x + f90 * term.y;
    float lost = 1.0 - (term.x + term.y);
    vec3 mean = f0 + (f90 - f0) / 21.0;
    several = once * mean / (1.0 - lost * mean) * lost;
}

vec3 indirect_light(Surface s, vec3 view, vec2 term) {
    vec3 once, several, metal_once, metal_several;
    reflected_share(s.f0, s.f90, term, once, several);
    reflected_share(METAL_F0, METAL_F90, term, metal_once, metal_several);
    float diffuse = diffuse_share(s) * (1.0 - largest(once + several));
    vec3 entered = s.albedo * diffuse;
#ifdef DIFFUSE_TRANSMISSION
    entered *= 1.0 - s.scattering;
#endif
    ENVIRONMENT_LIGHT around = diffuse_environment(s.normal);
    vec3 light = reflected_environment(view, REFLECTING_NORMAL, s.roughness)
        * mix(once, metal_once, s.metallic);
    light += around * (mix(several, metal_several, s.metallic) + entered);
#ifdef DIFFUSE_TRANSMISSION
    light += diffuse_environment(-s.normal) * (s.scattered * diffuse);
#endif
#ifdef SHEEN
    float share = sheen_albedo(s.sheen_roughness, clamp(dot(s.normal, view), 1e-3, 1.0));
    light = light * (1.0 - largest(s.sheen) * share) + around * s.sheen * share;
#endif
#ifdef CLEARCOAT
    vec3 coat = vec3(reflected_environment(view, s.coat_normal, s.coat_roughness));
    light = mix(light, coat, s.coat);
#endif
    return light;
}

#ifdef THICK
// The direction of the view vector's ray within the volume, unit; where a normal map faces away
// from the camera, as at a grazing angle.
vec3 refracted(vec3 view, vec3 normal, float inverse_ior) {
    normal = normalize(normal + view * max(1e-3 - dot(normal, view), 0.0));
    return refract(-view, normal, inverse_ior);
}
#endif

#ifdef TRANSMISSION
// The transmitted share of the background.
vec3 transmittance(Surface s, vec3 view) {
    float nv = clamp(dot(s.normal, view), 1e-3, 1.0);
    vec3 once, several;
    reflected_share(s.f0, s.f90, environment_term(s.roughness, nv), once, several);
    vec3 share = s.albedo * (s.transmission * (1.0 - largest(once + several)));
#ifdef SHEEN
    share *= 1.0 - largest(s.sheen) * sheen_albedo(s.sheen_roughness, nv);
#endif
#ifdef CLEARCOAT
    share *= 1.0 - s.coat;
#endif
#ifdef THICK
    share *= s.absorbed;
#endif
    return share;
}
#endif
#endif
