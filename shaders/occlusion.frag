#version 330 core
// Ambient occlusion by the horizons in a depth buffer (GTAO: Jimenez and others, "Practical
// Real-Time Strategies for Accurate Indirect Occlusion", 2016): visibility, and distance in metres.
// It is drawn where there is a surface. LAYERED: blended surfaces occlude by their opacity, and with
// FRONT they are those that are occluded.
uniform sampler2D occlusion_distance;   // of opaque surfaces from the plane of the camera, metres
#ifdef LAYERED
uniform sampler2D occlusion_blended;    // of the blended ones before them; opacity
#endif
#ifdef FRONT
#define OWN occlusion_blended
#else
#define OWN occlusion_distance
#endif
uniform vec4 occlusion_lens;     // y: scale of the projection up
uniform vec4 occlusion_across;   // scale and offset from a texel to its place at a distance of 1
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

// The distance at a texel, metres, and its opacity.
vec2 texel(sampler2D layer, ivec2 at) {
    ivec2 inside = clamp(at, ivec2(0), textureSize(layer, 0) - 1);
    return inside == at ? texelFetch(layer, inside, 0).rg : vec2(1e15, 0.0);
}

// The point at a distance in view space: right, up, towards the camera.
vec3 view_point(ivec2 at, float away) {
    vec2 across = vec2(at) * occlusion_across.xy + occlusion_across.zw;
    return vec3(across * (occlusion_ortho > 0.5 ? 1.0 : away), -away);
}

vec3 own_point(ivec2 at) {
    return view_point(at, texel(OWN, at).x);
}

// The shorter one of two differences: that of the same surface.
vec3 shorter(vec3 a, vec3 b) {
    return abs(a.z) < abs(b.z) ? a : b;
}

// The cosine of the angle that an occluder raises a horizon to.
float raised(vec3 away, vec3 view, float least, float opacity) {
    float far2 = max(dot(away, away), 1e-18), inverse = inversesqrt(far2);
    float near = clamp(2.0 - 2.0 / occlusion_radius * far2 * inverse, 0.0, 1.0);
    return mix(least, dot(away, view) * inverse, near * opacity);
}

// The cosine of the horizon on one side of a slice.
float horizon(ivec2 at, ivec2 way, vec3 point, vec3 view, float reach, float start, float least) {
    float highest = least;
    for (int k = 0; k < STEPS; k++) {
        float part = (float(k) + start) / float(STEPS);
        int times = max(int(part * sqrt(part) * reach + 0.5), k + 1);
        ivec2 place = at + way * times;
        vec3 away = view_point(place, texel(occlusion_distance, place).x) - point;
        highest = max(highest, raised(away, view, least, 1.0));
#ifdef LAYERED
        vec2 blended = texel(occlusion_blended, place);
        highest = max(highest, raised(view_point(place, blended.x) - point, view, least, blended.y));
#endif
    }
    return highest;
}

float visibility(ivec2 at, vec3 point) {
    vec3 view = occlusion_ortho > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-point);
    vec3 right = shorter(own_point(at + ivec2(1, 0)) - point, point - own_point(at - ivec2(1, 0)));
    vec3 up = shorter(own_point(at + ivec2(0, 1)) - point, point - own_point(at - ivec2(0, 1)));
    if (max(abs(right.z), abs(up.z)) > occlusion_radius) return 1.0;  // of other surfaces: no normal
    vec3 normal = normalize(cross(right, up));
    float height = float(textureSize(occlusion_distance, 0).y);
    float reach = occlusion_radius * occlusion_lens.y * 0.5 * height / (occlusion_ortho > 0.5 ? 1.0 : -point.z);
    reach = min(reach, MOST * height);
    int turn = (at.x & 3) * 4 + (((at.x & 3) + (at.y & 3)) & 3);  // of 16: all are in any 4 x 4 texels
    float start = 0.4 + 0.6 * float(turn & 1);
    float sum = 0.0, whole = 0.0;
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
        float sine = sign(dot(projected, flat_normal)) * sqrt(1.0 - cosine * cosine);
        float ahead = horizon(at, way, point, view, steps, start, -sine);
        float behind = horizon(at, -way, point, view, steps, start, sine);
        // the sum of cos(2 h - n) for both horizons h, of which those behind are negative
        float ends = (2.0 * (ahead * ahead + behind * behind) - 2.0) * cosine
            + 2.0 * sine * (ahead * sqrt(1.0 - ahead * ahead) - behind * sqrt(1.0 - behind * behind));
        float angle = acos(ahead) - acos(behind);
        sum += share * size * (2.0 * cosine + 2.0 * angle * sine - ends) * 0.25;
        whole += share * size * (cosine + asin(sine) * sine);  // without occlusion
    }
    return sum / whole;  // a single slice of a slanted surface can hold less light than others
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 point = own_point(at);
    out_visibility = vec2(visibility(at, point), -point.z);
}
