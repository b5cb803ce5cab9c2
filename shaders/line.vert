#version 330 core
// Lines of constant screen width with round ends: one instance per line, six vertices each.
#include "lib/frame.glsl"
#include "lib/view.glsl"

in vec3 in_from;     // world space
in vec3 in_to;
in vec4 in_color;    // sRGB, straight alpha
in float in_width;   // pixels
in float in_dash;    // length of a dash and its gap, pixels; 0: solid
in float in_shape;   // of the ends: 0 round, 1 square, 2 diamond
in float in_behind;  // opacity behind surfaces

uniform float behind;   // 1: draws what is behind surfaces

out vec4 v_color;
out vec2 v_along;    // pixels along and across, from the start
flat out vec4 v_size;   // length, half width and dash, pixels; shape

void main() {
    vec4 a = view_projection * vec4(in_from, 1.0);
    vec4 b = view_projection * vec4(in_to, 1.0);
    // clip at the near plane, so that lines behind the camera keep their direction
    float da = a.w + a.z, db = b.w + b.z;
    if (da < 0.0 && db < 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (da < 0.0) a = mix(b, a, (db / (db - da)) * 0.999);
    if (db < 0.0) b = mix(a, b, (da / (da - db)) * 0.999);
    vec2 half_size = picture.xy * 0.5;
    vec2 pa = a.xy / a.w * half_size, pb = b.xy / b.w * half_size;
    vec2 span = pb - pa;
    float len = length(span);
    vec2 along = len > 1e-4 ? span / len : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float reach = in_width * (in_shape > 1.5 ? 0.75 : 0.5) + 1.0;
    int k = gl_VertexID % 6;
    bool last = k == 1 || k == 3 || k == 4;
    float side = (k == 2 || k == 4 || k == 5) ? 1.0 : -1.0;
    vec2 at = (last ? pb + along * reach : pa - along * reach) + across * (side * reach);
    vec4 end = last ? b : a;
    if (in_from == in_to) {   // a dot is drawn before the ends of the bones that it joins
        vec3 nearer = in_from + view_vector(in_from) * (in_width * 0.5 * picture.w * a.w);
        vec4 lifted = view_projection * vec4(nearer, 1.0);
        end.z = lifted.w > 0.0 ? lifted.z / lifted.w * end.w : end.z;
    }
    gl_Position = without_shift(vec4(at / half_size * end.w, end.z, end.w));
    v_color = vec4(in_color.rgb, in_color.a * (behind > 0.5 ? in_behind : 1.0));
    v_along = vec2(last ? len + reach : -reach, side * reach);
    v_size = vec4(len, in_width * 0.5, in_dash, in_shape);
}
