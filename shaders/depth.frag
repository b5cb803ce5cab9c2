#version 330 core
// Shadow map: depth only, with alpha tests.
#include "lib/material.glsl"
#include "lib/layers.glsl"

in vec2 v_texcoord0;
in vec2 v_texcoord1;
in vec4 v_color;

void main() {
#if defined(ALPHA_MASK) || defined(ALPHA_BLEND)
    float alpha = base_factor.a * v_color.a;
#ifdef BASE_TEXTURE
    alpha *= texture(base_texture, transform_uv(base_uv_rows, v_texcoord0, v_texcoord1)).a;
#endif
#ifdef ALPHA_MASK
    if (alpha < material_scales.z) discard;
#else
    if (alpha < 0.5) discard;
#endif
#endif
#ifdef TRANSMISSION  // transmissive surfaces cast no shadow
    float metallic = metal_rough.x;
#ifdef METAL_ROUGH_TEXTURE
    metallic *= texture(metal_rough_texture, transform_uv(metal_rough_uv_rows, v_texcoord0, v_texcoord1)).b;
#endif
    if (transmission_factor(metallic, v_texcoord0, v_texcoord1) >= 0.5) discard;
#endif
}
