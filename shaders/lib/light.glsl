// Metallic-roughness shading (glTF 2.0, appendix B): punctual lights and image-based light.

const float PI = 3.14159265;

struct Surface {
    vec3 albedo;       // linear
    float metallic;
    float roughness;   // perceptual
    float occlusion;   // 1: unoccluded
    vec3 normal;       // world space, unit
    vec3 face;         // the same without the normal map, for shadow lookup
#ifdef MATERIAL_EXTENSIONS
    vec3 f0;           // dielectric reflectance at normal incidence
    vec3 f90;          // and at grazing angles
#endif
#ifdef IRIDESCENCE
    vec3 metal_f0;     // the same of metal
    vec3 metal_f90;
#endif
#ifdef ANISOTROPY
    vec3 along;        // of the stretched highlight: world space, unit
    vec3 across;       // perpendicular to it and to the normal
    float anisotropy;
#endif
#ifdef CLEARCOAT
    float coat;        // its Fresnel-weighted strength
    float coat_roughness;
    vec3 coat_normal;  // world space, unit
#endif
#ifdef SHEEN
    vec3 sheen;        // linear
    float sheen_roughness;
#endif
#ifdef TRANSMISSION
    float transmission;  // transmitted share of the refracted light
#endif
#ifdef DIFFUSE_TRANSMISSION
    float scattering;  // share of the diffuse light that is scattered to the other side
    vec3 scattered;    // its colour times that share
    float depth;       // thickness along the normal, metres
#endif
#ifdef THICK
    vec3 ray;          // refracted, from the surface to the end of the volume: metres
    vec3 absorbed;     // share of the light that is left at its end
#endif
#ifdef DISPERSION
    vec3 red_ray;      // the same rays of red and blue light
    vec3 blue_ray;
#endif
};

// GGX with the height-correlated Smith visibility term: distribution and visibility. `nh` is the
// dot product with any vector halfway to the light, whose squared length is `hh`.
float specular_lobe(float alpha, float nl, float nv, float nh, float hh) {
    float a2 = alpha * alpha;
    float d = hh - min(nh * nh, hh) * (1.0 - a2);
    float masked = max(nl * sqrt(nv * nv * (1.0 - a2) + a2)
                     + nv * sqrt(nl * nl * (1.0 - a2) + a2), 1e-5);
    return a2 * 0.5 * hh * hh / (PI * d * d * masked);
}

// Scale and bias of f0 for environment light (the split-sum approximation of Karis 2013): a fit to
// the integral of the lobe above, with a mean error of 0.016.
vec2 environment_term(float roughness, float nv) {
    float r = roughness, r2 = r * r, away = 1.0 - nv, away2 = away * away;
    float cubic = 0.194 + nv * (nv * (1.554 - 0.61 * nv) - 2.039);
    float sum = 1.0 + r * (0.487 * nv - 0.286 + r * cubic);
    float bias = away2 * away2 * (4.38 * r + away * (1.0 - 4.76 * r)) / (1.0 + r2 * (8.09 + 22.98 * r2));
    return vec2(min(sum, 1.0) - bias, bias);
}

#ifdef MATERIAL_EXTENSIONS  // defined in lib/material_extensions.glsl; each lobe has its own cosine
vec3 indirect_light(Surface s, vec3 view, vec2 term);
vec3 direct_light(Surface s, vec3 view, vec3 to_light, vec3 head_on, vec3 grazed, float nl, float nv);
#define COSINE(nl) 1.0
#define LIT(nl) true
#else
#define COSINE(nl) nl
#define LIT(nl) nl > 0.0
// Image-based light with multiple scattering of microfacets (Fdez-Aguera 2019). Dielectric and
// metallic terms are computed separately, then mixed (appendix B).
vec3 indirect_light(Surface s, vec3 view, vec2 term) {
    float lost = 1.0 - (term.x + term.y);
    float once = 0.04 * term.x + term.y, mean = 0.04 + 0.96 / 21.0;
    float several = once * mean / (1.0 - lost * mean) * lost;
    vec3 metal_once = s.albedo * term.x + term.y, metal_mean = s.albedo + (1.0 - s.albedo) / 21.0;
    vec3 metal_several = metal_once * metal_mean / (1.0 - lost * metal_mean) * lost;
    vec3 entered = s.albedo * ((1.0 - s.metallic) * (1.0 - (once + several)));
    ENVIRONMENT_LIGHT around = diffuse_environment(s.normal);
    ENVIRONMENT_LIGHT mirrored = reflected_environment(view, s.normal, s.roughness);
    return mirrored * mix(vec3(once), metal_once, s.metallic)
        + around * (mix(vec3(several), metal_several, s.metallic) + entered);
}

#endif

// Offset along the normal for shadow lookup against self-shadowing, metres.
float normal_offset(float nl) {
    return shadow_parameters.w * (1.0 + 3.0 * sqrt(clamp(1.0 - nl * nl, 0.0, 1.0)));
}

