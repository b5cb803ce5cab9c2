#version 330 core
// A triangle that covers the picture, and the directions that are seen in it.
#include "lib/frame.glsl"

uniform mat3 picture_rays;   // of the right and the upper edge from the middle, and of the middle

out vec3 v_direction;        // world space

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    v_direction = picture_rays * vec3(corner - sample_shift.xy, 1.0);
    gl_Position = vec4(corner, 1.0, 1.0);
}
