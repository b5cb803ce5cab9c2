#version 330 core
// An antialiased line, solid or dashed, or a dot; premultiplied alpha.
in vec4 v_color;
in vec2 v_along;
flat in vec4 v_size;

#include "lib/target.glsl"

const float DASH = 0.45;   // share of a dash, without its round ends

void main() {
    float begin = 0.0, end = v_size.x, dash = v_size.z;
    if (dash > 0.0) {   // the nearest dash
        float last = floor(v_size.x / dash);
        begin = clamp(floor(v_along.x / dash + 0.5 * (1.0 - DASH)), 0.0, last) * dash;
        end = min(begin + DASH * dash, end);
    }
    float beyond = max(max(begin - v_along.x, v_along.x - end), 0.0);
    vec2 off = vec2(beyond, abs(v_along.y));
    float away = length(off);
    if (v_size.w > 1.5) away = (off.x + off.y) * 0.75;          // a diamond
    else if (v_size.w > 0.5) away = max(off.x, off.y) * 1.1;    // a square
    float cover = clamp(v_size.y + 0.5 - away, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float alpha = v_color.a * cover;
    write_unlit(vec4(v_color.rgb * alpha, alpha));
}