#ifdef SHADOW
#ifndef COVERED   // whether the fragment is drawn: others are computed for derivatives only
#define COVERED true
#endif
// Visibility of the first light at a point of world space; 0 if it is not `lit`, without lookup.
float light_visibility(Surface s, vec3 point, vec3 to_light, float nl, bool lit) {
    mat3 axes = transpose(mat3(shadow_from_world));   // of the light
    vec3 own = (shadow_from_world * vec4(point, 1.0)).xyz;
    float rounds = lit && COVERED ? shadow_parameters.x : 0.0;
#ifdef DIFFUSE_TRANSMISSION
    if (dot(s.face, to_light) < 0.0) {  // light from behind enters at the other side of the surface
        vec3 entry = own - s.face * (s.depth + normal_offset(nl)) * axes;
        return shadow_map_visibility(entry, rounds, entry, vec3(0.0));
    }
#endif
    vec3 at = own + s.face * normal_offset(nl) * axes;
    vec3 normal = s.face * axes / vec3(dot(axes[0], axes[0]), dot(axes[1], axes[1]), dot(axes[2], axes[2]));
    vec2 slope = -normal.xy / min(normal.z, -1e-9);
    float tolerance = dot(abs(slope), shadow_parameters.yz) / 3.0 + 0.5 * shadow_parameters.w * length(axes[2]);
    return shadow_map_visibility(at, rounds, own, vec3(slope, tolerance));
}
#endif

#ifdef RIM
const float RIM_REACH = 24.0;   // of the offset against self-shadowing

// Visibility of the rim light, which has no shadow map: where ambient light comes, and, a step away
// from the surface, the first light. Inside of a closed box both are hidden.
float rim_visibility(Surface s, vec3 point, float nl) {
#ifdef SHADOW
    if (!(nl > 0.0 && COVERED)) return 0.0;
    vec4 away = vec4(point + s.face * (RIM_REACH * shadow_parameters.w), 1.0);
    return s.occlusion * textureLod(shadow_map, (shadow_from_world * away).xyz, 0.0);
#else
    return s.occlusion;
#endif
}
#endif

#ifndef MATERIAL_EXTENSIONS
// The BRDF of one light source. Specular light does not reach the diffuse layer (fresnel_mix of the
// appendix); `head_on` and `grazed` include multiple scattering (Turquin 2019).
vec3 direct_light(Surface s, vec3 view, vec3 to_light, vec3 head_on, vec3 grazed, float nl, float nv) {
    float hh = max(2.0 + 2.0 * dot(to_light, view), 1e-6);  // their sum, squared
    float nh = max(dot(s.normal, to_light) + dot(s.normal, view), 0.0);
    float alpha = max(s.roughness * s.roughness, 2e-3);
    float away = 1.0 - 0.5 * sqrt(hh), away2 = away * away, graze = away2 * away2 * away;
    return s.albedo * ((1.0 - s.metallic) * 0.96 * (1.0 - graze) / PI)
        + mix(head_on, grazed, graze) * specular_lobe(alpha, nl, nv, nh, hh);
}
#endif

#ifdef PUNCTUAL
// Attenuation of a light by distance, range and cone.
float attenuation(int k, vec3 to_light, float distance2) {
    float kind = light_color[k].w;
    if (kind < 0.5) return 1.0;
    float range_factor = 1.0;
    if (light_position[k].w > 0.0) {
        float x = distance2 * light_position[k].w * light_position[k].w;
        range_factor = clamp(1.0 - x * x, 0.0, 1.0);
    }
    float cone = 1.0;
    if (kind > 1.5) {
        cone = clamp(dot(light_backward[k].xyz, to_light) * light_cone[k].x + light_cone[k].y, 0.0, 1.0);
        cone *= cone;
    }
    return range_factor * cone / max(distance2, 1e-8);
}

#endif

vec3 shade(Surface s, vec3 point, vec3 view) {
    float nv = clamp(dot(s.normal, view), 1e-3, 1.0);
    vec2 term = environment_term(s.roughness, nv);
    float again = 1.0 / (term.x + term.y) - 1.0;
    vec3 head_on = mix(vec3(0.04 * (1.0 + 0.04 * again)), s.albedo * (1.0 + s.albedo * again), s.metallic);
    vec3 grazed = 1.0 + again * mix(vec3(0.04), s.albedo, s.metallic);
#ifdef PUNCTUAL
    vec3 direct = vec3(0.0);
    for (int k = 0; k < PUNCTUAL; k++) {
        vec3 away = light_position[k].xyz - point;
        float distance2 = dot(away, away);
        vec3 to_light = light_color[k].w < 0.5 ? light_backward[k].xyz : away * inversesqrt(max(distance2, 1e-12));
        float nl = clamp(dot(s.normal, to_light), 0.0, 1.0);
        float received = COSINE(nl) * attenuation(k, to_light, distance2);
#ifdef SHADOW
        if (k == 0) received *= light_visibility(s, point, to_light, nl, LIT(nl));
#endif
        direct += direct_light(s, view, to_light, head_on, grazed, nl, nv) * light_color[k].rgb * received;
    }
#else
    vec3 to_light = light_backward[0].xyz;
    float nl = clamp(dot(s.normal, to_light), 0.0, 1.0);
    vec3 direct = direct_light(s, view, to_light, head_on, grazed, nl, nv) * light_color[0].rgb * COSINE(nl);
#ifdef SHADOW
    direct *= light_visibility(s, point, to_light, nl, LIT(nl));
#endif
#ifdef SUNS  // directional lights, without shadows but the first
    for (int k = 1; k < SUNS; k++) {
        to_light = light_backward[k].xyz;
        nl = clamp(dot(s.normal, to_light), 0.0, 1.0);
        vec3 light = light_color[k].rgb * COSINE(nl);
#ifdef RIM
#ifdef DIFFUSE_TRANSMISSION
        light *= rim_visibility(s, point, 1.0);
#else
        light *= rim_visibility(s, point, nl);
#endif
#endif
        direct += direct_light(s, view, to_light, head_on, grazed, nl, nv) * light;
    }
#endif
#endif
    return direct + indirect_light(s, view, term) * s.occlusion;
}
