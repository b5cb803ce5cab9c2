#version 330 core
// The background as a strip of BANDS bands from the top of the picture to the bottom.
uniform vec4 gradient_colours[3];   // sRGB, premultiplied
uniform float gradient_smooth;      // 1: without an edge in the middle

out vec4 v_color;

void main() {
    float at = float(gl_VertexID / 2) * 2.0 / float(BANDS), k = step(1.0, at), part = at - k;
    part = mix(part, smoothstep(0.0, 1.0, part), gradient_smooth);
    v_color = k < 0.5 ? mix(gradient_colours[0], gradient_colours[1], part)
        : mix(gradient_colours[1], gradient_colours[2], part);
    gl_Position = vec4(gl_VertexID % 2 == 0 ? -1.0 : 1.0, 1.0 - at, 1.0, 1.0);
}
