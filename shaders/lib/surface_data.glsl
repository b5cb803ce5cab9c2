// The data of a visible surface, in four words: normal, tangent frame, and two of texture
// coordinates, mipmap level and material group.

// A unit vector on an octahedron (Cigolle et al. 2014): two numbers of 16 bits.
uint pack_normal(vec3 d) {
    vec2 p = d.xy / (abs(d.x) + abs(d.y) + abs(d.z));
    if (d.z < 0.0) p = (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
    ivec2 whole = ivec2(round(p * 32767.0));
    return (uint(whole.x) & 0xffffu) | (uint(whole.y) << 16);
}

vec3 unpack_normal(uint word) {
    vec2 p = vec2(ivec2(int(word << 16), int(word)) >> 16) / 32767.0;
    vec3 d = vec3(p, 1.0 - abs(p.x) - abs(p.y));
    float below = max(-d.z, 0.0);
    d.xy += vec2(d.x < 0.0 ? below : -below, d.y < 0.0 ? below : -below);
    return normalize(d);
}

// Two unit vectors perpendicular to a unit vector (Duff et al. 2017).
mat2x3 plane_axes(vec3 n) {
    float side = n.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (side + n.z), b = n.x * n.y * a;
    return mat2x3(vec3(1.0 + side * n.x * n.x * a, side * b, -side * n.x),
                  vec3(b, side + n.y * n.y * a, -n.y));
}

// Two vectors perpendicular to a normal, no longer than 1: four numbers of 8 bits.
uint pack_tangents(vec3 normal, mat2x3 frame) {
    mat2x3 axes = plane_axes(normal);
    vec4 along = vec4(frame[0] * axes, frame[1] * axes);
    uvec4 whole = uvec4(ivec4(round(clamp(along, -1.0, 1.0) * 127.0))) & 0xffu;
    return whole.x | whole.y << 8 | whole.z << 16 | whole.w << 24;
}

mat2x3 unpack_tangents(vec3 normal, uint word) {
    mat2x3 axes = plane_axes(normal);
    vec4 along = vec4(ivec4(int(word << 24), int(word << 16), int(word << 8), int(word)) >> 24) / 127.0;
    return mat2x3(axes * along.xy, axes * along.zw);
}

// Texture coordinates with a relative error of 2^-18; their low bits are the binary logarithm of
// their change per pixel, from -14 to 2 in steps of 1/16, and the material group.
uvec2 pack_uv(vec2 uv, vec2 aspect, int group) {
    vec2 across = dFdx(uv) * aspect, up = dFdy(uv) * aspect;
    float level = 0.5 * log2(max(max(dot(across, across), dot(up, up)), 1e-12));
    uint low = uint(clamp(level * 16.0 + 224.5, 0.0, 255.0)) | uint(group) << 8;
    return (floatBitsToUint(uv) & ~0x3fu) | (uvec2(low, low >> 6) & 0x3fu);
}

int unpack_group(uvec2 words) {
    return int((words.y & 0x3fu) >> 2);
}

float unpack_level(uvec2 words) {
    uint low = (words.x & 0x3fu) | (words.y & 0x3u) << 6;
    return float(low) / 16.0 - 14.0;
}

vec2 unpack_uv(uvec2 words) {
    return uintBitsToFloat(words & ~0x3fu);
}
