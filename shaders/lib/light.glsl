// Metallic-roughness shading (glTF 2.0, appendix B): a key light, and light from all around.

const float PI = 3.14159265;

struct Surface {
    vec3 albedo;       // linear
    float metallic;
    float roughness;   // perceptual
    float occlusion;   // 1: open
    vec3 normal;       // world space, unit
    vec3 face;         // the same without a normal map: where a shadow is looked up
#ifdef LAYERED
    vec3 f0;           // what is no metal mirrors seen head-on
    float f90;         // and seen from the side
#endif
#ifdef CLEARCOAT
    float coat;        // share of the light that it mirrors
    float coat_roughness;
    vec3 coat_normal;  // world space, unit
#endif
#ifdef SHEEN
    vec3 sheen;        // linear
    float sheen_roughness;
#endif
#ifdef TRANSMISSION
    float transmission;  // share of what enters that comes out behind; none of metal
#endif
};

// Between two unit vectors; that of opposite ones is of no use, but a number.
vec3 halfway(vec3 way, vec3 view) {
    vec3 h = way + view;
    return h * inversesqrt(max(dot(h, h), 1e-12));
}

// GGX with the height-correlated Smith visibility term: distribution and visibility.
float specular_lobe(float alpha, float nl, float nv, float nh) {
    float a2 = alpha * alpha;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float masked = max(nl * sqrt(nv * nv * (1.0 - a2) + a2)
                     + nv * sqrt(nl * nl * (1.0 - a2) + a2), 1e-5);
    return a2 * 0.5 / (PI * d * d * masked);
}

// Scale and bias of f0 in what a surface mirrors of light from everywhere (the split sum of Karis
// 2013): a fit to the lobe above, integrated; off by 0.016 on average.
vec2 environment_term(float roughness, float nv) {
    float r = roughness, r2 = r * r, away = 1.0 - nv, away2 = away * away;
    float cubic = 0.194 + nv * (nv * (1.554 - 0.61 * nv) - 2.039);
    float sum = 1.0 + r * (0.487 * nv - 0.286 + r * cubic);
    float bias = away2 * away2 * (4.38 * r + away * (1.0 - 4.76 * r)) / (1.0 + r2 * (8.09 + 22.98 * r2));
    return vec2(min(sum, 1.0) - bias, bias);
}

#ifdef LAYERED  // told in lib/layered.glsl; each layer has a cosine of its own to the light
vec3 indirect_light(Surface s, vec3 view, vec2 term);
vec3 direct_light(Surface s, vec3 view, vec3 way, vec3 head_on, vec3 grazed, float nl, float nv);
#define SLANT(nl) 1.0
#else
#define SLANT(nl) nl
// Light from all around, with what bounces several times among the facets (Fdez-Aguera 2019). As
// everywhere here what is no metal and metal are worked out apart, then mixed (appendix B).
vec3 indirect_light(Surface s, vec3 view, vec2 term) {
    float lost = 1.0 - (term.x + term.y);
    float once = 0.04 * term.x + term.y, mean = 0.04 + 0.96 / 21.0;
    float several = once * mean / (1.0 - lost * mean) * lost;
    vec3 metal_once = s.albedo * term.x + term.y, metal_mean = s.albedo + (1.0 - s.albedo) / 21.0;
    vec3 metal_several = metal_once * metal_mean / (1.0 - lost * metal_mean) * lost;
    vec3 entered = s.albedo * ((1.0 - s.metallic) * (1.0 - (once + several)));
    vec3 around = diffuse_environment(s.normal);
    vec3 mirrored = mirrored_environment(view, s.normal, s.roughness);
    return mirrored * mix(vec3(once), metal_once, s.metallic)
        + around * (mix(vec3(several), metal_several, s.metallic) + entered);
}

#endif

// How far off the surface its shadow is looked up, metres: its own facets must not shade it.
float shadow_lift(float nl) {
    return lights.w * (1.0 + 3.0 * sqrt(clamp(1.0 - nl * nl, 0.0, 1.0)));
}

#ifndef LAYERED
// What a surface sends to the eye of light that comes along `way`, a unit vector against it. What
// it mirrors does not reach what is below (fresnel_mix of the appendix); what it mirrors head-on and
// at a grazing angle holds the light that bounces among the facets, too (Turquin 2019).
vec3 direct_light(Surface s, vec3 view, vec3 way, vec3 head_on, vec3 grazed, float nl, float nv) {
    vec3 h = halfway(way, view);
    float nh = clamp(dot(s.normal, h), 0.0, 1.0);
    float vh = clamp(dot(view, h), 0.0, 1.0);
    float alpha = max(s.roughness * s.roughness, 2e-3);
    float away = 1.0 - vh, away2 = away * away, graze = away2 * away2 * away;
    return s.albedo * ((1.0 - s.metallic) * 0.96 * (1.0 - graze) / PI)
        + mix(head_on, grazed, graze) * specular_lobe(alpha, nl, nv, nh);
}
#endif

#ifdef PUNCTUAL
// How much of a light arrives at a point from where it shines: range and cone.
float fall_off(int k, vec3 way, float distance2) {
    float kind = light_color[k].w;
    if (kind < 0.5) return 1.0;
    float inside = 1.0;
    if (light_place[k].w > 0.0) {
        float x = distance2 * light_place[k].w * light_place[k].w;
        inside = clamp(1.0 - x * x, 0.0, 1.0);
    }
    float cone = 1.0;
    if (kind > 1.5) {
        cone = clamp(dot(light_back[k].xyz, way) * light_cone[k].x + light_cone[k].y, 0.0, 1.0);
        cone *= cone;
    }
    return inside * cone / max(distance2, 1e-8);
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
        vec3 away = light_place[k].xyz - point;
        float distance2 = dot(away, away);
        vec3 way = light_color[k].w < 0.5 ? light_back[k].xyz : away * inversesqrt(max(distance2, 1e-12));
        float nl = clamp(dot(s.normal, way), 0.0, 1.0);
        float arrives = SLANT(nl) * fall_off(k, way, distance2);
#ifdef SHADOW
        if (k == 0) arrives *= lit(point + s.face * shadow_lift(nl));
#endif
        direct += direct_light(s, view, way, head_on, grazed, nl, nv) * light_color[k].rgb * arrives;
    }
#else
    vec3 way = light_back[0].xyz;
    float nl = clamp(dot(s.normal, way), 0.0, 1.0);
    vec3 direct = direct_light(s, view, way, head_on, grazed, nl, nv) * light_color[0].rgb * SLANT(nl);
#ifdef SHADOW
    direct *= lit(point + s.face * shadow_lift(nl));
#endif
#endif
    return direct + indirect_light(s, view, term) * s.occlusion;
}
