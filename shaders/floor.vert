#version 330 core
// A polygon on the floor.
#include "lib/frame.glsl"

uniform vec3 floor_corners[12];   // world space

out vec3 v_point;

void main() {
    v_point = floor_corners[gl_VertexID];
    gl_Position = view_projection * vec4(v_point, 1.0);
}
