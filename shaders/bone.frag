#version 330 core
// A facet of a bone with its edges; premultiplied alpha.
in vec4 v_color;
in vec3 v_corner;
flat in float v_shade;
flat in float v_width;

uniform float outline;
uniform float behind;
uniform float edge;     // half width of an edge, pixels

#include "lib/target.glsl"

const vec3 DARK = vec3(0.05, 0.05, 0.07);

void main() {
    if (outline > 0.0) {
        write_unlit(vec4(DARK, 1.0) * 0.85 * v_color.a);
        return;
    }
    vec3 away = v_corner / max(fwidth(v_corner), vec3(1e-6));   // pixels from the edges
    float line = 1.0 - smoothstep(edge - 0.5, edge + 0.5, min(away.x, min(away.y, away.z)));
    line *= smoothstep(3.0, 7.0, v_width);   // thin bones have no edges
    vec3 fill = v_color.rgb * v_shade;
    vec3 color = mix(fill, mix(fill, DARK, 0.75), line);
    float alpha = mix(v_color.a, min(1.0, 1.3 * v_color.a), line);
    write_unlit(vec4(color * alpha, alpha));
}
