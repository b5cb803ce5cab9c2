#version 330 core
// The depth of surfaces that are to be shaded, elsewhere 0; the colour behind them less what they cover.
#include "lib/surface_samples.glsl"

out vec4 out_color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float covered = 0.0, nearest = 1.0;
    for (int k = 0; k < SAMPLES; k++) {
        float depth = texelFetch(surface_depth, at, k).r;
        covered += depth < 1.0 ? 1.0 : 0.0;
        nearest = min(nearest, depth);
    }
    gl_FragDepth = covered > 0.0 ? nearest : 0.0;
    out_color = vec4(0.0, 0.0, 0.0, covered / float(SAMPLES));
}
