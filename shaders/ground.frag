#version 330 core
// The shadow on the floor; premultiplied alpha.
#include "lib/frame.glsl"
#include "lib/lights.glsl"
#include "lib/shadow.glsl"
#include "lib/target.glsl"

in vec3 v_at;

void main() {
    write_unlit(vec4(0.0, 0.0, 0.0, (1.0 - shadow_map_visibility(v_at, shadow_parameters.x)) * floor_grid.w));
}
