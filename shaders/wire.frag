#version 330 core
// Wireframe over the surface; triangles smaller than the lines are tinted instead.
noperspective in vec3 v_edge;
flat in float v_height;

#include "lib/target.glsl"

const float WIDTH = 0.6;         // half the line width, pixels
const vec3 INK = vec3(0.03, 0.035, 0.05);

void main() {
    float nearest = min(v_edge.x, min(v_edge.y, v_edge.z));
    float line = 1.0 - smoothstep(WIDTH - 0.5, WIDTH + 0.5, nearest);
    float room = smoothstep(0.8, 4.0, v_height);
    float alpha = mix(0.22, line * 0.8, room);
    if (alpha < 0.004) discard;
    write_unlit(vec4(INK * alpha, alpha));
}
