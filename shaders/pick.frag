#version 330 core
// Which surface is at a pixel: item, triangle, character and depth, with alpha tests.
#include "material_fields.glsl"
#include "lib/material.glsl"

uniform float item_number;
in vec4 v_color;
flat in int v_member;

out vec4 out_hit;

void main() {
#if defined(ALPHA_MASK) || defined(ALPHA_BLEND)
    float alpha = material_base_color.a * v_color.a * base_color_texel.a;
#ifdef ALPHA_MASK
    if (alpha < material_alpha_cutoff) discard;
#else
    if (alpha < 0.5 / 255.0) discard;  // invisible
#endif
#endif
    out_hit = vec4(item_number, float(gl_PrimitiveID), float(v_member), gl_FragCoord.z);
}
