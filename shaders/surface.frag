#version 330 core
// What shading needs of a visible surface: see lib/surface_data.glsl.
#include "lib/frame.glsl"
#include "material_fields.glsl"
#include "lib/view.glsl"
#include "lib/material.glsl"
#include "lib/mapped_normal.glsl"
#include "lib/normal.glsl"
#include "lib/surface_data.glsl"
#include "lib/base_color.glsl"

uniform int material_group;

out uvec4 out_surface;

void main() {
#ifdef ALPHA_MASK
    if (base_color().a < material_alpha_cutoff) discard;
#endif
    vec3 normal = facing_normal(view_vector(v_point));
#ifdef NORMAL_TEXTURE
    uint tangents = pack_tangents(normal, tangent_frame(normal, normal_uv));
#else
    uint tangents = 0u;
#endif
    vec2 aspect = vec2(1.0);
#ifdef FIRST_TEXTURE
    vec2 size = vec2(textureSize(FIRST_TEXTURE, 0));
    aspect = size / max(size.x, size.y);
#endif
    out_surface = uvec4(pack_normal(normal), tangents, pack_uv(v_texcoord0, aspect, material_group));
}
