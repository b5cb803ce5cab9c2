#version 330 core
// The part of the floor that a shadow can fall on: an outline.
#include "lib/frame.glsl"

uniform vec3 ground_corners[12];   // world space

out vec3 v_point;

void main() {
    v_point = ground_corners[gl_VertexID];
    gl_Position = view_projection * vec4(v_point, 1.0);
}
