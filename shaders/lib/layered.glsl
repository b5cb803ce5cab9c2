// Light of surfaces with layers: KHR_materials_ior, _specular, _clearcoat, _sheen, _transmission.
#ifdef LAYERED

float largest(vec3 c) {
    return max(c.r, max(c.g, c.b));
}

// Schlick's weight of what is mirrored at a grazing angle.
float grazing(float cosine) {
    float away = 1.0 - cosine, away2 = away * away;
    return away2 * away2 * away;
}

// What a single bounce loses of what is mirrored, in parts of what it sends back (Turquin 2019).
float bounced(vec2 term) {
    return 1.0 / (term.x + term.y) - 1.0;
}

#ifdef SHEEN
// Microfibres (Conty Estevez and Kulla, "Production Friendly Microfacet Sheen BRDF", 2017).
float fibre_masking(float x, float alpha) {
    float t = (1.0 - alpha) * (1.0 - alpha);
    float a = mix(21.5473, 25.3245, t), b = mix(3.82987, 3.32435, t), c = mix(0.19823, 0.16801, t);
    float d = mix(-1.97760, -1.27393, t), e = mix(-4.32054, -4.85967, t);
    return a / (1.0 + b * pow(x, c)) + d * x + e;
}

float fibre_shadow(float cosine, float alpha) {
    if (cosine < 0.5) return exp(fibre_masking(cosine, alpha));
    return exp(2.0 * fibre_masking(0.5, alpha) - fibre_masking(1.0 - cosine, alpha));
}

float fibre_lobe(float roughness, float nl, float nv, float nh) {
    float alpha = roughness * roughness;
    float spread = (2.0 + 1.0 / alpha) * pow(max(1.0 - nh * nh, 0.0), 0.5 / alpha) / (2.0 * PI);
    nl = max(nl, 1e-3);
    return spread / ((1.0 + fibre_shadow(nv, alpha) + fibre_shadow(nl, alpha)) * 4.0 * nv * nl);
}

// Share of even light that they send to one side: fitted to the integral of fibre_lobe, within 0.02.
float fibre_share(float roughness, float cosine) {
    vec4 k = vec4(-1.3671, -10.689, 10.3088, 3.8341)
        + roughness * (vec4(0.6001, 36.998, -30.7908, -10.9482)
        + roughness * (vec4(1.6835, -49.2077, 36.8841, 15.0275)
        + roughness * vec4(-1.2365, 21.8289, -15.6443, -6.8924)))
        + vec4(0.3926, 0.3105, -1.8099, -1.1706) / (roughness + 0.05);
    return min(exp(dot(k, vec4(1.0, cosine, sqrt(cosine), cosine * cosine))), 1.0);
}
#endif

// Share of what enters that is scattered: all but what metal swallows and what comes out behind.
float scattered(Surface s) {
#ifdef TRANSMISSION
    return 1.0 - s.metallic - s.transmission;
#else
    return 1.0 - s.metallic;
#endif
}

