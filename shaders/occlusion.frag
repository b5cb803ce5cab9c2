#version 330 core
// Ambient occlusion by the horizons in a depth buffer (GTAO: Jimenez and others, "Practical
// Real-Time Strategies for Accurate Indirect Occlusion", 2016): visibility, and distance in metres.
uniform sampler2D occlusion_depth;
uniform vec4 occlusion_lens;     // x, y: scale of the projection, z, w: depth terms of its matrix
uniform float occlusion_ortho;   // 1: orthographic
uniform float occlusion_radius;  // metres

out vec2 out_visibility;

const float PI = 3.14159265;
#ifdef FINE
const int SLICES = 2, STEPS = 6;
#else
const int SLICES = 1, STEPS = 3;
#endif
// Directions of slices by whole texels: samples between texels would bend planes.
const ivec2 WAYS[8] = ivec2[8](ivec2(1, 0), ivec2(2, 1), ivec2(1, 1), ivec2(1, 2),
                               ivec2(0, 1), ivec2(-1, 2), ivec2(-1, 1), ivec2(-2, 1));
const float MOST = 0.3;          // of the picture's height: farther occluders are not looked for

// The point of a texel in view space: right, up, towards the camera.
vec3 view_point(ivec2 at) {
    ivec2 size = textureSize(occlusion_depth, 0);
    if (at.x < 0 || at.y < 0 || at.x >= size.x || at.y >= size.y) return vec3(0.0, 0.0, -1e30);
    float depth = texelFetch(occlusion_depth, at, 0).r * 2.0 - 1.0;
    float away = occlusion_ortho > 0.5 ? (occlusion_lens.w - depth) / occlusion_lens.z
                                       : occlusion_lens.w / (depth + occlusion_lens.z);
    vec2 across = ((vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0) / occlusion_lens.xy;
    return vec3(occlusion_ortho > 0.5 ? across : across * away, -away);
}

// The shorter one of two differences: that of the same surface.
vec3 shorter(vec3 a, vec3 b) {
    return abs(a.z) < abs(b.z) ? a : b;
}

// The cosine of the horizon on one side of a slice.
float horizon(ivec2 at, ivec2 way, vec3 point, vec3 view, float reach, float start, float least) {
    float highest = least;
    for (int k = 0; k < STEPS; k++) {
        float part = (float(k) + start) / float(STEPS);
        int times = max(int(part * sqrt(part) * reach + 0.5), k + 1);
        vec3 away = view_point(at + way * times) - point;
        float far = length(away);
        float near = clamp(2.0 - 2.0 * far / occlusion_radius, 0.0, 1.0);
        highest = max(highest, mix(least, dot(away, view) / max(far, 1e-9), near));
    }
    return highest;
}

float visibility(ivec2 at, vec3 point) {
    vec3 view = occlusion_ortho > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-point);
    vec3 right = shorter(view_point(at + ivec2(1, 0)) - point, point - view_point(at - ivec2(1, 0)));
    vec3 up = shorter(view_point(at + ivec2(0, 1)) - point, point - view_point(at - ivec2(0, 1)));
    vec3 normal = normalize(cross(right, up));
    float height = float(textureSize(occlusion_depth, 0).y);
    float reach = occlusion_radius * occlusion_lens.y * 0.5 * height / (occlusion_ortho > 0.5 ? 1.0 : -point.z);
    reach = min(reach, MOST * height);
    int turn = (at.x & 3) * 4 + (((at.x & 3) + (at.y & 3)) & 3);  // of 16: all are in any 4 x 4 texels
    float start = 0.4 + 0.6 * float(turn & 1);
    float sum = 0.0;
    for (int k = 0; k < SLICES; k++) {
        ivec2 way = WAYS[((turn >> 1) + k * 8 / SLICES) & 7];
        vec3 along = vec3(normalize(vec2(way)), 0.0);
        float steps = reach / length(vec2(way));
        vec3 projected = along - dot(along, view) * view;
        float share = view.z / dot(projected, projected);  // of the angle around the view vector
        vec3 across = normalize(cross(along, view));
        vec3 flat_normal = normal - across * dot(normal, across);
        float size = length(flat_normal);
        float cosine = clamp(dot(flat_normal, view) / max(size, 1e-6), -1.0, 1.0);
        float n = sign(dot(projected, flat_normal)) * acos(cosine);
        float ahead = acos(horizon(at, way, point, view, steps, start, cos(n + PI * 0.5)));
        float behind = -acos(horizon(at, -way, point, view, steps, start, cos(n - PI * 0.5)));
        sum += share * size * (2.0 * cosine + 2.0 * (ahead + behind) * sin(n) - cos(2.0 * ahead - n) - cos(2.0 * behind - n)) * 0.25;
    }
    return sum / float(SLICES);  // the mean of all directions is at most 1
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float covered = texelFetch(occlusion_depth, at, 0).r < 1.0 ? 1.0 : 0.0;
    vec3 point = view_point(at);
    out_visibility = vec2(1.0, covered > 0.0 ? -point.z : 2e30);
    for (float k = 0.0; k < covered; k += 1.0)  // a loop is skipped where a branch is not
        out_visibility.x = visibility(at, point);
}
