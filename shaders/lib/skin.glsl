// Linear blend skinning (glTF 2.0, section 3.7.3.3). SKIN is the number of influences, 4 or 8.
// A palette entry is three rows of an affine matrix: vec4(point, 1.0) * rows transforms a point.
// PALETTE_TEXTURE: entries are fetched from a texture, three texels per joint, PALETTE_WIDTH texels
// per row, PALETTE_LINES rows per character of a crowd.
#ifndef CHARACTER
#define CHARACTER 0
#endif
#ifdef PALETTE_TEXTURE
uniform sampler2D palette_texture;
mat3x4 palette_entry(uint joint) {
    int texel = int(joint) * 3;
    ivec2 at = ivec2(texel % PALETTE_WIDTH, CHARACTER * PALETTE_LINES + texel / PALETTE_WIDTH);
    return mat3x4(texelFetch(palette_texture, at, 0),
                  texelFetch(palette_texture, at + ivec2(1, 0), 0),
                  texelFetch(palette_texture, at + ivec2(2, 0), 0));
}
#else
layout(std140) uniform Palette {
    vec4 palette_rows[3 * PALETTE_SIZE];
};
mat3x4 palette_entry(uint joint) {
    uint row = joint * 3u;
    return mat3x4(palette_rows[row], palette_rows[row + 1u], palette_rows[row + 2u]);
}
#endif

mat3x4 blend_palette(uvec4 joints, vec4 weights) {
    return palette_entry(joints.x) * weights.x + palette_entry(joints.y) * weights.y
         + palette_entry(joints.z) * weights.z + palette_entry(joints.w) * weights.w;
}

vec3 skin_point(mat3x4 rows, vec3 point) {
    return vec4(point, 1.0) * rows;
}

vec3 skin_vector(mat3x4 rows, vec3 vector) {
    return vec4(vector, 0.0) * rows;
}

// -1 if the blended matrix mirrors, else 1.
float skin_sign(mat3x4 rows) {
    return dot(rows[0].xyz, cross(rows[1].xyz, rows[2].xyz)) < 0.0 ? -1.0 : 1.0;
}

// Normals use the cofactor matrix, which unlike the inverse transpose exists at zero scale; its sign
// is corrected for mirroring matrices.
vec3 skin_normal(mat3x4 rows, vec3 normal) {
    vec3 x = cross(rows[1].xyz, rows[2].xyz);
    vec3 y = cross(rows[2].xyz, rows[0].xyz);
    vec3 z = cross(rows[0].xyz, rows[1].xyz);
    return skin_sign(rows) * vec3(dot(x, normal), dot(y, normal), dot(z, normal));
}
