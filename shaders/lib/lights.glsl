// The lights of a picture, and the shadow of the first one. World space, metres.
const int MOST_LIGHTS = 16;
layout(std140, row_major) uniform Lights {
    vec4 lights;                       // x: rounds of look-ups of the shadow, y, z: how far apart,
                                       // w: metres that a surface is lifted for its own shadow
    mat4 shadow_from_world;            // to the map's texture coordinates and depth
    vec4 light_color[MOST_LIGHTS];     // rgb: linear, w: 0 directional, 1 point, 2 spot
    vec4 light_place[MOST_LIGHTS];     // xyz: metres, w: 1 / range, 0: endless
    vec4 light_back[MOST_LIGHTS];      // xyz: against the way it shines, unit
    vec4 light_cone[MOST_LIGHTS];      // x, y: scale and offset of a spot's fall-off
};

uniform sampler2DShadow shadow_map;

// How much of the first light reaches a point: 1 all of it. Four look-ups on a square; four more,
// closer and turned between them, where those differ. The border of the map is empty, and so is
// what lies beyond. What is behind its depth is in its shadow, too: OpenGL clamps what it compares.
float lit(vec3 point) {
    vec3 at = (shadow_from_world * vec4(point, 1.0)).xyz;
    vec2 way = vec2(0.800, 0.342);
    float sum = 0.0, count = 0.0;
    for (float k = 0.0; k < lights.x; k += 1.0) {  // not unrolled: so the end is left out in software
        vec2 a = way * lights.yz, b = vec2(-way.y, way.x) * lights.yz;
        sum += textureLod(shadow_map, vec3(at.xy + a, at.z), 0.0);
        sum += textureLod(shadow_map, vec3(at.xy - a, at.z), 0.0);
        sum += textureLod(shadow_map, vec3(at.xy + b, at.z), 0.0);
        sum += textureLod(shadow_map, vec3(at.xy - b, at.z), 0.0);
        count += 4.0;
        if (sum <= 0.0 || sum >= count) break;
        way = vec2(way.x - way.y, way.x + way.y) * 0.325;
    }
    return sum / count;
}