// Light that comes along `way`, a unit vector against it, with the cosine that each layer has to it.
vec3 direct_light(Surface s, vec3 view, vec3 way, vec3 head_on, vec3 grazed, float nl, float nv) {
    vec3 h = halfway(way, view);
    float nh = clamp(dot(s.normal, h), 0.0, 1.0);
    float w = grazing(clamp(dot(view, h), 0.0, 1.0));
    vec3 mirrored = mix(s.f0, vec3(s.f90), w);
    vec3 entered = s.albedo * (scattered(s) * (1.0 - largest(mirrored)) / PI);
    float again = bounced(environment_term(s.roughness, nv));
    vec3 fresnel = mix(mirrored * (1.0 + s.f0 * again),
        mix(s.albedo, vec3(1.0), w) * (1.0 + s.albedo * again), s.metallic);
    float alpha = max(s.roughness * s.roughness, 2e-3);
    vec3 light = (entered + fresnel * specular_lobe(alpha, nl, nv, nh)) * nl;
#ifdef TRANSMISSION
    float behind = clamp(-dot(s.normal, way), 0.0, 1.0);  // facets of both sides bend it
    vec3 th = normalize(view + way + 2.0 * behind * s.normal);
    float t2 = max(pow(s.roughness * index_factors.z, 4.0), 4e-6);
    float tn = clamp(dot(s.normal, th), 0.0, 1.0);
    float td = tn * tn * (t2 - 1.0) + 1.0;
    float through = t2 / (PI * td * td * (behind + sqrt(t2 + (1.0 - t2) * behind * behind))
        * (nv + sqrt(t2 + (1.0 - t2) * nv * nv)));
    vec3 kept = mix(s.f0, vec3(s.f90), grazing(clamp(dot(view, th), 0.0, 1.0)));
    light += s.albedo * (s.transmission * (1.0 - largest(kept)) * through * behind);
#endif
#ifdef SHEEN
    float taken = max(fibre_share(s.sheen_roughness, nv), fibre_share(s.sheen_roughness, nl));
    light *= 1.0 - largest(s.sheen) * taken;
    light += s.sheen * (fibre_lobe(s.sheen_roughness, nl, nv, nh) * nl);
#endif
#ifdef CLEARCOAT
    float cl = clamp(dot(s.coat_normal, way), 0.0, 1.0);
    float cv = clamp(dot(s.coat_normal, view), 1e-3, 1.0);
    float ch = clamp(dot(s.coat_normal, h), 0.0, 1.0);
    float ca = max(s.coat_roughness * s.coat_roughness, 2e-3);
    float coat = specular_lobe(ca, cl, cv, ch) * cl;
    coat *= 1.0 + bounced(environment_term(s.coat_roughness, cv));
    light = mix(light, vec3(coat), s.coat);
#endif
    return light;
}

// What is mirrored of light from all around: once, and after several bounces (as indirect_light).
void mirror(vec3 f0, float f90, vec2 term, out vec3 once, out vec3 several) {
    once = f0 * term.x + f90 * term.y;
    float lost = 1.0 - (term.x + term.y);
    vec3 mean = f0 + (f90 - f0) / 21.0;
    several = once * mean / (1.0 - lost * mean) * lost;
}

vec3 indirect_light(Surface s, vec3 view, vec2 term) {
    vec3 once, several, metal_once, metal_several;
    mirror(s.f0, s.f90, term, once, several);
    mirror(s.albedo, 1.0, term, metal_once, metal_several);
    vec3 entered = s.albedo * (scattered(s) * (1.0 - largest(once + several)));
    vec3 around = diffuse_environment(s.normal);
    vec3 light = mirrored_environment(view, s.normal, s.roughness)
        * mix(once, metal_once, s.metallic);
    light += around * (mix(several, metal_several, s.metallic) + entered);
#ifdef SHEEN
    float share = fibre_share(s.sheen_roughness, clamp(dot(s.normal, view), 1e-3, 1.0));
    light = light * (1.0 - largest(s.sheen) * share) + around * s.sheen * share;
#endif
#ifdef CLEARCOAT
    vec3 coat = mirrored_environment(view, s.coat_normal, s.coat_roughness);
    light = mix(light, coat, s.coat);
#endif
    return light;
}

#ifdef TRANSMISSION
// Share of the light from behind that comes through.
vec3 passage(Surface s, vec3 view) {
    float nv = clamp(dot(s.normal, view), 1e-3, 1.0);
    vec3 once, several;
    mirror(s.f0, s.f90, environment_term(s.roughness, nv), once, several);
    vec3 share = s.albedo * (s.transmission * (1.0 - largest(once + several)));
#ifdef SHEEN
    share *= 1.0 - largest(s.sheen) * fibre_share(s.sheen_roughness, nv);
#endif
#ifdef CLEARCOAT
    share *= 1.0 - s.coat;
#endif
    return share;
}
#endif
#endif
