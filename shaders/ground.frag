#version 330 core
// The shadow on the floor; premultiplied alpha. Without the grid it fades out at the edges of the
// picture: a cut through it would be seen.
#include "lib/frame.glsl"
#include "lib/target.glsl"

in vec3 v_at;
flat in vec4 v_parameters;   // of the lookup: xyz, w: opacity

#define shadow_parameters v_parameters
#include "lib/shadow.glsl"

const float FADES = 0.15;   // of the picture's height; a third of it at the bottom, where feet are

float fade() {
    vec2 at = gl_FragCoord.xy - vec2(sample_shift.w, 0.0), inside = picture.xy - at;
    float nearest = min(min(at.x, 3.0 * at.y), min(inside.x, inside.y));
    return floor_grid.z > 0.0 ? 1.0 : smoothstep(0.0, FADES * picture.y, nearest);
}

void main() {
    float shadow = 1.0 - shadow_map_visibility(v_at, v_parameters.x, v_at, vec3(0.0));
    write_unlit(vec4(0.0, 0.0, 0.0, shadow * v_parameters.w * fade()));
}
