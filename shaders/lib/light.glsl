// Metallic-roughness shading (glTF 2.0, appendix B): one key light and a neutral ambient.

const float PI = 3.14159265;

struct Surface {
    vec3 albedo;       // linear
    float metallic;
    float roughness;   // perceptual
    float occlusion;   // 1: open
    vec3 normal;       // world space, unit
};

// GGX with the height-correlated Smith visibility term.
vec3 specular_lobe(vec3 f0, float alpha, float nl, float nv, float nh, float vh) {
    float a2 = alpha * alpha;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float distribution = a2 / (PI * d * d);
    float visibility = 0.5 / max(nl * sqrt(nv * nv * (1.0 - a2) + a2)
                               + nv * sqrt(nl * nl * (1.0 - a2) + a2), 1e-5);
    vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - vh, 5.0);
    return fresnel * distribution * visibility;
}

// Split-sum environment term without a table (Karis 2014, for mobile).
vec3 environment_lobe(vec3 f0, float roughness, float nv) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a004 + r.zw;
    return f0 * ab.x + ab.y;
}

vec3 ambient_light(vec3 direction) {
    return mix(ground.rgb, sky.rgb, direction.y * 0.5 + 0.5);
}

vec3 shade(Surface s, vec3 view) {
    vec3 light = key_direction.xyz;
    vec3 h = normalize(light + view);
    float nl = clamp(dot(s.normal, light), 0.0, 1.0);
    float nv = clamp(dot(s.normal, view), 1e-3, 1.0);
    float nh = clamp(dot(s.normal, h), 0.0, 1.0);
    float vh = clamp(dot(view, h), 0.0, 1.0);
    vec3 f0 = mix(vec3(0.04), s.albedo, s.metallic);
    vec3 diffuse = s.albedo * (1.0 - s.metallic);
    float alpha = max(s.roughness * s.roughness, 2e-3);
    vec3 direct = (diffuse / PI + specular_lobe(f0, alpha, nl, nv, nh, vh)) * key_color.rgb * nl;
    vec3 mirrored = mix(reflect(-view, s.normal), s.normal, s.roughness * s.roughness);
    vec3 indirect = diffuse * ambient_light(s.normal)
                  + environment_lobe(f0, s.roughness, nv) * ambient_light(mirrored);
    return direct + indirect * s.occlusion;
}
