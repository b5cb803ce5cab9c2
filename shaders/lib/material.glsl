// Values and textures of a material (glTF 2.0, section 3.9, and its extensions). The values are in a
// uniform block; with MATERIAL_ROWS in a texture, with a row of texels per character of a crowd.
// material_fields.glsl is made from the table of fields: material_roughness, base_color_texel
// (white without a texture), base_color_uv.
#ifdef MATERIAL_ROWS
uniform sampler2D material_rows;
flat in int v_character;
#define FACTORS(k) texelFetch(material_rows, ivec2(k, v_character), 0)
#else
#define FACTORS(k) material_vectors[k]
#endif
#define UV_ROWS(k) vec4[2](FACTORS(k), FACTORS(k + 1))  // affine rows, w: TEXCOORD set
#ifndef VALUES
#define VALUES(k) FACTORS(k)
#endif
#ifndef MATERIAL_ROWS
layout(std140) uniform Material {
    vec4 material_vectors[MATERIAL_VECTORS];
};
#endif

#ifdef DEFERRED  // of the surface that is shaded
vec2 v_texcoord0;
float v_level;  // mipmap level of a texture of one texel
#define SAMPLED(map, uv) textureLod(map, uv, texture_level(textureSize(map, 0)))

float texture_level(ivec2 size) {
    return v_level + log2(float(max(size.x, size.y)));
}
#else
in vec2 v_texcoord0;
#ifdef TEXCOORDS
in vec2 v_texcoord1;
#if TEXCOORDS > 2
in vec2 v_texcoord2;
#endif
#if TEXCOORDS > 3
in vec2 v_texcoord3;
#endif
#endif
#define SAMPLED(map, uv) texture(map, uv)
#endif

// Texture coordinates after KHR_texture_transform. UV_TRANSFORM is defined if any texture has a
// transform or does not use the first set, TEXCOORDS as the number of sets if there are several. The
// first set is used in place of one that the mesh does not have.
vec2 transform_uv(vec4 rows[2]) {
#ifndef UV_TRANSFORM
    return v_texcoord0;
#else
    vec3 uv = vec3(v_texcoord0, 1.0);
#ifdef TEXCOORDS
    if (rows[0].w == 1.0) uv.xy = v_texcoord1;
#if TEXCOORDS > 2
    if (rows[0].w == 2.0) uv.xy = v_texcoord2;
#endif
#if TEXCOORDS > 3
    if (rows[0].w == 3.0) uv.xy = v_texcoord3;
#endif
#endif
    return vec2(dot(rows[0].xyz, uv), dot(rows[1].xyz, uv));
#endif
}

#ifdef TRANSMISSION
// The transmission factor; metals do not transmit.
float transmission_factor(float metallic) {
    return material_transmission_factor * (1.0 - metallic) * transmission_texel.r;
}
#endif
