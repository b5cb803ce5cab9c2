// What one picture shares: camera, light and how colours leave the shader. World space, metres.
layout(std140, row_major) uniform Frame {
    mat4 view_projection;
    vec4 eye;             // xyz: camera, w: 1 perspective, 0 orthographic
    vec4 back;            // xyz: from the target to the camera, unit
    vec4 irradiance[9];   // rgb: coefficients of the light from all around
    vec4 picture;         // x, y: size in pixels, z: exposure factor, w: tone mapping 0 none .. 3
    vec4 floor_grid;      // x: height, y: cell, z: radius of fading, w: 1 on a light background
};

// From a point towards the camera, unit.
vec3 towards_eye(vec3 point) {
    return eye.w > 0.5 ? normalize(eye.xyz - point) : back.xyz;
}
