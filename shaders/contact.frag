#version 330 core
// The floor is darker where it receives less ambient light; premultiplied alpha.
#define OCCLUSION
#include "lib/frame.glsl"
#include "lib/occlusion.glsl"
#include "lib/target.glsl"

in vec3 v_point;

const float DARKEST = 0.75;   // opacity where it sees nothing

void main() {
    write_unlit(vec4(0.0, 0.0, 0.0, (1.0 - ambient_visibility(v_point)) * DARKEST));
}
