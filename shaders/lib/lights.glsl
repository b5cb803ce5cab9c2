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

// How much of the first light reaches a place in the map: 1 all of it. Three look-ups on a triangle;
// six more, each three closer and turned, where those differ. The border of the map is empty, and
// so is what lies beyond; what is behind its depth is in its shadow: OpenGL clamps what it compares.
float reached(vec3 at) {
    vec2 way = vec2(0.8013, 0.3388), soft = lights.yz;
    float sum = 0.0, count = 0.0;
    for (float k = 0.0; k < lights.x; k += 1.0) {  // not unrolled: software leaves out the rest
        vec2 back = at.xy - 0.5 * way * soft, side = vec2(-way.y, way.x) * 0.8660254 * soft;
        sum += textureLod(shadow_map, vec3(at.xy + way * soft, at.z), 0.0);
        sum += textureLod(shadow_map, vec3(back + side, at.z), 0.0);
        sum += textureLod(shadow_map, vec3(back - side, at.z), 0.0);
        count += 3.0;
        if (sum <= 0.0 || sum >= count) break;
        way = vec2(way.x * 0.521 - way.y * 0.437, way.x * 0.437 + way.y * 0.521);  // by 40 degrees
    }
    return sum / count;
}

// The same of a point of world space.
float lit(vec3 point) {
    return reached((shadow_from_world * vec4(point, 1.0)).xyz);
}
