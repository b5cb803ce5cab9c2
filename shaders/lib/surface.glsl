// The surface of a metallic-roughness material.

// The surface without its normals.
Surface surface(vec3 albedo) {
    Surface s;
    vec4 sampled = metallic_roughness_texel;
    s.albedo = albedo;
    s.metallic = material_metallic * sampled.b;
    s.roughness = material_roughness * sampled.g;
    s.occlusion = 1.0 + material_occlusion_strength * (occlusion_texel.r - 1.0);
    return s;
}

vec3 emission() {
    return material_emission * emissive_texel.rgb;
}
