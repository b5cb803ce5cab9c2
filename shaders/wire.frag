#version 330 core
// Wireframe over the surface: dark lines with light borders, which contrast with any surface; triangles
// smaller than the lines are tinted instead.
noperspective in vec3 v_edge;
flat in float v_height;

#include "lib/target.glsl"

const float WIDTH = 0.6;         // half the line width, pixels
const vec3 INK = vec3(0.03, 0.035, 0.05), LIGHT = vec3(0.85, 0.86, 0.88);
const float BORDER = 1.0;        // width of a border, pixels

void main() {
    float nearest = min(v_edge.x, min(v_edge.y, v_edge.z));
    float line = 1.0 - smoothstep(WIDTH - 0.5, WIDTH + 0.5, nearest);
    float room = smoothstep(0.8, 4.0, v_height);
    float border = 1.0 - smoothstep(WIDTH + BORDER - 0.5, WIDTH + BORDER + 0.5, nearest);
    float dark = mix(0.22, line * 0.8, room);
    float light = (border - line) * 0.5 * smoothstep(2.0, 8.0, v_height);
    float alpha = dark + light;
    if (alpha < 0.004) discard;
    write_unlit(vec4(INK * dark + LIGHT * light, alpha));
}
