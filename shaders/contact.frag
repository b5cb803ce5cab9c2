#version 330 core
// The floor is darker where it receives less ambient light; premultiplied alpha.
#define OCCLUSION
#include "lib/frame.glsl"
#include "lib/occlusion.glsl"

in vec3 v_point;

out vec4 out_color;

const float DARKEST = 0.75;   // opacity where it sees nothing

void main() {
    out_color = vec4(0.0, 0.0, 0.0, (1.0 - ambient_visibility(v_point)) * DARKEST);
}
