#version 330 core
// The distance of surfaces from the plane of the camera, metres.
uniform sampler2D occlusion_depth;
uniform vec4 occlusion_lens;     // z, w: depth terms of the matrix of the projection
uniform float occlusion_ortho;   // 1: orthographic

out float out_distance;

void main() {
    float depth = texelFetch(occlusion_depth, ivec2(gl_FragCoord.xy), 0).r * 2.0 - 1.0;
    out_distance = occlusion_ortho > 0.5 ? (occlusion_lens.w - depth) / occlusion_lens.z
                                         : occlusion_lens.w / (depth + occlusion_lens.z);
}
