#version 330 core
// The distance of surfaces from the plane of the camera, metres; of blended ones also their opacity.
uniform sampler2D occlusion_depth;
uniform vec4 occlusion_lens;     // z, w: depth terms of the matrix of the projection
uniform float occlusion_ortho;   // 1: orthographic

out vec2 out_distance;

void main() {
    vec2 found = texelFetch(occlusion_depth, ivec2(gl_FragCoord.xy), 0).rg;
    float depth = found.r * 2.0 - 1.0;
    float away = occlusion_ortho > 0.5 ? (occlusion_lens.w - depth) / occlusion_lens.z
                                 : occlusion_lens.w / (depth + occlusion_lens.z);
    out_distance = vec2(away, found.g);
}
