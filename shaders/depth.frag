#version 330 core
// Shadow map: depth only, with alpha tests.
#include "material_fields.glsl"
#include "lib/material.glsl"

in vec4 v_color;

void main() {
#if defined(ALPHA_MASK) || defined(ALPHA_BLEND)
    float alpha = material_base_color.a * v_color.a * base_color_texel.a;
#ifdef ALPHA_MASK
    if (alpha < material_alpha_cutoff) discard;
#else
    if (alpha < 0.5) discard;
#endif
#endif
#ifdef TRANSMISSION  // transmissive surfaces cast no shadow
    float metallic = material_metallic * metallic_roughness_texel.b;
    if (transmission_factor(metallic) >= 0.5) discard;
#endif
}
