#version 330 core
// A polygon on the floor that contains the shadow.
#include "lib/frame.glsl"
#include "lib/lights.glsl"

uniform vec3 ground_corners[12];   // world space

out vec3 v_at;                     // shadow map coordinates

void main() {
    vec4 point = vec4(ground_corners[gl_VertexID], 1.0);
    v_at = (shadow_from_world * point).xyz;
    gl_Position = view_projection * point;
}
