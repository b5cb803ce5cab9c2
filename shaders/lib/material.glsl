// A material's factors in one block, its textures beside it (glTF 2.0, section 3.9).
layout(std140) uniform Material {
    vec4 base_factor;        // linear, alpha
    vec4 emissive_factor;    // rgb: linear
    vec4 metal_rough;        // x: metallic, y: roughness
    vec4 material_scales;    // x: normal scale, y: occlusion strength, z: alpha cutoff
    vec4 base_place[2];      // a texture's place: two rows of an affine map, w: texcoord set
    vec4 metal_rough_place[2];
    vec4 normal_place[2];
    vec4 occlusion_place[2];
    vec4 emissive_place[2];
};

uniform sampler2D base_texture;
uniform sampler2D metal_rough_texture;
uniform sampler2D normal_texture;
uniform sampler2D occlusion_texture;
uniform sampler2D emissive_texture;

// Texture coordinates after KHR_texture_transform.
vec2 place(vec4 rows[2], vec2 texcoord0, vec2 texcoord1) {
#ifdef TWO_TEXCOORDS
    vec3 uv = vec3(rows[0].w < 0.5 ? texcoord0 : texcoord1, 1.0);
#else
    vec3 uv = vec3(texcoord0, 1.0);
#endif
    return vec2(dot(rows[0].xyz, uv), dot(rows[1].xyz, uv));
}
