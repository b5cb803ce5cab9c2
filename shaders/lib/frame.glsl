// Values of a frame: camera, environment, exposure, ground. World space, metres.
layout(std140, row_major) uniform Frame {
    mat4 view_projection;
    vec4 eye;             // xyz: camera, w: 1 perspective, 0 orthographic
    vec4 back;            // xyz: from the target to the camera, unit
    vec4 irradiance[9];   // rgb: irradiance coefficients; w of [0]: scale of octahedral
                          // coordinates, of [1] and [2]: scale and offset of roughness
    vec4 picture;         // x, y: size in pixels, z: exposure factor, w: a pixel at w = 1, metres
    vec4 floor_grid;      // x: height, y: cell, z: radius of fading, w: opacity of the shadow
};

// The unit vector from a point to the camera.
vec3 view_vector(vec3 point) {
    return eye.w > 0.5 ? normalize(eye.xyz - point) : back.xyz;
}
