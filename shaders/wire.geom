#version 330 core
// Interpolates the distances of each fragment to the three edges, in pixels.
#include "lib/frame.glsl"

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

noperspective out vec3 v_edge;   // pixels to the edge opposite each corner
flat out float v_height;         // pixels, the smallest height of the triangle

void main() {
    vec2 half_size = picture.xy * (0.5 / back.w);
    vec2 a = gl_in[0].gl_Position.xy / gl_in[0].gl_Position.w * half_size;
    vec2 b = gl_in[1].gl_Position.xy / gl_in[1].gl_Position.w * half_size;
    vec2 c = gl_in[2].gl_Position.xy / gl_in[2].gl_Position.w * half_size;
    float area2 = abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    vec3 sides = max(vec3(distance(b, c), distance(c, a), distance(a, b)), 1e-6);
    vec3 heights = area2 / sides;
    float least = min(heights.x, min(heights.y, heights.z));
    // no lines if a corner is behind the camera, as it has no screen position
    bool behind = min(gl_in[0].gl_Position.w, min(gl_in[1].gl_Position.w, gl_in[2].gl_Position.w)) <= 0.0;
    for (int k = 0; k < 3; ++k) {
        gl_Position = gl_in[k].gl_Position;
        v_edge = behind ? vec3(1e6) : vec3(k == 0, k == 1, k == 2) * heights;
        v_height = least;
        EmitVertex();
    }
    EndPrimitive();
}
