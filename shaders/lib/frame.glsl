// What one picture shares: camera, light and how colours leave the shader. World space, metres.
layout(std140, row_major) uniform Frame {
    mat4 view_projection;
    vec4 eye;             // xyz: camera, w: 1 perspective, 0 orthographic
    vec4 back;            // xyz: from the target to the camera, unit
    vec4 irradiance[9];   // rgb: coefficients of the light from all around; w: of [0] how far its
                          // pictures reach, of [1] and [2] factor and offset of a roughness
    vec4 picture;         // x, y: size in pixels, z: exposure factor
    vec4 floor_grid;      // x: height, y: cell, z: radius of fading, w: how dark a shadow on it is
};

// From a point towards the camera, unit.
vec3 towards_eye(vec3 point) {
    return eye.w > 0.5 ? normalize(eye.xyz - point) : back.xyz;
}
