#version 330 core
// The average of the samples of a pixel.
uniform sampler2DMS samples;

out vec4 out_color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 sum = vec4(0.0);
    for (int k = 0; k < 4; k++) sum += texelFetch(samples, at, k);
    out_color = sum * 0.25;
}
