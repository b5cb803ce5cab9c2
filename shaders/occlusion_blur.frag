#version 330 core
// The mean visibility of four by four texels, which have all directions, of one surface.
// It is drawn where there is a surface.
uniform sampler2D occlusion_rough;   // visibility, distance in metres
uniform float occlusion_radius;      // metres

out vec2 out_visibility;

const float CERTAIN = 6.0;           // texels of one surface, of 16

vec2 texel(ivec2 at) {
    return texelFetch(occlusion_rough, clamp(at, ivec2(0), textureSize(occlusion_rough, 0) - 1), 0).xy;
}

// The change of distance from one texel to the next on the same surface.
float slope(ivec2 at, ivec2 way, float own) {
    float ahead = texel(at + way).y - own, behind = own - texel(at - way).y;
    return abs(ahead) < abs(behind) ? ahead : behind;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec2 own = texel(at);
    vec2 slopes = vec2(slope(at, ivec2(1, 0), own.y), slope(at, ivec2(0, 1), own.y));
    float tolerance = 1.0 / (0.2 * occlusion_radius), sum = 0.0, weights = 0.0;
    for (int k = 0; k < 16; k++) {
        ivec2 offset = ivec2(k & 3, k >> 2) - 2;
        vec2 beside = texel(at + offset);
        float weight = max(1.0 - abs(beside.y - own.y - dot(slopes, vec2(offset))) * tolerance, 0.0);
        sum += beside.x * weight;
        weights += weight;
    }
    float mean = clamp(sum / max(weights, 1e-4), 0.0, 1.0);
    out_visibility = vec2(mix(1.0, mean, clamp(weights / CERTAIN, 0.0, 1.0)), own.y);
}
