#version 330 core
// Depth only, with alpha tests: those of a shadow map, of the OPAQUE_PART of surfaces, or of what is
// blended before the surfaces of surface_depth: with LAYER, or PEELED from it.
#ifdef MULTISAMPLED
#extension GL_ARB_sample_shading : enable
#endif
#include "material_fields.glsl"
#include "lib/material.glsl"

in vec4 v_color;
#ifdef LAYER
uniform sampler2D surface_depth;

out vec2 out_layer;   // depth and opacity

const float LEAST = 0.004;
#elif defined(PEELED)
const float LEAST = 0.002;   // blended, it is no step of 255
const float STEP = 1.0 / 16777216.0;   // of depth
#ifdef MULTISAMPLED
uniform sampler2DMS surface_depth;
#define TEXEL gl_SampleID
#else
uniform sampler2D surface_depth;
#define TEXEL 0
#endif
#endif

// Which alpha casts a shadow at each of 2 x 2 texels: as many of them as the surface is opaque.
const float SHARES[4] = float[4](0.125, 0.625, 0.875, 0.375);

void main() {
#if defined(ALPHA_MASK) || defined(ALPHA_BLEND)
    float alpha = material_base_color.a * v_color.a * base_color_texel.a;
#ifdef ALPHA_MASK
    if (alpha < material_alpha_cutoff) discard;
#elif defined(LAYER)
    if (alpha < LEAST || gl_FragCoord.z >= texelFetch(surface_depth, ivec2(gl_FragCoord.xy), 0).r) discard;
    out_layer = vec2(gl_FragCoord.z, min(alpha, 1.0));
#elif defined(PEELED)
    if (alpha < LEAST) discard;
#ifndef TRANSMISSION   // opaque fragments are drawn already
    if (alpha >= 0.998) discard;
#endif
    if (gl_FragCoord.z >= texelFetch(surface_depth, ivec2(gl_FragCoord.xy), TEXEL).r - STEP) discard;
#elif defined(OPAQUE_PART)
    if (alpha < 0.998) discard;
#else
    ivec2 texel = ivec2(gl_FragCoord.xy) & 1;
    if (alpha < SHARES[texel.x + 2 * texel.y]) discard;
#endif
#endif
#if defined(TRANSMISSION) && !defined(PEELED)  // transmissive surfaces cast no shadow
    float metallic = material_metallic * metallic_roughness_texel.b;
    if (transmission_factor(metallic) >= 0.5) discard;
#endif
}
