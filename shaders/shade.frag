#version 330 core
// The colour of visible surfaces from their data, once for all samples of a surface in a pixel.
#include "lib/frame.glsl"
#include "lib/lights.glsl"
#include "material_fields.glsl"
#include "lib/carried.glsl"
#include "lib/view.glsl"
#include "lib/shadow.glsl"
#include "lib/color.glsl"
#include "lib/environment.glsl"
#include "lib/occlusion.glsl"
#include "lib/light.glsl"
#include "lib/material.glsl"
#include "lib/base_color.glsl"
#include "lib/surface.glsl"
#include "lib/surface_data.glsl"
#ifdef NORMAL_TEXTURE
#include "lib/mapped_normal.glsl"
#endif
#include "lib/target.glsl"

#include "lib/surface_samples.glsl"

in vec4 v_seen;          // see shade.vert
flat in vec4 v_deeper;
flat in int v_group;
#ifdef MULTISAMPLED
flat in vec4 v_across;
flat in vec4 v_up;
flat in float v_similar;
#endif

// A point of world space from its depth and its place, homogeneous, from the camera.
vec3 point_at(vec4 place, float depth) {
    vec4 seen = place + v_deeper * (depth * 2.0 - 1.0);
    return eye.xyz + seen.xyz / seen.w;
}

vec3 shaded(uvec4 data, vec3 point) {
    v_texcoord0 = unpack_uv(data.zw);
    v_level = unpack_level(data.zw);
    Surface s = surface(base_color().rgb);
    s.face = unpack_normal(data.x);
#ifdef NORMAL_TEXTURE
    vec3 sampled = normal_texel.xyz * 2.0 - 1.0;
    sampled.xy *= material_normal_scale;
    s.normal = mapped_normal(s.face, sampled, unpack_tangents(s.face, data.y));
#else
    s.normal = s.face;
#endif
#ifdef OCCLUSION
    s.occlusion *= ambient_visibility(point);
#endif
    vec3 light = shade(s, point, view_vector(point));
    return stored(tone_map(light + emission(), picture.z));
}

#ifdef MULTISAMPLED
// Depths that differ less are of one surface: seen at a slant, about a pixel wide.
float similar_depth(vec3 point, uvec4 data) {
    vec3 to_eye = eye.xyz - point;
    float away = eye.w > 0.5 ? dot(to_eye, back.xyz) : 1.0;
    float slant = max(abs(dot(unpack_normal(data.x), view_vector(point))), 0.1);
    return 0.6 * v_similar / (slant * away);
}

// Whether the data of two samples are similar: normals to a few degrees, texture coordinates to
// the change of two pixels.
bool similar(uvec4 one, uvec4 other) {
    ivec2 a = ivec2(int(one.x << 16), int(one.x)) >> 16, b = ivec2(int(other.x << 16), int(other.x)) >> 16;
    ivec2 apart = abs(a - b);
    bool same = max(apart.x, apart.y) < 1500;
#ifdef FIRST_TEXTURE
    vec2 far = abs(unpack_uv(one.zw) - unpack_uv(other.zw));
    same = same && max(far.x, far.y) < 2.0 * exp2(unpack_level(one.zw));
#endif
    return same;
}
#endif

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
#ifdef MULTISAMPLED
    uvec4 d0 = texelFetch(surface_data, at, 0), d1 = texelFetch(surface_data, at, 1);
    uvec4 d2 = texelFetch(surface_data, at, 2), d3 = texelFetch(surface_data, at, 3);
    vec4 depths = vec4(texelFetch(surface_depth, at, 0).r, texelFetch(surface_depth, at, 1).r,
                       texelFetch(surface_depth, at, 2).r, texelFetch(surface_depth, at, 3).r);
    ivec4 group = ivec4(unpack_group(d0.zw), unpack_group(d1.zw), unpack_group(d2.zw), unpack_group(d3.zw));
    bvec4 left = lessThan(depths + vec4(notEqual(group, ivec4(v_group))), vec4(1.0));  // to be shaded
    vec4 sum = vec4(0.0);
    while (any(left)) {
        bvec4 chosen = bvec4(left.x, left.y && !left.x, left.z && !any(left.xy), left.w && !any(left.xyz));
        uvec4 data = chosen.x ? d0 : chosen.y ? d1 : chosen.z ? d2 : d3;
        float depth = dot(depths, vec4(chosen));
        bvec4 near = lessThan(abs(depths - depth), vec4(similar_depth(point_at(v_seen, depth), data)));
        bvec4 same = bvec4(chosen.x || left.x && near.x && similar(data, d0),
                           chosen.y || left.y && near.y && similar(data, d1),
                           chosen.z || left.z && near.z && similar(data, d2),
                           chosen.w || left.w && near.w && similar(data, d3));
        left = bvec4(left.x && !same.x, left.y && !same.y, left.z && !same.z, left.w && !same.w);
        float count = dot(vec4(same), vec4(1.0));
        vec4 weights = vec4(same) / count;
        vec2 place = PLACES * weights;
        vec3 point = point_at(v_seen + v_across * place.x + v_up * place.y, dot(depths, weights));
        sum += vec4(shaded(data, point), 1.0) * (count * 0.25);
    }
    out_color = sum;
#else
    uvec4 data = texelFetch(surface_data, at, 0);
    float share = unpack_group(data.zw) == v_group ? 1.0 : 0.0;
    vec3 point = point_at(v_seen, texelFetch(surface_depth, at, 0).r);
    out_color = vec4(shaded(data, point), 1.0) * share;
#endif
}
