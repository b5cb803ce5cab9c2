// The lights of a frame, and where the shadow map of the first one is. World space, metres.
const int MAX_LIGHTS = 16;
layout(std140, row_major) uniform Lights {
    vec4 shadow_parameters;            // x: rounds of samples, y, z: sampling radius,
                                       // w: offset along the normal, metres
    mat4 shadow_from_world;            // to the map's texture coordinates and depth
    vec4 light_color[MAX_LIGHTS];      // rgb: linear, w: 0 directional, 1 point, 2 spot
    vec4 light_position[MAX_LIGHTS];   // xyz: metres, w: 1 / range, 0: infinite
    vec4 light_backward[MAX_LIGHTS];   // xyz: against the light direction, unit
    vec4 light_cone[MAX_LIGHTS];       // x, y: scale and offset of a spot's attenuation
};
