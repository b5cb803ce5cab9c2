#version 330 core
// Surface colour: material, lighting, tone mapping; premultiplied alpha.
#extension GL_ARB_ES3_1_compatibility : enable
#ifdef GL_ARB_ES3_1_compatibility
#define COVERED !gl_HelperInvocation
#endif
#if defined(TRANSMISSION) && defined(VOLUME)
#define THICK
#else
#undef DISPERSION
#endif
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
#include "lib/material_extensions.glsl"
#ifdef TRANSMISSION
#include "lib/spline.glsl"
#endif
#include "lib/transmission.glsl"
#ifdef VIEW
#include "lib/views.glsl"
#endif

#include "lib/mapped_normal.glsl"
#include "lib/normal.glsl"
#ifdef VOLUME
in mat3 v_stretch;
#endif
#ifdef WEIGHTS
in float v_weight;
#endif
#ifdef VIEW
flat in vec3 v_joint_color;
#endif

#include "lib/target.glsl"

// The normal with the normal map applied.
vec3 surface_normal(vec3 facing) {
#ifdef NORMAL_TEXTURE
    vec3 sampled = normal_texel.xyz * 2.0 - 1.0;
    sampled.xy *= material_normal_scale;
    return mapped_normal(facing, sampled, tangent_frame(facing, normal_uv));
#else
    return facing;
#endif
}

#ifdef MATERIAL_EXTENSIONS
// Adds the lobes of material extensions; the normals must be set.
void add_extensions(inout Surface s, vec3 view) {
    s.f90 = vec3(material_specular_factor * specular_texel.a);
    s.f0 = min(material_reflectance * (material_specular_color * specular_color_texel.rgb), vec3(1.0)) * s.f90;
#ifdef IRIDESCENCE
    float film = material_iridescence_factor * iridescence_texel.r;
    float thickness = mix(material_iridescence_thickness_minimum, material_iridescence_thickness_maximum,
                          iridescence_thickness_texel.g);
    float slant = clamp(dot(s.normal, view), 0.0, 1.0);
    vec3 shown = film_reflectance(material_iridescence_ior, thickness, slant, s.f0);
    vec3 metal = film_reflectance(material_iridescence_ior, thickness, slant, s.albedo);
    film *= smoothstep(0.0, 0.03, thickness);
    s.f0 = mix(s.f0, shown, film);
    s.f90 = mix(s.f90, shown, film);
    s.metal_f0 = mix(s.albedo, metal, film);
    s.metal_f90 = mix(vec3(1.0), metal, film);
#endif
#ifdef ANISOTROPY
    vec3 direction = vec3(1.0, 0.0, 1.0);
#ifdef ANISOTROPY_TEXTURE
    direction = vec3(anisotropy_texel.rg * 2.0 - 1.0, anisotropy_texel.b);
#endif
    float turn = material_anisotropy_rotation, cosine = cos(turn), sine = sin(turn);
    mat2x3 frame = tangent_frame(s.face, normal_uv);  // as for normal maps, here orthogonal
    vec3 bitangent = cross(s.face, frame[0]);
    if (dot(bitangent, frame[1]) > 0.0) bitangent = -bitangent;
    vec3 along = frame[0] * (cosine * direction.x - sine * direction.y) + bitangent * (sine * direction.x + cosine * direction.y);
    along -= s.normal * dot(s.normal, along);
    s.anisotropy = material_anisotropy_strength * direction.z;
    if (dot(along, along) < 1e-12) {  // no tangents
        s.anisotropy = 0.0;
        along = cross(s.normal, abs(s.normal.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0));
    }
    s.along = normalize(along);
    s.across = cross(s.normal, s.along);
#endif
#ifdef CLEARCOAT
    s.coat_normal = s.face;
#ifdef CLEARCOAT_NORMAL_TEXTURE
    vec3 sampled = clearcoat_normal_texel.xyz * 2.0 - 1.0;
    sampled.xy *= material_clearcoat_normal_scale;
    s.coat_normal = mapped_normal(s.face, sampled, tangent_frame(s.face, clearcoat_normal_uv));
#endif
    s.coat = material_clearcoat_factor * clearcoat_texel.r;
    s.coat_roughness = material_clearcoat_roughness * clearcoat_roughness_texel.g;
    s.coat *= mix(0.04, 1.0, schlick_weight(abs(dot(s.coat_normal, view))));
#endif
#ifdef SHEEN
    s.sheen = material_sheen_color * sheen_color_texel.rgb;
    s.sheen_roughness = material_sheen_roughness * sheen_roughness_texel.a;
    s.sheen_roughness = max(s.sheen_roughness, 0.07);  // a smaller lobe is not visible
#endif
#ifdef TRANSMISSION
    s.transmission = transmission_factor(s.metallic);
#endif
#ifdef VOLUME
    float depth = material_volume_thickness * volume_thickness_texel.g;
#endif
#ifdef DIFFUSE_TRANSMISSION
    s.scattering = material_diffuse_transmission_factor * diffuse_transmission_texel.a;
    s.scattered = material_diffuse_transmission_color * diffuse_transmission_color_texel.rgb * s.scattering;
    s.depth = 0.0;
#ifdef VOLUME
    s.depth = length(v_stretch * s.normal) * depth;
    s.scattered *= exp(-material_absorption * s.depth);
#endif
#endif
#ifdef THICK
    s.ray = v_stretch * refracted(view, s.normal, material_inverse_ior.g) * depth;
    s.absorbed = exp(-material_absorption * length(s.ray));
#ifdef DISPERSION
    s.red_ray = v_stretch * refracted(view, s.normal, material_inverse_ior.r) * depth;
    s.blue_ray = v_stretch * refracted(view, s.normal, material_inverse_ior.b) * depth;
#endif
#endif
}
#endif

