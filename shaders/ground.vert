#version 330 core
// A polygon on the floor that contains the shadow.
#include "lib/frame.glsl"
#include "lib/lights.glsl"

uniform vec3 ground_corners[12];   // world space

out vec3 v_at;                     // shadow map coordinates
flat out vec4 v_parameters;        // of the lookup: xyz, w: opacity

void main() {
    vec4 point = vec4(ground_corners[gl_VertexID], 1.0);
    v_parameters = vec4(shadow_parameters.xyz, floor_grid.w);
    v_at = (shadow_from_world * point).xyz;
    gl_Position = view_projection * point;
}
