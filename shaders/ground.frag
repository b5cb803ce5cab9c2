#version 330 core
// The shadow on the floor; premultiplied alpha.
#include "lib/target.glsl"

in vec3 v_at;
flat in vec4 v_parameters;   // of the lookup: xyz, w: opacity

#define shadow_parameters v_parameters
#include "lib/shadow.glsl"

void main() {
    write_unlit(vec4(0.0, 0.0, 0.0, (1.0 - shadow_map_visibility(v_at, v_parameters.x)) * v_parameters.w));
}
