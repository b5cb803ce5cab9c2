// Factors and textures of a material (glTF 2.0, section 3.9). Factors are in a uniform block; with
// MATERIAL_ROWS in a texture, with a row of texels per character of a crowd.
#ifdef MATERIAL_ROWS
uniform sampler2D material_rows;
flat in int v_character;
#define FACTORS(k) texelFetch(material_rows, ivec2(k, v_character), 0)
#else
#ifdef LAYERED
#define MATERIAL_VECTORS 34  // the others are in lib/layers.glsl
#else
#define MATERIAL_VECTORS 14
#endif
layout(std140) uniform Material {
    vec4 material_factors[MATERIAL_VECTORS];
};
#define FACTORS(k) material_factors[k]
#endif
#define UV_ROWS(k) vec4[2](FACTORS(k), FACTORS(k + 1))  // affine rows, w: TEXCOORD set

#define base_factor FACTORS(0)        // linear, alpha
#define emissive_factor FACTORS(1)    // rgb: linear
#define metal_rough FACTORS(2)        // x: metallic, y: roughness, zw: scale of mirrored textures
#define material_scales FACTORS(3)    // x: normal scale, y: occlusion strength, z: alpha cutoff
#define base_uv_rows UV_ROWS(4)       // UV transforms of the textures
#define metal_rough_uv_rows UV_ROWS(6)
#define normal_uv_rows UV_ROWS(8)
#define occlusion_uv_rows UV_ROWS(10)
#define emissive_uv_rows UV_ROWS(12)

uniform sampler2D base_texture;
uniform sampler2D metal_rough_texture;
uniform sampler2D normal_texture;
uniform sampler2D occlusion_texture;
uniform sampler2D emissive_texture;

// Texture coordinates after KHR_texture_transform. UV_TRANSFORM is defined if any texture has a
// transform or uses the second set.
vec2 transform_uv(vec4 rows[2], vec2 texcoord0, vec2 texcoord1) {
#ifndef UV_TRANSFORM
    return texcoord0;
#else
#ifdef TWO_TEXCOORDS
    vec3 uv = vec3(rows[0].w < 0.5 ? texcoord0 : texcoord1, 1.0);
#else
    vec3 uv = vec3(texcoord0, 1.0);
#endif
    return vec2(dot(rows[0].xyz, uv), dot(rows[1].xyz, uv));
#endif
}
