// The lights of a picture, and the shadow of the first one. World space, metres.
const int MOST_LIGHTS = 16;
layout(std140, row_major) uniform Lights {
    vec4 lights;                       // x: how many, y: 1 where the first casts a shadow, z: softness,
                                       // w: metres that a surface is lifted for its own shadow
    mat4 shadow_from_world;
    vec4 light_color[MOST_LIGHTS];     // rgb: linear, w: 0 directional, 1 point, 2 spot
    vec4 light_place[MOST_LIGHTS];     // xyz: metres, w: 1 / range, 0: endless
    vec4 light_back[MOST_LIGHTS];      // xyz: against the way it shines, unit
    vec4 light_cone[MOST_LIGHTS];      // x, y: scale and offset of a spot's fall-off
};

uniform sampler2DShadow shadow_map;

// How much of the first light reaches a point: 1 all of it.
float lit(vec3 point) {
    vec3 at = (shadow_from_world * vec4(point, 1.0)).xyz * 0.5 + 0.5;
    // the ground behind the map is in its shadow, too: OpenGL clamps what it compares with to 1
    if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
    const vec2 spread[8] = vec2[8](  // a golden-angle spiral over a disc
        vec2(0.250, 0.000), vec2(-0.319, 0.292), vec2(0.049, -0.557), vec2(0.402, 0.525),
        vec2(-0.738, -0.131), vec2(0.700, -0.445), vec2(-0.234, 0.870), vec2(-0.446, -0.859));
    float sum = 0.0;
    for (int k = 0; k < 8; k++)
        sum += texture(shadow_map, vec3(at.xy + spread[k] * lights.z, at.z));
    return sum / 8.0;
}
