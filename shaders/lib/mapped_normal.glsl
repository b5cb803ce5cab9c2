// Transform a tangent-space normal to world space.
vec3 mapped_normal(vec3 normal, vec3 sampled, mat2x3 frame) {
    vec3 n = frame[0] * sampled.x - frame[1] * sampled.y + normal * sampled.z;
    float length2 = dot(n, n);
    return length2 > 1e-12 ? n * inversesqrt(length2) : normal;
}
