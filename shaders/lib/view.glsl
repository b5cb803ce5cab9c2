// The unit vector from a point to the camera.
vec3 view_vector(vec3 point) {
    return eye.w > 0.5 ? normalize(eye.xyz - point) : back.xyz;
}
