// Values of a frame: camera, environment, exposure, ground. World space, metres.
layout(std140, row_major) uniform Frame {
    mat4 view_projection;
    vec4 eye;             // xyz: camera, w: 1 perspective, 0 orthographic
    vec4 back;            // xyz: from the target to the camera, unit
                          // w: pixels that are drawn for one of the picture, along each edge
    vec4 irradiance[9];   // rgb: irradiance coefficients; w of [0]: scale of octahedral
                          // coordinates, of [1] and [2]: scale and offset of roughness,
                          // of [3] and [4]: cosine and sine of its rotation about +Y;
                          // of a grey environment these 14 values one after the other
    vec4 picture;         // x, y: size in pixels, z: exposure factor, w: a pixel at w = 1, metres
    vec4 floor_grid;      // x: height, y: cell, z: radius of fading, 0: no grid, w: opacity of the shadow
    vec4 sample_shift;    // x, y: offset of this sample in clip space, in view_projection,
                          // z: depth that is one surface, metres, w: left edge of the view, pixels
};

// A position of clip space at the centre of the pixel: for lines that are smooth by themselves.
vec4 without_shift(vec4 position) {
    return vec4(position.xy - sample_shift.xy * position.w, position.zw);
}