#ifdef TRANSMISSION
// What is seen through the surface in a picture of what is behind it.
vec4 seen_through(sampler2D picture, Surface s) {
    float blur = s.roughness * material_refraction_blur;
    vec2 at = gl_FragCoord.xy;
#ifdef THICK
    vec4 seen = transmitted(picture, at + pixels_between(v_point, v_point + s.ray), blur);
#ifdef DISPERSION
    vec4 red = transmitted(picture, at + pixels_between(v_point, v_point + s.red_ray), blur);
    vec4 blue = transmitted(picture, at + pixels_between(v_point, v_point + s.blue_ray), blur);
    seen = vec4(red.r, seen.g, blue.b, (red.a + seen.a + blue.a) / 3.0);
#endif
    return seen;
#else
    return transmitted(picture, at, blur);
#endif
}
#endif

#ifdef VIEW
vec3 view_mode_color(vec4 base, vec3 view) {
#ifdef VIEW_BASE_COLOUR
    return encode_srgb(base.rgb);
#elif defined(VIEW_NORMALS)
    return direction_color(surface_normal(facing_normal(view)));
#elif defined(VIEW_FACE_NORMALS)
    vec3 normal = geometric_normal();
    return direction_color(dot(normal, view) < 0.0 ? -normal : normal);
#elif defined(VIEW_TANGENTS)
    float length2 = dot(v_tangent.xyz, v_tangent.xyz);
    return length2 > 1e-12 ? direction_color(v_tangent.xyz * inversesqrt(length2)) : vec3(0.3);
#elif defined(VIEW_UV)
    return checker(base_color_uv / material_base_color_mirror);
#elif defined(VIEW_METALLIC)
    return vec3(surface(base.rgb).metallic);
#elif defined(VIEW_ROUGHNESS)
    return vec3(surface(base.rgb).roughness);
#elif defined(VIEW_OCCLUSION)
    return vec3(surface(base.rgb).occlusion);
#elif defined(VIEW_EMISSIVE)
    return encode_srgb(emission());
#elif defined(VIEW_ALPHA)
    return vec3(base.a);
#elif defined(VIEW_FACING)
    float slant = 0.55 + 0.45 * abs(dot(surface_normal(facing_normal(view)), view));
    return slant * (gl_FrontFacing ? vec3(0.30, 0.50, 0.90) : vec3(0.85, 0.30, 0.25));
#elif defined(VIEW_JOINTS) || defined(VIEW_INFLUENCES)
    float slant = 0.6 + 0.4 * abs(dot(surface_normal(facing_normal(view)), view));
    return v_joint_color * slant;
#else
#error "no colour for this view mode"
#endif
}
#endif

void main() {
    vec4 base = base_color();
#if defined(ALPHA_MASK)
    if (base.a < material_alpha_cutoff) discard;
    float alpha = 1.0;
#elif defined(ALPHA_BLEND)
    float alpha = clamp(base.a, 0.0, 1.0);
#ifdef OPAQUE_PART  // opaque fragments are drawn first
    if (alpha < 0.998) discard;
#elif defined(BLENDED_PART) && !defined(TRANSMISSION)  // opaque fragments are drawn already
    if (alpha >= 0.998) discard;
#endif
#else
    float alpha = 1.0;
#endif
    vec3 view = view_vector(v_point);
#if defined(VIEW)
#ifndef VIEW_BASE_COLOUR
    alpha = 1.0;
#endif
    write_unlit(vec4(view_mode_color(base, view) * alpha, alpha));
#elif defined(GHOST)  // denser at the outline, where it is seen at a slant
    float slant = 1.0 - abs(dot(facing_normal(view), view));
    float cover = 0.34 + 0.5 * slant * slant;
    write_unlit(vec4(vec3(0.55, 0.66, 1.0) * cover, cover));
#elif defined(WEIGHTS)
    vec3 painted = v_weight > 0.0 ? viridis(v_weight) : vec3(0.42);
#ifdef HEAT  // errors of vertices: without the normal map
    vec3 normal = facing_normal(view);
#else
    vec3 normal = surface_normal(facing_normal(view));
#endif
    float facing = abs(dot(normal, view));
    write_unlit(vec4(painted * (0.55 + 0.45 * facing), 1.0));
#elif defined(UNLIT)
    write_unlit(vec4(encode_srgb(base.rgb) * alpha, alpha));
#else
    Surface s = surface(base.rgb);
    s.face = facing_normal(view);
    s.normal = surface_normal(s.face);
#ifdef MATERIAL_EXTENSIONS
    add_extensions(s, view);
#endif
#ifdef OCCLUSION
    s.occlusion *= ambient_visibility(v_point);
#endif
    vec3 light = shade(s, v_point, view);
#ifdef CLEARCOAT
    light -= s.coat * emission();
#endif
#if defined(RADIANCE)
    out_light = vec4((light + emission()) * alpha, alpha);
    out_color = vec4(0.0, 0.0, 0.0, alpha);
#elif defined(TRANSMISSION)
    vec3 passes = transmittance(s, view);
    light += passes * seen_through(transmitted_light, s).rgb;
    vec4 shown = seen_through(transmitted_unlit, s);
    light = tone_map(light + emission(), picture.z) + passes * decode_srgb(shown.rgb);
    out_color = transmissive_output(light, passes * (1.0 - shown.a)) * alpha;
#else
    vec3 mapped = tone_map(light + emission(), picture.z);
    out_color = vec4(stored(mapped) * alpha, alpha);
#endif
#endif
}
