#version 330 core
// The environment as the background, tone mapped as surfaces are.
#include "lib/frame.glsl"
#include "lib/color.glsl"
#include "lib/spline.glsl"

uniform sampler2D environment_map;   // equirectangular, linear; MARGIN rows beyond each pole
uniform float rotation;              // about +Y, turns

in vec3 v_direction;

#include "lib/target.glsl"

const float PI = 3.14159265;

void main() {
    vec3 d = normalize(v_direction);
    float rows = float(textureSize(environment_map, 0).y), margin = float(MARGIN);
    float u = atan(d.z, d.x) / (2.0 * PI) + 0.5 + rotation;
    float v = acos(clamp(d.y, -1.0, 1.0)) / PI;
    vec3 light = spline(environment_map, vec2(u, (v * (rows - 2.0 * margin) + margin) / rows), 0).rgb;
#ifdef RADIANCE
    out_light = vec4(light, 1.0);
    out_color = vec4(0.0, 0.0, 0.0, 1.0);
#else
    out_color = vec4(stored(tone_map(light, picture.z)), 1.0);
#endif
}
