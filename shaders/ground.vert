#version 330 core
// The part of the floor that a shadow can fall on: an outline.
#include "lib/frame.glsl"
#include "lib/lights.glsl"

uniform vec3 ground_corners[12];   // world space

out vec3 v_at;                     // where the map is looked up

void main() {
    vec4 point = vec4(ground_corners[gl_VertexID], 1.0);
    v_at = (shadow_from_world * point).xyz;
    gl_Position = view_projection * point;
}
