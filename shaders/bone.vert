#version 330 core
// Bones as octahedra: one instance per bone, eight facets of three vertices each.
#include "lib/frame.glsl"

in vec3 in_head;     // world space
in vec3 in_tail;
in vec3 in_across;   // from the axis to two corners of the waist
in vec3 in_beside;
in vec4 in_color;    // sRGB, straight alpha
in float in_behind;  // opacity behind surfaces

uniform float waist;    // its place on the axis
uniform float behind;   // 1: draws what is behind surfaces
uniform float outline;  // 0: the facets; else the width of an outline, pixels

out vec4 v_color;
out vec3 v_corner;      // barycentric
flat out float v_shade;
flat out float v_width; // of the thickest place, pixels

const float AMBIENT = 0.5;

void main() {
    int facet = gl_VertexID / 3, corner = gl_VertexID % 3;
    vec3 ring[4] = vec3[4](in_across, in_beside, -in_across, -in_beside);
    vec3 a = ring[facet % 4], b = ring[(facet + 1) % 4];
    bool tail = facet < 4;
    vec3 along = in_tail - in_head, middle = in_head + waist * along;
    vec3 corners[3] = tail ? vec3[3](middle + a, middle + b, in_tail)
                           : vec3[3](middle + b, middle + a, in_head);
    vec3 outward[3] = tail ? vec3[3](normalize(a), normalize(b), normalize(along))
                           : vec3[3](normalize(b), normalize(a), -normalize(along));
    vec3 point = corners[corner];
    vec4 at = view_projection * vec4(point, 1.0);
    point += outward[corner] * (outline * picture.w * max(at.w, 0.0) * (corner == 2 ? 2.0 : 1.0));
    gl_Position = view_projection * vec4(point, 1.0);
    vec3 normal = normalize(cross(corners[1] - corners[0], corners[2] - corners[0]));
    vec3 up = vec3(0.0, 1.0, 0.0);
    vec3 light = normalize(back.xyz + 0.5 * up + 0.4 * cross(back.xyz, up));
    v_shade = AMBIENT + (1.0 - AMBIENT) * max(dot(normal, light), 0.0);
    v_color = vec4(in_color.rgb, in_color.a * (behind > 0.5 ? in_behind : 1.0));
    v_corner = vec3(corner == 0, corner == 1, corner == 2);
    v_width = 2.0 * length(a) / (back.w * picture.w * max((view_projection * vec4(middle, 1.0)).w, 1e-9));
}
